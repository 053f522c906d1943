#include "scenarios/output/charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

constexpr double kNarrow = 350;
constexpr int kColours = 6;
constexpr double kTickGap = 14;
constexpr double kLineHeight = 16;

std::string series_class(int series, bool reference) {
  return reference ? "ref" : "s" + std::to_string(series % kColours);
}

bool finite(const XY& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void cover(double value, Scale scale) {
    if (scale != Scale::Linear && value <= 0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Number of the line among those with colours of their own.
std::vector<int> series_numbers(const std::vector<Line>& lines) {
  std::vector<int> numbers;
  int next = 0;
  for (const Line& line : lines) numbers.push_back(line.reference ? 3 : next++);
  return numbers;
}

std::string legend(const std::vector<Line>& lines) {
  if (lines.size() < 2 && (lines.empty() || lines[0].label.empty())) return {};
  const std::vector<int> numbers = series_numbers(lines);
  std::string out = "<ul class=\"legend\">";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string css = series_class(numbers[i], lines[i].reference);
    SvgPicture swatch(28, 12, "swatch", "");
    swatch.polyline({{1, 6}, {27, 6}}, "curve " + css);
    if (lines[i].markers) swatch.marker({14, 6}, numbers[i], "mark " + css);
    out += "<li>" + swatch.str() + " " + escape_markup(lines[i].label) + "</li>";
  }
  return out + "</ul>";
}

std::string figure(const std::string& title, const std::string& body) {
  return "<figure><figcaption>" + escape_markup(title) + "</figcaption>" + body + "</figure>\n";
}

/// Draws one line chart at one size.
class LinePlot {
 public:
  LinePlot(const LineChart& chart, double width, double height, const char* css_class)
      : chart_(chart),
        x_(fit(
            chart.x, [](const XY& p) { return p.x; },
            static_cast<int>(width / (chart.x.text == TickText::Bytes ? 80 : 55)))),
        y_(fit(
            chart.y, [](const XY& p) { return p.y; }, static_cast<int>(height / 48))),
        picture_(width, height, css_class, chart.title) {
    double label = 0;
    for (const Tick& tick : y_.ticks()) label = std::max(label, text_width(tick.label));
    left_ = 13 + label;  // a marker on the axis must not touch a label
    right_ = width - 16;
    top_ = 26;
    bottom_ = height - 42;
    for (const Tick& tick : x_.ticks()) {
      const double half = text_width(tick.label) / 2;
      left_ = std::max(left_, tick.at < 0.01 ? half : 0);
      if (tick.at > 0.99) right_ = std::min(right_, width - half);
    }
  }

  std::string draw() {
    draw_axes();
    const std::vector<int> numbers = series_numbers(chart_.lines);
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) draw_line(chart_.lines[i], numbers[i]);
    return picture_.str();
  }

 private:
  template <typename Pick>
  FittedAxis fit(const Axis& axis, Pick pick, int most_ticks) const {
    Range range;
    for (const Line& line : chart_.lines) {
      for (const XY& point : line.points) {
        if (finite(point)) range.cover(pick(point), axis.scale);
      }
    }
    return FittedAxis(axis, range.low, range.high, most_ticks);
  }

  double at_x(double share) const { return left_ + share * (right_ - left_); }
  double at_y(double share) const { return bottom_ - share * (bottom_ - top_); }

  void draw_axes() {
    for (const Tick& tick : y_.ticks()) {
      const double y = at_y(tick.at);
      picture_.line({left_, y}, {right_, y}, "grid");
      picture_.text({left_ - 9, y + 4}, Anchor::End, "tick", tick.label);
    }
    double free_from = -1e9;
    for (const Tick& tick : sorted(x_.ticks())) {
      const double x = at_x(tick.at);
      picture_.line({x, top_}, {x, bottom_}, "grid");
      const double half = text_width(tick.label) / 2;
      if (x - half < free_from) continue;
      picture_.text({x, bottom_ + kTickGap + 3}, Anchor::Middle, "tick", tick.label);
      free_from = x + half + 6;
    }
    const double zero = chart_.y.scale == Scale::Linear ? at_y(y_.position(0)) : bottom_;
    picture_.line({left_, zero}, {right_, zero}, "axis");
    picture_.text({0, 13}, Anchor::Start, "axis-title", chart_.y.title);
    picture_.text({right_, bottom_ + 37}, Anchor::End, "axis-title", chart_.x.title);
  }

  static std::vector<Tick> sorted(std::vector<Tick> ticks) {
    std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.at < b.at; });
    return ticks;
  }

  void draw_line(const Line& line, int number) {
    const std::string css = series_class(number, line.reference);
    std::vector<XY> drawn;
    for (const XY& point : line.points) {
      if (finite(point)) drawn.push_back({at_x(x_.position(point.x)), at_y(y_.position(point.y))});
    }
    if (drawn.size() > 1) picture_.polyline(drawn, "curve " + css);
    if (!line.markers) return;
    std::size_t next = 0;
    for (const XY& point : line.points) {
      if (!finite(point)) continue;
      const std::string x_text = chart_.x.text == TickText::Bytes
                                     ? bytes_text(Bytes{std::llround(point.x)})
                                     : short_text(point.x);
      picture_.marker(drawn[next++], number, "mark " + css,
                      line.label + ", " + x_text + ": " + short_text(point.y));
    }
  }

  const LineChart& chart_;
  FittedAxis x_;
  FittedAxis y_;
  SvgPicture picture_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

