#include "validation/compare.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace spineleaf {
namespace {

Comparison::Band band_of(std::vector<double> errors) {
  Comparison::Band band;
  band.count = static_cast<int>(errors.size());
  if (errors.empty()) return band;
  std::sort(errors.begin(), errors.end());
  const auto rank = [&](double share) {
    const double position = std::ceil(share * static_cast<double>(errors.size()));
    return errors[static_cast<std::size_t>(std::max(1.0, position)) - 1];
  };
  band.median = rank(0.5);
  band.p90 = rank(0.9);
  return band;
}

}  // namespace

AlphaBeta fit_alpha_beta(const Curve& measured) {
  const auto n = static_cast<Eigen::Index>(measured.points.size());
  if (n < 2) return {};
  // Dividing each equation by its time makes the residual the relative error.
  Eigen::MatrixXd a(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const CurvePoint& point = measured.points[static_cast<std::size_t>(i)];
    a(i, 0) = 1 / point.time_us;
    a(i, 1) = static_cast<double>(point.bytes) / point.time_us;
  }
  const Eigen::Vector2d x = a.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(n));
  return {x(0), 1 / x(1)};
}

Comparison compare_curves(const Curve& measured, const Curve& simulated) {
  Comparison result;
  result.fit = fit_alpha_beta(measured);
  for (const CurvePoint& point : measured.points) {
    const double time = time_at(simulated, point.bytes);
    if (time < 0) continue;
    result.points.push_back({point.bytes, point.time_us, time,
                             error_percent(time, point.time_us),
                             error_percent(result.fit.time_us(point.bytes), point.time_us)});
  }
  return result;
}

Comparison::Band Comparison::band(std::int64_t from, std::int64_t to) const {
  std::vector<double> errors;
  for (const ComparedPoint& p : points) {
    if (p.bytes >= from && p.bytes < to) errors.push_back(std::abs(p.error_percent));
  }
  return band_of(std::move(errors));
}

Comparison::Band Comparison::fit_band(std::int64_t from, std::int64_t to) const {
  std::vector<double> errors;
  for (const ComparedPoint& p : points) {
    if (p.bytes >= from && p.bytes < to) errors.push_back(std::abs(p.fit_error_percent));
  }
  return band_of(std::move(errors));
}

}  // namespace spineleaf
