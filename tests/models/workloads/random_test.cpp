// Counter-based draws: moments, independence of purposes, and exact values that must never change.

#include "sim/random.hpp"

#include <cmath>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

TEST(Random, DrawIsAPureFunctionOfItsCounters) {
  EXPECT_EQ(draw(1, Purpose::FlowSize, 2, 3), draw(1, Purpose::FlowSize, 2, 3));
  EXPECT_NE(draw(1, Purpose::FlowSize, 2, 3), draw(1, Purpose::FlowSize, 3, 2));
  EXPECT_NE(draw(1, Purpose::FlowSize, 2, 3), draw(2, Purpose::FlowSize, 2, 3));
  EXPECT_NE(draw(1, Purpose::FlowSize, 2, 3), draw(1, Purpose::Destination, 2, 3));
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 300; ++i) {
    for (std::uint64_t j = 0; j < 300; ++j) seen.insert(draw(7, Purpose::Entropy, i, j));
  }
  EXPECT_EQ(seen.size(), 90'000U);
}

TEST(Random, UniformBelowCoversItsRangeEvenly) {
  constexpr std::uint64_t kBins = 10, kDraws = 200'000;
  std::array<int, kBins> count{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const std::uint64_t bin = uniform_below(draw(3, Purpose::Destination, i), kBins);
    ASSERT_LT(bin, kBins);
    ++count[bin];
  }
  double chi2 = 0;
  for (const int c : count) {
    const double d = c - static_cast<double>(kDraws) / kBins;
    chi2 += d * d / (static_cast<double>(kDraws) / kBins);
  }
  EXPECT_LT(chi2, 27.9);  // 9 degrees of freedom, 0.1 % level
  EXPECT_EQ(uniform_below(UINT64_MAX, 1), 0U);
  EXPECT_EQ(uniform_below(UINT64_MAX, 7), 6U);
}

TEST(Random, UnitFractionStaysBelowOne) {
  EXPECT_EQ(unit_fraction(0), 0.0);
  EXPECT_LT(unit_fraction(UINT64_MAX), 1.0);
  EXPECT_EQ(unit_fraction(1ULL << 63), 0.5);
}

TEST(Random, MinusLogMatchesTheLogarithm) {
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = draw(5, Purpose::ArrivalTime, i) >> (i % 60);
    const double expected = -std::log((static_cast<double>(bits) + 1.0) * 0x1p-64);
    ASSERT_NEAR(static_cast<double>(minus_log(bits)) * 0x1p-40, expected, 1e-6) << bits;
  }
  EXPECT_EQ(minus_log(UINT64_MAX), 0);
  EXPECT_NEAR(static_cast<double>(minus_log(0)) * 0x1p-40, 64 * std::log(2.0), 1e-6);
}

TEST(Random, ExponentialHasItsMoments) {
  constexpr int kDraws = 1'000'000;
  const Time mean{1'000'000};
  double sum = 0, squares = 0;
  int above_mean = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Time t = exponential(mean, draw(11, Purpose::ArrivalTime, i));
    ASSERT_GE(t.ps, 0);
    const double x = static_cast<double>(t.ps) / static_cast<double>(mean.ps);
    sum += x;
    squares += x * x;
    above_mean += t > mean ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 1.0, 0.004);
  EXPECT_NEAR(squares / kDraws, 2.0, 0.02);
  EXPECT_NEAR(static_cast<double>(above_mean) / kDraws, std::exp(-1.0), 0.002);
}

TEST(Random, ValuesAreFixed) {
  // A change here changes the result of every seeded scenario.
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafULL);
  static_assert(draw(1, Purpose::Entropy, 2) == draw(1, Purpose::Entropy, 2));
  EXPECT_EQ(exponential(Time{1'000'000'000}, 0x8000000000000000ULL - 1).ps, 693'147'180);
}

}  // namespace
}  // namespace spineleaf
