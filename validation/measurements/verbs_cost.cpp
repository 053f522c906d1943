#include "validation/measurements/verbs_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace spineleaf {
namespace {

constexpr int kParameters = 3;
using Point = std::array<double, kParameters>;  ///< latency us, message us, Gb/s

constexpr Point kLowest = {0.2, 0.01, 1};
constexpr Point kHighest = {200, 50, 10'000};

VerbsCost cost_at(const Point& point) { return {point[0], point[1], point[2]}; }

double error_of(const Point& point, const VerbsRow& row) {
  return std::log(cost_at(point).us_per_message(row.bytes, row.depth, row.qps) / row.us);
}

double sum_of_squares(const Point& point, const std::vector<VerbsRow>& rows) {
  double sum = 0;
  for (const VerbsRow& row : rows) sum += std::pow(error_of(point, row), 2);
  return sum;
}

/// Steps of each parameter by factors, ever smaller: the sum has kinks, and three parameters.
Point descend(Point point, const std::vector<VerbsRow>& rows, int held) {
  double best = sum_of_squares(point, rows);
  for (double step = 1.5; step > 1.0002;) {
    bool moved = false;
    for (int i = 0; i < kParameters; ++i) {
      if (i == held) continue;
      for (const double factor : {step, 1 / step}) {
        Point next = point;
        const auto at = static_cast<std::size_t>(i);
        next[at] = std::clamp(point[at] * factor, kLowest[at], kHighest[at]);
        const double sum = sum_of_squares(next, rows);
        if (sum >= best) continue;
        best = sum;
        point = next;
        moved = true;
      }
    }
    if (!moved) step = std::sqrt(step);
  }
  return point;
}

/// How far a parameter may go before the rest can no longer make up for it.
double end_of_interval(const Point& fitted, const std::vector<VerbsRow>& rows, int which,
                       bool upward, double allowed) {
  const auto at = static_cast<std::size_t>(which);
  Point point = fitted;
  for (int steps = 0; steps < 400; ++steps) {
    Point next = point;
    next[at] *= upward ? 1.01 : 1 / 1.01;
    if (next[at] > kHighest[at] || next[at] < kLowest[at]) break;
    next = descend(next, rows, which);
    if (sum_of_squares(next, rows) > allowed) break;
    point = next;
  }
  return point[at];
}

}  // namespace

double VerbsCost::us_per_message(std::int64_t bytes, std::int64_t depth, std::int64_t qps) const {
  const double wire = static_cast<double>(bytes) * 8 / gbps / 1e3;
  const auto pairs = static_cast<double>(qps);
  return std::max({wire, (message_us + wire) / pairs,
                   (latency_us + wire) / (pairs * static_cast<double>(depth))});
}

FittedVerbsCost fit_verbs_cost(const std::vector<VerbsRow>& given, std::string& problem) {
  std::vector<VerbsRow> rows;
  for (const VerbsRow& row : given) {
    if (row.bytes > 0 && row.depth > 0 && row.qps > 0 && row.us > 0) rows.push_back(row);
  }
  FittedVerbsCost out;
  if (rows.size() < kParameters) {
    problem = "three measurements or more are needed, of several sizes and depths";
    return out;
  }
  problem.clear();
  double rate = 1;
  for (const VerbsRow& row : rows) {
    rate = std::max(rate, static_cast<double>(row.bytes) * 8 / row.us / 1e3);
  }
  Point best{};
  double least = std::numeric_limits<double>::infinity();
  for (const double latency : {1.0, 4.0, 12.0}) {
    for (const double message : {0.1, 0.5, 2.0}) {
      const Point point = descend({latency, message, rate}, rows, -1);
      const double sum = sum_of_squares(point, rows);
      if (sum < least) least = sum, best = point;
    }
  }
  // A chi-square of 2.71 with one degree of freedom is 90 %; at least 1 % of error in each row.
  const double variance =
      std::max(least / std::max(1.0, static_cast<double>(rows.size()) - kParameters), 1e-4);
  Point low{};
  Point high{};
  for (int i = 0; i < kParameters; ++i) {
    const auto at = static_cast<std::size_t>(i);
    low[at] = end_of_interval(best, rows, i, false, least + 2.71 * variance);
    high[at] = end_of_interval(best, rows, i, true, least + 2.71 * variance);
    double most = 0;
    for (const VerbsRow& row : rows) {
      Point moved = best;
      moved[at] *= 1.05;
      const double change = std::fabs(error_of(moved, row) - error_of(best, row));
      if (change > most) most = change, out.fixed_by[i] = row;
    }
    out.known[i] = high[at] < 2 * low[at];
  }
  out.cost = cost_at(best);
  out.low = cost_at(low);
  out.high = cost_at(high);
  for (const VerbsRow& row : rows) {
    out.worst_pct = std::max(out.worst_pct, 100 * (std::exp(std::fabs(error_of(best, row))) - 1));
  }
  return out;
}

double step_us(std::int64_t step_bytes, double gbytes) {
  return gbytes > 0 ? static_cast<double>(step_bytes) / gbytes / 1e3 : 0;
}

bool end_point_binds(const VerbsCost& nic, std::int64_t step_bytes, double gbytes) {
  return step_us(step_bytes, gbytes) > 2 * nic.us_per_message(step_bytes, 8, 1);
}

}  // namespace spineleaf
