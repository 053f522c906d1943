// Cases that must deadlock, those that must not, and those where it depends. Expected times: an
// independent packet model (random ties, start jitter 5 us, equal cables), each within a factor of
// two; the cases are those of Hu et al. (HotNets 2016), Tagger (CoNEXT 2017) and Guo et al.
// (SIGCOMM 2016).

#include <algorithm>

#include "scenarios/deadlock_check.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf {
namespace {

constexpr const char* kDeadlockSource =
    "independent packet model, 10 seeds; Hu et al. HotNets 2016";

struct DeadlockCase {
  enum Kind { Must, MustNot, Report } kind = Must;
  std::string id;
  std::string scenario;
  std::vector<Override> sets;
  double from_ms = 0, to_ms = 0;
};

using Sets = std::vector<Override>;

Sets joined(Sets a, const Sets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Sets at_400g() {
  return {{"topology.speed", "400Gbps"},
          {"topology.host_latency", "500ns"},
          {"topology.ring_latency", "500ns"},
          {"pfc.xoff", "200KB"}};
}

Sets third(const std::string& rate) { return {{"workload.flows[2].rate", rate}}; }

Sets dcqcn(const char* kmin, const char* kmax) {
  Sets sets = preset_overrides("dcqcn-paper");
  for (const auto& [key, value] : {std::pair{"ecn.enabled", "true"}, std::pair{"ecn.kmin", kmin},
                                   std::pair{"ecn.kmax", kmax}, std::pair{"ecn.pmax", "0.01"}}) {
    sets.push_back({key, value});
  }
  return sets;
}

void add_must(std::vector<DeadlockCase>& all) {
  using Case = DeadlockCase;
  all.push_back({Case::Must, "DL0.22G", "deadlock-dl0", {}, 0.25, 0.40});
  all.push_back({Case::Must, "DL0.40G", "deadlock-dl0", flow_rates(4, "0Gbps"), 0.02, 0.35});
  all.push_back({Case::Must, "DL0-400G.220G", "deadlock-dl0",
                 joined(at_400g(), flow_rates(4, "220Gbps")), 0.15, 0.18});
  all.push_back({Case::Must, "DL0-400G.400G", "deadlock-dl0",
                 joined(at_400g(), flow_rates(4, "0Gbps")), 0.02, 0.11});
  all.push_back({Case::Must, "DL1b.40G", "deadlock-dl1b", {}, 1.05, 1.4});
  all.push_back({Case::Must, "DL3b.40G", "deadlock-dl3b-bounce", {}, 1.05, 1.4});
  const auto loop = [&](const char* id, const char* ttl, const char* rate, double from, double to) {
    all.push_back({Case::Must, id, "deadlock-dl2-loop",
                   joined({{"fabric.ttl", ttl}}, flow_rates(1, rate)), from, to});
  };
  loop("DL2-ttl16.5.1G", "16", "5.1Gbps", 1.7, 3.2);
  loop("DL2-ttl16.5.5G", "16", "5.5Gbps", 0.61, 0.87);
  loop("DL2-ttl16.6G", "16", "6Gbps", 0.35, 0.41);
  loop("DL2-ttl16.8G", "16", "8Gbps", 0.14, 0.18);
  loop("DL2-ttl64.1.3G", "64", "1.3Gbps", 5.8, 5.8);
  loop("DL2-ttl64.1.5G", "64", "1.5Gbps", 1.33, 1.33);
  all.push_back({Case::Must, "DL2b.10G", "deadlock-dl2b-loop-of-three", {}, 0.31, 0.31});
  all.push_back(
      {Case::Must, "DL2b.8.2G", "deadlock-dl2b-loop-of-three", flow_rates(1, "8.2Gbps"), 0, 0});
  all.push_back({Case::Must, "DL6-400G", "deadlock-dl6-400g", {}, 1.06, 1.10});
  all.push_back({Case::Must, "DL9b.kmin-100K", "deadlock-dl1b", dcqcn("100KB", "400KB"), 1.0, 1.4});
  all.push_back({Case::Must, "DL9c.line-rate", "deadlock-dl0",
                 joined(dcqcn("5KB", "200KB"), flow_rates(4, "0Gbps")), 0.04, 0.09});
}

void add_must_not(std::vector<DeadlockCase>& all) {
  const auto add = [&](const char* id, const char* scenario, Sets sets) {
    all.push_back({DeadlockCase::MustNot, id, scenario, std::move(sets), 0, 0});
  };
  add("DL0.19G", "deadlock-dl0-below", {});
  add("DL0-400G.190G", "deadlock-dl0-below", joined(at_400g(), flow_rates(4, "190Gbps")));
  add("DL1", "deadlock-dl1", {});
  for (const char* rate : {"4Gbps", "4.5Gbps", "4.9Gbps"}) {
    const std::string id = std::string("DL2-ttl16.") + rate;
    add(id.c_str(), "deadlock-dl2-below", flow_rates(1, rate));
  }
  for (const char* rate : {"1Gbps", "1.2Gbps", "1.225Gbps"}) {
    const std::string id = std::string("DL2-ttl64.") + rate;
    add(id.c_str(), "deadlock-dl2-below", joined({{"fabric.ttl", "64"}}, flow_rates(1, rate)));
  }
  for (const char* rate : {"7Gbps", "7.6Gbps", "7.8Gbps"}) {
    const std::string id = std::string("DL2b.") + rate;
    add(id.c_str(), "deadlock-dl2b-loop-of-three",
        joined({{"expect", "deadline"}}, flow_rates(1, rate)));
  }
  add("DL3", "deadlock-dl3-bounce", {});
  add("DL4", "deadlock-dl4-up-down", {});
  add("DL5", "storm-dl5", {});
  add("DL9.kmin-5K", "deadlock-dl9-dcqcn", {});
}

void add_report_only(std::vector<DeadlockCase>& all) {
  for (const char* rate : {"1Gbps", "3Gbps", "10Gbps"}) {
    all.push_back(
        {DeadlockCase::Report, std::string("DL1b.") + rate, "deadlock-dl1b", third(rate), 0, 0});
  }
  for (const char* rate : {"1Gbps", "5Gbps", "10Gbps"}) {
    all.push_back({DeadlockCase::Report, std::string("DL3b.") + rate, "deadlock-dl3b-bounce",
                   third(rate), 0, 0});
  }
}

std::string ms_text(double from, double to) {
  return fixed_text(from, 3) + " to " + fixed_text(to, 3) + " ms";
}

ValidationRow run_row(const DeadlockCase& wanted, const RoceOptions& options) {
  Sets sets = wanted.sets;
  if (wanted.kind != DeadlockCase::Must) {
    sets.push_back({"run.deadline", options.quick ? "5ms" : "50ms"});
    sets.push_back({"run.deadlock_every", "5us"});
  }
  const ValidSpec spec = roce_case(wanted.scenario, sets);
  std::vector<double> times;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const Result result = run_case(spec, static_cast<std::uint64_t>(seed));
    if (result.deadlock) times.push_back(result.deadlock_report.at.seconds() * 1e3);
  }
  std::sort(times.begin(), times.end());
  ValidationRow row;
  row.id = "deadlock." + wanted.id;
  row.source = kDeadlockSource;
  row.got = std::to_string(times.size()) + " of " + std::to_string(options.seeds) + " seeds";
  if (!times.empty()) row.got += ", " + ms_text(times.front(), times.back());
  const bool all = times.size() == static_cast<std::size_t>(options.seeds);
  switch (wanted.kind) {
    case DeadlockCase::Must: {
      const bool timed = wanted.to_ms > 0;
      row.expected =
          "every seed" + (timed ? ", " + ms_text(wanted.from_ms, wanted.to_ms) : std::string());
      row.tolerance = timed ? "time x2" : "";
      row.pass = all && (!timed ||
                         (times.front() >= wanted.from_ms / 2 && times.back() <= wanted.to_ms * 2));
      break;
    }
    case DeadlockCase::MustNot:
      row.expected = "no seed within " + to_text(spec.run.deadline);
      row.pass = times.empty();
      break;
    case DeadlockCase::Report:
      row.expected = "depends on jitter, ties and cables";
      row.report_only = true;
      break;
  }
  return row;
}

/// The static check on each case's graph: a cycle, or none.
ValidationRow static_row(const char* scenario, bool cycle) {
  const DeadlockCheckResult result = check_deadlock(roce_case(scenario));
  ValidationRow row;
  row.id = std::string("static.") + scenario;
  row.expected = cycle ? "a cycle" : "no cycle";
  row.got = result.can_deadlock() ? std::to_string(result.buffers_in_cycles) + " buffers on cycles"
                                  : "no cycle";
  row.pass = result.can_deadlock() == cycle;
  row.source = "Dally and Seitz 1987 on the routes of the case";
  return row;
}

}  // namespace

std::vector<ValidationRow> deadlock_rows(const RoceOptions& options) {
  std::vector<DeadlockCase> cases;
  add_must(cases);
  add_must_not(cases);
  add_report_only(cases);
  std::vector<ValidationRow> rows;
  for (const DeadlockCase& wanted : cases) rows.push_back(run_row(wanted, options));
  for (const char* scenario :
       {"deadlock-dl0", "deadlock-dl1", "deadlock-dl2-loop", "deadlock-dl2b-loop-of-three",
        "deadlock-dl3-bounce", "deadlock-dl3b-bounce", "deadlock-ring3", "flooding-guo"}) {
    rows.push_back(static_row(scenario, true));
  }
  for (const char* scenario : {"deadlock-dl4-up-down", "storm-dl5", "victim-v0"}) {
    rows.push_back(static_row(scenario, false));
  }
  return rows;
}

}  // namespace spineleaf
