#include "scenarios/statistics.hpp"

#include <gtest/gtest.h>

#include "tests/output/sample_result.hpp"

namespace spineleaf {
namespace {

std::vector<Time> times(std::initializer_list<std::int64_t> ps) {
  std::vector<Time> out;
  for (const std::int64_t value : ps) out.push_back({value});
  return out;
}

TEST(Statistics, NearestRankNeverInterpolates) {
  const std::vector<Time> five = times({15, 20, 35, 40, 50});
  EXPECT_EQ(percentile(five, 30).ps, 20);  // ceil(1.5) = 2nd
  EXPECT_EQ(percentile(five, 40).ps, 20);  // exactly 2
  EXPECT_EQ(percentile(five, 50).ps, 35);
  EXPECT_EQ(percentile(five, 100).ps, 50);
  EXPECT_EQ(percentile(five, 0).ps, 15);
  const std::vector<double> one{3.5};
  EXPECT_EQ(percentile(one, 99), 3.5);
}

TEST(Statistics, P99OfAHundredIsTheSecondLargest) {
  std::vector<double> values;
  for (int i = 1; i <= 100; ++i) values.push_back(i);
  EXPECT_EQ(percentile(values, 99), 99);
  values.push_back(101);
  EXPECT_EQ(percentile(values, 99), 100);  // ceil(99.99) = 100th of 101
}

TEST(Statistics, MeanOfTimesRoundsToThePicosecond) {
  EXPECT_EQ(mean(times({1, 2})).ps, 2);
  EXPECT_EQ(mean(times({1, 1, 2})).ps, 1);
  EXPECT_EQ(mean(times({})).ps, 0);
  const std::int64_t large = INT64_MAX - 1;
  EXPECT_EQ(mean(times({large, large, large})).ps, large);
}

TEST(Statistics, JainIndex) {
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{1, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{0, 0}), 1);
}

TEST(Statistics, BusbwFactorsOfNcclTests) {
  EXPECT_DOUBLE_EQ(busbw_factor("all_reduce", 16), 1.875);
  EXPECT_DOUBLE_EQ(busbw_factor("all_gather", 16), 0.9375);
  EXPECT_DOUBLE_EQ(busbw_factor("reduce_scatter", 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor("alltoall", 2), 0.5);
  EXPECT_DOUBLE_EQ(busbw_factor("sendrecv", 16), 1);
  EXPECT_DOUBLE_EQ(busbw_factor("all_reduce", 1), 0);
  EXPECT_DOUBLE_EQ(busbw_factor("allreduce", 16), 0);
  EXPECT_DOUBLE_EQ(busbw_factor("all_reduce", 0), 0);
}

TEST(Statistics, AlgbwOfAPublishedRow) {
  // 8 GiB in 41,015 us: 209.43 GB/s; for 16 ranks a busbw of 392.69 GB/s.
  const double algbw = algbw_gbytes(Bytes{8589934592}, 41015.0);
  EXPECT_NEAR(algbw, 209.434, 0.001);
  EXPECT_NEAR(algbw * busbw_factor("all_reduce", 16), 392.689, 0.001);
  EXPECT_DOUBLE_EQ(algbw, algbw_gbytes(Bytes{8589934592}, Time::from_us(41015)));
  EXPECT_EQ(algbw_gbytes(Bytes{1}, Time{0}), 0);
}

TEST(Statistics, FctCountsOnlyFinishedFlows) {
  const Result run = test::deadlocked_result();
  const FctStatistics all = fct_statistics(run.flows);
  EXPECT_EQ(all.flows, 100);
  EXPECT_EQ(all.finished, 99);
  EXPECT_EQ(all.min, Time::from_us(22));
  EXPECT_EQ(all.max, Time::from_us(22 + 99 + 100));
  EXPECT_EQ(all.p99, all.max);  // ceil(0.99 * 99) = 99: the last one
  EXPECT_EQ(all.acked_max, all.max + Time::from_us(2));
  EXPECT_EQ(all.bytes.count, 99 << 20);
  EXPECT_NEAR(all.goodput_gbps, 99 * 1.048576 * 8e3 / 221, 1e-6);
  EXPECT_GT(all.jain, 0.5);
  EXPECT_LT(all.jain, 1);
}

TEST(Statistics, FctOfNothing) {
  const FctStatistics none = fct_statistics({});
  EXPECT_EQ(none.flows, 0);
  EXPECT_EQ(none.p50.ps, -1);
  EXPECT_EQ(none.goodput_gbps, 0);
}

TEST(Statistics, CollectivesAreGroupedAndUnfinishedOnesNotAveraged) {
  Result run = test::sample_result();
  std::vector<CollectiveStatistics> rows = collective_statistics(run);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].iterations, 2);
  EXPECT_EQ(rows[0].mean, Time::from_us(180));
  EXPECT_NEAR(rows[0].busbw, 8.388608e6 / 180e3 * 1.875, 1e-9);
  run.collectives[1].end = Time{-1};
  run.collectives.push_back(run.collectives[0]);
  run.collectives[2].bytes = Bytes{16 << 20};
  rows = collective_statistics(run);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].finished, 1);
  EXPECT_EQ(rows[0].mean, Time::from_us(178));
  EXPECT_EQ(rows[1].bytes.count, 16 << 20);
}

FlowRecord half(std::uint32_t job, std::uint32_t flow, std::int64_t start, std::int64_t received,
                std::int64_t acked) {
  FlowRecord record;
  record.job = job;
  record.flow = flow;
  record.start = Time{start};
  record.received = Time{received};
  record.acked = Time{acked};
  return record;
}

TEST(Statistics, HalvesOfFlowsMeetByJobAndFlow) {
  const std::vector<FlowRecord> sent{half(1, 0, 5, -1, 9), half(0, 1, 2, -1, -1),
                                     half(0, 0, 1, -1, 4)};
  const std::vector<FlowRecord> received{half(0, 0, -1, 3, -1), half(1, 0, -1, 8, -1),
                                         half(2, 0, -1, 7, -1)};
  const std::vector<FlowRecord> flows = merge_flows(sent, received);
  ASSERT_EQ(flows.size(), 4u);
  EXPECT_EQ(flows[0].start.ps, 1);
  EXPECT_EQ(flows[0].received.ps, 3);
  EXPECT_EQ(flows[0].acked.ps, 4);
  EXPECT_EQ(flows[1].received.ps, -1);
  EXPECT_EQ(flows[2].received.ps, 8);
  EXPECT_EQ(flows[3].job, 2u);
  EXPECT_EQ(flows[3].start.ps, -1);
}

CollectiveRecord part(std::uint32_t iteration, std::uint32_t host, std::int64_t start,
                      std::int64_t end) {
  CollectiveRecord record;
  record.iteration = iteration;
  record.host = host;
  record.start = Time{start};
  record.end = Time{end};
  return record;
}

TEST(Statistics, CollectiveRunsFromTheFirstStartToTheLastEnd) {
  const std::vector<CollectiveRecord> merged = merge_collectives(std::vector<CollectiveRecord>{
      part(1, 0, 50, -1), part(0, 0, 3, 20), part(0, 1, 2, 21), part(0, 2, 4, 19),
      part(1, 1, -1, -1), part(1, 2, 40, 60), part(2, 0, -1, -1)});
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].start.ps, 2);
  EXPECT_EQ(merged[0].end.ps, 21);
  EXPECT_EQ(merged[1].start.ps, 40);
  EXPECT_EQ(merged[1].end.ps, -1);
  EXPECT_EQ(merged[2].start.ps, -1);
}

}  // namespace
}  // namespace spineleaf
