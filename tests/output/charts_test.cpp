#include "scenarios/output/charts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scenarios/output/summary_json.hpp"

namespace spineleaf {
namespace {

std::vector<std::string> labels_of(const FittedAxis& axis) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks()) labels.push_back(tick.label);
  return labels;
}

using Labels = std::vector<std::string>;

TEST(Axis, LinearTicksAreRoundAndCoverTheValues) {
  const FittedAxis axis({"", Scale::Linear, TickText::Number}, 80, 392.7, 5);
  EXPECT_EQ(labels_of(axis), (Labels{"0", "100", "200", "300", "400"}));
  EXPECT_DOUBLE_EQ(axis.position(0), 0);
  EXPECT_DOUBLE_EQ(axis.position(200), 0.5);
  EXPECT_DOUBLE_EQ(axis.position(1000), 1);
}

TEST(Axis, LinearTicksOfNegativeAndTinyValues) {
  EXPECT_EQ(labels_of(FittedAxis({"", Scale::Linear, TickText::Number}, -3, 4, 4)),
            (Labels{"-4", "-2", "0", "2", "4"}));
  EXPECT_EQ(labels_of(FittedAxis({"", Scale::Linear, TickText::Number}, 0, 0.3, 4)),
            (Labels{"0", "0.1", "0.2", "0.3"}));
}

TEST(Axis, SharesAndBytes) {
  EXPECT_EQ(labels_of(FittedAxis({"", Scale::Linear, TickText::Percent}, 0, 1, 5)),
            (Labels{"0 %", "20 %", "40 %", "60 %", "80 %", "100 %"}));
  EXPECT_EQ(labels_of(FittedAxis({"", Scale::Linear, TickText::Bytes}, 0, 3e6, 4)),
            (Labels{"0 B", "1 MiB", "2 MiB", "3 MiB"}));
}

TEST(Axis, Log2CountsInPowers) {
  const double mib = 1 << 20;
  const FittedAxis axis({"", Scale::Log2, TickText::Bytes}, 8 * mib, 8192 * mib, 5);
  EXPECT_EQ(labels_of(axis), (Labels{"8 MiB", "32 MiB", "128 MiB", "512 MiB", "2 GiB", "8 GiB"}));
  EXPECT_DOUBLE_EQ(axis.position(8 * mib), 0);
  EXPECT_DOUBLE_EQ(axis.position(256 * mib), 0.5);
}

TEST(Axis, Log10EndsAtOneTwoFive) {
  const FittedAxis axis({"", Scale::Log10, TickText::Number}, 22, 221, 8);
  EXPECT_EQ(labels_of(axis), (Labels{"20", "50", "100", "200", "500"}));
  const FittedAxis wide({"", Scale::Log10, TickText::Number}, 1, 1e6, 4);
  EXPECT_EQ(labels_of(wide), (Labels{"1", "100", "10 k", "1 M"}));
}

TEST(Axis, NothingToShowIsNoError) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Scale scale : {Scale::Linear, Scale::Log2, Scale::Log10}) {
    for (const double value : {0.0, 1.0, -5.0, infinity}) {
      const FittedAxis axis({"", scale, TickText::Number}, value, value, 5);
      EXPECT_GE(axis.ticks().size(), 2u);
      EXPECT_TRUE(std::isfinite(axis.position(value)));
    }
    const FittedAxis empty({"", scale, TickText::Number}, infinity, -infinity, 5);
    EXPECT_GE(empty.ticks().size(), 2u);
  }
}

TEST(Charts, CdfIsAStaircaseThatUnfinishedMembersKeepBelowOne) {
  const std::vector<XY> points = cdf_points({3, 1, 2}, 4);
  ASSERT_EQ(points.size(), 7u);
  EXPECT_EQ(points[0].x, 1);
  EXPECT_EQ(points[0].y, 0);
  EXPECT_EQ(points[2].y, 0.25);
  EXPECT_EQ(points[6].x, 3);
  EXPECT_EQ(points[6].y, 0.75);
  EXPECT_TRUE(cdf_points({}, 5).empty());
}

