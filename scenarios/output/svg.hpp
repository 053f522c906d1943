#pragma once
// SVG: the few shapes that charts need, as text. Looks come from CSS classes of the page.

#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

struct XY {
  double x = 0;
  double y = 0;
};

enum class Anchor { Start, Middle, End };

class SvgPicture {
 public:
  /// A picture of width x height units; `label` is what a screen reader says; a picture
  /// without one is hidden from it.
  SvgPicture(double width, double height, std::string_view css_class, std::string_view label);

  /// A style sheet of its own, for pictures that stand in no page.
  void style(std::string_view css);
  void line(XY from, XY to, std::string_view css_class);
  void rect(XY corner, double width, double height, std::string_view css_class,
            std::string_view tooltip = {});
  /// With `opacity` as the fill's strength, for shades of one colour.
  void shade(XY corner, double width, double height, double opacity, std::string_view tooltip);
  void polyline(const std::vector<XY>& points, std::string_view css_class);
  void text(XY at, Anchor anchor, std::string_view css_class, std::string_view text);
  /// A mark around a point: circle, square, triangle, diamond, by `shape` modulo 4.
  void marker(XY at, int shape, std::string_view css_class, std::string_view tooltip = {});

  /// The whole element.
  std::string str() const { return out_ + "</svg>"; }

 private:
  void close(std::string_view element, std::string_view tooltip);
  std::string out_;
};

/// Width of `text` at 12 px in the widest usual sans-serif font, to leave enough room.
double text_width(std::string_view text);

}  // namespace spineleaf
