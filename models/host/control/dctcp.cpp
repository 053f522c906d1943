// DCTCP-style window. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1; RFC
// 8257. The window starts at the bandwidth-delay product and there is no slow start: connections
// between NICs start at line rate.
#include <algorithm>
#include <array>
#include <vector>

#include "models/host/control/control.hpp"
#include "models/param_tables.hpp"

namespace spineleaf {
namespace {

constexpr std::array kDctcp{
    param<&DctcpParams::g>("g", Unit::Ratio, "0.0625", 0, 1,
                           "Weight of the newest window in alpha, the share of marked packets.",
                           "assumed: 1/16, the usual choice for DCTCP"),
    param<&DctcpParams::initial_window>(
        "initial_window", Unit::Bytes, "0B", 0, 64e9,
        "First window of a connection; 0 = line rate x transport.base_rtt.",
        "assumed: RDMA starts at line rate"),
    param<&DctcpParams::min_window>(
        "min_window", Unit::Ratio, "1", 1, 1e6,
        "Least window, in packets; one packet a round trip is the lowest rate.",
        "assumed: TCP's floor of a segment"),
};

class Dctcp final : public CongestionControl {
 public:
  explicit Dctcp(const ControlSetup& setup)
      : CongestionControl(setup.connections.size()),
        params_(setup.params->dctcp),
        mtu_(setup.params->fabric.mtu.count) {
    for (const ControlledConnection& connection : setup.connections) {
      double bytes = static_cast<double>(params_.initial_window.count);
      if (bytes <= 0) bytes = connection.line_rate / 8 * setup.base_rtt.seconds();
      State state;
      state.cwnd = std::max(params_.min_window, bytes / static_cast<double>(mtu_));
      states_.push_back(state);
    }
    for (std::uint32_t row = 0; row < states_.size(); ++row) publish(row);
  }

  void on_ack(std::uint32_t row, const AckSignal& ack) override {
    State& s = states_[row];
    s.acked += ack.newly;
    if (ack.congestion) s.marked += ack.newly;
    if (ack.una > s.window_end) {
      const double share =
          s.acked == 0 ? 0 : static_cast<double>(s.marked) / static_cast<double>(s.acked);
      s.alpha = (1 - params_.g) * s.alpha + params_.g * share;  // eq. 1
      s.window_end = ack.next_seq;
      s.acked = s.marked = 0;
    }
    const bool cut_lately = ack.una <= s.cut_until;
    if (ack.lost && !cut_lately) {
      cut(s, 0.5, ack);
    } else if (ack.congestion && !cut_lately) {
      cut(s, 1 - s.alpha / 2, ack);  // eq. 2
    } else if (!cut_lately && ack.outstanding + 1.0 >= s.cwnd) {
      // One packet a round trip; a window that was not the limit has not been tried.
      s.cwnd += static_cast<double>(ack.newly) / s.cwnd;
    }
    publish(row);
  }

  double estimate(std::uint32_t row) const override { return states_[row].alpha; }

 private:
  struct State {
    double cwnd = 0;  ///< packets
    double alpha = 1;
    std::uint32_t window_end = 0;
    std::uint32_t cut_until = 0;
    std::uint32_t acked = 0;
    std::uint32_t marked = 0;
  };

  void cut(State& s, double factor, const AckSignal& ack) const {
    s.cwnd = std::max(params_.min_window, s.cwnd * factor);
    s.cut_until = ack.next_seq;
  }
  void publish(std::uint32_t row) {
    set(row).window = static_cast<std::int64_t>(states_[row].cwnd) * mtu_;
  }

  DctcpParams params_;
  std::int64_t mtu_;
  std::vector<State> states_;
};

}  // namespace

ParamTable dctcp_table() { return {"dctcp", "DCTCP-style window (SIGCOMM 2010).", kDctcp}; }

std::unique_ptr<CongestionControl> make_dctcp(const ControlSetup& setup) {
  return std::make_unique<Dctcp>(setup);
}

}  // namespace spineleaf
