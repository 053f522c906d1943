#include "validation/oracles/load_forms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace spineleaf {
namespace {

/// Weights of 0..most balls in one bin: Poisson with the mean load. Any common factor per ball
/// cancels in the end; this one keeps all numbers near one.
std::vector<double> bin_weights(double load, std::int64_t most) {
  std::vector<double> weights{std::exp(-load)};
  for (std::int64_t i = 1; i <= most; ++i) {
    weights.push_back(weights.back() * load / static_cast<double>(i));
  }
  return weights;
}

/// Coefficients 0..n of a product of two polynomials.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b,
                            std::size_t n) {
  std::vector<double> out(std::min(n + 1, a.size() + b.size() - 1), 0.0);
  for (std::size_t i = 0; i < std::min(a.size(), out.size()); ++i) {
    const std::size_t most = std::min(b.size(), out.size() - i);
    for (std::size_t j = 0; j < most; ++j) out[i + j] += a[i] * b[j];
  }
  return out;
}

/// Weight of all ways in which no bin of m has more than `most` of n balls.
double weight_at_most(std::int64_t n, std::int64_t m, std::int64_t most) {
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> power = bin_weights(static_cast<double>(n) / static_cast<double>(m), most);
  std::vector<double> sum{1.0};
  for (std::int64_t bins = m; bins > 0; bins /= 2) {
    if (bins % 2 == 1) sum = product(sum, power, count);
    if (bins > 1) power = product(power, power, count);
  }
  return sum.size() > count ? sum[count] : 0;
}

}  // namespace

double mm1_wait(double rho) { return rho / (1 - rho); }

double md1_wait(double rho) { return rho / (2 * (1 - rho)); }

LargestLoad largest_load(std::int64_t flows, std::int64_t links) {
  const double n = static_cast<double>(flows);
  // Weight of n balls without a limit: the Poisson probability of n at mean n.
  const double all = std::exp(n * std::log(n) - n - std::lgamma(n + 1));
  LargestLoad load;
  double square = 0;
  double before = 0;
  const std::int64_t even = (flows + links - 1) / links;
  for (std::int64_t most = even; most <= flows; ++most) {
    const double at_most = std::min(weight_at_most(flows, links, most) / all, 1.0);
    const double here = std::max(at_most - before, 0.0);
    const double k = static_cast<double>(most);
    load.mean += k * here;
    square += k * k * here;
    load.mean_inverse += here / k;
    before = at_most;
    if (at_most > 1 - 1e-12) break;
  }
  load.deviation = std::sqrt(std::max(square - load.mean * load.mean, 0.0));
  load.mean_speed = load.mean_inverse * n / static_cast<double>(links);
  return load;
}

double links_used(std::int64_t flows, std::int64_t links) {
  return -std::expm1(static_cast<double>(flows) * std::log1p(-1 / static_cast<double>(links)));
}

double loop_boundary(Rate line, std::int64_t ttl, std::int64_t switches) {
  const std::int64_t rounds = (ttl - 1 + switches - 1) / switches;
  return line.gbps() / static_cast<double>(rounds);
}

}  // namespace spineleaf
