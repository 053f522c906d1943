#include "validation/readers/nccl_sweep.hpp"

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

const std::string kData = SPINELEAF_SOURCE_DIR "/validation/data/nccl/sweeps/";
const std::string kHeader =
    "collective,nodes,gpus_per_node,place,bytes,time_us,algbw_GBps,busbw_GBps\n";

TEST(NcclSweep, ReadsTheShippedSweep) {
  const MeasuredSweepResult read = read_nccl_sweep_file(kData + "h100-2n-ibndr-b-ring.csv");
  for (const InputProblem& problem : read.problems) ADD_FAILURE() << to_string(problem);
  const MeasuredSweep& sweep = read.sweep;
  EXPECT_EQ(sweep.id, "h100-2n-ibndr-b-ring");
  EXPECT_EQ(sweep.collective, "all_reduce");
  EXPECT_EQ(sweep.ranks(), 16);
  EXPECT_EQ(sweep.nic_gbps, 400);
  EXPECT_EQ(sweep.nics_per_node, 8);
  EXPECT_EQ(sweep.source, "https://github.com/NVIDIA/nccl-tests/issues/309");
  ASSERT_EQ(sweep.points.size(), 28u);
  EXPECT_EQ(sweep.points[0].bytes, 1 << 20);
  EXPECT_DOUBLE_EQ(sweep.points[0].time_us, 156.9);
  EXPECT_FALSE(sweep.points[0].in_place);
}

TEST(NcclSweep, TakesTheFasterOfInAndOutOfPlace) {
  const MeasuredSweep sweep = read_nccl_sweep_file(kData + "h100-2n-ibndr-b-ring.csv").sweep;
  const std::vector<MeasuredPoint> best = best_per_size(sweep);
  ASSERT_EQ(best.size(), 14u);
  EXPECT_DOUBLE_EQ(best[0].time_us, 154.1);
  EXPECT_TRUE(best[0].in_place);
  EXPECT_EQ(best[13].bytes, std::int64_t{8} << 30);
  EXPECT_DOUBLE_EQ(best[13].time_us, 41015.0);
  const Curve curve = to_curve(sweep, "NDR measured");
  EXPECT_TRUE(curve.measured);
  EXPECT_EQ(curve.points.size(), 14u);
  EXPECT_EQ(curve.note, sweep.source);
}

TEST(NcclSweep, ColumnsInAnyOrder) {
  const MeasuredSweepResult read = read_nccl_sweep(
      "bytes,extra,time_us,place,busbw_GBps,algbw_GBps,gpus_per_node,nodes,collective\n"
      "8388608,?,177.8,out,88.4625,47.18,8,2,all_reduce\n",
      "x/some.sweep.csv");
  EXPECT_TRUE(read.problems.empty());
  EXPECT_EQ(read.sweep.id, "some.sweep");
  EXPECT_EQ(read.sweep.points.size(), 1u);
}

TEST(NcclSweep, ErrorsNameLineAndColumn) {
  const MeasuredSweepResult read =
      read_nccl_sweep(kHeader +
                          "all_reduce,2,8,aside,1048576,156.9,6.68,12.53\n"
                          "all_gather,2,8,in,1048576,fast,6.68,12.53\n",
                      "s.csv");
  std::vector<std::string> texts;
  for (const InputProblem& problem : read.problems) texts.push_back(to_string(problem));
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0], "s.csv:2:16: place: \"aside\" is no place; expected \"in\" or \"out\".");
  EXPECT_EQ(texts[1],
            "s.csv:3:1: collective: \"all_gather\" is another set than that of the first row, "
            "\"all_reduce\"; expected one sweep per file.");
  EXPECT_EQ(texts[2].rfind("s.csv:3:27: time_us: \"fast\" does not fit", 0), 0u);
}

TEST(NcclSweep, WarnsOfBandwidthThatDoesNotFollow) {
  const MeasuredSweepResult read =
      read_nccl_sweep(kHeader + "all_reduce,2,8,in,8388608,177.8,50,88.46\n", "s.csv");
  EXPECT_FALSE(has_errors(read.problems));
  ASSERT_EQ(read.problems.size(), 2u);
  EXPECT_EQ(to_string(read.problems[0]),
            "s.csv:2:33: warning: algbw_GBps: 50 does not follow from size and time; expected "
            "47.1800.");
}

TEST(NcclSweep, MissingColumnsAndUnknownCollectives) {
  EXPECT_EQ(read_nccl_sweep("collective,nodes\nall_reduce,2\n", "s").problems.size(), 6u);
  const auto read = read_nccl_sweep(kHeader + "allreduce,2,8,in,1024,1,1.024,1.9\n", "s");
  EXPECT_TRUE(has_errors(read.problems));
}

TEST(NcclSweep, AHeaderAloneIsNoSweep) {
  const auto read = read_nccl_sweep(kHeader, "s.csv");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(to_string(read.problems[0]),
            "s.csv:1:1: no row follows the header; expected at least one.");
}

}  // namespace
}  // namespace spineleaf
