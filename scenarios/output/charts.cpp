#include "scenarios/output/charts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

/// Six digits are more than a screen shows, and keep a report small.
Json short_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

/// The caption, a place for the picture, its data. "<" is written as an escape: no text ends the
/// element.
std::string figure(const std::string& title, const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return "<figure class=\"chart\">\n<figcaption>" + escape_markup(title) +
         "</figcaption>\n<div class=\"plot\" role=\"img\" aria-label=\"" + escape_markup(title) +
         "\"></div>\n<script type=\"application/json\">" + escaped + "</script>\n</figure>\n";
}

Json axis_object(const Axis& axis) {
  static constexpr const char* kScales[] = {"linear", "log2", "log10"};
  static constexpr const char* kTexts[] = {"number", "bytes", "percent"};
  return {{"title", axis.title},
          {"scale", kScales[static_cast<int>(axis.scale)]},
          {"text", kTexts[static_cast<int>(axis.text)]},
          {"zero", axis.from_zero}};
}

const char* text_name(TickText text) {
  return text == TickText::Bytes ? "bytes" : text == TickText::Percent ? "percent" : "number";
}

}  // namespace

std::string line_chart(const LineChart& chart) {
  Json lines = Json::array();
  for (const Line& line : chart.lines) {
    Json xy = Json::array();
    for (const XY& point : line.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      if (chart.x.scale != Scale::Linear && point.x <= 0) continue;
      if (chart.y.scale != Scale::Linear && point.y <= 0) continue;
      xy.push_back(short_number(point.x));
      xy.push_back(short_number(point.y));
    }
    lines.push_back({{"name", line.label},
                     {"reference", line.reference},
                     {"marks", line.markers},
                     {"bound", line.bound},
                     {"area", chart.area},
                     {"xy", std::move(xy)}});
  }
  return figure(chart.title, {{"kind", "line"},
                              {"x", axis_object(chart.x)},
                              {"y", axis_object(chart.y)},
                              {"lines", std::move(lines)}});
}

std::string bar_chart(const BarChart& chart) {
  Json bars = Json::array();
  for (const Bar& bar : chart.bars) {
    bars.push_back({{"label", bar.label},
                    {"value", short_number(bar.value)},
                    {"text", bar.text},
                    {"detail", bar.detail},
                    {"series", bar.series}});
  }
  return figure(chart.title, {{"kind", "bars"}, {"bars", std::move(bars)}});
}

std::string heat_map(const HeatMap& map) {
  Json rows = Json::array();
  Json values = Json::array();
  for (const HeatMap::Row& row : map.rows) {
    rows.push_back(row.label);
    Json cells = Json::array();
    for (const double value : row.values) cells.push_back(short_number(value));
    values.push_back(std::move(cells));
  }
  return figure(map.title, {{"kind", "heat"},
                            {"x", map.x_title},
                            {"text", text_name(map.text)},
                            {"most", short_number(map.most)},
                            {"columns", map.columns},
                            {"rows", std::move(rows)},
                            {"values", std::move(values)}});
}

std::string node_graph(const NodeGraph& graph) {
  Json nodes = Json::array();
  for (const NodeGraph::Node& node : graph.nodes) {
    nodes.push_back({{"name", node.name},
                     {"label", node.label},
                     {"x", short_number(node.at.x)},
                     {"y", short_number(node.at.y)},
                     {"hot", node.hot}});
  }
  Json edges = Json::array();
  for (const NodeGraph::Edge& edge : graph.edges) {
    edges.push_back(
        {{"source", edge.from}, {"target", edge.to}, {"text", edge.text}, {"hot", edge.hot}});
  }
  return figure(graph.title,
                {{"kind", "graph"}, {"nodes", std::move(nodes)}, {"edges", std::move(edges)}});
}

std::string gantt_chart(const Gantt& gantt) {
  Json spans = Json::array();
  for (const Gantt::Span& span : gantt.spans) {
    spans.push_back(Json::array(
        {span.row, short_number(span.from), short_number(span.to), span.kind, span.text}));
  }
  return figure(gantt.title, {{"kind", "gantt"},
                              {"x", gantt.x_title},
                              {"rows", gantt.rows},
                              {"kinds", gantt.kinds},
                              {"spans", std::move(spans)}});
}

std::vector<XY> cdf_points(std::vector<double> values, std::size_t population,
                           std::size_t most_points) {
  std::vector<XY> points;
  if (values.empty()) return points;
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size();
  const std::size_t steps = std::min(count, std::max<std::size_t>(most_points, 1));
  points.push_back({values.front(), 0});
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t rank = (i + 1) * count / steps;  // from 1; the last step is the largest value
    const double value = values[rank - 1];
    points.push_back({value, points.back().y});
    points.push_back({value, static_cast<double>(rank) / static_cast<double>(population)});
  }
  return points;
}

std::vector<XY> thinned(const std::vector<XY>& points, std::size_t most_points) {
  const std::size_t buckets = std::max<std::size_t>(most_points / 2, 1);
  if (points.size() <= 2 * buckets) return points;
  std::vector<XY> out;
  const auto lower = [](const XY& a, const XY& b) { return a.y < b.y; };
  for (std::size_t i = 0; i < buckets; ++i) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(i * points.size() / buckets);
    const auto end =
        points.begin() + static_cast<std::ptrdiff_t>((i + 1) * points.size() / buckets);
    auto [low, high] = std::minmax_element(begin, end, lower);
    if (low > high) std::swap(low, high);
    out.push_back(*low);
    if (low != high) out.push_back(*high);
  }
  return out;
}

}  // namespace spineleaf
