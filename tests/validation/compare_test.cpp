#include "validation/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "validation/readers/nccl_sweep.hpp"

namespace spineleaf {
namespace {

Curve curve_of(std::initializer_list<CurvePoint> points) {
  Curve curve;
  curve.points = points;
  return curve;
}

TEST(Compare, FitFindsTheLineThatIsThere) {
  Curve exact;
  for (std::int64_t bytes = 1024; bytes <= 1 << 30; bytes *= 4) {
    exact.points.push_back({bytes, 12.5 + static_cast<double>(bytes) / 40'000});
  }
  const AlphaBeta fit = fit_alpha_beta(exact);
  EXPECT_NEAR(fit.alpha_us, 12.5, 1e-6);
  EXPECT_NEAR(fit.bytes_per_us, 40'000, 1e-2);
  EXPECT_NEAR(fit.time_us(1 << 20), 12.5 + (1 << 20) / 40'000.0, 1e-6);
}

/// Sum of squared relative errors: what the fit must make least.
double loss(const Curve& curve, const AlphaBeta& fit) {
  double sum = 0;
  for (const CurvePoint& point : curve.points) {
    const double error = fit.time_us(point.bytes) / point.time_us - 1;
    sum += error * error;
  }
  return sum;
}

TEST(Compare, NoNeighbourOfTheFitIsBetter) {
  const Curve measured =
      to_curve(read_nccl_sweep_file(SPINELEAF_SOURCE_DIR
                                    "/validation/data/nccl/sweeps/h100-2n-ibndr-b-ring.csv")
                   .sweep,
               "measured");
  const AlphaBeta fit = fit_alpha_beta(measured);
  const double least = loss(measured, fit);
  for (const double a : {0.99, 1.0, 1.01}) {
    for (const double b : {0.99, 1.0, 1.01}) {
      EXPECT_GE(loss(measured, {fit.alpha_us * a, fit.bytes_per_us * b}), least * (1 - 1e-12));
    }
  }
  EXPECT_GT(fit.alpha_us, 100);
  EXPECT_LT(fit.alpha_us, 200);
  // Above 213,333, the algbw that 8 x 50 GB/s allow: a fit of two numbers knows no line rate.
  EXPECT_NEAR(fit.bytes_per_us, 215'700, 200);
}

TEST(Compare, ErrorsAreOfTimeAndSigned) {
  const Curve measured = curve_of({{1 << 10, 100}, {1 << 20, 200}, {1 << 30, 1000}});
  const Curve simulated = curve_of({{1 << 10, 110}, {1 << 30, 950}, {1 << 31, 5}});
  const Comparison comparison = compare_curves(measured, simulated);
  ASSERT_EQ(comparison.points.size(), 2u);
  EXPECT_NEAR(comparison.points[0].error_percent, 10, 1e-9);
  EXPECT_NEAR(comparison.points[1].error_percent, -5, 1e-9);
  EXPECT_EQ(comparison.points[1].measured_us, 1000);
}

TEST(Compare, BandsSplitAtTheirBoundsByNearestRank) {
  Curve measured;
  Curve simulated;
  const std::int64_t sizes[] = {kMebibyte - 1, kMebibyte, 64 * kMebibyte - 1, 64 * kMebibyte};
  for (int i = 0; i < 4; ++i) {
    measured.points.push_back({sizes[i], 100});
    simulated.points.push_back({sizes[i], 100.0 + (i % 2 == 0 ? -1 : 1) * (i + 1)});
  }
  const Comparison comparison = compare_curves(measured, simulated);
  const Comparison::Band small = comparison.band(kSizeBands[0]);
  EXPECT_EQ(small.count, 1);
  EXPECT_NEAR(small.median, 1, 1e-9);
  const Comparison::Band middle = comparison.band(kSizeBands[1]);
  EXPECT_EQ(middle.count, 2);
  EXPECT_NEAR(middle.median, 2, 1e-9);
  EXPECT_NEAR(middle.p90, 3, 1e-9);
  EXPECT_EQ(comparison.band(kSizeBands[2]).count, 1);
  EXPECT_EQ(comparison.band(0, 1).count, 0);
  EXPECT_EQ(comparison.fit_band(kSizeBands[1]).count, 2);
}

TEST(Compare, FewOrBrokenPointsAreNoError) {
  EXPECT_TRUE(compare_curves({}, {}).points.empty());
  const Curve one = curve_of({{1000, 10}});
  EXPECT_NEAR(compare_curves(one, one).points[0].fit_error_percent, 0, 1e-9);
  const Curve zero = curve_of({{1000, 0}, {2000, 10}, {3000, 15}});
  const Comparison comparison = compare_curves(zero, zero);
  ASSERT_EQ(comparison.points.size(), 2u);
  EXPECT_TRUE(std::isfinite(comparison.points[0].fit_error_percent));
}

}  // namespace
}  // namespace spineleaf
