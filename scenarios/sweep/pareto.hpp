#pragma once
// The points of a sweep that no other beats: the front of two metrics, and its picture.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/sweep/results.hpp"

namespace spineleaf {

struct ParetoRequest {
  std::string x;                     ///< a metric; which way is better it says itself
  std::string y;                     ///< another
  std::string colour;                ///< a metric or an axis; "" = none
  std::vector<std::string> filters;  ///< "drops==0", "fct_p99_us<100"; all must hold
};

struct ParetoPoint {
  std::size_t point = 0;  ///< number in points.csv
  double x = 0;
  double y = 0;
  double colour = 0;  ///< not a number = none
  bool on_front = false;
  std::string label;   ///< its axes
  std::string preset;  ///< the published ECN preset with the same thresholds, or ""
};

struct ParetoFront {
  std::string x, y, colour;         ///< names in full
  std::vector<ParetoPoint> points;  ///< those that pass the filters and have both figures
  std::vector<std::size_t> front;   ///< numbers in `points`, ascending in x
  std::optional<std::size_t> best;  ///< of the front: nearest to the best of both, each as a share
                                    ///< of the front's range
  std::size_t left_out = 0;         ///< points that did not pass or have no such figures
  std::vector<std::string> problems;
};

ParetoFront pareto_front(const std::vector<SweepColumn>& columns,
                         const std::vector<PointSummary>& points, const ParetoRequest& request);

/// A standalone SVG, for light and dark screens.
std::string pareto_svg(const ParetoFront& front, const std::string& title);

/// The front as CSV, ascending in x.
std::string pareto_csv(const ParetoFront& front, const std::vector<SweepColumn>& columns,
                       const std::vector<PointSummary>& points);

}  // namespace spineleaf
