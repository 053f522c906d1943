// Rule 1: no result depends on epoch length, on where epochs are cut, on threads or on the
// executor. The reference executor is the judge: one global queue whose order is written
// independently.

#include <gtest/gtest.h>

#include <map>

#include "tests/property/compare.hpp"
#include "tests/property/random_world.hpp"
#include "tests/property/seeds.hpp"

namespace spineleaf::property {
namespace {

struct Executor {
  const char* name;
  RunOptions options;
};

std::vector<Executor> executors(std::uint64_t seed) {
  std::vector<Executor> all(5);
  all[0].name = "epochs W";
  all[1].name = "epochs W/3";
  all[1].options.divide = 3;
  all[2].name = "random cuts";
  all[2].options.random_cuts = seed + 1;
  all[3].name = "2 threads";
  all[3].options.threads = 2;
  all[4].name = "4 threads";
  all[4].options.threads = 4;
  return all;
}

/// A lossless class loses nothing while headroom is the computed bound, the peer's pause outlasts
/// its refresh and no link fails.
bool must_be_lossless(const World& world) {
  const PfcParams& pfc = world.params.pfc;
  return world.params.fabric.flow_control != FlowControlKind::None && world.faults.empty() &&
         pfc.headroom == Bytes{0} && pfc.ns3_rate_shift == 0 &&
         (pfc.quanta == 65535 || pfc.never_expires);
}

class RandomWorlds : public testing::TestWithParam<std::uint64_t> {};

void check_case(std::uint64_t seed) {
  const Case wanted(seed);
  const std::string replay = how_to_replay(
      seed, "property_tests", "*RandomWorlds*/" + std::string(family_name(wanted.family)));
  const RunningCase running(replay);
  World world = random_world(wanted);
  SCOPED_TRACE(describe(wanted, world) + "\n" + replay);
  const bool lossless = must_be_lossless(world);
  RunOptions options;
  options.reference = true;
  const Result judge = run_world(std::move(world), options);
  ASSERT_NE(judge.stop, StopReason::InvariantBroken)
      << judge.verdict_text << joined(judge.warnings);
  if (lossless) {
    EXPECT_EQ(judge.totals.drops[static_cast<int>(DropCause::HeadroomFull)], 0);
  }
  for (const Executor& executor : executors(seed)) {
    const Result result = run_world(random_world(wanted), executor.options);
    const auto lines = differences(judge, result);
    EXPECT_TRUE(lines.empty()) << executor.name << " differs from the reference:" << joined(lines);
  }
}

TEST_P(RandomWorlds, EveryExecutorEqualsTheReference) {
  for (const std::uint64_t seed : cases_to_run()) {
    if (seed % kFamilies != GetParam()) continue;
    check_case(seed);
    if (HasFatalFailure() || HasNonfatalFailure()) return;  // one failing case tells enough
  }
}

/// What the default cases must make happen, or equality would say little.
struct Coverage {
  Totals sum;
  std::map<StopReason, std::int64_t> stops;
  std::int64_t deadlocks = 0;
  std::int64_t finished_flows = 0;
  std::int64_t aggregated = 0, not_aggregated = 0;  ///< operations of SHARP
  std::int64_t paused_series = 0;

  void add(const Result& result) {
    const Totals& t = result.totals;
    sum.packet_hops += t.packet_hops;
    sum.naks += t.naks;
    sum.cnps += t.cnps;
    sum.marks += t.marks;
    sum.pauses += t.pauses;
    sum.resumes += t.resumes;
    sum.credit_updates += t.credit_updates;
    sum.credit_stalls += t.credit_stalls;
    sum.retransmissions += t.retransmissions;
    sum.timeouts += t.timeouts;
    sum.out_of_order += t.out_of_order;
    for (int d = 0; d < kDropCauses; ++d) sum.drops[d] += t.drops[d];
    ++stops[result.stop];
    deadlocks += result.deadlock ? 1 : 0;
    for (const FlowRecord& flow : result.flows) finished_flows += flow.acked.ps >= 0 ? 1 : 0;
    for (const CollectiveRecord& c : result.collectives) {
      if (!c.algorithm.starts_with("sharp")) continue;
      ++(c.end.ps >= 0 ? aggregated : not_aggregated);
    }
    if (!result.series.empty()) {
      for (const SeriesPoint& point : result.series[3].points) paused_series += point.value > 0;
    }
  }
};

TEST(RandomWorldsTogether, EveryMechanismActs) {
  Coverage seen;
  for (std::uint64_t seed = 0; seed < kDefaultCases; ++seed) {
    seen.add(run_world(random_world(Case(seed)), {}));
  }
  EXPECT_GT(seen.sum.packet_hops, 200'000);
  EXPECT_GT(seen.finished_flows, 1'000);
  EXPECT_GT(seen.aggregated, 20);
  EXPECT_GT(seen.not_aggregated, 0);
  EXPECT_GT(seen.sum.naks, 500);
  EXPECT_GT(seen.sum.cnps, 500);
  EXPECT_GT(seen.sum.marks, 5'000);
  EXPECT_GT(seen.sum.pauses, 5'000);
  EXPECT_GT(seen.sum.resumes, 1'000);
  EXPECT_GT(seen.sum.credit_updates, 10'000);
  EXPECT_GT(seen.sum.credit_stalls, 1'000);
  EXPECT_GT(seen.sum.retransmissions, 1'000);
  EXPECT_GT(seen.sum.timeouts, 200);
  EXPECT_GT(seen.sum.out_of_order, 1'000);
  EXPECT_GT(seen.paused_series, 100);
  for (const DropCause cause : {DropCause::QueueFull, DropCause::HeadroomFull, DropCause::LinkDown,
                                DropCause::ReceiverFull}) {
    EXPECT_GT(seen.sum.drops[static_cast<int>(cause)], 50) << static_cast<int>(cause);
  }
  for (const StopReason reason :
       {StopReason::Finished, StopReason::Deadline, StopReason::NoProgress, StopReason::Stuck}) {
    EXPECT_GT(seen.stops[reason], 3) << static_cast<int>(reason);
  }
  EXPECT_GT(seen.deadlocks, 0);
  EXPECT_EQ(seen.stops[StopReason::InvariantBroken], 0);
}

INSTANTIATE_TEST_SUITE_P(Differential, RandomWorlds, testing::Range<std::uint64_t>(0, kFamilies),
                         [](const testing::TestParamInfo<std::uint64_t>& family) {
                           return std::string(family_name(static_cast<Family>(family.param)));
                         });

}  // namespace
}  // namespace spineleaf::property
