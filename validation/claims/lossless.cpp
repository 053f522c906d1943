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

constexpr ClaimEvaluator kLosslessClaims[] = {
    {"S7", no_overflow, "run quickstart-incast-ndr"},
    {"S36", end_to_end_credits, "validate infiniband --only victim --quick"},
    {"S41", deadlock_of_three, "run deadlock-ring3"},
    {"S42", deadlock_and_scale, "check deadlock quickstart-permutation-roce"},
    {"S43", other_class_blocked, "run hol-other-class"},
};

}  // namespace

std::span<const ClaimEvaluator> lossless_claims() { return kLosslessClaims; }

}  // namespace spineleaf
