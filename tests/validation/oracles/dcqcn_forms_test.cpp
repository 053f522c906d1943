#include "validation/oracles/dcqcn_forms.hpp"

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

TEST(DcqcnForms, FixedPointOfThePaperAt40G) {
  const DcqcnFluid paper;
  EXPECT_NEAR(dcqcn_queue_bytes(paper, 2), 20'151, 1);
  EXPECT_NEAR(dcqcn_queue_bytes(paper, 4), 41'809, 1);
  EXPECT_NEAR(dcqcn_queue_bytes(paper, 8), 93'766, 1);
  EXPECT_NEAR(dcqcn_queue_bytes(paper, 10), 122'623, 1);
  EXPECT_NEAR(dcqcn_marking(paper, 2), 7.77e-4, 5e-7);
  EXPECT_NEAR(dcqcn_marking(paper, 10), 6.03e-3, 5e-6);
}

TEST(DcqcnForms, ManyFlowsNeedMoreThanPmax) {
  const DcqcnFluid paper;
  EXPECT_EQ(dcqcn_queue_bytes(paper, 16), -1);
  EXPECT_NEAR(dcqcn_marking(paper, 64), 0.059, 5e-4);
}

TEST(DcqcnForms, FasterLinks) {
  DcqcnFluid fast;
  fast.line = Rate::from_gbps(100);
  fast.kmin = Bytes{100'000};
  fast.kmax = Bytes{400'000};
  fast.pmax = 0.2;
  const double expected[] = {100.4, 100.9, 102.1, 105.1, 112.3, 129.2};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(dcqcn_queue_bytes(fast, 2 << i) / 1e3, expected[i], 0.051);
  }
  DcqcnFluid faster = fast;
  faster.line = Rate::from_gbps(400);
  faster.packet = Bytes{4096};
  faster.kmin = Bytes{400'000};
  faster.kmax = Bytes{1'600'000};
  const double at_400[] = {401.0, 402.4, 405.9, 414.3, 434.8, 483.7};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(dcqcn_queue_bytes(faster, 2 << i) / 1e3, at_400[i], 0.051);
  }
}

TEST(DcqcnForms, TheCubicRootOverstates) {
  const DcqcnFluid paper;
  const double expected[] = {19, 23, 28};
  for (int i = 0; i < 3; ++i) {
    const std::int64_t n = 2 << i;
    const double ratio = dcqcn_marking_approximation(paper, n) / dcqcn_marking(paper, n);
    EXPECT_NEAR((ratio - 1) * 100, expected[i], 0.6);
  }
}

TEST(DcqcnForms, RecoverySlopes) {
  // 50 Mb/s per 300 us, and 40 Mb/s per 55 us, in Gb/s per ms.
  EXPECT_NEAR(dcqcn_recovery_slope(Rate{50'000'000}, Time::from_us(300)) / 1e3, 0.16667, 1e-5);
  EXPECT_NEAR(dcqcn_recovery_slope(Rate{40'000'000}, Time::from_us(55)) / 1e3, 0.7273, 1e-4);
}

}  // namespace
}  // namespace spineleaf
