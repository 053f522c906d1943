// The executors against the reference on actors without a model: every event's place in the order.

#include "tests/sim/chaos.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/property/seeds.hpp"

namespace spineleaf::test {
namespace {

/// 1,000 worlds, 20,000 in a full run, or the one asked for with SPINELEAF_SEED.
std::vector<std::uint64_t> worlds() {
  if (const auto one = property::seed_asked_for()) return {*one};
  std::vector<std::uint64_t> all(std::getenv("SPINELEAF_FULL") != nullptr ? 20'000 : 1'000);
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  return all;
}

TEST(Chaos, EveryExecutorRunsEveryActorsEventsInTheSameOrder) {
  std::int64_t events = 0;
  std::size_t samples = 0;
  for (const std::uint64_t seed : worlds()) {
    const std::string replay = property::how_to_replay(seed, "sim_tests", "Chaos.*");
    const property::RunningCase running(replay);
    SCOPED_TRACE(replay);
    const ChaosResult judge = run_chaos(seed, all_executors()[0]);
    ASSERT_EQ(judge.end, RunEnd::Quiescent) << judge.reason;
    events += judge.events;
    samples += judge.samples.size();
    for (Executor executor : epoch_executors()) {
      if (executor.options.random_cuts != 0) executor.options.random_cuts = seed;
      const ChaosResult result = run_chaos(seed, executor);
      ASSERT_EQ(result.reason, judge.reason) << executor.name;
      ASSERT_EQ(result.events, judge.events) << executor.name;
      ASSERT_EQ(result.now, judge.now) << executor.name;
      ASSERT_EQ(result.samples, judge.samples) << executor.name;
      ASSERT_TRUE(result == judge) << executor.name;
    }
  }
  if (property::seed_asked_for()) return;
  EXPECT_GT(events, static_cast<std::int64_t>(worlds().size()) * 100);
  EXPECT_GT(samples, worlds().size() / 2);
}

}  // namespace
}  // namespace spineleaf::test
