// The controls that act on ACKs at one bottleneck of 40 Gb/s: the steady state that each paper
// gives in closed form.

#include <algorithm>
#include <cmath>

#include "models/host/idle_paths.hpp"
#include "scenarios/output/text.hpp"
#include "validation/oracles/control_forms.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

constexpr double kControlLine = 40e9;
constexpr double kControlPayload = 938, kControlFrame = 1000, kControlWire = 1020;
constexpr double kTelemetryBytes = 42;

struct Steady {
  double queue = 0;                                           ///< mean bytes
  double utilisation = 0;                                     ///< of the line, by bytes on the wire
  double base_rtt = 0;                                        ///< s
  double bdp() const { return kControlLine / 8 * base_rtt; }  ///< bytes on the wire
};

Steady hold_steady(int senders, std::vector<Override> sets, double extra = 0) {
  for (const auto& [key, value] :
       {std::pair{"transport.ack_every", "1"}, std::pair{"topology.cable", "400m"},
        std::pair{"run.deadline", "20ms"}}) {
    sets.push_back({key, value});
  }
  sets.push_back({"topology.hosts", std::to_string(senders + 1)});
  sets.push_back({"workload.senders", std::to_string(senders)});
  const ValidSpec spec = roce_case("dcqcn-queue-40g", sets);
  const Routes routes = compute_routes(*spec.graph, spec.models.sw.routing);
  const IdlePaths idle(*spec.graph, routes, spec.models);
  const Result result = run_case(spec, 1);
  const Time from = Time::from_ms(8);
  Steady steady;
  steady.queue = mean_after(result, "largest_queue", from);
  steady.utilisation = mean_after(result, "delivered", from) * 1e9 / kControlLine *
                       (kControlWire + extra) / kControlPayload;
  steady.base_rtt = idle.round_trip(EndpointId{1}, EndpointId{0}).time.seconds();
  return steady;
}

std::string steady_text(double queue, double utilisation) {
  return fixed_text(queue / 1e3, 1) + " KB, " + fixed_text(utilisation * 100, 1) + " %";
}

/// A row whose queue must lie between two bounds, and whose link must be used within 1 %.
ValidationRow steady_row(const std::string& id, const Steady& got, double low, double high,
                         double utilisation, const std::string& source) {
  ValidationRow row;
  row.id = "control." + id;
  row.expected = fixed_text(low / 1e3, 1) + " to " + steady_text(high, utilisation);
  row.got = steady_text(got.queue, got.utilisation);
  row.tolerance = "1 % of the line";
  row.pass =
      got.queue >= low && got.queue <= high && std::abs(got.utilisation - utilisation) <= 0.01;
  row.source = source;
  return row;
}

ValidationRow dctcp_row(int senders) {
  constexpr double k = 40;  // packets
  const Steady got = hold_steady(senders, {{"transport.congestion_control", "dctcp"},
                                           {"ecn.point", "enqueue"},
                                           {"ecn.kmin", "40KB"},
                                           {"ecn.kmax", "40KB"},
                                           {"ecn.pmax", "1"}});
  const DctcpSteady steady = dctcp_steady(senders, got.bdp() / kControlWire, k);
  return steady_row("dctcp.N" + std::to_string(senders), got,
                    (steady.most - steady.swing) * kControlFrame, steady.most * kControlFrame, 1,
                    "Alizadeh et al. 2010, section 3.3: K + N - A to K + N packets");
}

ValidationRow swift_row(int senders) {
  const Steady got = hold_steady(senders, {{"transport.congestion_control", "swift"},
                                           {"swift.base_target", "20us"},
                                           {"swift.ai", "0.25"}});
  const double waiting = (20e-6 - got.base_rtt) * kControlLine / 8 * kControlFrame / kControlWire;
  return steady_row("swift.N" + std::to_string(senders), got, 0.9 * waiting, 1.1 * waiting, 1,
                    "Kumar et al. 2020: the round trip is held at the target of 20 us");
}

ValidationRow timely_row() {
  const Steady got = hold_steady(2, {{"transport.congestion_control", "timely"},
                                     {"timely.delta", "80Mbps"},
                                     {"timely.t_low", "30us"},
                                     {"timely.t_high", "150us"}});
  const auto waiting = [&](double rtt) { return (rtt - got.base_rtt) * kControlLine / 8; };
  return steady_row("timely.N2", got, waiting(30e-6) * kControlFrame / kControlWire,
                    waiting(150e-6) * kControlFrame / kControlWire, 1,
                    "Mittal et al. 2015: the round trip stays between t_low and t_high");
}

ValidationRow hpcc_row(const char* eta, double share) {
  const Steady got = hold_steady(4,
                                 {{"transport.congestion_control", "hpcc"},
                                  {"hpcc.eta", eta},
                                  {"hpcc.rate_ai", "2Mbps"},
                                  {"hpcc.min_rate", "10Mbps"}},
                                 kTelemetryBytes);
  return steady_row(std::string("hpcc.eta-") + eta, got, 0, 2 * kControlFrame, share,
                    "Li et al. 2019, section 3.3: utilisation eta, a queue near zero");
}

ValidationRow window_row(int senders) {
  const Steady got = hold_steady(
      senders, {{"transport.congestion_control", "none"}, {"transport.window_bdp", "true"}});
  const double window = std::ceil(got.bdp() / kControlPayload);  // packets
  const double waiting = (senders * window - got.bdp() / kControlWire) * kControlFrame;
  return steady_row("window-bdp.N" + std::to_string(senders), got, 0.98 * waiting, 1.02 * waiting,
                    1, "what is in flight less what the pipe holds");
}

}  // namespace

std::vector<ValidationRow> control_rows(const RoceOptions&) {
  return {dctcp_row(2),           swift_row(2),         swift_row(8),  timely_row(),
          hpcc_row("0.95", 0.95), hpcc_row("0.8", 0.8), window_row(4), window_row(16)};
}

}  // namespace spineleaf
