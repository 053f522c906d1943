#include "scenarios/sweep/plan.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "scenarios/lock.hpp"
#include "scenarios/output/text.hpp"
#include "sim/hash.hpp"

namespace spineleaf {
namespace {

/// The scenario without its axes, for the keys that it has. A missing value may be an axis'.
Spec base_spec(const SweepInput& input, std::vector<InputProblem>& problems) {
  ReadOptions options;
  options.overrides = input.overrides;
  ParseResult parsed = parse_scenario(input.text, input.file, options);
  if (parsed.spec) return std::move(*parsed.spec);
  problems = std::move(parsed.problems);
  return {};
}

ValidateResult read_point(const SweepInput& input, const std::vector<Override>& axes) {
  ReadOptions options;
  options.overrides = input.overrides;
  options.overrides.insert(options.overrides.end(), axes.begin(), axes.end());
  return read_scenario(input.text, input.file, options);
}

bool is_swept(const std::vector<SweepAxis>& axes, const std::string& path) {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const SweepAxis& axis) { return axis.key == path; });
}

void check_point(const SweepPlan& plan, SweepPoint& point) {
  ValidateResult read = read_point(plan.input, point.overrides);
  for (InputProblem& problem : read.problems) {
    const bool swept = is_swept(plan.axes, problem.path);
    if (swept) problem.file = "--grid";
    if (problem.severity == Severity::Error) {
      point.errors.push_back(std::move(problem));
    } else if (problem.severity == Severity::Warning && swept) {
      point.doubts.push_back(std::move(problem));
    }
  }
  if (!read.spec) return;
  ValidSpec& spec = *read.spec;
  point.first_seed = spec.run.seed;
  point.cpu_seconds = spec.estimate.cpu_seconds;
  point.memory_bytes = spec.estimate.memory_bytes;
  for (std::int64_t i = 0; i < plan.input.seeds; ++i) {
    spec.run.seed = point.first_seed + i;
    point.hashes.push_back(scenario_hash(spec));
  }
}

SweepPoint make_point(const std::vector<SweepAxis>& axes, std::size_t number) {
  SweepPoint point;
  const std::vector<ParamValue> values = axis_values(axes, number);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    point.cells.push_back(axis_cell(axes[i], values[i]));
    point.overrides.push_back({axes[i].key, axes[i].text(values[i])});
  }
  return point;
}

/// Equal but for the numbers in them: "2MB is not below 1MB" and "4MB is not below 1MB".
std::string shape(const InputProblem& problem) {
  std::string out = problem.path + "|";
  for (const char c : problem.what) {
    if ((c >= '0' && c <= '9') || c == '.') continue;
    out += c;
  }
  return out;
}

std::vector<GroupedProblem> grouped(const std::vector<SweepPoint>& points,
                                    std::vector<InputProblem> SweepPoint::*list) {
  std::vector<GroupedProblem> groups;
  std::vector<std::string> shapes;
  for (const SweepPoint& point : points) {
    for (const InputProblem& problem : point.*list) {
      std::string key = shape(problem);
      const auto known = std::find(shapes.begin(), shapes.end(), key);
      if (known != shapes.end()) {
        ++groups[static_cast<std::size_t>(known - shapes.begin())].points;
      } else if (groups.size() < kMaxProblems) {
        groups.push_back({problem, 1});
        shapes.push_back(std::move(key));
      }
    }
  }
  return groups;
}

}  // namespace

SweepPlan plan_sweep(SweepInput input, const std::function<void(std::size_t, std::size_t)>& checked,
                     const std::atomic<bool>* interrupt) {
  SweepPlan plan;
  plan.input = std::move(input);
  const Spec base = base_spec(plan.input, plan.problems);
  if (!plan.problems.empty()) return plan;
  plan.name = base.name;
  plan.axes = read_axes(plan.input.grid, base, plan.problems);
  if (!plan.problems.empty()) return plan;
  const auto seeds = static_cast<std::size_t>(plan.input.seeds);
  const std::size_t size = grid_size(plan.axes, kMostRuns / seeds);
  if (size * seeds > kMostRuns) {
    InputProblem problem;
    problem.file = "--grid";
    problem.what = "the grid has too many points";
    problem.expected = "points x seeds of at most " + std::to_string(kMostRuns);
    plan.problems.push_back(std::move(problem));
    return plan;
  }
  for (std::size_t i = 0; i < size; ++i) plan.points.push_back(make_point(plan.axes, i));
  std::atomic<std::size_t> done{0};
  tbb::parallel_for(std::size_t{0}, size, [&](std::size_t i) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) return;
    check_point(plan, plan.points[i]);
    if (checked) checked(++done, size);
  });
  return plan;
}

ValidSpec point_spec(const SweepPlan& plan, const SweepPoint& point, std::size_t seed) {
  ValidateResult read = read_point(plan.input, point.overrides);
  if (!read.spec) throw std::logic_error("a point that was valid no longer is");
  read.spec->run.seed = point.first_seed + static_cast<std::int64_t>(seed);
  return std::move(*read.spec);
}

std::string scenario_hash(const ScenarioData& scenario) {
  // FNV-1a (Fowler, Noll, Vo), 64 bits, mixed once more.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : lock_text(scenario)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return fingerprint_text(mix64(hash));
}

std::vector<GroupedProblem> grouped_errors(const std::vector<SweepPoint>& points) {
  return grouped(points, &SweepPoint::errors);
}

std::vector<GroupedProblem> grouped_doubts(const std::vector<SweepPoint>& points) {
  return grouped(points, &SweepPoint::doubts);
}

}  // namespace spineleaf
