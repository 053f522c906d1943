#pragma once
// Axes of charts: from values to positions, and ticks that a person would have chosen.

#include <string>
#include <vector>

namespace spineleaf {

enum class Scale { Linear, Log2, Log10 };

/// How a tick is written.
enum class TickText { Number, Bytes, Percent };

struct Axis {
  std::string title;  ///< with its unit: "busbw (GB/s)"
  Scale scale = Scale::Linear;
  TickText text = TickText::Number;
  bool from_zero = true;  ///< a linear axis shows zero where the values are not negative
};

struct Tick {
  double at = 0;  ///< 0..1 along the axis
  std::string label;
};

/// An axis fitted to values: its ends, its ticks.
class FittedAxis {
 public:
  /// Covers [lowest, highest] with at most about `most_ticks` ticks. Values that a logarithm can't
  /// show stand at the low end.
  FittedAxis(const Axis& axis, double lowest, double highest, int most_ticks);

  /// 0 at the low end, 1 at the high end; values outside are held at the ends.
  double position(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void fit_linear(const Axis& axis, int most_ticks);
  void fit_log2(TickText text, int most_ticks);
  void fit_log10(TickText text, int most_ticks);
  double scaled(double value) const;

  Scale scale_;
  double low_;  ///< in the scaled domain
  double high_;
  std::vector<Tick> ticks_;
};

}  // namespace spineleaf
