#include "validation/measurements/verbs_cost.hpp"

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

double us_of(std::int64_t bytes, double gbps) {
  return static_cast<double>(bytes) * 8 / gbps / 1e3;
}

/// ib_write_bw on ConnectX-7, 400 Gb/s RoCE, one leaf: nccl#2409. Gb/s.
struct Published {
  std::int64_t bytes, depth, qps;
  double gbps, tolerance;
};
constexpr Published kPublished[] = {{16 << 10, 8, 1, 100.1, 0.2},  {16 << 10, 8, 8, 390.9, 0.1},
                                    {128 << 10, 8, 1, 293.4, 0.1}, {128 << 10, 8, 8, 392.1, 0.1},
                                    {16 << 10, 1, 1, 20.1, 0.1},   {128 << 10, 1, 1, 117.0, 0.1},
                                    {1 << 20, 1, 1, 303.4, 0.1},   {4 << 20, 1, 1, 364.2, 0.1}};

TEST(VerbsCost, OneSetOfThreeNumbersGivesAllPublishedRows) {
  std::vector<VerbsRow> rows;
  for (const Published& one : kPublished) {
    rows.push_back({one.bytes, one.depth, one.qps, us_of(one.bytes, one.gbps)});
  }
  std::string problem;
  const FittedVerbsCost fit = fit_verbs_cost(rows, problem);
  ASSERT_EQ(problem, "");
  for (const Published& one : kPublished) {
    const double us = fit.cost.us_per_message(one.bytes, one.depth, one.qps);
    const double gbps = static_cast<double>(one.bytes) * 8 / us / 1e3;
    EXPECT_NEAR(gbps, one.gbps, one.tolerance * one.gbps) << one.bytes << " " << one.depth;
  }
  EXPECT_LT(fit.worst_pct, 5);
  EXPECT_NEAR(fit.cost.latency_us, 6.2, 0.3);
  EXPECT_NEAR(fit.cost.message_us, 0.98, 0.1);
  EXPECT_NEAR(fit.cost.gbps, 390, 6);
  for (const bool known : fit.known) EXPECT_TRUE(known);
  EXPECT_LE(fit.low.latency_us, fit.cost.latency_us);
  EXPECT_GE(fit.high.latency_us, fit.cost.latency_us);
  EXPECT_LT(fit.high.gbps / fit.low.gbps, 1.1);
  EXPECT_EQ(fit.fixed_by[0].depth, 1);
  EXPECT_EQ(fit.fixed_by[1].depth, 8);
  EXPECT_EQ(fit.fixed_by[1].bytes, 16 << 10);
}

// Case perstep-cost-roce-400: send and receive at 13.1 GB/s, both directions together, in steps of
// 128 KiB, over NICs that verbs show to be healthy.
TEST(VerbsCost, FindsTheCostOfAStep) {
  const VerbsCost nic{6.2, 0.98, 391};
  const double us = step_us(128 << 10, 13.1);
  EXPECT_GE(us, 10);
  EXPECT_LE(us, 12);
  EXPECT_TRUE(end_point_binds(nic, 128 << 10, 13.1));
  EXPECT_FALSE(end_point_binds(nic, 128 << 10, 48.4));
}

// Half of the rows foretell the other half.
TEST(VerbsCost, ForetellsRowsThatItHasNotSeen) {
  std::vector<VerbsRow> rows;
  for (const std::size_t i : {0U, 3U, 5U, 7U}) {
    const Published& one = kPublished[i];
    rows.push_back({one.bytes, one.depth, one.qps, us_of(one.bytes, one.gbps)});
  }
  std::string problem;
  const FittedVerbsCost fit = fit_verbs_cost(rows, problem);
  for (const Published& one : kPublished) {
    const double us = fit.cost.us_per_message(one.bytes, one.depth, one.qps);
    EXPECT_NEAR(static_cast<double>(one.bytes) * 8 / us / 1e3, one.gbps, 0.1 * one.gbps)
        << one.bytes << " " << one.depth << " " << one.qps;
  }
}

TEST(VerbsCost, SaysWhatTheRowsDoNotTell) {
  std::string problem;
  fit_verbs_cost({{16384, 1, 1, 6}}, problem);
  EXPECT_NE(problem, "");
  fit_verbs_cost({{0, 1, 1, 6}, {8, 0, 1, 6}, {8, 1, 1, -1}, {8, 1, 0, 3}}, problem);
  EXPECT_NE(problem, "");
  // One in flight each: nothing tells what a queue pair's work is.
  const FittedVerbsCost fit = fit_verbs_cost(
      {{16384, 1, 1, 6.5}, {131072, 1, 1, 8.9}, {1 << 20, 1, 1, 27.6}, {4 << 20, 1, 1, 92}},
      problem);
  EXPECT_EQ(problem, "");
  EXPECT_TRUE(fit.known[0]);
  EXPECT_FALSE(fit.known[1]);
}

}  // namespace
}  // namespace spineleaf
