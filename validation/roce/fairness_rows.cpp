// Who gets what where flows merge under PFC (Zhu et al., SIGCOMM 2015, figures 3, 4, 8 and 9).
// Expected values: two independent packet models agree within noise; all cables 1 us.

#include <algorithm>
#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

struct FairnessCase {
  const char* id;
  const char* scenario;
  std::vector<double> gbps;  ///< of each flow, in the scenario's order
  double victim_with_dcqcn;  ///< least rate of the last flow, Gb/s; 0 = no victim
};

std::vector<FairnessCase> cases() {
  return {{"V0", "victim-v0", {10, 10, 10, 10, 10}, 20},
          {"V1", "victim-v1", {5, 5, 10, 10, 10, 5}, 23},
          {"V2", "victim-v2", {5, 5, 5, 5, 10, 10, 5}, 25},
          {"U1", "unfair-u1", {20. / 3, 20. / 3, 20. / 3, 20}, 0},
          {"U2", "unfair-u2", {20. / 3, 40. / 3, 20. / 3, 40. / 3}, 0}};
}

/// Bytes that each flow's host has sent by `deadline`: every host sends one flow.
std::vector<double> sent_by(const ValidSpec& spec, Time deadline, std::uint64_t seed) {
  ValidSpec until = spec;
  until.run.deadline = deadline;
  const Result result = run_case(until, seed);
  std::vector<double> sent;
  for (const FlowRecord& flow : result.flows) {
    const Topology& graph = *spec.graph;
    const std::string& host = graph.node(graph.endpoints[index(flow.from)].host).name;
    for (const LinkRow& link : result.links) {
      if (link.from == host)
        sent.push_back(static_cast<double>((link.bytes - link.control_bytes).count));
    }
  }
  return sent;
}

std::vector<double> rates(const ValidSpec& spec, Time from, Time to, std::uint64_t seed) {
  const std::vector<double> before = sent_by(spec, from, seed);
  std::vector<double> gbps = sent_by(spec, to, seed);
  for (std::size_t i = 0; i < gbps.size(); ++i) {
    gbps[i] = (gbps[i] - before[i]) * 8e-9 / (to - from).seconds();
  }
  return gbps;
}

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + fixed_text(value, 2);
  return text + " Gb/s";
}

ValidationRow pfc_row(const FairnessCase& wanted, const RoceOptions& options) {
  ValidationRow row;
  row.id = std::string("fairness.") + wanted.id;
  row.expected = list_text(wanted.gbps);
  row.tolerance = "3 %";
  row.source = "two independent packet models; Zhu et al. SIGCOMM 2015, fig. 3 and 4";
  row.pass = true;
  std::vector<double> worst = wanted.gbps;
  double most = -1;
  for (std::uint64_t seed = 1; seed <= (options.quick ? 1U : 3U); ++seed) {
    const std::vector<double> got =
        rates(roce_case(wanted.scenario), Time::from_ms(5), Time::from_ms(20), seed);
    double error = 0;
    for (std::size_t i = 0; i < wanted.gbps.size(); ++i) {
      error = std::max(error, std::abs(got[i] / wanted.gbps[i] - 1));
    }
    if (error > most) worst = got;
    most = std::max(most, error);
  }
  row.got = list_text(worst);
  row.pass = most <= 0.03;
  return row;
}

ValidationRow dcqcn_row(const FairnessCase& wanted) {
  std::vector<Override> sets = preset_overrides("dcqcn-paper");
  for (const auto& [key, value] : {std::pair{"ecn.enabled", "true"}, std::pair{"ecn.kmin", "5KB"},
                                   std::pair{"ecn.kmax", "200KB"}, std::pair{"ecn.pmax", "0.01"},
                                   std::pair{"run.sample_every", "1ms"}}) {
    sets.push_back({key, value});
  }
  const std::vector<double> got =
      rates(roce_case(wanted.scenario, sets), Time::from_ms(100), Time::from_ms(300), 1);
  ValidationRow row;
  row.id = std::string("fairness.") + wanted.id + ".dcqcn";
  row.got = list_text(got);
  row.source = "independent packet model, 17 runs; Zhu et al. SIGCOMM 2015, fig. 8 and 9";
  if (wanted.victim_with_dcqcn > 0) {
    row.expected = "victim at least " + fixed_text(wanted.victim_with_dcqcn, 0) + " Gb/s";
    row.pass = got.back() >= wanted.victim_with_dcqcn;
  } else {
    row.expected = "10 Gb/s each";
    row.tolerance = "15 %";
    row.pass = std::all_of(got.begin(), got.end(),
                           [](double gbps) { return std::abs(gbps / 10 - 1) <= 0.15; });
  }
  return row;
}

}  // namespace

std::vector<ValidationRow> fairness_rows(const RoceOptions& options) {
  std::vector<ValidationRow> rows;
  for (const FairnessCase& wanted : cases()) rows.push_back(pfc_row(wanted, options));
  if (options.quick) return rows;  // rates take a tenth of a second to settle
  for (const FairnessCase& wanted : cases()) rows.push_back(dcqcn_row(wanted));
  return rows;
}

}  // namespace spineleaf
