#include "validation/readers/nccl_tests.hpp"

#include <gtest/gtest.h>

#include "scenarios/input/csv_table.hpp"

namespace spineleaf {
namespace {

const std::string kExamples = SPINELEAF_SOURCE_DIR "/validation/data/examples/";
const std::string kSeeds = SPINELEAF_SOURCE_DIR "/tests/fuzz/corpus/tool_output/";

NcclTestsResult read(const std::string& path) {
  const FileText file = read_file(path);
  EXPECT_TRUE(file.problems.empty()) << path;
  return read_nccl_tests(file.text, path);
}

TEST(NcclTests, ReadsTheTableOfToday) {
  const NcclTestsResult result = read(kExamples + "nccl-tests.txt");
  for (const InputProblem& problem : result.problems) ADD_FAILURE() << to_string(problem);
  ASSERT_EQ(result.runs.size(), 1u);
  const NcclTestsRun& run = result.runs[0];
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.version, "2.17.1");
  EXPECT_EQ(run.nccl_version, "2.26.2");
  ASSERT_EQ(run.devices.size(), 16u);
  EXPECT_EQ(run.hosts(), 2);
  EXPECT_EQ(run.devices[8].host, "host2") << "names of hosts stay at their site";
  EXPECT_EQ(run.devices[8].name, "NVIDIA H100 80GB HBM3");
  ASSERT_EQ(run.rows.size(), 4u);
  EXPECT_EQ(run.rows[0].bytes, 1 << 20);
  EXPECT_EQ(run.rows[0].redop, "sum");
  EXPECT_DOUBLE_EQ(run.rows[0].out_of_place.time_us, 156.9);
  EXPECT_DOUBLE_EQ(run.rows[0].in_place.time_us, 154.1);
  EXPECT_EQ(run.rows[3].in_place.wrong, 0);
  EXPECT_EQ(run.out_of_bounds, 0);
  EXPECT_DOUBLE_EQ(run.average_busbw, 46.7);
  const MeasuredSweep sweep = to_sweep(run, "id");
  EXPECT_EQ(sweep.nodes, 2);
  EXPECT_EQ(sweep.gpus_per_node, 8);
  EXPECT_EQ(sweep.points.size(), 8u);
}

struct Dialect {
  const char* name;
  const char* text;
  double out_us;
  double in_us;
};

class NcclTestsDialects : public testing::TestWithParam<Dialect> {};

TEST_P(NcclTestsDialects, GivesTheSameRow) {
  const NcclTestsResult result = read_nccl_tests(GetParam().text, "log");
  ASSERT_EQ(result.runs.size(), 1u) << GetParam().name;
  EXPECT_EQ(result.runs[0].collective, "all_reduce");
  ASSERT_EQ(result.runs[0].rows.size(), 1u);
  const NcclTestsRow& row = result.runs[0].rows[0];
  EXPECT_EQ(row.bytes, 8388608);
  EXPECT_EQ(row.out_of_place.present, GetParam().out_us > 0);
  EXPECT_EQ(row.in_place.present, GetParam().in_us > 0);
  EXPECT_DOUBLE_EQ(row.out_of_place.time_us, GetParam().out_us);
  EXPECT_DOUBLE_EQ(row.in_place.time_us, GetParam().in_us);
}

INSTANTIATE_TEST_SUITE_P(
    All, NcclTestsDialects,
    testing::Values(
        Dialect{"2.8: no root, an error column",
                "./build/all_reduce_perf -b 8 -e 8G\n"
                "#       size         count      type   redop     time   algbw   busbw  error"
                "     time   algbw   busbw  error\n"
                "     8388608       2097152     float     sum    177.8   47.18   88.46  2e-07"
                "    175.8   47.72   89.47  2e-07\n",
                177.8, 175.8},
        Dialect{"launcher of slurm",
                "0: # Collective test starting: all_reduce_perf\n"
                "0: #       size         count      type   redop    root     time   algbw   busbw "
                "#wrong     time   algbw   busbw #wrong\n"
                "0:      8388608       2097152     float     sum      -1    177.8   47.18   88.46"
                "      0    175.8   47.72   89.47      0\n",
                177.8, 175.8},
        Dialect{"mpirun --tag-output, time stamps, sticking to the size",
                "2025-06-01T10:00:00 [1,0]<stdout>:# Collective test starting: all_reduce_perf\n"
                "[1,0]<stdout>:8388608       2097152     float     sum      -1    177.8   47.18 "
                "  88.46      0    175.8   47.72   89.47      0\n",
                177.8, 175.8},
        Dialect{"empty redop, unchecked",
                "# Collective test starting: all_reduce_perf\n"
                "#       size         count      type   redop    root     time   algbw   busbw "
                "#wrong     time   algbw   busbw #wrong\n"
                "     8388608       2097152     float               -1    177.8   47.18   88.46"
                "    N/A    175.8   47.72   89.47    N/A\n",
                177.8, 175.8},
        Dialect{"-I 1 with its columns, CRLF",
                "# Collective test starting: all_reduce_perf\r\n"
                "#       size         count      type   redop    root     time   algbw   busbw "
                "#wrong  i_min i_max i_p99 i_cv%    time   algbw   busbw #wrong i_min i_max i_p99 "
                "i_cv%\r\n"
                "     8388608       2097152  bfloat16     sum      -1    177.8   47.18   88.46"
                "      0 170.1 190.2 189.0 1.2   175.8   47.72   89.47      0 169 180 179 1\r\n",
                177.8, 175.8},
        Dialect{"in place not run",
                "# Collective test starting: all_reduce_perf\n"
                "     8388608       2097152     float     sum      -1    177.8   47.18   88.46"
                "      0    N/A   N/A   N/A   N/A\n",
                177.8, 0}));

TEST(NcclTests, SeveralRunsInOneFile) {
  std::string text = read_file(kExamples + "nccl-tests.txt").text;
  std::string other = text;
  other.replace(other.find("all_reduce_perf"), 15, "alltoall_perf");
  const NcclTestsResult result = read_nccl_tests(text + other, "log");
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_EQ(result.runs[0].collective, "all_reduce");
  EXPECT_EQ(result.runs[1].collective, "alltoall");
  EXPECT_EQ(result.runs[1].devices.size(), 16u);
  EXPECT_EQ(result.runs[1].rows.size(), 4u);
}

TEST(NcclTests, TornRowsAndCorruptDataAreSaid) {
  const NcclTestsResult result = read_nccl_tests(
      "# Collective test starting: all_reduce_perf\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time   algbw   busbw #wrong\n"
      "     8388608       2097152     float     sum      -1    177.8   47.18\n"
      "    16777216       4194304     float     sum      -1    177.8   47.18   88.46      3"
      "    175.8   47.72   89.47      0\n"
      "# Out of bounds values : 3 FAILED\n",
      "log");
  ASSERT_EQ(result.problems.size(), 2u);
  EXPECT_EQ(to_string(result.problems[0]),
            "log:3:1: warning: a row of results can't be read: its cells don't fit the header; "
            "expected 13 columns.");
  EXPECT_NE(to_string(result.problems[1]).find("3 values were wrong"), std::string::npos);
  EXPECT_EQ(result.runs.at(0).rows.size(), 1u);
}

TEST(NcclTests, ReadsJson) {
  const NcclTestsResult result = read(kSeeds + "nccl-tests.json");
  EXPECT_TRUE(result.problems.empty());
  ASSERT_EQ(result.runs.size(), 1u);
  const NcclTestsRun& run = result.runs[0];
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.nccl_version, "2.28.9");
  EXPECT_EQ(run.hosts(), 2);
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(run.rows[0].in_place.time_us, 175.8);
  EXPECT_EQ(run.rows[0].in_place.wrong, 0);
}

TEST(NcclTests, WhatIsNoneIsRefused) {
  EXPECT_TRUE(has_errors(read_nccl_tests("hello\n", "log").problems));
  EXPECT_TRUE(has_errors(read_nccl_tests("{}", "log").problems));
  EXPECT_TRUE(has_errors(read_nccl_tests("{\"results\": [3]}", "log").problems));
}

TEST(NcclTests, Versions) {
  EXPECT_EQ(nccl_version_text(22602), "2.26.2");
  EXPECT_EQ(nccl_version_text(2804), "2.8.4");
  EXPECT_EQ(nccl_version_text(-1), "");
}

}  // namespace
}  // namespace spineleaf
