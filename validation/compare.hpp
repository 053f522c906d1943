#pragma once
// Comparison of a simulated curve with a measured one, beside the best two-parameter fit.

#include <cstdint>
#include <vector>

#include "scenarios/output/curve.hpp"

namespace spineleaf {

/// T(S) = a + S / b, least squares of the relative error. The baseline a simulator must beat; it
/// sees the answers. Source: the alpha-beta model (Hockney 1994).
struct AlphaBeta {
  double alpha_us = 0;
  double bytes_per_us = 0;
  double time_us(std::int64_t bytes) const {
    return alpha_us + static_cast<double>(bytes) / bytes_per_us;
  }
};
AlphaBeta fit_alpha_beta(const Curve& measured);

struct ComparedPoint {
  std::int64_t bytes = 0;
  double measured_us = 0;
  double simulated_us = 0;
  double error_percent = 0;      ///< of the simulated time; positive = slower than measured
  double fit_error_percent = 0;  ///< of the alpha-beta fit
};

struct Comparison {
  std::vector<ComparedPoint> points;  ///< sizes that both curves have
  AlphaBeta fit;
  /// Median and 90th percentile (nearest rank) of |error| over sizes in [from, to).
  struct Band {
    double median = 0;
    double p90 = 0;
    int count = 0;
  };
  Band band(std::int64_t from, std::int64_t to) const;
  Band fit_band(std::int64_t from, std::int64_t to) const;
};

Comparison compare_curves(const Curve& measured, const Curve& simulated);

}  // namespace spineleaf
