#pragma once
// Slicing: how a protocol cuts chunks into slices, and what a slice weighs on the wire.

#include <cstdint>
#include <string_view>

#include "models/collectives/nccl_costs.hpp"
#include "models/params.hpp"

namespace spineleaf {

enum class Protocol : std::uint8_t { Simple, Ll128, Ll };
std::string_view name_of(Protocol protocol);

/// Quotient of a >= 0 and b > 0, rounded up.
constexpr std::int64_t div_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Messages (slices) and bytes over a link.
struct LinkTotals {
  std::int64_t messages = 0;
  std::int64_t payload = 0;
  std::int64_t wire = 0;
};

/// Rules: NCCL 2.26 src/device/prims_simple.h, prims_ll128.h, prims_ll.h, src/enqueue.cc.
struct Slicing {
  Protocol protocol = Protocol::Simple;
  std::int64_t chunk = 0;      ///< largest chunk, payload bytes
  std::uint32_t slices = 0;    ///< most slices of a chunk
  std::int64_t min_slice = 0;  ///< a slice is at least this large, unless the chunk ends
  std::uint32_t depth = 0;     ///< slices in flight between two neighbours
  Rate rate{kMaxRate};         ///< GPU: payload of one channel
  Time overhead;               ///< GPU: per slice
  Time hop;                    ///< flag written to flag seen, over NVLink or PCIe

  /// Bytes of a slice of a chunk of `bytes`, but for its last.
  std::int64_t slice_size(std::int64_t bytes) const;
  std::uint32_t slice_count(std::int64_t bytes) const;
  /// Counts a chunk of `bytes` `times` times.
  void add(LinkTotals& sum, std::int64_t bytes, std::int64_t times) const;
  /// Bytes in a buffer or on the wire for `payload` bytes: LL128 carries 8 B of flags per 128 B,
  /// LL 4 B for each 4 B of data.
  std::int64_t wire_bytes(std::int64_t payload) const {
    if (protocol == Protocol::Simple) return payload;
    return protocol == Protocol::Ll128 ? (payload + 119) / 120 * 128 : (payload + 7) / 8 * 16;
  }
  /// Buffer bytes for each byte of payload.
  double expansion() const {
    if (protocol == Protocol::Simple) return 1;
    return protocol == Protocol::Ll128 ? 128.0 / 120.0 : 2;
  }
};

/// With the costs of a protocol. `chunk_steps` and `slice_steps` buffer slots make a chunk and a
/// slice (Simple); the other protocols move one slot at a time.
Slicing make_slicing(Protocol protocol, const HostParams& host, const NcclCosts& costs,
                     std::int64_t chunk_steps, std::int64_t slice_steps);

}  // namespace spineleaf