TEST(Charts, LargeCdfIsThinnedAndKeepsItsEnds) {
  std::vector<double> values;
  for (int i = 1; i <= 100000; ++i) values.push_back(i);
  const std::vector<XY> points = cdf_points(values, values.size());
  EXPECT_LE(points.size(), 601u);
  EXPECT_EQ(points.front().x, 1);
  EXPECT_EQ(points.back().x, 100000);
  EXPECT_EQ(points.back().y, 1);
}

TEST(Charts, ThinningKeepsThePeaks) {
  std::vector<XY> points;
  for (int i = 0; i < 10000; ++i)
    points.push_back({1.0 * i, i == 7777 ? 50.0 : i == 11 ? -5.0 : 1});
  const std::vector<XY> few = thinned(points, 100);
  EXPECT_LE(few.size(), 100u);
  double low = 0, high = 0, last = -1;
  for (const XY& point : few) {
    EXPECT_GT(point.x, last);
    last = point.x;
    low = std::min(low, point.y);
    high = std::max(high, point.y);
  }
  EXPECT_EQ(low, -5);
  EXPECT_EQ(high, 50);
}

/// The data of a figure, as the script in the page reads it.
nlohmann::json data_of(const std::string& figure) {
  const std::string begin = "<script type=\"application/json\">";
  const std::size_t from = figure.find(begin) + begin.size();
  return nlohmann::json::parse(figure.substr(from, figure.find("</script>") - from));
}

TEST(Charts, TextStaysTextAndWhatIsNotFiniteIsLeftOut) {
  LineChart chart;
  chart.title = "a < b";
  chart.lines = {{"</script><x>", {{1, 1}, {2, std::nan("")}, {3, 4}}, false, true}};
  const std::string figure = line_chart(chart);
  EXPECT_NE(figure.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(figure.find("<x>"), std::string::npos);
  const nlohmann::json data = data_of(figure);
  EXPECT_EQ(data["lines"][0]["name"], "</script><x>");
  EXPECT_EQ(data["lines"][0]["xy"], (nlohmann::json{1, 1, 3, 4}));
}

TEST(Charts, ALogarithmShowsNothingAtOrBelowZero) {
  LineChart chart;
  chart.x.scale = Scale::Log10;
  chart.lines = {{"l", {{0, 1}, {10, 2}}, false, false}};
  EXPECT_EQ(data_of(line_chart(chart))["lines"][0]["xy"], (nlohmann::json{10, 2}));
}

TEST(Charts, HeatMapGraphAndGanttHoldWhatTheyWereGiven) {
  HeatMap map;
  map.columns = {"0 us", "10 us"};
  map.rows = {{"leaf0:3", {0.25, 1}}};
  EXPECT_EQ(data_of(heat_map(map))["values"], (nlohmann::json{{0.25, 1}}));
  NodeGraph graph;
  graph.nodes = {{"leaf0 port 3", "leaf0:3", {1, 2}, true}, {"b", "b", {3, 4}, false}};
  graph.edges = {{"leaf0 port 3", "b", "paused", true}};
  const nlohmann::json drawn = data_of(node_graph(graph));
  EXPECT_EQ(drawn["nodes"][0]["label"], "leaf0:3");
  EXPECT_EQ(drawn["edges"][0]["target"], "b");
  Gantt gantt;
  gantt.rows = {"rank 0"};
  gantt.kinds = {"send"};
  gantt.spans = {{0, 1.5, 2.5, 0, "512 KiB"}};
  EXPECT_EQ(data_of(gantt_chart(gantt))["spans"][0], (nlohmann::json{0, 1.5, 2.5, 0, "512 KiB"}));
}

}  // namespace
}  // namespace spineleaf
