#include "scenarios/output/topology_svg_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace spineleaf::svg {

namespace {

constexpr double kCharWidth = 7.2;
constexpr double kDetailWidth = 6.2;  // at 10 px
constexpr double kBoxGap = 8;
constexpr double kHeading = 56;
constexpr double kWidestRow = 1900;
constexpr double kLeastWidth = 820;  // the legend needs this much
constexpr double kMostArc = 220;
constexpr std::size_t kPieces = 8;  // of a large row that has no groups

using Pieces = std::vector<std::vector<std::uint32_t>>;

/// "400" or "200 to 400".
std::string spread(double low, double high) {
  const auto plain = [](double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return std::string{text.data(), end.ptr};
  };
  return low == high ? plain(low) : plain(low) + " to " + plain(high);
}

/// The part of a name that all names of a row share, where what is left is short enough for a
/// small box; otherwise nothing.
std::size_t shared_prefix(const Topology& topology, const std::vector<std::uint32_t>& nodes) {
  const std::string& first = topology.nodes[nodes.front()].name;
  std::size_t length = first.size();
  std::size_t longest = 0;
  for (const std::uint32_t n : nodes) {
    const std::string& name = topology.nodes[n].name;
    longest = std::max(longest, name.size());
    const auto end = std::mismatch(first.begin(), first.end(), name.begin(), name.end()).first;
    length = std::min(length, static_cast<std::size_t>(end - first.begin()));
  }
  while (length > 0 && first[length - 1] >= '0' && first[length - 1] <= '9') --length;
  return longest - length <= 5 && longest > length && nodes.size() > 1 ? length : 0;
}

std::string tier_name(int tier) {
  switch (tier) {
    case -1: return "hosts";
    case 1: return "leaf";
    case 2: return "spine";
    case 3: return "core";
    default: return "tier " + std::to_string(tier);
  }
}

/// Cuts a row into runs of nodes with equal keys.
template <class Key>
Pieces runs(const std::vector<std::uint32_t>& nodes, Key key) {
  Pieces result;
  for (const std::uint32_t n : nodes) {
    if (result.empty() || key(result.back().back()) != key(n)) result.emplace_back();
    result.back().push_back(n);
  }
  return result;
}

/// Joins `per_box` neighbouring pieces at a time.
Pieces joined(const Pieces& pieces, std::size_t per_box) {
  Pieces result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i % per_box == 0) result.emplace_back();
    result.back().insert(result.back().end(), pieces[i].begin(), pieces[i].end());
  }
  return result;
}

class LayoutMaker {
 public:
  LayoutMaker(const Topology& topology, std::span<const double> utilisation)
      : topology_(topology), utilisation_(utilisation), box_of_(topology.nodes.size(), 0) {}

  Layout run(double least_width) {
    make_rows();
    // Top down: hosts are grouped by the boxes of the switches above them.
    for (std::size_t r = 0; r < layout_.rows.size(); ++r) make_boxes(r);
    make_lines();
    for (std::size_t r = 0; r < layout_.rows.size(); ++r) describe(r);
    place(least_width);
    return std::move(layout_);
  }

 private:
  bool is_host_row(const Row& row) const { return topology_.is_host(NodeId{row.nodes.front()}); }

  void make_rows() {
    std::map<int, Row, std::greater<>> tiers;
    for (std::uint32_t n = 0; n < topology_.nodes.size(); ++n) {
      const bool host = topology_.is_host(NodeId{n});
      tiers[host ? -1 : topology_.nodes[n].tier].nodes.push_back(n);
    }
    for (auto& [tier, row] : tiers) {
      const std::size_t prefix = shared_prefix(topology_, row.nodes);
      row.name = topology_.nodes[row.nodes.front()].name.substr(0, prefix);
      if (row.name.empty()) row.name = tier_name(tier);
      layout_.rows.push_back(std::move(row));
    }
  }

  Box make_box(std::vector<std::uint32_t> nodes, std::size_t prefix, std::size_t row) const {
    const auto name = [&](std::uint32_t n) { return topology_.nodes[n].name.substr(prefix); };
    Box box;
    box.row = row;
    box.label = name(nodes.front());
    if (nodes.size() > 1) {
      box.detail = name(nodes.front()) + "-" + name(nodes.back());
      box.label = std::to_string(nodes.size()) + "x";
    }
    const double detail = static_cast<double>(box.detail.size()) * kDetailWidth;
    box.width = std::max({26.0, text_width(box.label) + 8, detail + 8});
    box.nodes = std::move(nodes);
    return box;
  }

