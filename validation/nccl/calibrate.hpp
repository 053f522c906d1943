#pragma once
// Fitting the costs of the end-point model on measured sweeps: least squares of log(model/measured)
// with priors and physical bounds, Levenberg-Marquardt on the logarithms of the costs.
//
// Costs belong to a GPU, to a network or to NCCL itself, and all sets with the same owner share
// them. What no set of an owner can tell stays at its prior, and is said so.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validation/nccl/platform.hpp"
#include "validation/nccl/sets.hpp"

namespace spineleaf {

/// A cost of an owner: {"hopper", Cost::Launch}, {"ib", Cost::NetLl}, {"nccl", ...}.
using CostKey = std::pair<std::string, Cost>;
std::string to_text(const CostKey& key);

struct FittedCost {
  CostKey key;
  double value = 0;
  double low = 0, high = 0;  ///< 90 % interval
  double deviation = 0;      ///< of the logarithm, after the fit
  bool identified = false;   ///< the data narrowed the prior by a third at least
  bool at_bound = false;     ///< on a physical bound: schedule or selection is probably wrong
};

struct CorrelatedCosts {
  CostKey a, b;
  double correlation = 0;
};

struct CalibrationOptions {
  int starts = 3;  ///< the first from the priors, the others displaced
  std::uint64_t seed = 1;
};

struct Calibration {
  std::vector<FittedCost> costs;
  std::vector<CorrelatedCosts> correlated;  ///< |correlation| >= 0.9: only their sum is known
  std::vector<double> covariance;           ///< of the logarithms, row by row in the order of costs
  std::vector<std::string> warnings;
  std::size_t points = 0;
  double sum_of_squares = 0;  ///< at the end, priors included
  double start_spread = 0;    ///< largest relative difference of that sum between starts
  int iterations = 0;

  /// The costs that a platform has: of its owners where they were fitted, else the geometric mean
  /// of the owners most like it, else the prior. `remarks` says which.
  EndpointCosts costs_of(const Platform& platform, std::vector<std::string>* remarks) const;
};

struct CalibrationSet {
  std::string id;
  Platform platform;
  std::vector<MeasuredPoint> points;
};

Calibration calibrate(const std::vector<CalibrationSet>& sets, const CalibrationOptions& options);

}  // namespace spineleaf
