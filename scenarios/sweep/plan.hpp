#pragma once
// What a sweep will run: every point of its grid, checked before anything starts.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/input/read.hpp"
#include "scenarios/sweep/axis.hpp"

namespace spineleaf {

/// Most runs of one sweep: points times seeds.
inline constexpr std::size_t kMostRuns = 200'000;

struct SweepInput {
  std::string text;                 ///< of the scenario
  std::string file;                 ///< its name, for messages
  std::vector<Override> overrides;  ///< for every point, under the axes
  std::vector<std::string> grid;    ///< axes as written
  std::int64_t seeds = 1;           ///< per point: run.seed, run.seed + 1, ...
};

struct SweepPoint {
  std::vector<std::string> cells;   ///< of its axes, as tables write them
  std::vector<Override> overrides;  ///< its axes as --set takes them
  std::vector<std::string> hashes;  ///< of its run with each seed; empty where it has errors
  std::int64_t first_seed = 0;
  std::vector<InputProblem> errors;  ///< it can't be run
  std::vector<InputProblem> doubts;  ///< warnings about keys that are swept: it would mislead
  double cpu_seconds = 0;            ///< of one run, estimated
  double memory_bytes = 0;
};

struct SweepPlan {
  SweepInput input;
  std::string name;  ///< of the scenario
  std::vector<SweepAxis> axes;
  std::vector<SweepPoint> points;      ///< first axis slowest
  std::vector<InputProblem> problems;  ///< of the axes, or of the scenario whatever the point
};

/// Reads and validates every point, on all cores. `checked` hears of the points done, from any
/// thread; `interrupt` ends the work early, with points missing.
SweepPlan plan_sweep(SweepInput input, const std::function<void(std::size_t, std::size_t)>& checked,
                     const std::atomic<bool>* interrupt = nullptr);

/// The scenario of a point with its seed number `seed`; for points without errors.
ValidSpec point_spec(const SweepPlan& plan, const SweepPoint& point, std::size_t seed);

/// Hash of a resolved scenario: 16 hexadecimal digits over its lock text, version included.
std::string scenario_hash(const ScenarioData& scenario);

/// Problems of many points as few lines: each once, with how many points have it.
struct GroupedProblem {
  InputProblem problem;  ///< as the first of the points has it
  std::size_t points = 0;
};
std::vector<GroupedProblem> grouped_errors(const std::vector<SweepPoint>& points);
std::vector<GroupedProblem> grouped_doubts(const std::vector<SweepPoint>& points);

}  // namespace spineleaf
