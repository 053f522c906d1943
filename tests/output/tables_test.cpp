#include "scenarios/output/tables.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/output/console.hpp"
#include "scenarios/output/summary_json.hpp"
#include "tests/output/sample_result.hpp"

namespace spineleaf {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// An independent reader of RFC 4180.
Rows read_csv(const std::string& text) {
  Rows rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    if (quoted) {
      if (text[i] != '"') {
        cell += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[i++];
      } else {
        quoted = false;
      }
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      rows.back().emplace_back();
    } else if (text[i] == '\n') {
      rows.push_back({""});
    } else {
      cell += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

std::vector<std::string> all_tables(const Result& r) {
  return {flows_csv(r),        collectives_csv(r), links_csv(r),
          port_classes_csv(r), series_csv(r),      waits_csv(r)};
}

TEST(Tables, EveryRowHasTheColumnsOfItsHeader) {
  for (const Result& run :
       {test::sample_result(), test::deadlocked_result(), test::hostile_result(), Result{}}) {
    for (const std::string& table : all_tables(run)) {
      const Rows rows = read_csv(table);
      ASSERT_FALSE(rows.empty());
      for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << table;
    }
  }
}

TEST(Tables, EqualResultsGiveEqualBytes) {
  EXPECT_EQ(all_tables(test::sample_result()), all_tables(test::sample_result()));
  EXPECT_EQ(summary_json(test::sample_result()), summary_json(test::sample_result()));
}

TEST(Tables, FlowRowsAndEmptyCellsForWhatNeverHappened) {
  const Rows rows = read_csv(flows_csv(test::deadlocked_result()));
  ASSERT_EQ(rows.size(), 101u);
  EXPECT_EQ(rows[1], (std::vector<std::string>{"permutation", "0", "0", "7", "0", "1048576", "10",
                                               "32", "34", "22", "24", "381.3003636363636"}));
  EXPECT_EQ(rows[4], (std::vector<std::string>{"permutation", "3", "3", "10", "0", "1048576", "10",
                                               "", "", "", "", ""}));
}

TEST(Tables, NamesSurviveQuoting) {
  const Result run = test::hostile_result();
  const Rows flows = read_csv(flows_csv(run));
  EXPECT_EQ(flows[1][0], "job, with \"quotes\"");
  const Rows series = read_csv(series_csv(run));
  EXPECT_EQ(series[1][0], "<b>\"bold\"</b>");
}

TEST(Tables, IdlePortClassesAreLeftOut) {
  const Result run = test::sample_result();
  EXPECT_EQ(read_csv(port_classes_csv(run)).size(), 1u + 64 - 22);
}

TEST(Tables, WaitsMarkTheCycle) {
  const Rows rows = read_csv(waits_csv(test::deadlocked_result()));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[1].back(), "1");
  EXPECT_EQ(rows[4].back(), "0");
}

TEST(Summary, ParsesAndHasWhatProgramsLookFor) {
  const auto json = nlohmann::ordered_json::parse(summary_json(test::deadlocked_result()));
  EXPECT_EQ(json.at("schema"), "spineleaf.summary/1");
  EXPECT_EQ(json.at("fingerprint"), "00c0ffee12345678");
  EXPECT_EQ(json.at("outcome").at("verdict"), "physics_alarm");
  EXPECT_EQ(json.at("outcome").at("stop_reason"), "no_progress");
  EXPECT_EQ(json.at("outcome").at("exit_code"), 3);
  EXPECT_EQ(json.at("totals").at("drops").at("headroom_full"), 3);
  EXPECT_EQ(json.at("flows").at("all").at("finished"), 99);
  EXPECT_EQ(json.at("flows").at("jobs").size(), 1u);
  EXPECT_EQ(json.at("flows").at("jobs")[0].at("job"), "permutation");
  EXPECT_EQ(json.at("collectives")[0].at("size_bytes"), 8 << 20);
  EXPECT_EQ(json.at("collectives")[0].at("time_mean_us"), 178.0);
  EXPECT_EQ(json.at("waits").size(), 4u);
  EXPECT_EQ(json.at("simulated_us"), 257.0);
  EXPECT_EQ(json.at("timing").at("cpu_seconds"), 1.25);
}

TEST(Summary, OnlyTimingTellsRunsApart) {
  Result slow = test::sample_result();
  slow.cpu_seconds = 99;
  slow.wall_seconds = 100;
  slow.epochs = 1;
  auto a = summary_object(test::sample_result());
  auto b = summary_object(slow);
  EXPECT_NE(a, b);
  a.erase("timing");
  b.erase("timing");
  EXPECT_EQ(a.dump(), b.dump());
}

TEST(Summary, InstantsThatNeverCameAreNull) {
  const auto json = nlohmann::ordered_json::parse(summary_json(Result{}));
  EXPECT_TRUE(json.at("flows").at("all").at("fct_p99_us").is_null());
  EXPECT_EQ(json.at("collectives").size(), 0u);
  EXPECT_TRUE(json.at("links").at("busiest").is_null());
}

TEST(Summary, BrokenUtf8IsNoError) {
  const auto json = nlohmann::ordered_json::parse(summary_json(test::hostile_result()));
  EXPECT_EQ(json.at("name"), test::hostile_result().name);
}

}  // namespace
}  // namespace spineleaf
