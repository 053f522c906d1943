#pragma once
// Closed forms of load: waiting in a queue, hashing flows to links, packets that go round a loop.

#include <cstdint>

#include "sim/units.hpp"

namespace spineleaf {

/// Mean wait before service, in service times, at utilisation rho in [0, 1): Poisson arrivals, one
/// server, an unlimited queue. Exponential service (M/M/1): rho / (1 - rho). Constant service
/// (M/D/1, Pollaczek-Khinchine): rho / (2 (1 - rho)).
double mm1_wait(double rho);
double md1_wait(double rho);

/// The fullest of m links when n equal flows are hashed to them uniformly. Exact: the distribution
/// of the maximum from the m-fold convolution of truncated Poisson weights (balls in bins; Raab and
/// Steger, "Balls into Bins", RANDOM 1998, for the bounds).
struct LargestLoad {
  double mean = 0;          ///< E[max]
  double deviation = 0;     ///< standard deviation of max
  double mean_inverse = 0;  ///< E[1 / max]
  /// Speed of a collective that waits for its slowest flow, against a perfect spread: every link
  /// shares its rate among its flows, n/m flows a link would be even: E[(n/m) / max].
  double mean_speed = 0;
};
/// Requires 1 <= n <= 100,000 and 1 <= m <= 100,000.
LargestLoad largest_load(std::int64_t flows, std::int64_t links);

/// Share of links with at least one flow: 1 - (1 - 1/m)^n.
double links_used(std::int64_t flows, std::int64_t links);

/// Injected rate from which a routing loop of n switches deadlocks: packets with this TTL cross
/// each link of the loop ceil((TTL - 1) / n) times, so r = C / ceil((TTL - 1) / n).
double loop_boundary(Rate line, std::int64_t ttl, std::int64_t switches);

}  // namespace spineleaf
