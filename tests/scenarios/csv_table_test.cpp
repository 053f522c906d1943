#include "scenarios/input/csv_table.hpp"

#include <gtest/gtest.h>

namespace spineleaf {
namespace {

std::vector<std::string> texts(const std::vector<InputProblem>& problems) {
  std::vector<std::string> out;
  for (const InputProblem& problem : problems) out.push_back(to_string(problem));
  return out;
}

TEST(CsvTable, ToleratesWhatPeopleSend) {
  CsvTable table("f.csv", "\xEF\xBB\xBF# note\r\n a , b\r\n\r\n1, \"x, \"\"y\"\"\" \r\n2,\r\n3,z");
  EXPECT_TRUE(table.problems().empty());
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.text(0, table.column("b")), "x, \"y\"");
  EXPECT_EQ(table.text(1, 1), "");
  EXPECT_EQ(table.integer(2, 0, 0, 10), 3);
  EXPECT_EQ(table.text(0, -1), "");
}

TEST(CsvTable, ProblemsNameTheirPlace) {
  CsvTable table("f.csv", "bytes,time_us\n12x,-1\n5\n7,nan\n");
  EXPECT_EQ(table.integer(0, 0, 1, 100), 1);
  EXPECT_EQ(table.number(0, 1, 0, 1e9), 0);
  EXPECT_EQ(table.number(1, 1, 0, 1e9), 0);
  EXPECT_EQ(table.required("byte"), -1);
  EXPECT_EQ(texts(table.problems()),
            (std::vector<std::string>{
                "f.csv:3:1: has 1 cells under a header of 2.",
                "f.csv:2:1: bytes: \"12x\" does not fit; expected a whole number from 1 to 100.",
                "f.csv:2:5: time_us: \"-1\" does not fit; expected a number from 0 to 1e+09.",
                "f.csv:4:3: time_us: \"nan\" does not fit; expected a number from 0 to 1e+09.",
                "f.csv:1:1: column \"byte\" is missing. Did you mean \"bytes\"?"}));
}

TEST(CsvTable, BrokenQuotesAndHeaders) {
  EXPECT_EQ(texts(CsvTable("f", "a,b\n1,\"open\n").problems())[0],
            "f:2:3: the quoted cell has no end; expected a cell in quotes on one line.");
  EXPECT_EQ(CsvTable("f", "a,b\n\"x\"y,1\n").problems().size(), 1u);
  EXPECT_EQ(texts(CsvTable("f", "a,a\n").problems())[0], "f:1:3: column \"a\" stands twice.");
  EXPECT_EQ(CsvTable("f", "").problems().size(), 1u);
  EXPECT_EQ(CsvTable("f", "\n\n# only notes").problems().size(), 1u);
}

TEST(CsvTable, IsBounded) {
  CsvLimits limits;
  limits.bytes = 100;
  limits.rows = 2;
  limits.columns = 3;
  EXPECT_EQ(CsvTable("f", std::string(101, 'a'), limits).problems().size(), 1u);
  const CsvTable rows("f", "a\n1\n2\n3\n4\n", limits);
  EXPECT_EQ(rows.rows(), 2u);
  EXPECT_EQ(rows.problems().size(), 1u);
  EXPECT_FALSE(CsvTable("f", "a,b,c,d\n", limits).problems().empty());
  std::string wrong = "a\n";
  for (int i = 0; i < 10000; ++i) wrong += "x\n";
  CsvTable table("f", wrong);
  for (std::size_t i = 0; i < table.rows(); ++i) table.integer(i, 0, 0, 1);
  EXPECT_LE(table.problems().size(), kMaxProblems + 1);
}

TEST(CsvTable, AMissingFileIsAProblemWithItsReason) {
  const FileText file = read_file("/nowhere/at/all.csv");
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_EQ(to_string(file.problems[0]),
            "/nowhere/at/all.csv: can't be opened: No such file or directory.");
}

}  // namespace
}  // namespace spineleaf
