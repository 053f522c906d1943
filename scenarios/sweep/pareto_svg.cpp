// The picture of a front: a point per point of the sweep, coloured by a third figure.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "scenarios/output/axis.hpp"
#include "scenarios/output/svg.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/sweep/pareto.hpp"

namespace spineleaf {
namespace {

constexpr double kWidth = 820, kHeight = 520, kTop = 64, kRight = 24, kBottom = 62;
constexpr int kShades = 6;

// Shades run from light to dark in one colour, so that they also read in grey.
constexpr std::string_view kStyle = R"css(
svg{background:#fff;font:12px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
text{fill:#5a6675}.title{fill:#1b2430;font-size:15px;font-weight:600}.name{fill:#1b2430}
.grid{stroke:#d9dee5}.front{fill:none;stroke:#c2500b;stroke-width:1.5}
.p{stroke:#33557a;stroke-width:.7}.on{stroke:#c2500b;stroke-width:2.2}
.best{fill:none;stroke:#c2500b;stroke-width:2}.preset{fill:none;stroke:#00805a;stroke-width:2}
.c0{fill:#e8f1fa}.c1{fill:#bcd7ee}.c2{fill:#86b6dd}.c3{fill:#4a8fc7}
.c4{fill:#1f65a3}.c5{fill:#0b3a68}
@media(prefers-color-scheme:dark){svg{background:#12171e}text{fill:#9aa7b6}
.title,.name{fill:#e6eaf0}.grid{stroke:#303a46}.p{stroke:#9fc4e8}
.front,.on,.best{stroke:#ee8a4a}.preset{stroke:#2fc193}}
)css";

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void cover(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Axis axis_for(const std::string& name) {
  Axis axis;
  axis.title = name;
  axis.from_zero = false;
  return axis;
}

class Picture {
 public:
  Picture(const ParetoFront& front, const std::string& title)
      : front_(front),
        x_(axis_for(front.x), range(&ParetoPoint::x).low, range(&ParetoPoint::x).high, 9),
        y_(axis_for(front.y), range(&ParetoPoint::y).low, range(&ParetoPoint::y).high, 8),
        shades_(range(&ParetoPoint::colour)),
        picture_(kWidth, kHeight, "pareto", title + ": " + front.y + " over " + front.x) {
    picture_.style(kStyle);
    picture_.text({16, 24}, Anchor::Start, "title", title);
    for (const Tick& tick : y_.ticks()) left_ = std::max(left_, 24 + text_width(tick.label));
  }

  std::string draw() {
    draw_axes();
    draw_front();
    for (const bool on_front : {false, true}) {
      for (const ParetoPoint& point : front_.points) {
        if (point.on_front == on_front) draw_point(point);
      }
    }
    if (front_.best) {
      const XY at = place(front_.points[*front_.best]);
      picture_.rect({at.x - 8, at.y - 8}, 16, 16, "best", "nearest to the best of both");
    }
    draw_presets();
    draw_legend();
    return picture_.str() + "\n";
  }

 private:
  Range range(double ParetoPoint::*member) const {
    Range out;
    for (const ParetoPoint& point : front_.points) out.cover(point.*member);
    return out;
  }

  XY place(const ParetoPoint& point) const {
    return {left_ + x_.position(point.x) * (kWidth - kRight - left_),
            kHeight - kBottom - y_.position(point.y) * (kHeight - kBottom - kTop)};
  }

  void draw_axes() {
    for (const Tick& tick : y_.ticks()) {
      const double y = kHeight - kBottom - tick.at * (kHeight - kBottom - kTop);
      picture_.line({left_, y}, {kWidth - kRight, y}, "grid");
      picture_.text({left_ - 8, y + 4}, Anchor::End, "tick", tick.label);
    }
    for (const Tick& tick : x_.ticks()) {
      const double x = left_ + tick.at * (kWidth - kRight - left_);
      picture_.line({x, kTop}, {x, kHeight - kBottom}, "grid");
      picture_.text({x, kHeight - kBottom + 17}, Anchor::Middle, "tick", tick.label);
    }
    picture_.text({16, kTop - 12}, Anchor::Start, "name", front_.y);
    picture_.text({kWidth - kRight, kHeight - kBottom + 36}, Anchor::End, "name", front_.x);
  }

  void draw_front() {
    std::vector<XY> line;
    for (const std::size_t i : front_.front) line.push_back(place(front_.points[i]));
    if (line.size() > 1) picture_.polyline(line, "front");
  }

  std::string shade(double value) const {
    if (!std::isfinite(value)) return "c2";
    if (!(shades_.high > shades_.low)) return "c0";
    const double share = (value - shades_.low) / (shades_.high - shades_.low);
    return "c" + std::to_string(std::min(kShades - 1, static_cast<int>(share * kShades)));
  }

  void draw_point(const ParetoPoint& point) {
    std::string tip = point.label + ": " + front_.x + " " + short_text(point.x) + ", " + front_.y +
                      " " + short_text(point.y);
    if (!front_.colour.empty()) tip += ", " + front_.colour + " " + short_text(point.colour);
    const int shape = point.on_front ? 3 : 0;
    picture_.marker(place(point), shape, (point.on_front ? "on " : "p ") + shade(point.colour),
                    tip);
  }

  /// A name is written once, at the preset's best point.
  void draw_presets() {
    std::vector<std::string> named;
    for (const ParetoPoint& point : front_.points) {
      if (point.preset.empty()) continue;
      const XY at = place(point);
      picture_.rect({at.x - 6, at.y - 6}, 12, 12, "preset", point.preset);
      if (std::find(named.begin(), named.end(), point.preset) != named.end()) continue;
      named.push_back(point.preset);
      const bool right = at.x < kWidth / 2;
      picture_.text({at.x + (right ? 10 : -10), at.y + 4}, right ? Anchor::Start : Anchor::End,
                    "name", point.preset);
    }
  }

  void draw_legend() {
    const double y = kHeight - 12;
    double x = 16;
    const auto word = [&](const std::string& text) {
      picture_.text({x, y}, Anchor::Start, "tick", text);
      x += text_width(text) + 8;
    };
    if (!front_.colour.empty() && std::isfinite(shades_.low)) {
      word(front_.colour + ": " + short_text(shades_.low));
      for (int i = 0; i < kShades; ++i) {
        picture_.rect({x, y - 10}, 14, 11, "p c" + std::to_string(i));
        x += 14;
      }
      x += 6;
      word(short_text(shades_.high));
      x += 12;
    }
    picture_.marker({x + 4, y - 4}, 3, "on c2");
    x += 16;
    word("on the front");
  }

  const ParetoFront& front_;
  FittedAxis x_;
  FittedAxis y_;
  Range shades_;
  SvgPicture picture_;
  double left_ = 60;
};

}  // namespace

std::string pareto_svg(const ParetoFront& front, const std::string& title) {
  return Picture(front, title).draw();
}

}  // namespace spineleaf
