#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/output/report_html.hpp"
#include "scenarios/output/summary_json.hpp"
#include "scenarios/output/tables.hpp"
#include "scenarios/output/write.hpp"
#include "tests/output/sample_result.hpp"

namespace spineleaf {
namespace {

/// Checks that every element is closed in order, that attributes are quoted, and that text holds no
/// stray '<' or unknown entity. Returns what is wrong, or "".
std::string markup_problem(const std::string& html) {
  const std::set<std::string> empty_elements{"meta", "br", "img"};
  std::vector<std::string> open;
  for (std::size_t i = 0; i < html.size(); ++i) {
    if (html[i] == '&') {
      const std::string entity = html.substr(i, html.find(';', i) - i + 1);
      if (!std::set<std::string>{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}.count(entity)) {
        return "bad entity " + entity.substr(0, 12);
      }
    }
    if (html[i] != '<') continue;
    const std::size_t end = html.find('>', i);
    if (end == std::string::npos) return "a tag has no end";
    const std::string tag = html.substr(i + 1, end - i - 1);
    i = end;
    if (tag.empty() || tag[0] == '!') continue;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "quotes in <" + tag + ">";
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "unexpected <" + tag + ">";
      open.pop_back();
    } else if (tag.back() != '/' && empty_elements.count(name) == 0) {
      open.push_back(name);
      if (name == "style") i = html.find("</style>", i) - 1;
      if (name == "script") i = html.find("</script>", i) - 1;
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

std::string report_of(const std::vector<const Result*>& runs) {
  ReportInput input;
  input.title = runs.empty() ? "nothing" : runs[0]->name;
  input.runs = runs;
  return report_html(input);
}

TEST(Report, TheCheckOfMarkupFindsMistakes) {
  EXPECT_EQ(markup_problem("<p>a &amp; b<br></p>"), "");
  EXPECT_NE(markup_problem("<p>a"), "");
  EXPECT_NE(markup_problem("<p><b></p></b>"), "");
  EXPECT_NE(markup_problem("<p>a & b</p>"), "");
  EXPECT_NE(markup_problem("<p class=\"a>x</p>"), "");
}

TEST(Report, IsWellFormedWhateverTheRunHolds) {
  const Result good = test::sample_result();
  const Result dead = test::deadlocked_result();
  const Result hostile = test::hostile_result();
  const Result nothing;
  EXPECT_EQ(markup_problem(report_of({&good, &dead})), "");
  EXPECT_EQ(markup_problem(report_of({&hostile, &good})), "");
  EXPECT_EQ(markup_problem(report_of({&nothing})), "");
  EXPECT_EQ(markup_problem(report_of({})), "");
}

TEST(Report, EqualResultsGiveEqualBytesWhateverTheyCost) {
  const Result run = test::sample_result();
  Result slow = run;
  slow.cpu_seconds = 1000;
  slow.wall_seconds = 1000;
  EXPECT_EQ(report_of({&run}), report_of({&slow}));
}

/// The page without its two libraries, which hold any text.
std::string own_markup(const std::string& html) { return html.substr(0, html.find("<script>")); }

TEST(Report, NeedsNoNetwork) {
  const Result run = test::hostile_result();
  const std::string html = own_markup(report_of({&run}));
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find(" src="), html.find(" src=x"));  // only in an escaped name
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_EQ(html.find("<link"), std::string::npos);
}

TEST(Report, CarriesTheLibraryOnlyWithCharts) {
  const Result run = test::sample_result();
  EXPECT_NE(report_of({&run}).find("Apache Software Foundation"), std::string::npos);
  EXPECT_EQ(report_of({}).find("Apache Software Foundation"), std::string::npos);
}

TEST(Report, SaysWhereItsLibraryIsMissing) {
  const Result run = test::sample_result();
  ::setenv("SPINELEAF_DATA_DIR", "/nowhere", 1);
  const std::string html = report_of({&run});
  ::unsetenv("SPINELEAF_DATA_DIR");
  EXPECT_NE(html.find("/nowhere/scenarios/output/web/echarts.min.js"), std::string::npos);
}

TEST(Report, ShowsWhatAReaderLooksFor) {
  const Result dead = test::deadlocked_result();
  const std::string html = report_of({&dead});
  for (const char* text :
       {"PHYSICS ALARM", "DEADLOCK", "Cycle: s0 port 1 class 0", "99 of 100", "00c0ffee12345678",
        "headroom full", "What this run does not model", "link training", "Busiest links",
        "Over time", "leaf7:23", "Lost packets by cause"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
}

TEST(Report, MeasuredCurveStandsBesideSimulatedOnesWithErrors) {
  ReportInput input;
  input.title = "curves";
  input.curves = test::sample_curves();
  const std::string html = report_html(input);
  EXPECT_EQ(markup_problem(html), "");
  for (const char* text : {"Measured against simulated", "+8.0 %", "NDR measured us",
                           "public nccl-tests run", "Error of the simulated time",
                           "\"NICs of a host: 400\"", "\"NVLink: 514\"", "bounds of a ring"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(html.find("NICs of a host: 400"), html.rfind("NICs of a host: 400")) << "drawn twice";
}

TEST(Report, OnlyAPictureComesInUnescaped) {
  ReportInput input;
  input.topology_svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle r=\"1\"/></svg>";
  EXPECT_NE(report_html(input).find("<circle r=\"1\"/>"), std::string::npos);
  input.topology_svg = "<script>";
  EXPECT_EQ(report_html(input).find("<script>"), std::string::npos);
}

class WriteFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("spineleaf-write-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  std::filesystem::path folder_;
};

TEST_F(WriteFiles, WritesAllAndLeavesNoHalves) {
  const Result run = test::sample_result();
  EXPECT_TRUE(write_outputs(run, "{\"a\": 1}\n", folder_ / "deep" / "out").empty());
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "deep" / "out")) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(names, (std::set<std::string>{"collectives.csv", "flows.csv", "links.csv",
                                          "port_classes.csv", "report.html", "scenario.lock.json",
                                          "series.csv", "summary.json", "waits.csv"}));
  EXPECT_EQ(read("deep/out/scenario.lock.json"), "{\"a\": 1}\n");
  EXPECT_EQ(read("deep/out/flows.csv"), flows_csv(run));
  EXPECT_EQ(read("deep/out/summary.json"), summary_json(run));
}

TEST_F(WriteFiles, ReplacesAnOlderSet) {
  EXPECT_TRUE(write_outputs(test::deadlocked_result(), "", folder_).empty());
  EXPECT_TRUE(write_outputs(test::sample_result(), "", folder_).empty());
  EXPECT_EQ(read("summary.json"), summary_json(test::sample_result()));
  EXPECT_EQ(read("waits.csv"), waits_csv(test::sample_result()));
}

TEST_F(WriteFiles, SaysWhereAndWhyItFailed) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  const std::string problem = write_text_file(folder_ / "file" / "under", "text");
  EXPECT_EQ(problem.rfind("can't write ", 0), 0u);
  EXPECT_NE(problem.find((folder_ / "file" / "under").string()), std::string::npos);
  EXPECT_NE(problem.find("irectory"), std::string::npos) << problem;
  // A folder in the place of a table: that one fails, is told, and the summary is not written.
  std::filesystem::create_directories(folder_ / "out" / "flows.csv" / "x");
  const std::vector<std::string> problems =
      write_outputs(test::sample_result(), "", folder_ / "out");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("flows.csv"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "summary.json"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "links.csv"));
}

}  // namespace
}  // namespace spineleaf
