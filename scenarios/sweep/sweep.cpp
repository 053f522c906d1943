#include "scenarios/sweep/sweep.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "scenarios/input/estimate.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/run.hpp"
#include "scenarios/statistics.hpp"
#include "scenarios/sweep/metrics.hpp"

namespace spineleaf {
namespace {

using Clock = std::chrono::steady_clock;

/// What one worker takes at a time: one run, or with a stop rule all seeds of a point in order, so
/// that which of them run does not depend on who was faster.
struct Task {
  std::size_t point = 0;
  std::size_t first = 0;  ///< seeds [first, last)
  std::size_t last = 0;
};

class SweepRunner {
 public:
  SweepRunner(const SweepPlan& plan, SweepLog& log, const SweepOptions& options)
      : plan_(plan), log_(log), options_(options), began_(Clock::now()) {}

  SweepOutcome run() {
    make_tasks();
    outcome_.workers = workers();
    std::thread watcher([this] { watch(); });
    const bool few = tasks_.size() < outcome_.workers;
    if (few) {
      for (std::size_t i = 0; i < tasks_.size(); ++i) run_task(i, outcome_.workers);
    } else if (!tasks_.empty()) {
      run_parallel();
    }
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    wake_.notify_all();
    watcher.join();
    return finish();
  }

 private:
  void make_tasks() {
    for (std::size_t p = 0; p < plan_.points.size(); ++p) {
      const SweepPoint& point = plan_.points[p];
      if (!point.errors.empty() || point.hashes.empty()) continue;
      const std::size_t seeds = point.hashes.size();
      outcome_.total += seeds;
      std::size_t open = 0;
      for (std::size_t s = 0; s < seeds; ++s) {
        if (is_known(point.hashes[s])) {
          ++outcome_.found;
          continue;
        }
        ++open;
        if (!options_.stop) tasks_.push_back({p, s, s + 1});
      }
      if (options_.stop && open > 0) tasks_.push_back({p, 0, seeds});
      planned_cpu_ += cost(point) * static_cast<double>(open);
    }
    for (const auto& [hash, row] : log_.known()) {
      if (!has_figures(row) && !options_.retry_failed) known_failed_.insert(hash);
    }
    outcome_.failed = 0;
    for (const SweepPoint& point : plan_.points) {
      for (const std::string& hash : point.hashes) outcome_.failed += known_failed_.count(hash);
    }
  }

  bool is_known(const std::string& hash) const {
    const auto row = log_.known().find(hash);
    if (row == log_.known().end()) return false;
    return has_figures(row->second) || !options_.retry_failed;
  }

  static double cost(const SweepPoint& point) { return std::max(point.cpu_seconds, 1e-3); }

  unsigned workers() const {
    const unsigned wanted =
        options_.workers > 0 ? options_.workers : std::max(1U, std::thread::hardware_concurrency());
    if (options_.workers > 0) return wanted;
    double most = 0;
    for (const SweepPoint& point : plan_.points) most = std::max(most, point.memory_bytes);
    const double room = 0.75 * machine_memory();
    if (most <= 0 || room <= 0 || most * wanted <= room) return wanted;
    return std::max(1U, static_cast<unsigned>(room / most));
  }

  void run_parallel() {
    const auto lanes = static_cast<int>(outcome_.workers);
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                      outcome_.workers);
    tbb::task_arena arena(lanes);
    std::atomic<std::size_t> next{0};
    arena.execute([&] {
      tbb::parallel_for(
          0, lanes,
          [&](int) {
            for (std::size_t i = next++; i < tasks_.size(); i = next++) run_task(i, 1);
          },
          tbb::simple_partitioner());
    });
  }

  void run_task(std::size_t number, unsigned threads) {
    const Task& task = tasks_[number];
    const SweepPoint& point = plan_.points[task.point];
    std::vector<double> values;
    for (std::size_t s = task.first; s < task.last && !stop_.load(); ++s) {
      if (options_.stop && narrow_enough(values)) {
        const std::lock_guard lock(mutex_);
        for (; s < task.last; ++s) spare(point.hashes[s]);
        return;
      }
      if (is_known(point.hashes[s])) {
        keep_value(log_.known().at(point.hashes[s]), values);
        continue;
      }
      const std::optional<SweepRow> row = run_once(point, s, threads);
      if (!row) return;
      keep_value(*row, values);
      keep(*row, cost(point));
    }
  }

  /// With the lock held.
  void spare(const std::string& hash) {
    if (is_known(hash)) return;
    ++outcome_.spared;
    settled_.insert(hash);
  }

  void keep_value(const SweepRow& row, std::vector<double>& values) const {
    if (!options_.stop || !has_figures(row)) return;
    const double value = row.values[options_.stop->metric];
    if (std::isfinite(value)) values.push_back(value);
  }

  bool narrow_enough(const std::vector<double>& values) const {
    // Two values say next to nothing about a spread.
    if (values.size() < 3) return false;
    const double centre = std::fabs(mean(std::span<const double>(values)));
    return confidence_95(values) <= options_.stop->share * centre;
  }

