#include "validation/nccl/calibrate.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/random.hpp"

namespace spineleaf {
namespace {

constexpr double kSigma = 0.06;  ///< scatter of a healthy measurement, relative
constexpr double kHuber = 2.5;   ///< residuals beyond this many sigmas pull only linearly
constexpr double kStep = 1e-3;   ///< of the logarithm, for derivatives
constexpr int kMostIterations = 60;
constexpr double kUnexplained = 0.2;  ///< median error of a set, logarithm
constexpr double kFar = 3;            ///< spreads of the prior
constexpr double kIdentified = 0.67;
constexpr double kCorrelated = 0.9;
constexpr double kNormal90 = 1.645;
constexpr double kStartsAgree = 0.01;

const std::string kNccl = "nccl";

const std::string& owner_of(const Platform& platform, Cost cost) {
  switch (info_of(cost).owner) {
    case CostOwner::Gpu: return platform.gpu_group;
    case CostOwner::Network: return platform.network_group;
    case CostOwner::Nccl: return kNccl;
  }
  return kNccl;
}

struct Observation {
  std::size_t set = 0;
  std::int64_t bytes = 0;
  double log_time = 0;
  PlatformChoice choice;
};

/// The least-squares problem: unknowns are log(cost / prior).
class Fit {
 public:
  explicit Fit(const std::vector<CalibrationSet>& sets) : sets_(sets) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      std::vector<int> columns(kCosts, -1);
      for (std::size_t c = 0; c < kCosts; ++c) {
        const auto cost = static_cast<Cost>(c);
        if (info_of(cost).spread > 0) columns[c] = column(owner_of(sets[s].platform, cost), cost);
      }
      columns_.push_back(std::move(columns));
      for (const MeasuredPoint& point : sets[s].points) {
        observations_.push_back(
            {s, point.bytes, std::log(point.time_us), choice_of(sets[s].platform, point.bytes)});
      }
    }
  }

  Eigen::Index unknowns() const { return static_cast<Eigen::Index>(keys_.size()); }
  const std::vector<CostKey>& keys() const { return keys_; }
  std::size_t points() const { return observations_.size(); }

  double prior_spread(Eigen::Index i) const { return info(i).spread; }
  double low(Eigen::Index i) const { return std::log(info(i).low / info(i).prior); }
  double high(Eigen::Index i) const { return std::log(info(i).high / info(i).prior); }
  double value(Eigen::Index i, double x) const { return info(i).prior * std::exp(x); }

  /// Weighted residuals of the data, and of the priors behind them.
  Eigen::VectorXd residuals(const Eigen::VectorXd& x) const {
    Eigen::VectorXd r(rows());
    for (std::size_t i = 0; i < observations_.size(); ++i) {
      r(static_cast<Eigen::Index>(i)) = residual(i, costs(observations_[i].set, x));
    }
    for (Eigen::Index j = 0; j < unknowns(); ++j) r(data() + j) = x(j) / prior_spread(j);
    return r;
  }

  Eigen::MatrixXd jacobian(const Eigen::VectorXd& x, const Eigen::VectorXd& r) const {
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(rows(), unknowns());
    for (std::size_t i = 0; i < observations_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const std::vector<int>& columns = columns_[observations_[i].set];
      EndpointCosts here = costs(observations_[i].set, x);
      for (std::size_t c = 0; c < kCosts; ++c) {
        if (columns[c] < 0) continue;
        const double before = here[static_cast<Cost>(c)];
        here[static_cast<Cost>(c)] = before * std::exp(kStep);
        jacobian(row, columns[c]) = (residual(i, here) - r(row)) / kStep;
        here[static_cast<Cost>(c)] = before;
      }
    }
    for (Eigen::Index j = 0; j < unknowns(); ++j) jacobian(data() + j, j) = 1 / prior_spread(j);
    return jacobian;
  }

 private:
  const CostInfo& info(Eigen::Index i) const {
    return info_of(keys_[static_cast<std::size_t>(i)].second);
  }
  Eigen::Index data() const { return static_cast<Eigen::Index>(observations_.size()); }
  Eigen::Index rows() const { return data() + unknowns(); }

  int column(const std::string& owner, Cost cost) {
    const CostKey key{owner, cost};
    const auto it = std::find(keys_.begin(), keys_.end(), key);
    if (it != keys_.end()) return static_cast<int>(it - keys_.begin());
    keys_.push_back(key);
    return static_cast<int>(keys_.size()) - 1;
  }

  EndpointCosts costs(std::size_t set, const Eigen::VectorXd& x) const {
    EndpointCosts out = prior_costs();
    for (std::size_t c = 0; c < kCosts; ++c) {
      const int column = columns_[set][c];
      if (column >= 0) out[static_cast<Cost>(c)] *= std::exp(x(column));
    }
    return out;
  }