std::string clipped(const std::string& text, double width) {
  if (text_width(text) <= width) return text;
  const auto most = static_cast<std::size_t>(std::max(width / text_width("x") - 1, 1.0));
  std::string out = text.substr(0, most);
  // Never cut a character in two.
  while (!out.empty() && most < text.size() && (text[out.size()] & 0xC0) == 0x80) out.pop_back();
  return out + "\xE2\x80\xA6";
}

std::string bar_picture(const BarChart& chart, double width, const char* css_class) {
  double label = 0;
  double text = 0;
  // A narrow screen has room for the number, but not for more.
  const auto end_text = [&](const Bar& bar) {
    return bar.detail.empty() || width <= kNarrow ? bar.text : bar.text + ", " + bar.detail;
  };
  for (const Bar& bar : chart.bars) {
    label = std::max(label, text_width(bar.label));
    text = std::max(text, text_width(end_text(bar)));
  }
  label = std::min(label, width * 0.5);
  const double height = kLineHeight * 1.4 * static_cast<double>(chart.bars.size()) + 4;
  SvgPicture picture(width, height, css_class, chart.title);
  const double left = label + 8;
  const double full = width - left - text - 8;
  double y = 2;
  for (const Bar& bar : chart.bars) {
    const double length = full * std::clamp(bar.value, 0.0, 1.0);
    picture.text({label, y + 14}, Anchor::End, "tick", clipped(bar.label, label));
    picture.rect({left, y + 2}, full, kLineHeight, "track");
    picture.rect({left, y + 2}, length, kLineHeight, "bar " + series_class(bar.series, false),
                 bar.label + ": " + end_text(bar));
    picture.text({left + full + 6, y + 14}, Anchor::Start, "tick", end_text(bar));
    y += kLineHeight * 1.4;
  }
  return picture.str();
}

void heat_row(SvgPicture& picture, const HeatRow& row, const std::string& unit, XY corner,
              double width) {
  constexpr double kLeastCell = 4;
  const std::size_t count = row.values.size();
  const auto fits = static_cast<std::size_t>(width / kLeastCell);
  const std::size_t cells = std::min(count, std::max<std::size_t>(fits, 1));
  const double cell = std::min(width / static_cast<double>(cells), 14.0);
  for (std::size_t i = 0; i < cells; ++i) {
    const std::size_t begin = i * count / cells;
    const std::size_t end = (i + 1) * count / cells;
    double most = 0;
    for (std::size_t k = begin; k < end; ++k) most = std::max(most, row.values[k]);
    const std::string which = end - begin == 1 ? unit + " " + std::to_string(begin + 1)
                                               : unit + "s " + std::to_string(begin + 1) + "-" +
                                                     std::to_string(end) + ", largest";
    picture.shade({corner.x + cell * static_cast<double>(i), corner.y}, cell, kLineHeight, most,
                  which + ": " + fixed_text(most * 100, 1) + " %");
  }
  picture.rect(corner, cell * static_cast<double>(cells), kLineHeight, "frame");
}

std::string heat_picture(const HeatStrip& strip, double width, const char* css_class) {
  constexpr double kRow = 2 * kLineHeight + 8;
  const double height = kRow * static_cast<double>(strip.rows.size()) + 20;
  SvgPicture picture(width, height, css_class, strip.title);
  double y = 0;
  for (const HeatRow& row : strip.rows) {
    picture.text({0, y + 12}, Anchor::Start, "tick", clipped(row.label, width));
    heat_row(picture, row, strip.unit_text, {1, y + 17}, width - 2);
    y += kRow;
  }
  constexpr int kSteps = 6;
  picture.text({1, y + 14}, Anchor::Start, "tick", "0 %");
  for (int i = 0; i < kSteps; ++i) {
    const double share = static_cast<double>(i) / (kSteps - 1);
    picture.shade({32 + 20.0 * i, y + 4}, 20, 12, share, fixed_text(share * 100, 0) + " %");
  }
  picture.rect({32, y + 4}, 20.0 * kSteps, 12, "frame");
  picture.text({32 + 20.0 * kSteps + 6, y + 14}, Anchor::Start, "tick", "100 %");
  return picture.str();
}

}  // namespace

std::string line_chart(const LineChart& chart) {
  return figure(chart.title,
                legend(chart.lines) +
                    LinePlot(chart, chart.wide, 140 + chart.wide * 0.25, "wide").draw() +
                    LinePlot(chart, kNarrow, kNarrow * 0.75, "narrow").draw());
}

std::string bar_chart(const BarChart& chart) {
  return figure(chart.title,
                bar_picture(chart, chart.wide, "wide") + bar_picture(chart, kNarrow, "narrow"));
}

std::string heat_strip(const HeatStrip& strip) {
  return figure(strip.title,
                heat_picture(strip, strip.wide, "wide") + heat_picture(strip, kNarrow, "narrow"));
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
