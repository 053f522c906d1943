#include "scenarios/output/console.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/output/sample_result.hpp"

namespace spineleaf {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

TEST(Console, VerdictComesFirst) {
  const std::vector<std::string> ok = lines_of(verdict_block(test::sample_result()));
  EXPECT_EQ(ok[0], "OK: all work done");
  EXPECT_NE(ok[1].find("seed 7, fingerprint 00c0ffee12345678"), std::string::npos);
  const std::string dead = verdict_block(test::deadlocked_result());
  EXPECT_EQ(dead.rfind("PHYSICS ALARM: DEADLOCK", 0), 0u);
  EXPECT_NE(dead.find("s2 port 1 class 0 -> s0 port 1 class 0"), std::string::npos);
  EXPECT_EQ(dead.find("h0 port 0"), std::string::npos) << "only the cycle is shown";
}

TEST(Console, NcclTableHasTheColumnsOfNcclTests) {
  const std::vector<std::string> lines = lines_of(nccl_table(test::sample_curves()));
  ASSERT_EQ(lines.size(), 3u + 11);
  EXPECT_EQ(words_of(lines[1]),
            (std::vector<std::string>{"#", "size", "count", "type", "redop", "root", "time",
                                      "algbw", "busbw", "#wrong", "error", "time", "algbw", "busbw",
                                      "#wrong", "error", "time", "busbw"}));
  EXPECT_EQ(words_of(lines[3]),
            (std::vector<std::string>{"8388608", "2097152", "float", "sum", "-1", "194.5", "43.12",
                                      "80.85", "N/A", "+8.0", "%", "-", "-", "-", "N/A", "-",
                                      "180.1", "87.31"}));
  for (std::size_t i = 4; i < lines.size(); ++i) EXPECT_EQ(lines[i].size(), lines[3].size());
}

TEST(Console, NcclTableWithoutAMeasurementHasNoErrorColumns) {
  CurveSet set = test::sample_curves();
  set.curves.erase(set.curves.begin());
  const std::string table = nccl_table(set);
  EXPECT_EQ(table.find("error"), std::string::npos);
  EXPECT_EQ(words_of(lines_of(table)[4]).size(), 5u + 4 + 4);
}

TEST(Console, CountIsPerRankWhereNcclTestsCountsSo) {
  CurveSet set = test::sample_curves();
  set.collective = "all_gather";
  EXPECT_EQ(words_of(lines_of(nccl_table(set))[3])[1], "131072");
  EXPECT_EQ(words_of(lines_of(nccl_table(set))[3])[3], "none");
}

TEST(Console, FctTableShowsFabricsUnderEachOther) {
  const Result roce = test::sample_result();
  const Result infiniband = test::sample_result("InfiniBand (credits)");
  const std::vector<std::string> lines = lines_of(fct_table({&roce, &infiniband}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].rfind("RoCEv2 (PFC)", 0), 0u);
  EXPECT_NE(lines[1].find("71 us  195 us  221 us"), std::string::npos);
  const Result stuck = test::deadlocked_result();
  EXPECT_NE(fct_table({&stuck}).find("99 of 100"), std::string::npos);
}

TEST(Console, SimulatedCurvesComeFromRuns) {
  const Result run = test::sample_result();
  Result larger = run;
  larger.collectives.resize(1);
  larger.collectives[0].bytes = Bytes{16 << 20};
  const CurveSet set = simulated_curves({"RoCE"}, {{&larger, &run}});
  EXPECT_EQ(set.collective, "all_reduce");
  EXPECT_EQ(set.ranks, 16);
  ASSERT_EQ(set.curves.size(), 1u);
  ASSERT_EQ(set.curves[0].points.size(), 2u);
  EXPECT_EQ(set.curves[0].points[0].bytes, 8 << 20);
  EXPECT_EQ(set.curves[0].points[0].time_us, 180);
  EXPECT_EQ(set.curves[0].points[1].time_us, 178);
  EXPECT_EQ(measured_curve(set), nullptr);
}

}  // namespace
}  // namespace spineleaf