  bool fits(const Pieces& pieces, std::size_t prefix) const {
    double widest = 0;
    for (const auto& nodes : pieces) widest = std::max(widest, make_box(nodes, prefix, 0).width);
    return (widest + kBoxGap) * static_cast<double>(pieces.size()) <= kWidestRow;
  }

  /// The finest of: each node, groups within planes, groups, several groups, equal pieces.
  Pieces partition(const Row& row, std::size_t prefix) const {
    Pieces each = runs(row.nodes, [](std::uint32_t n) { return n; });
    if (fits(each, prefix)) return each;
    Pieces groups;
    if (is_host_row(row)) {
      const std::vector<std::set<std::size_t>> above = boxes_above_hosts();
      groups = runs(row.nodes, [&](std::uint32_t n) { return above[n]; });
    } else {
      groups = runs(row.nodes, [&](std::uint32_t n) {
        return std::pair{topology_.nodes[n].plane, topology_.nodes[n].group};
      });
      if (!fits(groups, prefix)) {
        groups = runs(row.nodes, [&](std::uint32_t n) { return topology_.nodes[n].group; });
      }
    }
    if (groups.size() == 1) return joined(each, (each.size() + kPieces - 1) / kPieces);
    std::size_t per_box = 1;
    while (per_box < groups.size() && !fits(joined(groups, per_box), prefix)) ++per_box;
    // Equal boxes are worth somewhat fewer of them.
    for (std::size_t even = per_box; even <= 2 * per_box; ++even) {
      if (groups.size() % even == 0) return joined(groups, even);
    }
    return joined(groups, per_box);
  }

  std::vector<std::set<std::size_t>> boxes_above_hosts() const {
    std::vector<std::set<std::size_t>> above(topology_.host_count);
    for (const Cable& cable : topology_.cables) {
      const bool a_host = topology_.is_host(cable.a.node);
      const bool b_host = topology_.is_host(cable.b.node);
      if (a_host && !b_host) above[index(cable.a.node)].insert(box_of_[index(cable.b.node)]);
      if (b_host && !a_host) above[index(cable.b.node)].insert(box_of_[index(cable.a.node)]);
    }
    return above;
  }

  void make_boxes(std::size_t r) {
    Row& row = layout_.rows[r];
    const std::size_t prefix = shared_prefix(topology_, row.nodes);
    for (auto& nodes : partition(row, prefix)) {
      for (const std::uint32_t n : nodes) box_of_[n] = layout_.boxes.size();
      row.boxes.push_back(layout_.boxes.size());
      layout_.boxes.push_back(make_box(std::move(nodes), prefix, r));
    }
  }

  void make_lines() {
    std::map<std::pair<std::size_t, std::size_t>, Line> found;
    for (std::size_t c = 0; c < topology_.cables.size(); ++c) {
      const Cable& cable = topology_.cables[c];
      std::size_t low = box_of_[index(cable.a.node)];
      std::size_t high = box_of_[index(cable.b.node)];
      const std::size_t row_low = layout_.boxes[low].row;
      const std::size_t row_high = layout_.boxes[high].row;
      if (row_low == row_high ? low > high : row_low < row_high) std::swap(low, high);
      if (low == high) {
        ++layout_.rows[row_low].inside;
        continue;
      }
      const double rate = cable.rate.gbps();
      const double delay = static_cast<double>(cable.propagation.ps) / 1000;
      Line& line =
          found.try_emplace({low, high}, Line{low, high, 0, 0, 0, rate, rate, delay, delay})
              .first->second;
      ++line.cables;
      line.up += cable.up ? 1 : 0;
      line.least_gbps = std::min(line.least_gbps, rate);
      line.most_gbps = std::max(line.most_gbps, rate);
      line.least_ns = std::min(line.least_ns, delay);
      line.most_ns = std::max(line.most_ns, delay);
      if (!utilisation_.empty()) line.load = std::max(line.load, utilisation_[c]);
    }
    for (const auto& [ends, line] : found) {
      layout_.lines.push_back(line);
      ++layout_.boxes[line.low].lines;
    }
  }

