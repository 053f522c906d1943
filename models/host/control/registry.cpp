#include "models/host/control/control.hpp"

namespace spineleaf {

std::unique_ptr<CongestionControl> make_congestion_control(const ControlSetup& setup) {
  switch (setup.params->transport.congestion_control) {
    case CongestionControlKind::Dctcp: return make_dctcp(setup);
    case CongestionControlKind::Timely: return make_timely(setup);
    case CongestionControlKind::Swift: return make_swift(setup);
    case CongestionControlKind::Hpcc: return make_hpcc(setup);
    default: return nullptr;
  }
}

void SendTimes::sent(std::uint32_t seq, std::uint32_t una, bool again, Time at) {
  const std::size_t needed = std::size_t{seq - una} + 1;
  if (needed > ring_.size()) {
    std::size_t bigger = ring_.empty() ? 16 : ring_.size();
    while (bigger < needed) bigger *= 2;
    std::vector<Time> ring(bigger, Time{-1});
    for (std::uint32_t s = una; !ring_.empty() && s != una + ring_.size(); ++s) {
      ring[s & (bigger - 1)] = of(s);
    }
    ring_ = std::move(ring);
  }
  ring_[seq & mask()] = again ? Time{-1} : at;
}

}  // namespace spineleaf