  /// In units of kSigma, softened beyond kHuber so that one odd size can't bend a fit.
  double residual(std::size_t i, const EndpointCosts& costs) const {
    const Observation& seen = observations_[i];
    const Platform& platform = sets_[seen.set].platform;
    const double time = time_of(platform, costs, seen.choice, seen.bytes).time_us;
    const double r = (std::log(time) - seen.log_time) / kSigma;
    const double size = std::abs(r);
    return size <= kHuber ? r : std::copysign(std::sqrt(kHuber * (2 * size - kHuber)), r);
  }

  const std::vector<CalibrationSet>& sets_;
  std::vector<CostKey> keys_;
  std::vector<std::vector<int>> columns_;  ///< by set and cost; -1 = held
  std::vector<Observation> observations_;
};

struct Optimum {
  Eigen::VectorXd x;
  double cost = 0;
  int iterations = 0;
};

Eigen::VectorXd clamped(const Fit& fit, Eigen::VectorXd x) {
  for (Eigen::Index j = 0; j < fit.unknowns(); ++j) {
    x(j) = std::clamp(x(j), fit.low(j), fit.high(j));
  }
  return x;
}

/// Marquardt's damping on the scaled diagonal; a step over a bound ends on it.
Optimum minimise(const Fit& fit, Eigen::VectorXd x) {
  Optimum best;
  best.x = clamped(fit, std::move(x));
  Eigen::VectorXd r = fit.residuals(best.x);
  best.cost = r.squaredNorm();
  double damping = 1e-2;
  for (; best.iterations < kMostIterations; ++best.iterations) {
    const Eigen::MatrixXd j = fit.jacobian(best.x, r);
    const Eigen::MatrixXd normal = j.transpose() * j;
    const Eigen::VectorXd gradient = j.transpose() * r;
    const double before = best.cost;
    while (damping < 1e8) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal() *= 1 + damping;
      const Eigen::VectorXd next = clamped(fit, best.x - damped.ldlt().solve(gradient));
      const Eigen::VectorXd tried = fit.residuals(next);
      const double cost = tried.squaredNorm();
      if (cost < best.cost) {
        best.x = next;
        best.cost = cost;
        r = tried;
        damping = std::max(damping / 5, 1e-9);
        break;
      }
      damping *= 4;
    }
    if (before - best.cost <= 1e-5 * before) break;
  }
  return best;
}

/// A start displaced by up to one prior spread in each unknown.
Eigen::VectorXd displaced(const Fit& fit, std::uint64_t seed, int start) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(fit.unknowns());
  for (Eigen::Index j = 0; start > 0 && j < fit.unknowns(); ++j) {
    const std::uint64_t bits = draw(seed, Purpose::HostNoise, static_cast<std::uint64_t>(start),
                                    static_cast<std::uint64_t>(j), 0, 0);
    const double unit = static_cast<double>(bits >> 11) / 9007199254740992.0;
    x(j) = (2 * unit - 1) * fit.prior_spread(j);
  }
  return x;
}

void describe(const Fit& fit, const Optimum& best, Calibration& out) {
  const Eigen::VectorXd r = fit.residuals(best.x);
  const Eigen::MatrixXd j = fit.jacobian(best.x, r);
  const Eigen::MatrixXd covariance =
      (j.transpose() * j).ldlt().solve(Eigen::MatrixXd::Identity(fit.unknowns(), fit.unknowns()));
  for (Eigen::Index i = 0; i < fit.unknowns(); ++i) {
    FittedCost cost;
    cost.key = fit.keys()[static_cast<std::size_t>(i)];
    cost.value = fit.value(i, best.x(i));
    cost.deviation = std::sqrt(covariance(i, i));
    cost.low = cost.value * std::exp(-kNormal90 * cost.deviation);
    cost.high = cost.value * std::exp(kNormal90 * cost.deviation);
    cost.identified = cost.deviation < kIdentified * fit.prior_spread(i);
    cost.at_bound = best.x(i) <= fit.low(i) + 1e-9 || best.x(i) >= fit.high(i) - 1e-9;
    if (cost.at_bound) {
      out.warnings.push_back(to_text(cost.key) +
                             " ends on its physical bound: the schedule or the "
                             "choice of algorithm is probably wrong");
    }
    const double away = std::abs(best.x(i)) / fit.prior_spread(i);
    if (!cost.at_bound && away > kFar) {
      out.warnings.push_back(to_text(cost.key) + " ends far from what is known of it (" +
                             std::to_string(std::lround(away)) +
                             " spreads of its prior): another cost may hide in it");
    }
    out.costs.push_back(std::move(cost));
  }
  out.covariance.assign(covariance.data(), covariance.data() + covariance.size());
  for (Eigen::Index a = 0; a < fit.unknowns(); ++a) {
    for (Eigen::Index b = a + 1; b < fit.unknowns(); ++b) {
      const double correlation = covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
      if (std::abs(correlation) < kCorrelated) continue;
      out.correlated.push_back({fit.keys()[static_cast<std::size_t>(a)],
                                fit.keys()[static_cast<std::size_t>(b)], correlation});
    }
  }
}

