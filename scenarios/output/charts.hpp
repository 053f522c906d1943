#pragma once
// Charts as HTML figures that hold their data as JSON; scenarios/output/web/report.js draws them
// with Apache ECharts. And what prepares data: the points of a CDF, and fewer points of a long
// line.
//
// Series differ by colour and by the shape of their marks or dashes, so that a black-and-white
// print can be read.

#include <string>
#include <vector>

#include "scenarios/output/axis.hpp"
#include "scenarios/output/svg.hpp"

namespace spineleaf {

struct Line {
  std::string label;
  std::vector<XY> points;  ///< ascending in x; points that are not finite are left out
  bool reference = false;  ///< drawn in the colour of the text, dashed: what others are held to
  bool markers = false;    ///< a mark on every point
  bool bound = false;      ///< drawn thin: what others cannot exceed
};

struct LineChart {
  std::string title;  ///< the figure's caption
  Axis x;
  Axis y;
  std::vector<Line> lines;  ///< at most six keep colours of their own
  bool area = false;        ///< filled down to the axis
};
std::string line_chart(const LineChart& chart);

struct Bar {
  std::string label;
  double value = 0;    ///< 0..1 of the full length
  std::string text;    ///< what it stands for
  std::string detail;  ///< after it
  int series = 0;
};
struct BarChart {
  std::string title;
  std::vector<Bar> bars;
};
std::string bar_chart(const BarChart& chart);

/// Rows of cells, stronger = larger.
struct HeatMap {
  std::string title;
  std::string x_title;
  TickText text = TickText::Number;  ///< of values
  double most = 1;                   ///< the value of the strongest colour
  std::vector<std::string> columns;
  struct Row {
    std::string label;
    std::vector<double> values;  ///< one for each column; fewer where a row ends early
  };
  std::vector<Row> rows;
};
std::string heat_map(const HeatMap& map);

/// Nodes at given places, and arrows between them.
struct NodeGraph {
  std::string title;
  struct Node {
    std::string name;   ///< unique
    std::string label;  ///< what is written beside it
    XY at;
    bool hot = false;
  };
  struct Edge {
    std::string from, to;  ///< names of nodes
    std::string text;
    bool hot = false;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};
std::string node_graph(const NodeGraph& graph);

/// Spans of time in rows.
struct Gantt {
  std::string title;
  std::string x_title;
  std::vector<std::string> rows;
  std::vector<std::string> kinds;  ///< each has a colour
  struct Span {
    std::size_t row = 0;
    double from = 0, to = 0;
    std::size_t kind = 0;
    std::string text;
  };
  std::vector<Span> spans;
};
std::string gantt_chart(const Gantt& gantt);

/// Share of a population at or below x, as a staircase of at most `most_points` steps. Members
/// without a value (flows that never finished) keep it below 1. Requires population >= values.
std::vector<XY> cdf_points(std::vector<double> values, std::size_t population,
                           std::size_t most_points = 300);

/// At most about `most_points` points that keep every stretch's smallest and largest value.
std::vector<XY> thinned(const std::vector<XY>& points, std::size_t most_points = 600);

}  // namespace spineleaf
