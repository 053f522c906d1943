// Deadlocks: the cases of the literature that must lock, those that must not, and the exact test
// against what happens to the trapped queues afterwards. Expected times: an independent packet
// model of the same cases (10 seeds, random ties, start jitter 5 us), within a factor of two.

#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/deadlock_check.hpp"
#include "scenarios/run.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

ValidSpec shipped(const std::string& name, std::vector<Override> overrides = {}) {
  ReadOptions options;
  options.overrides = std::move(overrides);
  ValidateResult read =
      read_scenario_file(SPINELEAF_SOURCE_DIR "/scenarios/library/" + name + ".json", options);
  EXPECT_TRUE(read.spec.has_value()) << joined(messages_of(read.problems));
  return *std::move(read.spec);
}

std::vector<Override> all_rates(const std::string& rate, int flows = 4) {
  std::vector<Override> sets;
  for (int f = 0; f < flows; ++f) {
    sets.push_back({"workload.flows[" + std::to_string(f) + "].rate", rate});
  }
  return sets;
}

Result run_seed(const ValidSpec& spec, std::uint64_t seed) {
  RunOptions options;
  options.seed = seed;
  return run_world(spec, options);
}

struct MustLock {
  const char* scenario;
  std::vector<Override> sets;
  double from_ms, to_ms;  ///< seen in the other model
};

class DeadlockCases : public testing::TestWithParam<MustLock> {};

TEST_P(DeadlockCases, LocksInEverySeedAtTheExpectedTime) {
  const MustLock& wanted = GetParam();
  const ValidSpec spec = shipped(wanted.scenario, wanted.sets);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Result result = run_seed(spec, seed);
    ASSERT_TRUE(result.deadlock) << wanted.scenario << " seed " << seed << result.verdict_text;
    EXPECT_EQ(result.verdict, Verdict::AsExpected);
    const double ms = static_cast<double>(result.deadlock_report.at.ps) / 1e9;
    EXPECT_GE(ms, wanted.from_ms / 2) << wanted.scenario << " seed " << seed;
    EXPECT_LE(ms, wanted.to_ms * 2) << wanted.scenario << " seed " << seed;
    EXPECT_FALSE(result.deadlock_report.cycles.empty());
    EXPECT_GT(result.deadlock_report.trapped.count, 0);
    EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Literature, DeadlockCases,
    testing::Values(MustLock{"deadlock-dl0", {}, 0.25, 0.40},
                    MustLock{"deadlock-dl0", all_rates("0Gbps"), 0.02, 0.35},
                    MustLock{"deadlock-dl1b", {}, 1.05, 1.4},
                    MustLock{"deadlock-dl3b-bounce", {}, 1.05, 1.4},
                    MustLock{"deadlock-dl2-loop", all_rates("5.1Gbps", 1), 1.7, 3.2},
                    MustLock{"deadlock-dl2-loop", {}, 0.61, 0.87},
                    MustLock{"deadlock-dl2-loop", all_rates("8Gbps", 1), 0.14, 0.18},
                    MustLock{"deadlock-dl2b-loop-of-three", {}, 0.31, 0.31}),
    [](const auto& row) { return "Row" + std::to_string(row.index); });

TEST(Deadlock, MustNotLock) {
  for (const char* name : {"deadlock-dl0-below", "deadlock-dl1", "deadlock-dl2-below",
                           "deadlock-dl3-bounce", "deadlock-dl4-up-down", "storm-dl5"}) {
    const ValidSpec spec = shipped(name, {{"run.deadline", "2ms"}});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Result result = run_seed(spec, seed);
      EXPECT_FALSE(result.deadlock) << name << " seed " << seed << ": " << result.verdict_text;
      EXPECT_EQ(result.stop, StopReason::Deadline) << name;
    }
  }
}

// What the exact test finds at its first instant never moves again; the cycle of waits found where
// nothing was delivered for long is the same deadlock.
TEST(Deadlock, ExactTestAndPersistenceAgree) {
  for (const char* name : {"deadlock-dl0", "deadlock-dl1b", "deadlock-ring3"}) {
    const Result early = run_seed(shipped(name), 3);
    const Result late =
        run_seed(shipped(name, {{"run.until_deadlock", "false"}, {"run.no_progress", "3ms"}}), 3);
    ASSERT_TRUE(early.deadlock);
    EXPECT_EQ(late.stop, StopReason::NoProgress) << name;
    EXPECT_EQ(early.deadlock_report.at, late.deadlock_report.at);
    EXPECT_EQ(late.deadlock_report.times, 1);
    EXPECT_TRUE(std::any_of(late.waits.begin(), late.waits.end(),
                            [](const WaitsFor& edge) { return edge.on_cycle; }));
  }
}

TEST(Deadlock, LookingDoesNotChangeTheRun) {
  const auto spec = [](const char* every) {
    return shipped(
        "deadlock-dl1b",
        {{"run.until_deadlock", "false"}, {"run.deadline", "2ms"}, {"run.deadlock_every", every}});
  };
  EXPECT_EQ(run_seed(spec("1us"), 1).fingerprint, run_seed(spec("0us"), 1).fingerprint);
}

