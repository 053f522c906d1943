#pragma once
// Charts as HTML figures with inline SVG: line chart, bars, heat strip, and the points of a CDF.
//
// A figure holds its picture twice, drawn for a wide and for a narrow screen, and the page's style
// shows one of them: text keeps its size instead of shrinking with the picture. Series differ by
// colour and by the shape of their marks or dashes, so that a black-and-white print can be read.

#include <string>
#include <vector>

#include "scenarios/output/axis.hpp"
#include "scenarios/output/svg.hpp"

namespace spineleaf {

struct Line {
  std::string label;
  std::vector<XY> points;  ///< ascending in x; points that are not finite are left out
  bool reference = false;  ///< drawn in the colour of the text, dashed: what others are held to
  bool markers = false;    ///< a mark on every point, with a tooltip
};

struct LineChart {
  std::string title;  ///< the figure's caption
  Axis x;
  Axis y;
  std::vector<Line> lines;  ///< at most six keep colours of their own
  double wide = 720;        ///< width drawn for wide screens, in pixels
};
std::string line_chart(const LineChart& chart);

struct Bar {
  std::string label;
  double value = 0;    ///< 0..1 of the full length
  std::string text;    ///< written at the bar's end
  std::string detail;  ///< after it where there is room
  int series = 0;
};
struct BarChart {
  std::string title;
  std::vector<Bar> bars;
  double wide = 720;
};
std::string bar_chart(const BarChart& chart);

struct HeatRow {
  std::string label;
  std::vector<double> values;  ///< 0..1
};
/// One row of cells per group, darker = nearer to 1. Rows longer than fits are shown by the largest
/// value of each stretch.
struct HeatStrip {
  std::string title;
  std::string unit_text;  ///< what a cell stands for, in tooltips: "link"
  std::vector<HeatRow> rows;
  double wide = 720;
};
std::string heat_strip(const HeatStrip& strip);

/// Share of a population at or below x, as a staircase of at most `most_points` steps. Members
/// without a value (flows that never finished) keep it below 1. Requires population >= values.
std::vector<XY> cdf_points(std::vector<double> values, std::size_t population,
                           std::size_t most_points = 300);

/// At most about `most_points` points that keep every stretch's smallest and largest value.
std::vector<XY> thinned(const std::vector<XY>& points, std::size_t most_points = 600);

}  // namespace spineleaf
