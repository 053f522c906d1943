// HPCC: window by what the switches on the way tell. Li et al., "HPCC: High Precision Congestion
// Control", SIGCOMM 2019, algorithm 1. The window counts payload, as in the authors' simulator.
#include <algorithm>
#include <array>
#include <vector>

#include "models/host/control/control.hpp"
#include "models/param_tables.hpp"

namespace spineleaf {
namespace {

constexpr std::array kHpcc{
    param<&HpccParams::eta>("eta", Unit::Ratio, "0.95", 0.01, 1, "Utilisation aimed at.",
                            "HPCC section 3.3: 95 %"),
    param<&HpccParams::max_stage>(
        "max_stage", Unit::Count, "0", 0, 1000,
        "Additive increases before the window is set by utilisation again.",
        "HPCC results page: 0 was simulated; the paper's text says 5"),
    param<&HpccParams::rate_ai>("rate_ai", Unit::Rate, "50Mbps", 0, 1e12,
                                "Additive increase, as a rate: W_AI = rate_ai x base_rtt.",
                                "assumed"),
    param<&HpccParams::min_rate>("min_rate", Unit::Rate, "100Mbps", 1e6, 1e12,
                                 "Lowest rate; the least window is min_rate x base_rtt.",
                                 "HPCC ns-3 MIN_RATE 100 Mb/s"),
    param<&HpccParams::max_hops>(
        "max_hops", Unit::Count, "5", 1, Telemetry::kMaxHops,
        "Room for this many switches in each packet and ACK, 8 bytes each and 2; "
        "switches beyond it are not seen.",
        "HPCC section 4.1: 42 bytes for five hops"),
};

class Hpcc final : public CongestionControl {
 public:
  explicit Hpcc(const ControlSetup& setup)
      : CongestionControl(setup.connections.size()),
        params_(setup.params->hpcc),
        base_rtt_(setup.base_rtt.seconds()),
        window_ai_(static_cast<double>(params_.rate_ai.bits_per_second) / 8 * base_rtt_),
        least_(static_cast<double>(params_.min_rate.bits_per_second) / 8 * base_rtt_) {
    for (std::uint32_t row = 0; row < setup.connections.size(); ++row) {
      State state;
      state.line = setup.connections[row].line_rate;
      state.window = state.reference = state.most = state.line / 8 * base_rtt_;
      states_.push_back(state);
      publish(row);
    }
  }

  void on_ack(std::uint32_t row, const AckSignal& ack) override {
    if (ack.telemetry == nullptr || ack.telemetry->count == 0) return;
    State& s = states_[row];
    const bool whole_round = ack.una > s.update_seq;
    if (s.last.count == ack.telemetry->count) {
      if (!measure(s, *ack.telemetry)) return;
      compute_window(s, whole_round);
    }
    if (whole_round) s.update_seq = ack.next_seq;
    s.last = *ack.telemetry;
    publish(row);
  }

  double estimate(std::uint32_t row) const override { return states_[row].u; }

 private:
  struct State {
    double window = 0;     ///< W, bytes
    double reference = 0;  ///< W_c
    double most = 0;
    double line = 0;  ///< bit/s
    double u = 0;     ///< U: inflight bytes over bandwidth x delay, smoothed
    std::uint32_t update_seq = 0;
    std::int64_t stage = 0;
    Telemetry last;
  };

  /// Lines 1 to 10. False: no time has passed since the last ACK, nothing can be measured.
  bool measure(State& s, const Telemetry& now) const {
    double most = 0, tau = 0;
    for (std::uint32_t i = 0; i < now.count; ++i) {
      const TelemetryHop& hop = now.hops[i];
      const TelemetryHop& before = s.last.hops[i];
      const double seconds = static_cast<double>(hop.nanoseconds_since(before)) * 1e-9;
      const double rate = hop.bits_per_second();
      if (seconds <= 0 || rate <= 0) continue;
      const double sent = static_cast<double>(hop.bytes_since(before)) * 8 / seconds;
      const auto queue = static_cast<double>(std::min(hop.queue_bytes(), before.queue_bytes()));
      const double u = queue * 8 / (rate * base_rtt_) + sent / rate;
      if (u > most) {
        most = u;
        tau = seconds;
      }
    }
    if (tau <= 0) return false;
    tau = std::min(tau, base_rtt_);
    s.u = (1 - tau / base_rtt_) * s.u + tau / base_rtt_ * most;
    return true;
  }

  /// Lines 11 to 21.
  void compute_window(State& s, bool whole_round) const {
    const bool by_use = s.u >= params_.eta || s.stage >= params_.max_stage;
    const double base = by_use && s.u > 0 ? s.reference / (s.u / params_.eta) : s.reference;
    s.window = std::clamp(base + window_ai_, std::min(least_, s.most), s.most);
    if (!whole_round) return;
    s.stage = by_use ? 0 : s.stage + 1;
    s.reference = s.window;
  }

  void publish(std::uint32_t row) {
    const State& s = states_[row];
    Allowance& a = set(row);
    a.window = std::max<std::int64_t>(1, static_cast<std::int64_t>(s.window));
    const double rate = s.window * 8 / base_rtt_;
    a.rate = rate < s.line ? rate : Allowance::kNoRate;
  }

  HpccParams params_;
  double base_rtt_;   ///< T, s
  double window_ai_;  ///< W_AI, bytes
  double least_;
  std::vector<State> states_;
};

}  // namespace

ParamTable hpcc_table() {
  return {"hpcc", "HPCC: window by in-band telemetry of the switches (SIGCOMM 2019).", kHpcc};
}

std::unique_ptr<CongestionControl> make_hpcc(const ControlSetup& setup) {
  return std::make_unique<Hpcc>(setup);
}

}  // namespace spineleaf