TEST(Deadlock, StormStopsTheVictimAndTheWatchdogFreesIt) {
  const auto delivered = [](const char* name) {
    const Result result = run_seed(shipped(name), 1);
    EXPECT_FALSE(result.deadlock);
    const auto victim =
        std::find_if(result.flows.begin(), result.flows.end(),
                     [](const FlowRecord& flow) { return flow.from == EndpointId{1}; });
    EXPECT_NE(victim, result.flows.end());
    return victim->received;
  };
  EXPECT_EQ(delivered("storm-dl5").ps, -1);
  EXPECT_GT(delivered("storm-dl5-watchdog"), Time::from_us(1300));
  const Result guarded = run_seed(shipped("storm-dl5-watchdog"), 1);
  ASSERT_FALSE(guarded.watchdog.empty());
  const WatchdogRow& first = guarded.watchdog.front();
  EXPECT_GE(first.at, Time::from_us(1200));
  EXPECT_LE(first.at, Time::from_us(1400)) << "detection time and up to two polls";
  EXPECT_TRUE(std::any_of(guarded.watchdog.begin(), guarded.watchdog.end(),
                          [](const WatchdogRow& row) { return row.node == "leafB"; }));
  EXPECT_GT(guarded.totals.drops[static_cast<int>(DropCause::Watchdog)], 0);
  EXPECT_EQ(guarded.totals.drops[static_cast<int>(DropCause::HeadroomFull)], 0);
}

TEST(Deadlock, WatchdogEndsADeadlock) {
  const Result result = run_seed(shipped("deadlock-dl10-watchdog"), 1);
  ASSERT_TRUE(result.deadlock);
  EXPECT_GE(result.deadlock_report.times, 1);
  EXPECT_GT(result.totals.drops[static_cast<int>(DropCause::Watchdog)], 0);
  const Result unguarded =
      run_seed(shipped("deadlock-dl10-watchdog", {{"watchdog.detection", "0ms"}}), 1);
  EXPECT_GT(result.totals.payload_delivered.count, unguarded.totals.payload_delivered.count);
}

TEST(DeadlockCheck, KnowsWhichCasesHaveACycle) {
  for (const char* name : {"deadlock-dl0", "deadlock-dl1", "deadlock-dl1b", "deadlock-dl2-loop",
                           "deadlock-dl2b-loop-of-three", "deadlock-dl3-bounce",
                           "deadlock-dl3b-bounce", "deadlock-ring3", "pfc-deadlock-ring"}) {
    const DeadlockCheckResult result = check_deadlock(shipped(name));
    EXPECT_TRUE(result.can_deadlock()) << name;
    ASSERT_FALSE(result.cycles.empty()) << name;
    EXPECT_EQ(result.cycles.front().witnesses.size(), result.cycles.front().channels.size());
  }
  for (const char* name :
       {"deadlock-dl4-up-down", "storm-dl5", "quickstart-permutation-roce", "dual-tor"}) {
    EXPECT_FALSE(check_deadlock(shipped(name)).can_deadlock()) << name;
  }
}

TEST(DeadlockCheck, UpDownRoutingIsFoundToCureARing) {
  const std::vector<DeadlockCure> cures = try_cures(shipped("pfc-deadlock-ring"), {});
  ASSERT_FALSE(cures.empty());
  EXPECT_TRUE(cures.front().cures) << cures.front().what;
}

TEST(DeadlockCheck, AClassPerBounceCuresBouncesAndNoLoop) {
  const auto per_bounce = [](const char* name) {
    for (const DeadlockCure& cure : try_cures(shipped(name), {})) {
      if (cure.what == "a class more per bounce") return cure;
    }
    return DeadlockCure{};
  };
  EXPECT_TRUE(per_bounce("deadlock-dl3b-bounce").cures);
  EXPECT_EQ(per_bounce("deadlock-dl3b-bounce").note, "2 classes in place of one");
  EXPECT_FALSE(per_bounce("deadlock-dl2-loop").cures);
  EXPECT_TRUE(per_bounce("pfc-deadlock-ring").cures);
}

// Shortest paths after a failure may go down and up again; up-down routes never do.
TEST(DeadlockCheck, FailuresMakeShortestPathsBounce) {
  const ValidSpec spec = shipped("quickstart-permutation-roce");
  DeadlockCheckOptions options;
  options.routing = RoutingRule::ShortestPath;
  const FailureStudy bounces = study_failures(spec, options, {1, 60, 1});
  EXPECT_TRUE(bounces.complete());
  EXPECT_GT(bounces.sets, 0);
  options.routing = RoutingRule::UpDown;
  const FailureStudy safe = study_failures(spec, options, {1, 60, 1});
  EXPECT_EQ(safe.with_cycle, 0U);
  EXPECT_EQ(safe.sets, bounces.sets);
}

TEST(DeadlockCheck, ALossyClassCannotDeadlock) {
  const DeadlockCheckResult none =
      check_deadlock(shipped("pfc-deadlock-ring", {{"fabric.flow_control", "none"}}));
  EXPECT_FALSE(none.can_deadlock());
  EXPECT_TRUE(none.classes.empty());
}

}  // namespace
}  // namespace spineleaf