  /// Nothing where the run was cut short.
  std::optional<SweepRow> run_once(const SweepPoint& point, std::size_t seed, unsigned threads) {
    try {
      const ValidSpec spec = point_spec(plan_, point, seed);
      RunOptions run;
      run.threads = threads;
      run.interrupt = &stop_;
      const Result result = run_world(spec, run);
      if (result.stop == StopReason::Interrupted) return std::nullopt;
      return make_row(result, point, seed);
    } catch (const std::bad_alloc&) {
      return failed_row("out of memory: fewer workers, or a smaller run", point, seed);
    } catch (const std::exception& error) {
      return failed_row(error.what(), point, seed);
    }
  }

  void keep(const SweepRow& row, double cpu) {
    const std::string problem = log_.append(row);
    const std::lock_guard lock(mutex_);
    ++outcome_.done;
    settled_.insert(row.hash);
    done_cpu_ += cpu;
    if (!has_figures(row)) ++outcome_.failed;
    if (problem.empty() || !outcome_.problem.empty()) return;
    outcome_.problem = problem;
    stop_.store(true);
  }

  /// Tells progress and stops the runs when time is up or somebody asks.
  void watch() {
    auto told = Clock::now() - std::chrono::seconds(1);
    std::unique_lock lock(mutex_);
    while (!finished_) {
      const double elapsed = seconds_since(began_);
      if (options_.interrupt != nullptr && options_.interrupt->load() && !stop_.load()) {
        outcome_.interrupted = true;
        stop_.store(true);
      }
      if (options_.budget_seconds > 0 && elapsed >= options_.budget_seconds && !stop_.load()) {
        outcome_.out_of_time = true;
        stop_.store(true);
      }
      if (options_.progress && Clock::now() - told >= std::chrono::milliseconds(500)) {
        told = Clock::now();
        options_.progress(progress(elapsed));
      }
      wake_.wait_for(lock, std::chrono::milliseconds(50));
    }
  }

  SweepProgress progress(double elapsed) const {
    SweepProgress out;
    out.total = outcome_.total;
    out.done = outcome_.found + outcome_.done + outcome_.spared;
    out.failed = outcome_.failed;
    if (done_cpu_ > 0) {
      out.eta_seconds = elapsed * std::max(0.0, planned_cpu_ - done_cpu_) / done_cpu_;
    }
    return out;
  }

  SweepOutcome finish() {
    outcome_.wall_seconds = seconds_since(began_);
    outcome_.missing = outcome_.total - outcome_.found - outcome_.done - outcome_.spared;
    if (outcome_.missing == 0) {
      outcome_.out_of_time = outcome_.interrupted = false;
      return std::move(outcome_);
    }
    constexpr std::size_t kNamed = 5;
    for (const Task& task : tasks_) {
      const SweepPoint& point = plan_.points[task.point];
      for (std::size_t s = task.first; s < task.last; ++s) {
        if (is_known(point.hashes[s]) || settled_.count(point.hashes[s]) > 0) continue;
        if (outcome_.missing_points.size() == kNamed) return std::move(outcome_);
        outcome_.missing_points.push_back(
            point_text(point) + " seed " +
            std::to_string(point.first_seed + static_cast<std::int64_t>(s)));
      }
    }
    return std::move(outcome_);
  }

  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  const SweepPlan& plan_;
  SweepLog& log_;
  const SweepOptions& options_;
  const Clock::time_point began_;
  std::vector<Task> tasks_;
  std::set<std::string> known_failed_;
  double planned_cpu_ = 0;
  std::atomic<bool> stop_{false};

  std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  bool finished_ = false;
  double done_cpu_ = 0;
  std::set<std::string> settled_;  ///< hashes that were run, or spared
  SweepOutcome outcome_;
};

}  // namespace

std::optional<StopRule> read_stop_rule(const std::string& text, std::string& problem) {
  const std::size_t equal = std::min(text.find('='), text.size());
  const auto metric = find_metric(std::string_view(text).substr(0, equal));
  if (!metric) {
    problem = in_quotes(text.substr(0, equal)) + " is no metric; expected one of " + metric_names();
    return std::nullopt;
  }
  ParamDecl decl;
  decl.unit = Unit::Ratio;
  decl.min = 1e-6;
  decl.max = 1;
  JsonNode node;
  node.kind = JsonNode::Kind::String;
  node.text = std::string_view(text).substr(std::min(equal + 1, text.size()));
  ParamValue value;
  if (const auto error = read_value(decl, node, value)) {
    problem = error->what + "; expected a width such as fct_p99_us=5%";
    return std::nullopt;
  }
  return StopRule{*metric, value.real};
}

std::string point_text(const SweepPoint& point) {
  std::string out;
  for (const Override& axis : point.overrides) {
    out += (out.empty() ? "" : " ") + axis.path + "=" + axis.value;
  }
  return out.empty() ? "the scenario" : out;
}

SweepOutcome run_sweep(const SweepPlan& plan, SweepLog& log, const SweepOptions& options) {
  return SweepRunner(plan, log, options).run();
}

}  // namespace spineleaf
