// The executors against the reference on actors without a model: every event's place in the order.

#include "tests/sim/chaos.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace spineleaf::test {
namespace {

std::uint64_t worlds() { return std::getenv("SPINELEAF_FULL") != nullptr ? 20'000 : 1'000; }

TEST(Chaos, EveryExecutorRunsEveryActorsEventsInTheSameOrder) {
  std::int64_t events = 0;
  std::size_t samples = 0;
  for (std::uint64_t seed = 1; seed <= worlds(); ++seed) {
    SCOPED_TRACE("world " + std::to_string(seed));
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
  EXPECT_GT(events, static_cast<std::int64_t>(worlds()) * 100);
  EXPECT_GT(samples, worlds() / 2);
}

}  // namespace
}  // namespace spineleaf::test
