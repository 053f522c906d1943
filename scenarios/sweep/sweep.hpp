#pragma once
// Running a sweep: the points of a plan, in parallel, into its log.
//
// Each run is serial and the sweep is parallel; where there are fewer runs than workers they go one
// after another with a thread per worker. A figure never depends on the order of the runs.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/sweep/plan.hpp"
#include "scenarios/sweep/results.hpp"

namespace spineleaf {

/// A point needs no more seeds once the 95 % interval of a metric's mean is narrow enough.
struct StopRule {
  std::size_t metric = 0;  ///< number in metrics()
  double share = 0;        ///< half width over mean, in size
};
/// "fct_p99_us=5%". Nothing and `problem` set where it can't be read.
std::optional<StopRule> read_stop_rule(const std::string& text, std::string& problem);

struct SweepProgress {
  std::size_t done = 0;  ///< runs, those found in the folder included
  std::size_t total = 0;
  std::size_t failed = 0;
  double eta_seconds = -1;  ///< < 0: not yet known
};

struct SweepOptions {
  unsigned workers = 0;       ///< 0 = one per core, fewer where memory is short
  double budget_seconds = 0;  ///< wall clock; what is not done by then is left; 0 = none
  std::optional<StopRule> stop;
  bool retry_failed = false;  ///< run again what the folder says has failed
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const SweepProgress&)> progress;  ///< twice a second, from one thread
};

struct SweepOutcome {
  std::size_t total = 0;    ///< runs of the points that are fit to run
  std::size_t found = 0;    ///< of them in the folder before
  std::size_t done = 0;     ///< run now
  std::size_t spared = 0;   ///< seeds that the stop rule made needless
  std::size_t failed = 0;   ///< rows without figures, found ones included
  std::size_t missing = 0;  ///< not run: budget, interruption
  bool out_of_time = false;
  bool interrupted = false;
  unsigned workers = 0;
  double wall_seconds = 0;
  std::vector<std::string> missing_points;  ///< the first few, as "ecn.kmin=100KB pmax=0.2 seed 3"
  std::string problem;                      ///< the log could not be written
};

SweepOutcome run_sweep(const SweepPlan& plan, SweepLog& log, const SweepOptions& options);

/// "ecn.kmin=100KB ecn.pmax=0.2".
std::string point_text(const SweepPoint& point);

}  // namespace spineleaf
