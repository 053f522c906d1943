#pragma once
// Marking: RED-like congestion marking on the instantaneous queue (CP of DCQCN, SIGCOMM 2015).

#include "models/params.hpp"
#include "sim/hash.hpp"
#include "sim/record.hpp"

namespace spineleaf {

class Marking {
 public:
  explicit Marking(const EcnParams& params)
      : enabled_(params.enabled),
        kmin_(params.kmin.count),
        kmax_(params.kmax.count),
        pmax_q32_(static_cast<std::uint64_t>(params.pmax * 4294967296.0)) {}

  bool enabled() const { return enabled_; }

  /// Below this no packet is marked.
  bool can_mark(std::int64_t queue) const { return queue > kmin_; }

  /// Whether a packet that sees `queue` bytes is marked: 0 up to kmin, linear to pmax at kmax, 1
  /// above. The draw is keyed by the packet and the instant, so order of evaluation does not
  /// matter.
  bool marks(std::int64_t queue, const Record& record, std::uint64_t actor_seed, Time now) const {
    if (queue <= kmin_) return false;
    if (queue > kmax_) return true;
    const auto draw = static_cast<std::uint32_t>(
        mix64(actor_seed, (std::uint64_t{record.qp} << 32) | record.seq,
              static_cast<std::uint64_t>(now.ps) ^ (std::uint64_t{record.dst} << 40)));
    // draw / 2^32 < pmax * (queue - kmin) / (kmax - kmin), in integers.
    const auto right =
        static_cast<unsigned __int128>(pmax_q32_) * static_cast<std::uint64_t>(queue - kmin_);
    return static_cast<unsigned __int128>(draw) * static_cast<std::uint64_t>(kmax_ - kmin_) < right;
  }

 private:
  bool enabled_;
  std::int64_t kmin_;
  std::int64_t kmax_;
  std::uint64_t pmax_q32_;
};

}  // namespace spineleaf
