// Goodput of a lossy path against closed forms, and the livelock of go-back-0.

#include <cmath>
#include <cstdio>

#include "models/host/idle_paths.hpp"
#include "scenarios/output/text.hpp"
#include "validation/oracles/control_forms.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kLossyFrame = 1024 + 62;
constexpr double kLossyMessage = 1e6 / 1024;  // packets

struct LossyPath {
  double loss = 0;       ///< of a packet, over both links
  double in_flight = 0;  ///< packets of a round trip
  double share = 0;      ///< goodput over that without loss
};

LossyPath measure_loss(const char* recovery, const char* errors, const char* deadline) {
  const auto run = [&](const char* rate) {
    return roce_case("lossy-link-goodput", {{"transport.recovery", recovery},
                                            {"fabric.bit_error_rate", rate},
                                            {"run.deadline", deadline}});
  };
  const ValidSpec spec = run(errors);
  const auto delivered = [&](const ValidSpec& s) {
    const Result result = run_case(s, 1);
    return static_cast<double>(result.totals.payload_delivered.count) / result.simulated.seconds();
  };
  LossyPath path;
  const double one = frame_loss(spec.models.fabric.bit_error_rate, kLossyFrame);
  path.loss = 1 - (1 - one) * (1 - one);
  const Routes routes = compute_routes(*spec.graph, spec.models.sw.routing);
  const double rtt = IdlePaths(*spec.graph, routes, spec.models)
                         .round_trip(EndpointId{1}, EndpointId{0})
                         .time.seconds();
  path.in_flight = rtt * 100e9 / 8 / static_cast<double>(kLossyFrame + 20);
  path.share = delivered(spec) / delivered(run("0"));
  return path;
}

ValidationRow loss_row(const std::string& id, const LossyPath& path, double expected,
                       double tolerance, const char* source) {
  char loss[16];
  std::snprintf(loss, sizeof loss, "%.1e", path.loss);
  ValidationRow row;
  row.id = "loss." + id;
  row.expected = fixed_text(expected * 100, 2) + " % at a loss of " + loss;
  row.got = fixed_text(path.share * 100, 2) + " %";
  row.tolerance = fixed_text(tolerance * 100, 1) + " points";
  row.pass = std::abs(path.share - expected) <= tolerance;
  row.source = source;
  return row;
}

}  // namespace

std::vector<ValidationRow> loss_rows(const RoceOptions& options) {
  const char* const length = options.quick ? "10ms" : "60ms";
  std::vector<ValidationRow> rows;
  for (const auto& [name, errors] :
       {std::pair{"1e-5", "5.8e-10"}, std::pair{"1e-4", "5.8e-9"}, std::pair{"1e-3", "5.8e-8"}}) {
    const LossyPath n = measure_loss("go_back_n", errors, length);
    rows.push_back(loss_row(std::string("go-back-n.") + name, n,
                            go_back_n_share(n.loss, n.in_flight), 0.015,
                            "(1 - p)/(1 - p + p W), W packets in flight"));
  }
  const LossyPath anew = measure_loss("go_back_0", "5.8e-9", length);
  rows.push_back(loss_row("go-back-0.1e-4", anew,
                          go_back_0_share(anew.loss, anew.in_flight, kLossyMessage), 0.02,
                          "m packets in a row: (1 - q)/(p q) sent, q = (1 - p)^m"));
  const LossyPath dead = measure_loss("go_back_0", "6e-7", length);
  rows.push_back(loss_row("go-back-0.livelock", dead, 0, 0.005,
                          "Guo et al. 2016, section 4.1: no message of a thousand packets ends"));
  return rows;
}

}  // namespace spineleaf
