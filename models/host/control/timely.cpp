// TIMELY: rate by the gradient of the round trip. Mittal et al., "TIMELY: RTT-based Congestion
// Control for the Datacenter", SIGCOMM 2015, algorithm 1. One sample a segment. The rate has no
// single fixed point: any share between t_low and t_high can last (Zhu et al., "ECN or Delay",
// CoNEXT 2016, section 4).
#include <algorithm>
#include <array>
#include <vector>

#include "models/host/control/control.hpp"
#include "models/param_tables.hpp"

namespace spineleaf {
namespace {

constexpr std::array kTimely{
    param<&TimelyParams::ewma_alpha>("ewma_alpha", Unit::Ratio, "0.875", 0, 1,
                                     "Weight of the newest difference of round trips.",
                                     "the TIMELY of HPCC ns-3: 0.875"),
    param<&TimelyParams::beta>("beta", Unit::Ratio, "0.8", 0, 1, "Strength of a cut.",
                               "the TIMELY of HPCC ns-3: 0.8"),
    param<&TimelyParams::delta>("delta", Unit::Rate, "50Mbps", 1e6, 1e12,
                                "Additive increase of the rate.", "assumed"),
    param<&TimelyParams::t_low>("t_low", Unit::Time, "50us", 0, unit::s,
                                "Below this round trip the rate only rises.",
                                "the TIMELY of HPCC ns-3: 50 us"),
    param<&TimelyParams::t_high>("t_high", Unit::Time, "500us", 1, unit::s,
                                 "Above this round trip the rate only falls.",
                                 "the TIMELY of HPCC ns-3: 500 us"),
    param<&TimelyParams::min_rtt>("min_rtt", Unit::Time, "20us", 0, unit::s,
                                  "Unit of the gradient; 0 = the connection's own base round trip.",
                                  "the TIMELY of HPCC ns-3: 20 us"),
    param<&TimelyParams::hai_thresh>("hai_thresh", Unit::Count, "5", 1, 1000,
                                     "Increases in a row before they become larger.",
                                     "the TIMELY of HPCC ns-3: 5"),
    param<&TimelyParams::hai_factor>("hai_factor", Unit::Count, "5", 1, 1000,
                                     "Size of the larger increases, in deltas.", "assumed"),
    param<&TimelyParams::segment>("segment", Unit::Bytes, "16KB", 64, 1e9,
                                  "Payload acknowledged per sample of the round trip.", "assumed"),
    param<&TimelyParams::min_rate>("min_rate", Unit::Rate, "100Mbps", 1e6, 1e12, "Lowest rate.",
                                   "HPCC ns-3 MIN_RATE 100 Mb/s"),
};

class Timely final : public CongestionControl {
 public:
  explicit Timely(const ControlSetup& setup)
      : CongestionControl(setup.connections.size()),
        params_(setup.params->timely),
        segment_(static_cast<std::uint32_t>(
            (params_.segment.count + setup.params->fabric.mtu.count - 1) /
            setup.params->fabric.mtu.count)) {
    for (std::uint32_t row = 0; row < setup.connections.size(); ++row) {
      const ControlledConnection& connection = setup.connections[row];
      State state;
      state.rate = state.line = connection.line_rate;
      const Time unit = params_.min_rtt > Time{0} ? params_.min_rtt : connection.base_rtt;
      state.min_rtt = static_cast<double>(unit.ps);
      states_.push_back(state);
    }
  }

  void on_ack(std::uint32_t row, const AckSignal& ack) override {
    State& s = states_[row];
    if (ack.rtt.ps < 0 || ack.una < s.next_sample) return;
    s.next_sample = ack.una + segment_;
    const auto rtt = static_cast<double>(ack.rtt.ps);
    if (s.previous > 0) update(s, rtt);
    s.previous = rtt;
    // At line rate the wire itself is the limit.
    set(row).rate = s.rate < s.line ? s.rate : Allowance::kNoRate;
  }

  double estimate(std::uint32_t row) const override {
    return states_[row].difference / states_[row].min_rtt;
  }

 private:
  struct State {
    double rate = 0;  ///< bit/s
    double line = 0;
    double min_rtt = 0;  ///< ps
    double previous = 0;
    double difference = 0;  ///< smoothed, ps
    std::uint32_t next_sample = 0;
    std::int64_t rises = 0;
  };

  void update(State& s, double rtt) const {
    s.difference =
        (1 - params_.ewma_alpha) * s.difference + params_.ewma_alpha * (rtt - s.previous);
    const double gradient = s.difference / s.min_rtt;
    const auto high = static_cast<double>(params_.t_high.ps);
    const auto delta = static_cast<double>(params_.delta.bits_per_second);
    if (rtt < static_cast<double>(params_.t_low.ps)) {
      s.rate += delta;
      s.rises = 0;
    } else if (rtt > high) {
      s.rate *= 1 - params_.beta * (1 - high / rtt);
      s.rises = 0;
    } else if (gradient <= 0) {
      const bool hyper = ++s.rises >= params_.hai_thresh;
      s.rate += hyper ? delta * static_cast<double>(params_.hai_factor) : delta;
    } else {
      s.rate *= std::max(0.0, 1 - params_.beta * gradient);
      s.rises = 0;
    }
    const auto least = static_cast<double>(params_.min_rate.bits_per_second);
    s.rate = std::min(s.line, std::max(least, s.rate));
  }

  TimelyParams params_;
  std::uint32_t segment_;  ///< packets
  std::vector<State> states_;
};

}  // namespace

ParamTable timely_table() {
  return {"timely", "TIMELY: rate by the gradient of the round trip (SIGCOMM 2015).", kTimely};
}

std::unique_ptr<CongestionControl> make_timely(const ControlSetup& setup) {
  return std::make_unique<Timely>(setup);
}

}  // namespace spineleaf
