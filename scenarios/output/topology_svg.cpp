#include "scenarios/output/topology_svg.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "scenarios/output/topology_svg_layout.hpp"

namespace spineleaf {

namespace {

using svg::Box;
using svg::kBoxHeight;
using svg::kMargin;
using svg::Layout;
using svg::Line;

constexpr std::array<double, 5> kLoadSteps{0.1, 0.3, 0.5, 0.7, 0.9};
constexpr std::array<std::string_view, 6> kLoadNames{"below 10%", "to 30%", "to 50%",
                                                     "to 70%",    "to 90%", "above 90%"};

constexpr std::string_view kStyle = R"(<style>
.tsvg text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#1f2933}
.tsvg .head{font-size:16px;font-weight:600}
.tsvg .strong{font-weight:600}
.tsvg .soft{fill:#52606d}
.tsvg .mid{text-anchor:middle}
.tsvg .detail{font-size:10px;fill:#52606d}
.tsvg .bg{fill:#ffffff}
.tsvg .halo{fill:#ffffff;fill-opacity:0.9}
.tsvg .host{fill:#eef2f6;stroke:#7b8794}
.tsvg .switch{fill:#dcebf9;stroke:#3572a5}
.tsvg path{fill:none;stroke:#7b8794}
.tsvg .u0{stroke:#c5cfd9}.tsvg .u1{stroke:#8db7de}.tsvg .u2{stroke:#2f80c9}
.tsvg .u3{stroke:#e0a100}.tsvg .u4{stroke:#e8702a}.tsvg .u5{stroke:#c81e1e}
.tsvg .part{stroke-dasharray:9 3}
.tsvg .down{stroke:#c81e1e;stroke-dasharray:3 4}
@media (prefers-color-scheme:dark){
.tsvg text{fill:#e4e7eb}
.tsvg .soft,.tsvg .detail{fill:#a3afbb}
.tsvg .bg{fill:#14181d}
.tsvg .halo{fill:#14181d}
.tsvg .host{fill:#262d35;stroke:#8b98a5}
.tsvg .switch{fill:#1b3a57;stroke:#6aa8dd}
.tsvg path{stroke:#8b98a5}
.tsvg .u0{stroke:#3d4854}.tsvg .u1{stroke:#3f6d96}.tsvg .u2{stroke:#58a6ea}
.tsvg .u3{stroke:#f2c14e}.tsvg .u4{stroke:#f58f45}.tsvg .u5{stroke:#ff5c57}
.tsvg .down{stroke:#ff5c57}
}
</style>
)";

std::string num(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  return {text.data(), end.ptr};
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string text(double x, double y, std::string_view style, std::string_view content) {
  return "<text x=\"" + num(x) + "\" y=\"" + num(y) + "\" class=\"" + std::string{style} + "\">" +
         escape(content) + "</text>\n";
}

std::string rect(std::string_view style, double x, double y, double width, double height) {
  return "<rect x=\"" + num(x) + "\" y=\"" + num(y) + "\" width=\"" + num(width) + "\" height=\"" +
         num(height) + "\" rx=\"4\" class=\"" + std::string{style} + "\"/>\n";
}

std::string path(std::string_view shape, std::string_view style, double thickness) {
  return "<path d=\"" + std::string{shape} + "\" class=\"" + std::string{style} +
         "\" stroke-width=\"" + num(thickness) + "\"/>\n";
}

std::size_t load_step(double load) {
  std::size_t step = 0;
  while (step < kLoadSteps.size() && load >= kLoadSteps[step]) ++step;
  return step;
}

std::string line_style(const Line& line, bool coloured) {
  if (line.up == 0) return "down";
  const std::string load = coloured ? "u" + std::to_string(load_step(line.load)) : "";
  return line.up < line.cables ? load + " part" : load;
}

/// The busiest lines come last, on top of the others.
std::string draw_lines(const Layout& layout, bool coloured) {
  std::vector<const Line*> order;
  for (const Line& line : layout.lines) order.push_back(&line);
  std::stable_sort(order.begin(), order.end(), [](const Line* x, const Line* y) {
    return load_step(x->load) < load_step(y->load);
  });
  const bool dense = layout.lines.size() > 48;
  std::string out = dense && !coloured ? "<g stroke-opacity=\"0.6\">\n" : "<g>\n";
  for (const Line* line : order) {
    const Box& low = layout.boxes[line->low];
    const Box& high = layout.boxes[line->high];
    const double top = layout.rows[low.row].y;
    std::string shape = "M" + num(low.x) + " " + num(top);
    if (layout.same_row(*line)) {
      // A quadratic curve rises to half the height of its control point.
      shape += "Q" + num((low.x + high.x) / 2) + " " + num(top + 8 - 2 * layout.arc_height(*line)) +
               " " + num(high.x) + " " + num(top);
    } else {
      shape += "L" + num(high.x) + " " + num(layout.rows[high.row].y + kBoxHeight);
    }
    double thickness = std::min(4.0, 1 + 0.5 * std::log2(static_cast<double>(line->cables)));
    if (dense && low.lines > 1) thickness *= 0.6;
    out += path(shape, line_style(*line, coloured), thickness);
  }
  return out + "</g>\n";
}

std::string draw_box(const Layout& layout, const Box& box, bool host) {
  const double y = layout.rows[box.row].y;
  const std::string frame =
      rect(host ? "host" : "switch", box.x - box.width / 2, y, box.width, kBoxHeight);
  if (box.detail.empty()) return frame + text(box.x, y + 22, "mid", box.label);
  return frame + text(box.x, y + 15, "mid strong", box.label) +
         text(box.x, y + 30, "mid detail", box.detail);
}

std::string draw_row_texts(const svg::Row& row) {
  std::string out;
  for (std::size_t i = 0; i < row.title.size(); ++i) {
    const double y = row.y + 14 + svg::kLineHeight * static_cast<double>(i);
    out += text(kMargin, y, i == 0 ? "strong" : "soft", row.title[i]);
  }
  for (std::size_t i = 0; i < row.description.size(); ++i) {
    const auto back = static_cast<double>(row.description.size() - i);
    out += text(kMargin, row.y + 2 - svg::kLineHeight * back, "soft", row.description[i]);
  }
  return out;
}

/// Counts on the lines of a row, where they differ and few enough lines leave room: each at the
/// first place along its line where it covers no other.
std::string draw_counts(const Layout& layout, std::size_t row) {
  constexpr std::size_t kMostLabels = 24;
  std::vector<const Line*> lines;
  std::set<std::size_t> counts;
  for (const Line& line : layout.lines) {
    if (layout.boxes[line.low].row != row || layout.same_row(line)) continue;
    lines.push_back(&line);
    counts.insert(line.cables);
  }
  if (counts.size() < 2 || lines.size() > kMostLabels) return {};
  std::string out;
  std::vector<std::array<double, 4>> taken;
  for (const Line* line : lines) {
    const std::string label = std::to_string(line->cables);
    const Box& low = layout.boxes[line->low];
    const Box& high = layout.boxes[line->high];
    const double rise = layout.rows[high.row].y + kBoxHeight - layout.rows[row].y;
    const double half = svg::text_width(label) / 2 + 2;
    for (const double t : {0.5, 0.35, 0.65, 0.25, 0.75}) {
      const double x = low.x + t * (high.x - low.x);
      const double y = layout.rows[row].y + t * rise;
      const std::array<double, 4> area{x - half, y - 8, x + half, y + 8};
      const auto covers = [&](const std::array<double, 4>& other) {
        return area[0] < other[2] && other[0] < area[2] && area[1] < other[3] && other[1] < area[3];
      };
      if (std::any_of(taken.begin(), taken.end(), covers)) continue;
      taken.push_back(area);
      out += rect("halo", area[0], area[1], 2 * half, 16) + text(x, y + 4, "mid", label);
      break;
    }
  }
  return out;
}

std::string draw_legend(double y, bool coloured, bool down) {
  std::string out;
  double x = kMargin;
  const auto entry = [&](std::string_view style, std::string_view name) {
    out += path("M" + num(x) + " " + num(y) + "h22", style, 4);
    out += text(x + 28, y + 4, "soft", name);
    x += 28 + svg::text_width(name) + 14;
  };
  if (coloured) {
    for (std::size_t i = 0; i < kLoadNames.size(); ++i) {
      entry("u" + std::to_string(i), kLoadNames[i]);
    }
  }
  if (down) {
    entry("part", "some down");
    entry("down", "all down");
  }
  return out;
}

}  // namespace

std::string topology_svg(const Topology& topology, const TopologySvgOptions& options) {
  const bool coloured =
      !options.utilisation.empty() && options.utilisation.size() == topology.cables.size();
  const bool down = std::any_of(topology.cables.begin(), topology.cables.end(),
                                [](const Cable& cable) { return !cable.up; });
  const std::string title = options.title.empty() ? topology.name : options.title;
  const std::string summary = svg::counted(topology.host_count, "host") + ", " +
                              svg::counted(topology.nodes.size() - topology.host_count, "switch") +
                              ", " + svg::counted(topology.cables.size(), "cable");
  const Layout layout =
      svg::make_layout(topology, coloured ? options.utilisation : std::span<const double>{},
                       std::max(svg::text_width(summary), svg::text_width(title) * 16 / 12));
  const double legend = coloured || down ? 30 : 0;
  const std::string size = num(layout.width) + " " + num(layout.height + legend);

  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tsvg\" role=\"img\" viewBox=\"0 0 " +
      size + "\" width=\"" + num(layout.width) + "\" height=\"" + num(layout.height + legend) +
      "\">\n<title>" + escape(title) + "</title>\n";
  out += kStyle;
  out += "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n";
  out += text(kMargin, 26, "head", title) + text(kMargin, 44, "soft", summary);
  out += draw_lines(layout, coloured);
  for (const Box& box : layout.boxes) {
    out += draw_box(layout, box, topology.is_host(NodeId{box.nodes.front()}));
  }
  for (const svg::Row& row : layout.rows) out += draw_row_texts(row);
  for (std::size_t row = 0; row < layout.rows.size(); ++row) out += draw_counts(layout, row);
  out += draw_legend(layout.height + 6, coloured, down);
  return out + "</svg>\n";
}

}  // namespace spineleaf
