// The measured H100 ring sweep on the ideal network, from physical parameters only.

#include <cstdio>

#include <gtest/gtest.h>

#include "tests/models/collectives/h100_ring.hpp"

namespace spineleaf::fake {
namespace {

TEST(RingH100, SweepIsWithinItsTolerances) {
  for (const MeasuredPoint& point : kMeasuredRing) {
    const double us = run_ring_us(h100_run(point.bytes));
    const double error = us / point.time_us - 1;
    std::printf("%12lld B  measured %9.1f us  model %9.1f us  %+6.2f %%\n",
                static_cast<long long>(point.bytes), point.time_us, us, 100 * error);
    if (point.bytes >= 64 << 20) {
      EXPECT_LE(error < 0 ? -error : error, 0.05) << point.bytes;
    } else if (point.bytes >= 8 << 20) {
      EXPECT_LE(error < 0 ? -error : error, 0.10) << point.bytes;
    }
  }
}

TEST(RingH100, LargeMessagesReachTheNic) {
  const std::int64_t bytes = 4LL << 30;
  const double busbw =
      static_cast<double>(bytes) * 2 * 15 / 16 / run_ring_us(h100_run(bytes)) / 1e3;
  EXPECT_GT(busbw, 0.97 * 8 * 49);
  EXPECT_LT(busbw, 8 * 49);
}

// Not fitted: with few channels the GPU's channel rate decides, with many the NIC.
TEST(RingH100, ChannelCountDecidesAtEightNodes) {
  const auto busbw = [](std::int64_t channels) {
    RingRun run = h100_run(2LL << 30);
    run.nodes = 8;
    run.params.channels = channels;
    run.network.quantum = Bytes{65536};
    return static_cast<double>(run.params.bytes.count) * 2 * 63 / 64 / run_ring_us(run) / 1e3;
  };
  // 8 x 8 H100, 8 x NDR, 2 GiB, defaults (16 channels) and NCCL_MIN_CTAS=24, out of place.
  // Source: https://github.com/NVIDIA/nccl-tests/issues/309
  EXPECT_NEAR(busbw(16) / 319.0, 1.0, 0.05);
  EXPECT_NEAR(busbw(24) / 385.2, 1.0, 0.05);
}

}  // namespace
}  // namespace spineleaf::fake
