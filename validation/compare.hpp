#pragma once
// Comparison of a simulated curve with a measured one, beside the best two-parameter fit.

#include <cstdint>
#include <limits>
#include <string_view>
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
/// Points without a positive time don't count. One point gives a line through the origin.
AlphaBeta fit_alpha_beta(const Curve& measured);

struct ComparedPoint {
  std::int64_t bytes = 0;
  double measured_us = 0;
  double simulated_us = 0;
  double error_percent = 0;      ///< of the simulated time; positive = slower than measured
  double fit_error_percent = 0;  ///< of the alpha-beta fit
};

/// Sizes from `from` up to, but not including, `to`.
struct SizeBand {
  std::string_view name;
  std::int64_t from = 0;
  std::int64_t to = std::numeric_limits<std::int64_t>::max();
};
inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
/// Small messages show host and protocol costs, middle ones pipelining, large ones the network.
inline constexpr SizeBand kSizeBands[] = {{"< 1 MiB", 0, kMebibyte},
                                          {"1-64 MiB", kMebibyte, 64 * kMebibyte},
                                          {">= 64 MiB", 64 * kMebibyte}};

struct Comparison {
  std::vector<ComparedPoint> points;  ///< sizes that both curves have
  AlphaBeta fit;                      ///< of all measured points
  /// Median and 90th percentile (nearest rank) of |error| over sizes in [from, to); 0 when none.
  struct Band {
    double median = 0;
    double p90 = 0;
    int count = 0;
  };
  Band band(std::int64_t from, std::int64_t to) const;
  Band fit_band(std::int64_t from, std::int64_t to) const;
  Band band(const SizeBand& sizes) const { return band(sizes.from, sizes.to); }
  Band fit_band(const SizeBand& sizes) const { return fit_band(sizes.from, sizes.to); }
};

Comparison compare_curves(const Curve& measured, const Curve& simulated);

}  // namespace spineleaf
