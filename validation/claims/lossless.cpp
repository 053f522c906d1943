// Claims about credits, PFC, and what goes wrong with them.

#include <algorithm>

#include "scenarios/deadlock_check.hpp"
#include "scenarios/output/text.hpp"
#include "validation/claims/evaluators.hpp"
#include "validation/infiniband/row.hpp"
#include "validation/readers/text_lines.hpp"
#include "validation/roce/case.hpp"

namespace spineleaf {
namespace {

std::string drops_text(const Result& result) {
  return count_text(result.totals.drops_total) + " drops in " +
         count_text(result.totals.packets_delivered) + " packets, " +
         count_text(result.totals.credit_stalls) + " stalls for credits, " +
         count_text(result.totals.pauses) + " pauses";
}

ClaimTrials no_overflow() {
  const Result incast =
      run_case(roce_case("quickstart-incast-ndr", {{"run.sample_every", "0us"}}), 1);
  return {{"InfiniBand, incast", drops_text(incast),
           incast.totals.drops_total == 0 && incast.totals.credit_stalls > 0}};
}

/// The last rate of "100.0 50.0 Gb/s".
double last_rate(const ValidationRow& row) {
  const std::vector<std::string_view> words = words_of(row.got);
  return words.size() < 2 ? 0 : to_number(words[words.size() - 2]).value_or(0);
}

/// The last flow is the victim: it shares nothing with the others' receivers. On a lane of its own
/// nobody is in its way.
ClaimTrials end_to_end_credits() {
  InfinibandOptions quick;
  quick.quick = true;
  ClaimTrials trials;
  const std::vector<ValidationRow> rows = victim_rows(quick);
  for (const char* name : {"victim.V0", "victim.V1", "victim.V2"}) {
    const auto rate = [&](const std::string& id) {
      const auto row = std::find_if(rows.begin(), rows.end(),
                                    [&](const ValidationRow& r) { return r.id == id; });
      return row == rows.end() ? 0 : last_rate(*row);
    };
    const double one = rate(name), apart = rate(std::string(name) + ".2vl");
    trials.push_back({std::string("InfiniBand, one VL, case ") + name +
                          ": congestion on the way to others does not slow a flow that is not "
                          "part of it",
                      fixed_text(one, 0) + " Gb/s of the " + fixed_text(apart, 0) +
                          " that it gets on a VL of its own",
                      one >= 0.9 * apart});
  }
  return trials;
}

ClaimTrials deadlock_of_three() {
  ClaimTrials trials;
  for (const auto& [name, what] :
       {std::pair{"deadlock-ring3", "three switches in a ring, PFC"},
        std::pair{"deadlock-dl3b-bounce", "a Clos with two bounces, PFC"}}) {
    const Result result = run_case(roce_case(name), 1);
    std::string found = "no deadlock";
    if (result.deadlock_report.found) {
      found = "stands at " + time_text(result.deadlock_report.at) + ", " +
              std::to_string(result.deadlock_report.queues_on_cycles) + " queues on cycles, " +
              bytes_text(result.deadlock_report.trapped) + " trapped";
    }
    trials.push_back({what, std::move(found), result.deadlock_report.found});
  }
  return trials;
}

ClaimTrials deadlock_and_scale() {
  const auto check = [](const char* what, const std::string& topology, bool clos) {
    ReadOptions options;
    options.workload_required = false;
    ValidateResult read = read_scenario(R"({"preset": "roce-400g", "topology": )" + topology + "}",
                                        "claims", options);
    if (!read.spec) throw std::runtime_error(to_string(read.problems.front()));
    DeadlockCheckOptions wanted;
    if (clos) wanted.routing = RoutingRule::UpDown;
    const DeadlockCheckResult result = check_deadlock(*read.spec, wanted);
    return ClaimTrial{what,
                      count_text(static_cast<std::int64_t>(result.buffers)) + " buffers, " +
                          count_text(static_cast<std::int64_t>(result.buffers_in_cycles)) +
                          " of them on cycles of waits",
                      result.can_deadlock()};
  };
  return {check("a fat tree of 1,024 hosts, routed up and down, can deadlock",
                R"({"kind": "fat_tree", "tiers": 3, "hosts": 1024, "radix": 32})", true),
          check("a ring of 8 switches on shortest paths can deadlock",
                R"({"kind": "switch_ring", "switches": 8})", false)};
}

ClaimTrials other_class_blocked() {
  const auto neighbour = [](const char* scenario) {
    return run_case(roce_case(scenario), 1).flows.back();
  };
  const FlowRecord other = neighbour("hol-other-class");
  const FlowRecord same = neighbour("hol-same-class");
  const auto text = [](const FlowRecord& flow) {
    return flow.received.ps < 0 ? std::string("does not end")
                                : "ends at " + time_text(flow.received);
  };
  return {{"a storm pauses another class; the neighbour's 20 MB at 40 Gb/s are held up",
           text(other) + " (unhindered 4.2 ms); in the paused class itself it " + text(same),
           other.received.ps < 0}};
}

/// A grant for each connection would let many connections fill many buffers.
ClaimTrials credits_of_connections() {
  const ValidSpec spec = roce_case("quickstart-incast-ndr", {{"run.sample_every", "0us"}});
  const Result result = run_case(spec, 1);
  Bytes most{};
  for (const PortClassRow& row : result.port_classes) most = std::max(most, row.max_ingress);
  return {{"32 connections into one port: an input buffer holds more than one grant of " +
               bytes_text(spec.models.credit.buffer),
           bytes_text(most) + " in the fullest", most > spec.models.credit.buffer}};
}

ClaimTrials credits_are_kept() {
  ClaimTrials trials;
  for (const char* name : {"quickstart-incast-ndr", "quickstart-permutation-ndr"}) {
    const Result result = run_case(roce_case(name, {{"run.sample_every", "0us"}}), 1);
    trials.push_back({std::string(name) + ": each sending is checked against credits, and sums at "
                                          "the end",
                      count_text(result.totals.credit_updates) + " updates, " + drops_text(result),
                      result.verdict != Verdict::Invalid && result.totals.credit_updates > 0 &&
                          result.totals.drops_total == 0});
  }
  return trials;
}

ClaimTrials one_priority() {
  const Result result = run_case(roce_case("hol-other-class"), 1);
  std::int64_t stormed = 0, other = 0;
  for (const PortClassRow& row : result.port_classes) {
    // The host in a storm asks for a pause of every lossless class; what follows is the switches'.
    if (row.node == "r0") continue;
    (row.traffic_class == 0 ? stormed : other) += row.pauses_sent;
  }
  return {{"class 0 fills behind a host that stopped: switches pause class 0 upstream, no other",
           count_text(stormed) + " of class 0, " + count_text(other) + " of others",
           stormed > 0 && other == 0}};
}

/// More buffer only moves a deadlock; another route has none.
ClaimTrials tuning_prevents() {
  ClaimTrials trials;
  for (const char* xoff : {"20KB", "100KB", "500KB"}) {
    const Result result = run_case(roce_case("deadlock-dl0", {{"pfc.xoff", xoff},
                                                              {"workload.flows[0].rate", "0Gbps"},
                                                              {"workload.flows[1].rate", "0Gbps"},
                                                              {"workload.flows[2].rate", "0Gbps"},
                                                              {"workload.flows[3].rate", "0Gbps"}}),
                                   1);
    const DeadlockReport& report = result.deadlock_report;
    trials.push_back(
        {std::string("a ring of switches, XOFF at ") + xoff + ": tuned buffers prevent deadlock",
         report.found ? "deadlock at " + time_text(report.at) : "none", !report.found});
  }
  return trials;
}

ClaimTrials credits_simplify() {
  const auto check = [](const char* what, const char* topology) {
    ReadOptions options;
    options.workload_required = false;
    ValidateResult read = read_scenario(
        std::string(R"({"preset": "ib-ndr", "topology": )") + topology + "}", "claims", options);
    if (!read.spec) throw std::runtime_error(to_string(read.problems.front()));
    const DeadlockCheckResult result = check_deadlock(*read.spec);
    return ClaimTrial{std::string("InfiniBand, ") + what + ": no cycle of waits",
                      std::to_string(result.buffers_in_cycles) + " buffers on cycles",
                      !result.can_deadlock()};
  };
  return {check("a fat tree", R"({"kind": "fat_tree", "tiers": 2, "hosts": 128, "radix": 32})"),
          check("a ring of switches", R"({"kind": "switch_ring", "switches": 8})")};
}

ClaimTrials slow_pauses() {
  ClaimTrials trials;
  const std::vector<Override> enough = {{"pfc.headroom", "300KB"}, {"expect", "ok"}};
  for (const char* response : {"0ns", "2us", "8us"}) {
    std::vector<Override> sets = enough;
    sets.push_back({"pfc.response_time", response});
    const Result result = run_case(roce_case("headroom-too-small", sets), 1);
    trials.push_back({std::string("headroom of 300 KB, 300 m at 400 Gb/s, a sender that takes ") +
                          response + " to stop: more arrives than fits",
                      count_text(result.totals.drops_total) + " drops",
                      result.totals.drops_total > 0});
  }
  return trials;
}

constexpr ClaimEvaluator kLosslessClaims[] = {
    {"S7", no_overflow, "run quickstart-incast-ndr"},
    {"S10", tuning_prevents, "run deadlock-dl0"},
    {"S33", credits_are_kept, "validate infiniband --only rate --quick"},
    {"S34", credits_of_connections, "run quickstart-incast-ndr"},
    {"S39", one_priority, "run hol-other-class"},
    {"S45", slow_pauses, "run headroom-too-small"},
    {"S62", credits_simplify, "check deadlock quickstart-permutation-ndr"},
    {"S36", end_to_end_credits, "validate infiniband --only victim --quick"},
    {"S41", deadlock_of_three, "run deadlock-ring3"},
    {"S42", deadlock_and_scale, "check deadlock quickstart-permutation-roce"},
    {"S43", other_class_blocked, "run hol-other-class"},
};

}  // namespace

std::span<const ClaimEvaluator> lossless_claims() { return kLosslessClaims; }

}  // namespace spineleaf
