// The table of docs/congestion-control.md is what the simulator gives, and the rows of
// `validate roce` on controls and losses hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "validation/roce/case.hpp"
#include "validation/roce/row.hpp"

namespace spineleaf::control_table {
namespace {

struct Case {
  const char* name;
  std::vector<Override> sets;
};

std::vector<Case> cases() {
  const auto control = [](const char* kind) {
    return Override{"transport.congestion_control", kind};
  };
  const Override window{"transport.window_bdp", "true"};
  std::vector<Override> paper = preset_overrides("dcqcn-paper");
  return {{"`none`", {control("none")}},
          {"`none`, window", {control("none"), window}},
          {"`dcqcn_connectx`", {control("dcqcn_connectx")}},
          {"`dcqcn_connectx`, window", {control("dcqcn_connectx"), window}},
          {"`dcqcn_paper` (preset)", paper},
          {"`dctcp`",
           {control("dctcp"), {"ecn.kmin", "400KB"}, {"ecn.kmax", "400KB"}, {"ecn.pmax", "1"}}},
          {"`timely`", {control("timely")}},
          {"`timely`, window", {control("timely"), window}},
          {"`swift`", {control("swift")}},
          {"`hpcc`", {control("hpcc")}}};
}

std::string table_row(const Case& c) {
  const Result result = run_case(roce_case("congestion-control-incast", c.sets), 1);
  EXPECT_EQ(result.verdict, Verdict::Ok) << c.name << ": " << result.verdict_text;
  const FctStatistics fct = fct_statistics(result.flows);
  std::int64_t longest = 0;
  for (const PortClassRow& row : result.port_classes) {
    longest = std::max(longest, row.max_queue.count);
  }
  const double settled = mean_after(result, "largest_queue", Time::from_ms(1));
  std::string row = "| " + std::string(c.name);
  for (const std::string& cell :
       {fixed_text(fct.p50.microseconds(), 0), fixed_text(fct.max.microseconds(), 0),
        fixed_text(static_cast<double>(longest) / 1e3, 0), fixed_text(settled / 1e3, 0),
        std::to_string(result.totals.pauses), fixed_text(fct.jain, 3)}) {
    row += " | " + cell;
  }
  return row + " |\n";
}

TEST(CongestionControlTable, TheDocumentHasWhatTheSimulatorGives) {
  std::string table =
      "| control | FCT median us | FCT longest us | longest queue KB | mean queue after 1 ms KB "
      "| pauses | Jain |\n|---|---|---|---|---|---|---|\n";
  for (const Case& c : cases()) table += table_row(c);
  std::ifstream file(std::string(SPINELEAF_SOURCE_DIR) + "/docs/congestion-control.md");
  std::stringstream document;
  document << file.rdbuf();
  EXPECT_NE(document.str().find(table), std::string::npos)
      << "docs/congestion-control.md should have:\n"
      << table;
}

void expect_all_hold(const std::vector<ValidationRow>& rows, std::size_t least) {
  EXPECT_GE(rows.size(), least);
  for (const ValidationRow& row : rows) {
    EXPECT_TRUE(row.pass) << row.id << ": " << row.got << ", not " << row.expected;
  }
}

TEST(ValidateRoce, ControlsHoldTheirSteadyStates) { expect_all_hold(control_rows({}), 8); }

TEST(ValidateRoce, LossesCostWhatClosedFormsSay) {
  RoceOptions options;
  options.quick = true;
  expect_all_hold(loss_rows(options), 5);
}

TEST(ValidateRoce, WhatIsDrawnFollowsItsDistribution) {
  RoceOptions options;
  options.quick = true;
  expect_all_hold(ecn_rows(options), 10);
  expect_all_hold(ecmp_rows(options), 7);
}

}  // namespace
}  // namespace spineleaf::control_table
