#pragma once
// Directed links: the only way for actors to talk, and every link takes time.

#include <algorithm>
#include <cstdint>

#include "sim/units.hpp"

namespace spineleaf {

using ActorId = std::uint32_t;
using LinkId = std::uint32_t;

struct Link {
  ActorId from = 0;
  ActorId to = 0;
  std::uint16_t from_port = 0;
  std::uint16_t to_port = 0;
  Rate rate;
  /// Head of a packet leaves the sender -> head is through the receiver's fixed ingress pipeline:
  /// propagation + PHY/FEC + pipeline. Equal for all packets of a link.
  Time latency;
  /// The same for link control (PFC frames, credits), which ends at the port and skips the
  /// pipeline.
  Time control_latency;
  /// Cut-through receivers act once this many bytes have arrived; 0 = store-and-forward.
  Bytes header;
  bool whole_nanoseconds = false;  ///< parity presets: serialisation truncated to whole ns

  /// Above zero for any bytes at all: each record of a link then has an acting instant of its own.
  Time serialisation_of(std::int64_t wire_bytes) const {
    const Time exact = serialisation(Bytes{wire_bytes}, rate);
    if (!whole_nanoseconds || wire_bytes == 0) return exact;
    return Time{std::max<std::int64_t>(1, exact.ps / 1000) * 1000};
  }
};

}  // namespace spineleaf
