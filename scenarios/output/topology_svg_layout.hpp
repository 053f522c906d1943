#pragma once
// Where everything goes in a drawing of a topology: rows of boxes, and the lines between boxes.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/topology.hpp"

namespace spineleaf::svg {

inline constexpr double kBoxHeight = 36;
inline constexpr double kMargin = 16;
inline constexpr double kLineHeight = 15;

/// A node, or several that are drawn as one.
struct Box {
  std::vector<std::uint32_t> nodes;
  std::string label;   ///< a name, or how many nodes
  std::string detail;  ///< for several nodes: which
  std::size_t row = 0;
  double x = 0;  ///< centre
  double width = 0;
  std::size_t lines = 0;  ///< upwards, or to the right within the row
};

struct Row {
  std::vector<std::uint32_t> nodes;
  std::vector<std::size_t> boxes;
  std::string name;
  double y = 0;                          ///< top of the boxes
  double arc = 0;                        ///< height of the highest arc above them
  std::size_t inside = 0;                ///< cables between nodes of one box
  std::vector<std::string> title;        ///< name and counts, beside the boxes
  std::vector<std::string> description;  ///< what its lines stand for, above the title
};

/// All cables between two boxes; `low` is the lower one, or the left one of a row.
struct Line {
  std::size_t low = 0;
  std::size_t high = 0;
  std::size_t cables = 0;
  std::size_t up = 0;
  double load = 0;  ///< of the busiest cable
  double least_gbps = 0;
  double most_gbps = 0;
  double least_ns = 0;
  double most_ns = 0;
};

struct Layout {
  std::vector<Row> rows;  ///< top down; hosts last
  std::vector<Box> boxes;
  std::vector<Line> lines;
  double content = 0;  ///< width of the rows
  double width = 0;
  double height = 0;  ///< below the last row

  bool same_row(const Line& line) const { return boxes[line.low].row == boxes[line.high].row; }
  double arc_height(const Line& line) const;
};

/// `utilisation` has a value for each cable, or is empty. `least_width` is for the heading.
Layout make_layout(const Topology& topology, std::span<const double> utilisation,
                   double least_width);

/// A generous estimate for sans-serif at 12 px, so that text stays inside its box.
double text_width(std::string_view text);

/// "1 cable", "8 cables", "1 switch", "4 switches".
std::string counted(std::size_t n, std::string_view thing);

}  // namespace spineleaf::svg
