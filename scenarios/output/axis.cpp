#include "scenarios/output/axis.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

std::string tick_label(double value, TickText text) {
  switch (text) {
    case TickText::Bytes:
      if (std::fabs(value) < 9e18) return bytes_text(Bytes{std::llround(value)});
      break;
    case TickText::Percent: return short_text(value * 100) + " %";
    case TickText::Number: break;
  }
  const double size = std::fabs(value);
  if (size >= 1e9) return short_text(value / 1e9) + " G";
  if (size >= 1e6) return short_text(value / 1e6) + " M";
  if (size >= 1e4) return short_text(value / 1e3) + " k";
  // A tick such as 3 * 0.1 must not show its rounding.
  return short_text(std::round(value * 1e9) / 1e9);
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
double nice_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// The smallest of 1, 2, 4, 8, ... times the bytes of a binary unit: steps of round byte counts.
double nice_binary_step(double least) { return std::exp2(std::ceil(std::log2(least) - 1e-9)); }

}  // namespace

FittedAxis::FittedAxis(const Axis& axis, double lowest, double highest, int most_ticks)
    : scale_(axis.scale), low_(lowest), high_(highest) {
  most_ticks = std::max(most_ticks, 2);
  if (!std::isfinite(low_) || !std::isfinite(high_) || low_ > high_) low_ = high_ = 1;
  switch (scale_) {
    case Scale::Linear: fit_linear(axis, most_ticks); break;
    case Scale::Log2: fit_log2(axis.text, most_ticks); break;
    case Scale::Log10: fit_log10(axis.text, most_ticks); break;
  }
}

double FittedAxis::scaled(double value) const {
  switch (scale_) {
    case Scale::Linear: return value;
    case Scale::Log2: return value > 0 ? std::log2(value) : low_;
    case Scale::Log10: return value > 0 ? std::log10(value) : low_;
  }
  return value;
}

double FittedAxis::position(double value) const {
  return std::clamp((scaled(value) - low_) / (high_ - low_), 0.0, 1.0);
}

void FittedAxis::fit_linear(const Axis& axis, int most_ticks) {
  const TickText text = axis.text;
  if (axis.from_zero || high_ <= low_) low_ = std::min(low_, 0.0);
  if (high_ <= low_) high_ = low_ + 1;
  const double least = (high_ - low_) / most_ticks;
  const double step = text == TickText::Bytes ? nice_binary_step(least) : nice_step(least);
  low_ = std::floor(low_ / step + 1e-9) * step;
  high_ = std::ceil(high_ / step - 1e-9) * step;
  const auto count = static_cast<int>(std::lround((high_ - low_) / step));
  for (int i = 0; i <= count; ++i) {
    const double value = low_ + i * step;
    ticks_.push_back({position(value), tick_label(value, text)});
  }
}

void FittedAxis::fit_log2(TickText text, int most_ticks) {
  low_ = low_ > 0 ? std::log2(low_) : 0;
  high_ = high_ > 0 ? std::log2(high_) : 0;
  if (high_ - low_ < 1) {
    low_ = std::floor(low_ - 0.5);
    high_ = std::ceil(high_ + 0.5);
  }
  const int first = static_cast<int>(std::ceil(low_ - 1e-9));
  const int last = static_cast<int>(std::floor(high_ + 1e-9));
  const int step = std::max(1, (last - first + most_ticks - 1) / most_ticks);
  for (int power = first; power <= last; power += step) {
    ticks_.push_back({(power - low_) / (high_ - low_), tick_label(std::exp2(power), text)});
  }
}

void FittedAxis::fit_log10(TickText text, int most_ticks) {
  const double lowest = low_ > 0 ? low_ : 1;
  const double highest = std::max(high_, lowest * 1.01);
  double power = std::pow(10, std::floor(std::log10(lowest) + 1e-9));
  // All of 1, 2, 5 times a power of ten from the last one below to the first one above the values.
  std::vector<double> marks;
  for (; marks.empty() || marks.back() < highest * (1 - 1e-9); power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double mark = factor * power;
      if (!marks.empty() && marks.back() >= highest * (1 - 1e-9)) break;
      if (mark <= lowest * (1 + 1e-9)) marks.clear();
      marks.push_back(mark);
    }
  }
  low_ = std::log10(marks.front());
  high_ = std::log10(marks.back());
  const bool all = static_cast<int>(marks.size()) <= most_ticks;
  const int step = std::max(1, static_cast<int>(high_ - low_) / most_ticks + 1);
  for (const double mark : marks) {
    const double exponent = std::log10(mark);
    const auto whole = static_cast<int>(std::lround(exponent));
    const bool power_of_ten = std::fabs(exponent - whole) < 1e-9;
    if (!all && !(power_of_ten && whole % step == 0)) continue;
    ticks_.push_back({(exponent - low_) / (high_ - low_), tick_label(mark, text)});
  }
}

}  // namespace spineleaf
