#include "scenarios/run.hpp"

#include <algorithm>
#include <ctime>
#include <optional>

#include "scenarios/collect.hpp"
#include "scenarios/flow_bounds.hpp"
#include "scenarios/recorder.hpp"
#include "scenarios/run_ticks.hpp"
#include "scenarios/version.hpp"

namespace spineleaf {
namespace {

double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

FabricInput fabric_input(World& world) {
  FabricInput input;
  input.topology = &world.topology;
  input.routes = &world.routes;
  input.params = &world.params;
  input.seed = world.seed;
  input.workloads = std::move(world.workloads);
  input.paths = std::move(world.paths);
  input.reverse_paths = std::move(world.reverse_paths);
  return input;
}

/// Who waits for whom at the end of a run that did not finish. The two tests judge each other: a
/// deadlock has a cycle of waits, and where nothing moves any more a cycle of waits is a deadlock.
void describe_waits(Result& result, const World& world, Fabric& fabric, RunTicks& ticks, Time now) {
  const bool on_the_way = result.stop == StopReason::Deadline;
  if (on_the_way || result.stop == StopReason::NoProgress || result.stop == StopReason::Stuck ||
      result.stop == StopReason::Deadlock) {
    if (fabric.loses_nothing()) ticks.look_for_deadlock(now);
    WaitGraph graph = wait_graph(fabric, world.topology, now,
                                 on_the_way ? ticks.sent_before() : std::vector<std::int64_t>{});
    result.waits = std::move(graph.edges);
    const bool stands = ticks.deadlock().found && ticks.deadlock().ended.ps < 0;
    const bool still = result.stop == StopReason::Stuck;
    if ((stands && !graph.cycle && !on_the_way) || (still && graph.cycle && !stands)) {
      result.warnings.push_back(
          "the exact deadlock test and the cycle of waits at the end do not agree: please report "
          "this scenario");
    }
  }
  for (const WatchdogEvent& event : ticks.watchdog_events()) {
    result.watchdog.push_back({event.at, world.topology.nodes[event.node].name, event.port,
                               event.traffic_class, event.restored, event.discarded});
  }
  result.deadlock_report = ticks.deadlock();
  result.deadlock = ticks.deadlock().found;
}

StopReason stop_reason(const RunOutcome& outcome, const RunTicks& ticks) {
  switch (outcome.end) {
    case RunEnd::StoppedByTick: return ticks.reason();
    case RunEnd::Interrupted: return StopReason::Interrupted;
    case RunEnd::InvariantBroken: return StopReason::InvariantBroken;
    case RunEnd::Quiescent: break;
  }
  return ticks.all_done() ? StopReason::Finished : StopReason::Stuck;
}

}  // namespace

Result run_world(World world, const RunOptions& options) {
  Result result;
  result.version = program_version();
  result.name = world.name;
  result.seed = world.seed;
  result.expect = world.expect;
  for (const Workload& workload : world.workloads) {
    result.job_names.push_back(workload.name);
    for (const std::string& problem : workload.problems) result.warnings.push_back(problem);
    for (const std::string& warning : workload.warnings) {
      result.warnings.push_back(workload.name + ": " + warning);
    }
  }
  std::stable_sort(world.faults.begin(), world.faults.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
  std::optional<Recorder> recorder;
  if (options.record) recorder.emplace(world);
  const std::unique_ptr<Fabric> fabric = build_fabric(fabric_input(world));
  if (!fabric->problems.empty()) {
    result.stop = StopReason::InvariantBroken;
    result.verdict = Verdict::Invalid;
    result.verdict_text = "not built: " + fabric->problems.front();
    return result;
  }
  if (!fabric->warning.empty()) result.warnings.push_back(fabric->warning);

  RunTicks ticks(world, *fabric, options, recorder ? &*recorder : nullptr);
  const double cpu_before = cpu_now();
  RunOutcome outcome;
  if (options.reference) {
    outcome = run_reference(fabric->simulation, ticks);
  } else {
    outcome = run_epochs(fabric->simulation, ticks,
                         {options.divide, options.random_cuts, std::max(1U, options.threads)});
  }
  result.cpu_seconds = cpu_now() - cpu_before;
  result.wall_seconds = ticks.wall_seconds();
  result.epochs = outcome.epochs;
  result.epoch_length = fabric->simulation.lookahead();
  result.stop = stop_reason(outcome, ticks);
  result.series = std::move(ticks.series());
  if (recorder) result.history = recorder->take(world);
  collect_result(result, world, *fabric, outcome);
  keep_window(result, world.window);
  if (recorder) result.history.flow_bounds = flow_bounds(result.flows, world.topology, *fabric);
  describe_waits(result, world, *fabric, ticks, outcome.now);
  judge(result, outcome.reason);
  return result;
}

Result run_world(const ValidSpec& spec, const RunOptions& options) {
  const std::uint64_t seed = options.seed.value_or(static_cast<std::uint64_t>(spec.run.seed));
  World world = build_world(spec, seed);
  Result result;
  for (const Workload& workload : world.workloads) {
    for (const std::string& problem : workload.problems) {
      result.warnings.push_back(workload.name + ": " + problem);
    }
  }
  if (!result.warnings.empty()) {
    result.version = program_version();
    result.name = spec.name;
    result.seed = seed;
    result.stop = StopReason::InvariantBroken;
    result.verdict = Verdict::Invalid;
    result.verdict_text = "not run: " + result.warnings.front();
    return result;
  }
  return run_world(std::move(world), options);
}

}  // namespace spineleaf
