#include "validation/compare.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

Comparison::Band band_of(std::vector<double> errors) {
  Comparison::Band band;
  band.count = static_cast<int>(errors.size());
  if (errors.empty()) return band;
  std::sort(errors.begin(), errors.end());
  band.median = percentile(errors, 50);
  band.p90 = percentile(errors, 90);
  return band;
}

Comparison::Band band_of(const std::vector<ComparedPoint>& points, std::int64_t from,
                         std::int64_t to, double ComparedPoint::*error) {
  std::vector<double> errors;
  for (const ComparedPoint& p : points) {
    if (p.bytes >= from && p.bytes < to) errors.push_back(std::abs(p.*error));
  }
  return band_of(std::move(errors));
}

}  // namespace

AlphaBeta fit_alpha_beta(const Curve& measured) {
  std::vector<CurvePoint> points;
  for (const CurvePoint& point : measured.points) {
    if (point.time_us > 0) points.push_back(point);
  }
  if (points.empty()) return {};
  if (points.size() == 1) return {0, static_cast<double>(points[0].bytes) / points[0].time_us};
  // Dividing each equation by its time makes the residual the relative error.
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd a(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const CurvePoint& point = points[static_cast<std::size_t>(i)];
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
    if (time < 0 || point.time_us <= 0) continue;
    result.points.push_back({point.bytes, point.time_us, time, error_percent(time, point.time_us),
                             error_percent(result.fit.time_us(point.bytes), point.time_us)});
  }
  return result;
}

Comparison::Band Comparison::band(std::int64_t from, std::int64_t to) const {
  return band_of(points, from, to, &ComparedPoint::error_percent);
}

Comparison::Band Comparison::fit_band(std::int64_t from, std::int64_t to) const {
  return band_of(points, from, to, &ComparedPoint::fit_error_percent);
}

}  // namespace spineleaf
