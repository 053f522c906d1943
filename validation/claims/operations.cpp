// Claims about configuration and telemetry.

#include <algorithm>
#include <map>
#include <stdexcept>

#include "models/host/wire.hpp"
#include "scenarios/data_dir.hpp"
#include "scenarios/deadlock_check.hpp"
#include "scenarios/headroom.hpp"
#include "scenarios/import/sonic.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/output/prometheus.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/output/trace_json.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/roce/case.hpp"

namespace spineleaf {
namespace {

std::string sample(const std::string& name) {
  FileText file = read_file(data_file("scenarios/samples/sonic/" + name));
  if (has_errors(file.problems)) throw std::runtime_error(to_string(file.problems.front()));
  return std::move(file.text);
}

struct Mistake {
  const char* what;
  const char* device;
  const char* from;
  const char* to;
};
constexpr Mistake kMistakes[] = {
    {"headroom too small", "leaf2", "\"xoff\": \"231424\"", "\"xoff\": \"31424\""},
    {"ECN above XOFF", "spine1", "\"green_min_threshold\": \"131072\"",
     "\"green_min_threshold\": \"27000000\""},
    {"RoCE's DSCP in a lossy class", "leaf1", "\"26\": \"3\"", "\"26\": \"1\""},
    {"no class for CNPs", "leaf1", "\"48\": \"6\"", "\"48\": \"3\""},
    {"watchdog off", "leaf1", "\"PFC_WD\"", "\"PFC_WD_OFF\""},
};

/// Findings of the sample fabric with one mistake; none with `mistake` null.
std::vector<InputProblem> lint_with(const Mistake* mistake) {
  std::vector<NamedText> configs;
  for (const std::string device : {"leaf1", "leaf2", "spine1"}) {
    std::string text = sample("new-style/" + device + "/config_db.json");
    if (mistake != nullptr && device == mistake->device) {
      const std::size_t at = text.find(mistake->from);
      if (at == std::string::npos) throw std::runtime_error("the sample has changed: " + device);
      text.replace(at, std::string_view(mistake->from).size(), mistake->to);
    }
    configs.push_back({device + ".json", std::move(text)});
  }
  std::vector<InputProblem> problems;
  const SonicFabric fabric = read_sonic(configs, {"lldp.json", sample("lldp.json")},
                                        {"lookup.ini", sample("pg_profile_lookup.ini")}, problems);
  return lint_sonic(fabric);
}

ClaimTrials wrong_configuration() {
  ClaimTrials trials;
  for (const Mistake& mistake : kMistakes) {
    const std::vector<InputProblem> findings = lint_with(&mistake);
    trials.push_back(
        {std::string("SONiC fabric with one mistake, ") + mistake.what +
             ": it is found, and nothing without it",
         findings.empty() ? "nothing" : findings.front().path + ": " + findings.front().what,
         !findings.empty() && lint_with(nullptr).empty()});
  }
  const Result result = run_case(roce_case("headroom-too-small"), 1);
  trials.push_back({"headroom of one packet on 300 m: a lossless class drops",
                    count_text(result.totals.drops_total) + " drops",
                    result.totals.drops_total > 0});
  return trials;
}

/// What has to be decided, decided for one fabric.
ClaimTrials priorities_and_buffers() {
  const ValidSpec spec = roce_case("quickstart-permutation-roce");
  HeadroomQuestion question;
  const WireSizes wire = wire_sizes(WireFormat::RoceV2);
  question.rate = Rate::from_gbps(400);
  question.cable = 40;
  question.frame = 4096 + wire.header + wire.reth + wire.immediate + wire.gap;
  question.pause_frame = 64 + wire.gap;
  question.asic = *find_headroom_asic("spectrum-4");
  const auto answer = headroom(question);
  const DeadlockCheckResult check = check_deadlock(spec);
  const EcnParams& ecn = spec.models.ecn;
  return {{"a lossless class at 400 Gb/s over 40 m has a size of headroom",
           count_text(answer->bound) + " B by the bound, " + count_text(answer->xoff) +
               " B by SONiC's formula",
           answer->bound > 0 && answer->xoff > answer->bound},
          {"routes of a leaf-spine fabric are free of cycles of waits",
           std::to_string(check.buffers_in_cycles) + " of " + std::to_string(check.buffers) +
               " buffers on cycles",
           !check.can_deadlock()},
          {"ECN has a dropping threshold",
           "it marks between " + bytes_text(ecn.kmin) + " and " + bytes_text(ecn.kmax) +
               "; lossless traffic is not dropped, so it has none",
           !ecn.enabled}};
}

ClaimTrials one_timeline() {
  const ValidSpec spec = roce_case("quickstart-ring-roce", {{"run.sample_every", "5us"}});
  RunOptions options;
  options.record = true;
  const Result result = run_world(spec, options);
  const std::string trace = trace_json(result, *spec.graph);
  ClaimTrials trials;
  for (const auto& [what, word] :
       {std::pair{"queues", "\"queued\""}, std::pair{"paused ports", "paused_ports"},
        std::pair{"steps of collectives", "all_reduce"}}) {
    const bool there = trace.find(word) != std::string::npos;
    trials.push_back(
        {std::string("one timeline of a ring all_reduce shows ") + what,
         there ? "there, in " + bytes_text(Bytes{std::ssize(trace)}) + " of trace" : "missing",
         there});
  }
  return trials;
}

/// The names under which devices and drivers count.
ClaimTrials telemetry() {
  ClaimTrials trials;
  for (const auto& [scenario, names] :
       {std::pair{"headroom-too-small", std::vector{"rx_discards_phy", "tx_prio0_pause",
                                                    "np_cnp_sent", "packet_seq_err"}},
        std::pair{"quickstart-incast-ndr", std::vector{"port_xmit_wait", "port_xmit_data"}}}) {
    const ValidSpec spec = roce_case(scenario);
    const std::string text = prometheus_text(run_case(spec, 1), *spec.graph);
    for (const char* name : names) {
      const auto lines = std::count(text.begin(), text.end(), '\n');
      const bool there = text.find(name) != std::string::npos;
      trials.push_back({std::string(scenario) + ": " + name + " is among the counters",
                        there ? "there, among " + count_text(lines) + " lines" : "missing", there});
    }
  }
  return trials;
}

ClaimTrials thresholds_matter() {
  std::string found;
  double least = 0, most = 0;
  for (const char* kmin : {"100KB", "400KB", "1600KB"}) {
    const Result result =
        run_case(roce_case("incast-dcqcn-paper", {{"ecn.kmin", kmin}, {"ecn.kmax", "3200KB"}}), 1);
    const double ms = result.simulated.seconds() * 1e3;
    found += (found.empty() ? "" : ", ") + fixed_text(ms, 2) + " ms at " + kmin;
    least = least > 0 ? std::min(least, ms) : ms;
    most = std::max(most, ms);
  }
  return {
      {"16:1 incast, DCQCN, kmin from 100 KB to 1.6 MB: the time for all messages moves by a "
       "tenth or more",
       found, most >= 1.1 * least}};
}

constexpr ClaimEvaluator kOperationsClaims[] = {
    {"S44", wrong_configuration, "lint scenarios/samples/sonic/new-style/*/config_db.json"},
    {"S63", priorities_and_buffers, "headroom --speed 400Gbps --cable 40m"},
    {"S64", telemetry, "run headroom-too-small"},
    {"S69", one_timeline, ""},
    {"S70", thresholds_matter, "sweep incast-dcqcn-paper --grid kmin=100KB,400KB --out out/ecn"},
};

}  // namespace

std::span<const ClaimEvaluator> operations_claims() { return kOperationsClaims; }

}  // namespace spineleaf
