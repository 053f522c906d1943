// spineleaf check deadlock: which buffers can wait for each other, before a packet is sent.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/deadlock_check.hpp"

namespace spineleaf::cli {

namespace {

struct CheckArguments {
  ScenarioArguments scenario;
  std::vector<std::string> fail;
  std::string routing;
  int failures = 0;
  double seconds = 10;
  bool workload_only = false;
};

/// "leaf3:spine1": the cables between two nodes.
bool read_failed(const std::string& text, const Topology& topology, std::vector<CableId>& failed) {
  const std::size_t colon = text.find(':');
  const auto name = [&](NodeId node) -> const std::string& { return topology.node(node).name; };
  const std::size_t before = failed.size();
  for (std::uint32_t i = 0; colon != std::string::npos && i < topology.cables.size(); ++i) {
    const Cable& cable = topology.cables[i];
    const std::string a = text.substr(0, colon);
    const std::string b = text.substr(colon + 1);
    const bool joins = (name(cable.a.node) == a && name(cable.b.node) == b) ||
                       (name(cable.a.node) == b && name(cable.b.node) == a);
    if (joins) failed.push_back(CableId{i});
  }
  if (failed.size() > before) return true;
  const Cable& some = topology.cables.back();
  std::fprintf(stderr,
               "--fail: %s names no cable; expected two nodes that a cable joins, such as %s:%s\n",
               in_quotes(text).c_str(), name(some.a.node).c_str(), name(some.b.node).c_str());
  return false;
}

std::string route_text(const Topology& topology, const Witness& witness) {
  std::string text;
  for (const std::uint32_t channel : witness.channels) {
    const Cable& cable = topology.cables[channel / 2];
    const bool forward = channel % 2 == 0;
    if (text.empty()) text = topology.node(forward ? cable.a.node : cable.b.node).name;
    text += " > " + topology.node(forward ? cable.b.node : cable.a.node).name;
  }
  return text;
}

void print_cycle(const Topology& topology, const DeadlockCheckResult::Cycle& cycle) {
  std::printf("\nCYCLE of %zu buffers in class %u:\n", cycle.channels.size(), cycle.traffic_class);
  for (std::size_t i = 0; i < cycle.channels.size(); ++i) {
    std::printf("  %-24s", channel_name(topology, cycle.channels[i]).c_str());
    if (i < cycle.witnesses.size()) {
      std::printf("  held by %s", route_text(topology, cycle.witnesses[i]).c_str());
    }
    std::printf("\n");
  }
}

void print_result(const Topology& topology, const DeadlockCheckResult& result) {
  for (const LosslessClass& c : result.classes) {
    std::printf("class %u cannot drop: %s\n", c.number, c.traffic.c_str());
  }
  if (result.classes.empty()) std::printf("no lossless class carries traffic\n");
  if (result.paths_cut > 0) {
    std::printf("%zu pinned paths use a failed cable and were left out\n", result.paths_cut);
  }
  std::printf("%zu buffers between switches wait for others, %zu dependencies\n", result.buffers,
              result.dependencies);
  for (const auto& cycle : result.cycles) print_cycle(topology, cycle);
  if (result.can_deadlock()) {
    std::printf(
        "\n%zu buffers lie on cycles: these classes CAN DEADLOCK; a run tells whether they do\n",
        result.buffers_in_cycles);
  } else {
    std::printf("no cycle: no deadlock under any load\n");
  }
}

void print_cures(const std::vector<DeadlockCure>& cures) {
  if (cures.empty()) return;
  std::printf("\ntried on the same traffic:\n");
  for (const DeadlockCure& cure : cures) {
    std::printf("  %-9s %s (%s)\n", cure.cures ? "cures" : "no cure:", cure.what.c_str(),
                cure.note.c_str());
  }
}

void print_study(const Topology& topology, const FailureStudy& study, int size) {
  std::printf("\nfailures of %d cable%s between switches, routes computed anew: ", size,
              size > 1 ? "s at once" : "");
  std::printf("%zu of %.0f sets tried (%s), %zu of them with a cycle\n", study.tried, study.sets,
              study.complete() ? "all" : "a sample", study.with_cycle);
  for (const FailureStudy::Example& example : study.examples) {
    std::printf("\nwithout");
    for (const CableId cable : example.failed)
      std::printf(" %s", cable_name(topology, cable).c_str());
    std::printf(":");
    print_cycle(topology, example.result.cycles.front());
  }
}

void run(const CheckArguments& arguments, int& exit_code) {
  const auto spec = load(arguments.scenario, false, exit_code);
  if (!spec) return;
  const Topology& topology = *spec->graph;
  DeadlockCheckOptions options;
  options.workload_only = arguments.workload_only;
  if (!arguments.routing.empty()) {
    options.routing =
        arguments.routing == "up_down" ? RoutingRule::UpDown : RoutingRule::ShortestPath;
  }
  for (const std::string& fail : arguments.fail) {
    if (read_failed(fail, topology, options.failed)) continue;
    exit_code = kBadInput;
    return;
  }
  const DeadlockCheckResult result = check_deadlock(*spec, options);
  print_result(topology, result);
  bool alarm = result.can_deadlock();
  if (alarm) print_cures(try_cures(*spec, options));
  if (arguments.failures > 0) {
    const FailureStudy study =
        study_failures(*spec, options, {arguments.failures, arguments.seconds, 1});
    print_study(topology, study, arguments.failures);
    alarm |= study.with_cycle > 0;
  }
  if (alarm && spec->expect != Expect::Deadlock) exit_code = kAlarm;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* group = app.add_subcommand("check", "Proofs about a scenario without a run");
  group->group(kCheckGroup);
  group->require_subcommand(1);
  CLI::App* verb = group->add_subcommand(
      "deadlock",
      "Cycles of buffers that can wait for each other in the lossless classes: who makes\n"
      "them, under which failures, and what cures them. Exit code 3 where there is one,\n"
      "unless the scenario expects a deadlock.");
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option("--fail", arguments->fail,
                   "Without the cables between two nodes, routes computed anew; repeatable")
      ->type_name("NODE:NODE")
      ->allow_extra_args(false);
  verb->add_option(
          "--routing", arguments->routing,
          "Instead of switch.routing; shortest_path may bounce down and up after a failure")
      ->type_name("RULE")
      ->check(CLI::IsMember({"shortest_path", "up_down"}).description("shortest_path or up_down"));
  verb->add_option("--failures", arguments->failures,
                   "Also try every set of this many failed cables between switches (1 to 4)")
      ->type_name("K")
      ->check(CLI::Range(1, 4).description(""));
  verb->add_option("--seconds", arguments->seconds,
                   "Time for that; if it does not suffice, sets are drawn at random")
      ->type_name("S")
      ->check(CLI::Range(0.1, 86400.0).description(""))
      ->capture_default_str();
  verb->add_flag("--workload-only", arguments->workload_only,
                 "Only pairs that the workload connects, not any host to any host");
  examples(*group, {"check deadlock pfc-deadlock-ring",
                    "check deadlock quickstart-permutation-roce --routing up_down --failures 1"});
  examples(*verb, {"check deadlock pfc-deadlock-ring",
                   "check deadlock quickstart-permutation-roce --routing up_down --failures 1"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
