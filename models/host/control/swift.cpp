// Swift: window by a target delay. Kumar et al., "Swift: Delay is Simple and Effective for
// Congestion Control in the Datacenter", SIGCOMM 2020, algorithm 1 and section 3.5 (target delay
// scaling). The whole round trip counts as fabric delay: the second window, for the receiving
// host, is not modelled. Below one packet the window is paced: cwnd packets a round trip.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/host/control/control.hpp"
#include "models/param_tables.hpp"

namespace spineleaf {
namespace {

constexpr std::array kSwift{
    param<&SwiftParams::base_target>(
        "base_target", Unit::Time, "0us", 0, unit::s,
        "Target round trip before scaling; 0 = 1.5 x transport.base_rtt.",
        "assumed: Swift takes base round trip and a little queueing"),
    param<&SwiftParams::hop_scale>("hop_scale", Unit::Time, "0us", 0, unit::s,
                                   "Added to the target for each switch on the way.",
                                   "assumed: 0, since base_rtt counts hops already"),
    param<&SwiftParams::fs_range>(
        "fs_range", Unit::Time, "0us", 0, unit::s,
        "Flow scaling: added at fs_min_cwnd, falling to 0 at fs_max_cwnd as "
        "1/sqrt(cwnd); 0 = off.",
        "assumed: off"),
    param<&SwiftParams::fs_min_cwnd>("fs_min_cwnd", Unit::Ratio, "0.1", 1e-4, 1e6,
                                     "Flow scaling: window of the largest target, in packets.",
                                     "assumed"),
    param<&SwiftParams::fs_max_cwnd>("fs_max_cwnd", Unit::Ratio, "100", 1e-3, 1e9,
                                     "Flow scaling: window of no scaling, in packets.", "assumed"),
    param<&SwiftParams::ai>("ai", Unit::Ratio, "1", 0, 1e6,
                            "Additive increase, packets a round trip.", "assumed"),
    param<&SwiftParams::beta>("beta", Unit::Ratio, "0.8", 0, 1, "Strength of a cut.", "assumed"),
    param<&SwiftParams::max_mdf>("max_mdf", Unit::Ratio, "0.5", 0, 1,
                                 "Largest share that one cut takes.", "assumed"),
    param<&SwiftParams::min_cwnd>("min_cwnd", Unit::Ratio, "0.01", 1e-4, 1e6,
                                  "Least window, in packets.", "assumed"),
    param<&SwiftParams::max_cwnd>("max_cwnd", Unit::Ratio, "10000", 1, 1e9,
                                  "Largest window, in packets.", "assumed"),
};

class Swift final : public CongestionControl {
 public:
  explicit Swift(const ControlSetup& setup)
      : CongestionControl(setup.connections.size()),
        params_(setup.params->swift),
        mtu_(setup.params->fabric.mtu.count),
        packet_bits_(static_cast<double>(setup.packet) * 8) {
    const double low = 1 / std::sqrt(params_.fs_min_cwnd);
    const double high = 1 / std::sqrt(params_.fs_max_cwnd);
    if (low > high) fs_alpha_ = static_cast<double>(params_.fs_range.ps) / (low - high);
    fs_beta_ = fs_alpha_ * high;
    auto base = static_cast<double>(params_.base_target.ps);
    if (base <= 0) base = 1.5 * static_cast<double>(setup.base_rtt.ps);
    for (const ControlledConnection& connection : setup.connections) {
      State state;
      state.base = base + static_cast<double>(params_.hop_scale.ps) * connection.hops;
      const double bytes = connection.line_rate / 8 * setup.base_rtt.seconds();
      state.cwnd = std::clamp(bytes / static_cast<double>(mtu_), 1.0, params_.max_cwnd);
      states_.push_back(state);
    }
    for (std::uint32_t row = 0; row < states_.size(); ++row) publish(row);
  }

  void on_ack(std::uint32_t row, const AckSignal& ack) override {
    State& s = states_[row];
    if (ack.rtt.ps > 0) s.rtt = static_cast<double>(ack.rtt.ps);
    const double target = target_of(s);
    const bool can_decrease = ack.now - s.last_decrease >= Time{static_cast<std::int64_t>(s.rtt)};
    double cwnd = s.cwnd;
    if (ack.lost) {
      if (can_decrease) cwnd *= 1 - params_.max_mdf;
    } else if (s.rtt < target) {
      // A window that was not the limit has not been tried.
      if (ack.outstanding + 1.0 >= cwnd) {
        cwnd += params_.ai * ack.newly / std::max(1.0, cwnd);
      }
    } else if (can_decrease) {
      cwnd *= std::max(1 - params_.beta * (s.rtt - target) / s.rtt, 1 - params_.max_mdf);
    }
    cwnd = std::clamp(cwnd, params_.min_cwnd, params_.max_cwnd);
    if (cwnd < s.cwnd) s.last_decrease = ack.now;
    s.cwnd = cwnd;
    publish(row);
  }

  double estimate(std::uint32_t row) const override {
    return states_[row].rtt / target_of(states_[row]);
  }

 private:
  struct State {
    double cwnd = 0;  ///< packets
    double base = 0;  ///< target before flow scaling, ps
    double rtt = 0;   ///< the newest, ps
    Time last_decrease{0};
  };

  double target_of(const State& s) const {
    if (fs_alpha_ <= 0) return s.base;
    const double scaled = fs_alpha_ / std::sqrt(s.cwnd) - fs_beta_;
    return s.base + std::clamp(scaled, 0.0, static_cast<double>(params_.fs_range.ps));
  }
  void publish(std::uint32_t row) {
    const State& s = states_[row];
    Allowance& a = set(row);
    a.window = std::max<std::int64_t>(1, static_cast<std::int64_t>(s.cwnd)) * mtu_;
    a.rate = s.cwnd < 1 && s.rtt > 0 ? packet_bits_ * s.cwnd * 1e12 / s.rtt : Allowance::kNoRate;
  }

  SwiftParams params_;
  std::int64_t mtu_;
  double packet_bits_;
  double fs_alpha_ = 0;  ///< ps
  double fs_beta_ = 0;
  std::vector<State> states_;
};

}  // namespace

ParamTable swift_table() {
  return {"swift", "Swift: window by a target delay (SIGCOMM 2020).", kSwift};
}

std::unique_ptr<CongestionControl> make_swift(const ControlSetup& setup) {
  return std::make_unique<Swift>(setup);
}

}  // namespace spineleaf