/// Sets that no costs within their bounds describe: their schedule, choice or health is another.
void warn_of_unexplained(const std::vector<CalibrationSet>& sets, Calibration& out) {
  for (const CalibrationSet& set : sets) {
    const EndpointCosts costs = out.costs_of(set.platform, nullptr);
    std::vector<double> errors;
    for (const MeasuredPoint& point : set.points) {
      const double time = platform_time(set.platform, costs, point.bytes).time_us;
      errors.push_back(std::abs(std::log(time / point.time_us)));
    }
    if (errors.empty()) continue;
    std::nth_element(errors.begin(),
                     errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2), errors.end());
    if (errors[errors.size() / 2] > kUnexplained) {
      out.warnings.push_back(set.id +
                             " is not explained by any costs within their bounds: "
                             "schedule, choice of algorithm or health are not as assumed");
    }
  }
}

/// Owners of fitted costs from which a stranger's are averaged: those with the same beginning
/// ("roce-gib" for "roce"), else those that speak RDMA, else none.
std::vector<std::string> kin_of(const std::string& owner, const std::set<std::string>& fitted) {
  std::vector<std::string> kin;
  const std::string stem = owner.substr(0, owner.find('-'));
  for (const std::string& other : fitted) {
    if (other.starts_with(stem)) kin.push_back(other);
  }
  if (kin.empty() && fitted.count("ib") > 0) kin.push_back("ib");
  return kin;
}

}  // namespace

std::string to_text(const CostKey& key) {
  return key.first + "." + std::string(info_of(key.second).name);
}

Calibration calibrate(const std::vector<CalibrationSet>& sets, const CalibrationOptions& options) {
  const Fit fit(sets);
  Calibration out;
  out.points = fit.points();
  Optimum best;
  for (int start = 0; start < std::max(1, options.starts); ++start) {
    Optimum found = minimise(fit, displaced(fit, options.seed, start));
    out.iterations += found.iterations;
    if (start == 0) {
      best = std::move(found);
      continue;
    }
    const double least = std::min(best.cost, found.cost);
    const double spread = std::abs(found.cost - best.cost) / std::max(least, 1e-9);
    out.start_spread = std::max(out.start_spread, spread);
    if (found.cost < best.cost) best = std::move(found);
  }
  out.sum_of_squares = best.cost;
  if (out.start_spread > kStartsAgree) {
    out.warnings.push_back(
        "different starts end in different optima: the data do not fix the "
        "costs that are marked as not identified");
  }
  describe(fit, best, out);
  warn_of_unexplained(sets, out);
  return out;
}

EndpointCosts Calibration::costs_of(const Platform& platform,
                                    std::vector<std::string>* remarks) const {
  std::map<std::string, std::map<Cost, double>> by_owner;
  std::set<std::string> owners;
  for (const FittedCost& cost : costs) {
    by_owner[cost.key.first][cost.key.second] = cost.value;
    owners.insert(cost.key.first);
  }
  EndpointCosts out = prior_costs();
  std::set<std::string> told;
  for (std::size_t c = 0; c < kCosts; ++c) {
    const auto cost = static_cast<Cost>(c);
    if (info_of(cost).spread <= 0) continue;
    const std::string& owner = owner_of(platform, cost);
    const auto own = by_owner.find(owner);
    if (own != by_owner.end() && own->second.count(cost) > 0) {
      out[cost] = own->second.at(cost);
      continue;
    }
    std::vector<double> values;
    if (info_of(cost).owner == CostOwner::Network && owner != "local") {
      for (const std::string& kin : kin_of(owner, owners)) {
        const auto it = by_owner[kin].find(cost);
        if (it != by_owner[kin].end()) values.push_back(it->second);
      }
    }
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    if (!values.empty()) out[cost] = std::exp(sum / static_cast<double>(values.size()));
    if (remarks != nullptr && owner != "local" && told.insert(owner).second) {
      remarks->push_back("nothing was calibrated on \"" + owner +
                         "\": " + (values.empty() ? "priors" : "the mean of its kin") + " instead");
    }
  }
  return out;
}

}  // namespace spineleaf
