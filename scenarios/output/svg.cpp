#include "scenarios/output/svg.hpp"

#include <algorithm>

#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

constexpr double kCharacterWidth = 7.4;
constexpr double kMarker = 4;

/// A coordinate with at most two decimals: a hundredth of a pixel is not seen.
std::string coordinate(double value) {
  std::string text = fixed_text(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string attribute(std::string_view name, double value) {
  return attribute(name, coordinate(value));
}

std::string point_list(const std::vector<XY>& points) {
  std::string out;
  for (const XY& point : points) {
    if (!out.empty()) out += ' ';
    out += coordinate(point.x) + "," + coordinate(point.y);
  }
  return out;
}

}  // namespace

SvgPicture::SvgPicture(double width, double height, std::string_view css_class,
                       std::string_view label) {
  out_ =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("class", escape_markup(css_class)) +
      (label.empty() ? attribute("aria-hidden", "true")
                     : attribute("role", "img") + attribute("aria-label", escape_markup(label))) +
      attribute("viewBox", "0 0 " + coordinate(width) + " " + coordinate(height)) + ">";
}

void SvgPicture::close(std::string_view element, std::string_view tooltip) {
  if (tooltip.empty()) {
    out_ += "/>";
  } else {
    out_ += "><title>" + escape_markup(tooltip) + "</title></" + std::string(element) + ">";
  }
}

void SvgPicture::style(std::string_view css) { out_ += "<style>" + std::string(css) + "</style>"; }

void SvgPicture::line(XY from, XY to, std::string_view css_class) {
  out_ += "<line" + attribute("class", css_class) + attribute("x1", from.x) +
          attribute("y1", from.y) + attribute("x2", to.x) + attribute("y2", to.y) + "/>";
}

void SvgPicture::rect(XY corner, double width, double height, std::string_view css_class,
                      std::string_view tooltip) {
  out_ += "<rect" + attribute("class", css_class) + attribute("x", corner.x) +
          attribute("y", corner.y) + attribute("width", std::max(width, 0.0)) +
          attribute("height", std::max(height, 0.0));
  close("rect", tooltip);
}

void SvgPicture::shade(XY corner, double width, double height, double opacity,
                       std::string_view tooltip) {
  out_ += "<rect class=\"shade\"" + attribute("x", corner.x) + attribute("y", corner.y) +
          attribute("width", width) + attribute("height", height) +
          attribute("fill-opacity", std::clamp(opacity, 0.0, 1.0));
  close("rect", tooltip);
}

void SvgPicture::polyline(const std::vector<XY>& points, std::string_view css_class) {
  out_ +=
      "<polyline" + attribute("class", css_class) + attribute("points", point_list(points)) + "/>";
}

void SvgPicture::text(XY at, Anchor anchor, std::string_view css_class, std::string_view text) {
  const std::string_view side = anchor == Anchor::Start    ? "start"
                                : anchor == Anchor::Middle ? "middle"
                                                           : "end";
  out_ += "<text" + attribute("class", css_class) + attribute("x", at.x) + attribute("y", at.y) +
          attribute("text-anchor", side) + ">" + escape_markup(text) + "</text>";
}

void SvgPicture::marker(XY at, int shape, std::string_view css_class, std::string_view tooltip) {
  const double r = kMarker;
  std::vector<XY> corners;
  switch (shape % 4) {
    case 1: corners = {{-r, -r}, {r, -r}, {r, r}, {-r, r}}; break;
    case 2: corners = {{0, -1.2 * r}, {1.1 * r, r}, {-1.1 * r, r}}; break;
    case 3: corners = {{0, -1.3 * r}, {1.3 * r, 0}, {0, 1.3 * r}, {-1.3 * r, 0}}; break;
    default:
      out_ += "<circle" + attribute("class", css_class) + attribute("cx", at.x) +
              attribute("cy", at.y) + attribute("r", r);
      close("circle", tooltip);
      return;
  }
  for (XY& corner : corners) corner = {corner.x + at.x, corner.y + at.y};
  out_ += "<polygon" + attribute("class", css_class) + attribute("points", point_list(corners));
  close("polygon", tooltip);
}

double text_width(std::string_view text) {
  const auto characters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kCharacterWidth * static_cast<double>(characters);
}

}  // namespace spineleaf
