#pragma once
// Running a world: topology, parameters and workloads in, Result out. One pure function.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric.hpp"
#include "scenarios/result.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/window.hpp"

namespace spineleaf {

struct Fault {
  Time at;
  CableId cable{};
  FaultAction action = FaultAction::Down;
  Rate rate;  ///< Degrade: the cable's new rate; it must be down then, else the run is invalid
  std::uint32_t host = 0;  ///< of a host's fault, which has no cable
};

/// When a run ends by itself, and what is sampled on the way. Zero = off.
struct RunLimits {
  Time deadline;
  Time no_progress;  ///< nothing delivered for this long
  Time check_every;  ///< how often completion and progress are looked at
  Time sample_every;
  std::int64_t hop_budget = 0;
  Time deadlock_every;  ///< how often the exact deadlock test looks; no effect on the run
  bool until_deadlock = false;
};

/// Everything a run needs, already checked. Workloads are used up by the run.
struct World {
  std::string name;
  Topology topology;
  Routes routes;
  ModelParams params;
  std::vector<Workload> workloads;
  std::vector<PinnedPath> paths;
  std::vector<PinnedPath> reverse_paths;
  std::vector<Fault> faults;  ///< ascending in time
  RunLimits limits;
  MeasurementWindow window;
  std::uint64_t seed = 1;
  std::string expect;  ///< "", "ok", "deadlock", "drops", "stuck", "deadline"
};

struct Progress {
  Time simulated;
  double share = 0;  ///< of the planned bytes, 0..1
  double wall_seconds = 0;
  double eta_seconds = 0;  ///< < 0: not yet known
};

/// One direction of a cable at a sample.
struct LinkSample {
  std::int64_t queued = 0;  ///< bytes that wait to leave, over all classes
  std::int64_t sent = 0;    ///< bytes that have left since the start, link control included
  bool held = false;        ///< some class is paused, or waits for credits
};

struct RunOptions {
  unsigned threads = 1;
  bool reference = false;             ///< use the reference executor
  std::optional<std::uint64_t> seed;  ///< instead of the scenario's
  std::int64_t divide = 1;            ///< epochs of W / divide (tests)
  std::uint64_t random_cuts = 0;
  std::function<void(const Progress&)> progress;  ///< called about twice a second
  /// Called at every sample (RunLimits::sample_every) with a row per Result::links, between two
  /// epochs and on the thread that runs them; it can change nothing.
  std::function<void(Time, const std::vector<LinkSample>&)> observe;
  bool record = false;  ///< keep Result::history, for pictures and traces; no other effect
  const std::atomic<bool>* interrupt = nullptr;  ///< true = stop and keep what there is
};

Result run_world(World world, const RunOptions& options);

/// The routes of a valid scenario: the tables of its subnet, or those of switch.routing.
Routes routes_of(const ValidSpec& spec);

/// Compiles a valid scenario: topology, routes, connections and programs of every job. Workloads
/// that can't be built leave their reason in Workload::problems.
World build_world(const ValidSpec& spec, std::uint64_t seed);

/// build_world and run_world; a workload problem ends the run before it starts (verdict Invalid).
Result run_world(const ValidSpec& spec, const RunOptions& options);

}  // namespace spineleaf
