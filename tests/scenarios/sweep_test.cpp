// A sweep as a function: what is run, what is kept, what is done again.

#include "scenarios/sweep/sweep.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/sweep/metrics.hpp"
#include "scenarios/sweep/pareto.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

SweepInput input(std::vector<std::string> grid, std::int64_t seeds = 1) {
  SweepInput out;
  out.file = "s.json";
  out.text = R"({"preset": "roce-400g", "topology": {"kind": "single_switch", "hosts": 5},
    "workload": {"kind": "incast", "senders": 4, "bytes": "64KiB", "start_jitter": "5us"}})";
  out.grid = std::move(grid);
  out.seeds = seeds;
  return out;
}

class Sweep : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("spineleaf-sweep-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs `plan` into `name`, which must be possible.
  SweepOutcome run(const SweepPlan& plan, const std::string& name, bool resume = false,
                   SweepOptions options = {}) {
    SweepLog log;
    EXPECT_EQ(log.open(folder_ / name, plan, resume), "");
    return run_sweep(plan, log, options);
  }

  SweepData data(const std::string& name) const {
    SweepData out = read_sweep(folder_ / name);
    EXPECT_EQ(joined(messages_of(out.problems)), "");
    return out;
  }

  fs::path folder_;
};

TEST_F(Sweep, EveryPointHasItsRowWhateverTheWorkers) {
  const SweepPlan plan = plan_sweep(input({"kmin=10KB,100KB", "senders=2,4"}, 2), {});
  ASSERT_EQ(plan.points.size(), 4U);
  SweepOptions options;
  options.workers = 1;
  EXPECT_EQ(run(plan, "one", false, options).done, 8U);
  options.workers = 3;
  EXPECT_EQ(run(plan, "three", false, options).done, 8U);
  const SweepData one = data("one");
  const SweepData three = data("three");
  ASSERT_EQ(one.rows.size(), 8U);
  const auto columns = one.columns;
  EXPECT_EQ(points_csv(columns, summarise(one.rows)), points_csv(columns, summarise(three.rows)));
  EXPECT_EQ(summarise(one.rows).front().runs, 2);
  // A row is what the scenario gives when it is run by itself.
  const ValidateResult alone = sweep_scenario(folder_ / "one", one, summarise(one.rows)[3]);
  ASSERT_TRUE(alone.spec);
  EXPECT_EQ(scenario_hash(*alone.spec), summarise(one.rows)[3].hash);
  EXPECT_EQ(alone.spec->models.ecn.kmin.count, 100'000);
}

TEST_F(Sweep, ResumeRunsOnlyWhatIsMissing) {
  const SweepPlan half = plan_sweep(input({"kmin=10KB,100KB"}), {});
  EXPECT_EQ(run(half, "out").done, 2U);
  const SweepPlan whole = plan_sweep(input({"kmin=10KB,50KB,100KB"}), {});
  const SweepOutcome more = run(whole, "out", true);
  EXPECT_EQ(more.found, 2U);
  EXPECT_EQ(more.done, 1U);
  // A torn last line is cut off and its run done again.
  const fs::path csv = folder_ / "out" / "results.csv";
  fs::resize_file(csv, fs::file_size(csv) - 5);
  const SweepOutcome mended = run(whole, "out", true);
  EXPECT_EQ(mended.found, 2U);
  EXPECT_EQ(mended.done, 1U);
  EXPECT_EQ(data("out").rows.size(), 3U);
}

TEST_F(Sweep, AFolderIsNotMixedUp) {
  const SweepPlan plan = plan_sweep(input({"kmin=10KB,100KB"}), {});
  run(plan, "out");
  SweepLog again;
  EXPECT_THAT(again.open(folder_ / "out", plan, false), HasSubstr("has 2 rows already"));
  SweepLog other;
  EXPECT_THAT(other.open(folder_ / "out", plan_sweep(input({"pmax=0.1,0.2"}), {}), true),
              HasSubstr("those of another sweep"));
  SweepLog first;
  ASSERT_EQ(first.open(folder_ / "out", plan, true), "");
  SweepLog second;
  EXPECT_THAT(second.open(folder_ / "out", plan, true), HasSubstr("another sweep is writing"));
}

TEST_F(Sweep, FailedPointsKeepTheirMessage) {
  const SweepPlan plan = plan_sweep(input({"kmin=10KB,100KB"}), {});
  {
    SweepLog log;
    ASSERT_EQ(log.open(folder_ / "out", plan, false), "");
    EXPECT_EQ(log.append(failed_row("it broke,\n\"badly\"", plan.points[0], 0)), "");
  }
  const SweepOutcome outcome = run(plan, "out", true);
  EXPECT_EQ(outcome.found, 1U);
  EXPECT_EQ(outcome.failed, 1U);
  const SweepData kept = data("out");
  ASSERT_EQ(kept.rows.size(), 2U);
  const bool first = kept.rows[0].verdict == "failed";
  EXPECT_EQ(kept.rows[first ? 0 : 1].message, "it broke, \"badly\"");
  EXPECT_EQ(summarise(kept.rows)[0].failed, 1);
  SweepOptions retry;
  retry.retry_failed = true;
  EXPECT_EQ(run(plan, "out", true, retry).done, 1U);
  EXPECT_EQ(summarise(data("out").rows)[0].failed, 0) << "the later row counts";
}

TEST_F(Sweep, InvalidPointsAreKnownBeforehand) {
  const SweepPlan plan = plan_sweep(input({"kmin=10KB,9MB", "kmax=100KB,20MB", "senders=4,5"}), {});
  const std::vector<GroupedProblem> errors = grouped_errors(plan.points);
  ASSERT_EQ(errors.size(), 2U) << "each kind of problem once";
  EXPECT_EQ(errors[0].points, 4U);
  EXPECT_THAT(to_string(errors[0].problem), HasSubstr("--grid: workload.senders"));
  EXPECT_EQ(errors[1].points, 2U) << "kmin above kmax";
  const std::vector<GroupedProblem> doubts = grouped_doubts(plan.points);
  ASSERT_FALSE(doubts.empty());
  EXPECT_THAT(to_string(doubts.back().problem), HasSubstr("XOFF threshold"));
}

TEST_F(Sweep, ABudgetOrAnInterruptLeavesTheRestNamed) {
  const SweepPlan plan = plan_sweep(input({"kmin=10KB,20KB,30KB", "bytes=1MiB"}, 3), {});
  SweepOptions options;
  options.budget_seconds = 1e-9;
  options.workers = 1;
  const SweepOutcome late = run(plan, "out", false, options);
  EXPECT_EQ(late.done + late.missing, 9U);
  if (late.missing > 0) {
    EXPECT_TRUE(late.out_of_time);
    ASSERT_FALSE(late.missing_points.empty());
    EXPECT_THAT(late.missing_points.back(), HasSubstr("ecn.kmin="));
  }
  const std::atomic<bool> asked{true};
  options.budget_seconds = 0;
  options.interrupt = &asked;
  const SweepOutcome stopped = run(plan, "out", true, options);
  EXPECT_EQ(stopped.found, late.done);
  EXPECT_EQ(stopped.found + stopped.done + stopped.missing, 9U);
  options.interrupt = nullptr;
  EXPECT_EQ(run(plan, "out", true, options).missing, 0U);
  EXPECT_EQ(data("out").rows.size(), 9U);
}

TEST_F(Sweep, SeedsStopWhereTheIntervalIsNarrow) {
  const SweepPlan plan = plan_sweep(input({"senders=1,4"}, 12), {});
  SweepOptions options;
  std::string problem;
  options.stop = read_stop_rule("goodput=60%", problem);
  ASSERT_TRUE(options.stop) << problem;
  const SweepOutcome outcome = run(plan, "out", false, options);
  EXPECT_GT(outcome.spared, 0U);
  EXPECT_EQ(outcome.done + outcome.spared, 24U);
  EXPECT_EQ(outcome.missing, 0U);
  const SweepData kept = data("out");
  const std::size_t goodput = *find_metric("goodput");
  for (const PointSummary& point : summarise(kept.rows)) {
    EXPECT_GE(point.runs, 3);
    if (point.runs < 12) {
      EXPECT_LE(point.interval[goodput], 0.6 * point.mean[goodput]);
    }
  }
  // Going on decides as if it had never stopped.
  const SweepOutcome again = run(plan, "out", true, options);
  EXPECT_EQ(again.done, 0U);
  EXPECT_EQ(again.spared, outcome.spared);
  EXPECT_FALSE(read_stop_rule("speed=5%", problem));
  EXPECT_THAT(problem, HasSubstr("goodput_gbps"));
  EXPECT_FALSE(read_stop_rule("goodput=500%", problem));
}

/// Points at (x, y) of max_queue_bytes and goodput_gbps.
std::vector<PointSummary> points_at(const std::vector<std::pair<double, double>>& places) {
  std::vector<PointSummary> points;
  for (const auto& [x, y] : places) {
    PointSummary point;
    point.cells = {std::to_string(points.size()), "2097152", "0.05"};
    point.mean.assign(metrics().size(), 0);
    point.mean[*find_metric("max_queue")] = x;
    point.mean[*find_metric("goodput")] = y;
    points.push_back(point);
  }
  return points;
}

const std::vector<SweepColumn> kColumns{{"ecn.kmin", "ecn.kmin_bytes", "B"},
                                        {"ecn.kmax", "ecn.kmax_bytes", "B"},
                                        {"ecn.pmax", "ecn.pmax", ""}};

TEST(Pareto, TheFrontIsWhatNothingBeats) {
  const auto points = points_at({{1, 10}, {2, 30}, {2, 20}, {3, 35}, {4, 35}, {5, 40}, {6, 5}});
  const ParetoFront front = pareto_front(kColumns, points, {"max_queue", "goodput", "kmin", {}});
  ASSERT_TRUE(front.problems.empty());
  std::vector<std::size_t> numbers;
  for (const std::size_t i : front.front) numbers.push_back(front.points[i].point);
  EXPECT_EQ(numbers, (std::vector<std::size_t>{0, 1, 3, 5}));
  ASSERT_TRUE(front.best);
  EXPECT_EQ(front.points[*front.best].point, 1U);
  EXPECT_THAT(pareto_svg(front, "a <b>"), HasSubstr("a &lt;b&gt;"));
}

TEST(Pareto, FiltersAndNames) {
  const auto points = points_at({{1, 10}, {2, 30}, {3, 35}});
  const ParetoFront front =
      pareto_front(kColumns, points, {"max_queue", "goodput", "", {"goodput>=30", "kmin!=2"}});
  ASSERT_EQ(front.points.size(), 1U);
  EXPECT_EQ(front.points[0].point, 1U);
  EXPECT_EQ(front.left_out, 2U);
  const ParetoFront wrong =
      pareto_front(kColumns, points, {"length", "fct", "speed", {"drops", "drop==x", "x<1"}});
  EXPECT_EQ(wrong.problems.size(), 6U);
}

TEST(Pareto, PublishedThresholdsAreRecognised) {
  auto points = points_at({{1, 10}, {2, 30}});
  points[1].cells[0] = "1048576";
  const ParetoFront front = pareto_front(kColumns, points, {"max_queue", "goodput", "", {}});
  EXPECT_EQ(front.points[0].preset, "");
  EXPECT_EQ(front.points[1].preset, "ecn-sonic");
  EXPECT_THAT(pareto_svg(front, "t"), HasSubstr(">ecn-sonic</text>"));
}

}  // namespace
}  // namespace spineleaf