  /// The texts beside a row, and beside the lines that leave it upwards or sideways.
  void describe(std::size_t r) {
    Row& row = layout_.rows[r];
    row.title = {row.name, counted(row.nodes.size(), is_host_row(row) ? "host" : "switch")};
    if (row.inside > 0) row.title.push_back(counted(row.inside, "cable") + " inside boxes");
    Line all;
    std::size_t least = SIZE_MAX;
    std::size_t most = 0;
    for (const Line& line : layout_.lines) {
      if (layout_.boxes[line.low].row != r) continue;
      if (all.cables == 0) {
        all = line;
      } else {
        all.cables += line.cables;
        all.up += line.up;
        all.least_gbps = std::min(all.least_gbps, line.least_gbps);
        all.most_gbps = std::max(all.most_gbps, line.most_gbps);
        all.least_ns = std::min(all.least_ns, line.least_ns);
        all.most_ns = std::max(all.most_ns, line.most_ns);
      }
      least = std::min(least, line.cables);
      most = std::max(most, line.cables);
    }
    if (all.cables == 0) return;
    row.description = {
        counted(all.cables, "cable"), spread(all.least_gbps, all.most_gbps) + " Gb/s",
        spread(all.least_ns, all.most_ns) + " ns of cable",
        least == most ? counted(most, "cable") + " a line"
                      : std::to_string(least) + " to " + std::to_string(most) + " a line"};
    if (all.up < all.cables) {
      row.description.push_back(std::to_string(all.cables - all.up) + " down");
    }
  }

  void place(double least_width) {
    double label_width = 0;
    double content = 0;
    for (const Row& row : layout_.rows) {
      for (const auto& text : row.title) label_width = std::max(label_width, text_width(text));
      for (const auto& text : row.description) {
        label_width = std::max(label_width, text_width(text));
      }
      double widest = 0;
      for (const std::size_t b : row.boxes) widest = std::max(widest, layout_.boxes[b].width);
      content = std::max(content, (widest + kBoxGap) * static_cast<double>(row.boxes.size()));
    }
    const double left = kMargin + label_width + kMargin;
    const double least = std::max(kLeastWidth, least_width + 2 * kMargin);
    content = layout_.content = std::max(content, least - left - kMargin);
    for (const Row& row : layout_.rows) {
      const double pitch = content / static_cast<double>(row.boxes.size());
      for (std::size_t i = 0; i < row.boxes.size(); ++i) {
        layout_.boxes[row.boxes[i]].x = left + pitch * (static_cast<double>(i) + 0.5);
      }
    }
    for (const Line& line : layout_.lines) {
      Row& row = layout_.rows[layout_.boxes[line.low].row];
      if (layout_.same_row(line)) row.arc = std::max(row.arc, layout_.arc_height(line));
    }
    double y = kHeading;
    for (Row& row : layout_.rows) {
      // A first row with lines has arcs; its description must find room above it as well.
      const double text = kLineHeight * static_cast<double>(row.description.size()) + 8;
      y += std::max(row.arc, y > kHeading ? 0.0 : text);
      row.y = y;
      y += kBoxHeight + std::clamp(content / 8, 100.0, 170.0);
    }
    layout_.width = left + content + kMargin;
    layout_.height =
        (layout_.rows.empty() ? kHeading : layout_.rows.back().y + kBoxHeight) + kMargin;
  }

  const Topology& topology_;
  std::span<const double> utilisation_;
  std::vector<std::size_t> box_of_;
  Layout layout_;
};

}  // namespace

double Layout::arc_height(const Line& line) const {
  const double share = std::abs(boxes[line.high].x - boxes[line.low].x) / content;
  return 16 + share * std::min(kMostArc, content / 4);
}

double text_width(std::string_view text) { return static_cast<double>(text.size()) * kCharWidth; }

std::string counted(std::size_t n, std::string_view thing) {
  const std::string_view plural = thing.ends_with("ch") ? "es" : "s";
  return std::to_string(n) + " " + std::string{thing} + std::string{n == 1 ? "" : plural};
}

Layout make_layout(const Topology& topology, std::span<const double> utilisation,
                   double least_width) {
  return LayoutMaker(topology, utilisation).run(least_width);
}

}  // namespace spineleaf::svg
