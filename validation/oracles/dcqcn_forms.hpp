#pragma once
// Fixed point of DCQCN's fluid model: the queue at which N equal flows share a link.
//
// Y. Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY" (CoNEXT 2016). A
// packet simulator of the same parameters settles 22-31 % above this queue, so it is an anchor for
// order and trend, not a value to be met.

#include <cstdint>

#include "sim/units.hpp"

namespace spineleaf {

struct DcqcnFluid {
  Rate line = Rate::from_gbps(40);
  Bytes packet{1000};
  Bytes kmin{5'000}, kmax{200'000};
  double pmax = 0.01;
  Time cnp_interval = Time::from_us(50);  ///< tau: between CNPs of a flow
  Time alpha_timer = Time::from_us(55);   ///< tau': between updates of alpha
  Time rate_timer = Time::from_us(55);    ///< T: rpg_time_reset
  Bytes byte_counter{10'000'000};         ///< B: rpg_byte_reset
  std::int64_t threshold = 5;             ///< F: rpg_threshold
  Rate ai_rate{40'000'000};               ///< R_AI: rpg_ai_rate
};

/// Marking probability at which the rates of `flows` equal flows stand still at C/N. With rates in
/// packets a second, B in packets, R = C/N: a^2 alpha / ((b + d)(c + e)) = tau^2 R_AI R with
/// a = 1-(1-p)^(tau R), alpha = 1-(1-p)^(tau' R), b = p / ((1-p)^-B - 1), c = (1-p)^(F B) b,
/// d = p / ((1-p)^-(T R) - 1), e = (1-p)^(F T R) d. Solved by bisection.
double dcqcn_marking(const DcqcnFluid& model, std::int64_t flows);

/// The queue with that probability: kmin + (kmax - kmin) p / pmax. Where p > pmax there is none:
/// the queue swings about kmax; then -1.
double dcqcn_queue_bytes(const DcqcnFluid& model, std::int64_t flows);

/// The same probability for small p, cbrt(R_AI N^2 / (tau' C^2) (1/B + N/(T C))^2): it overstates
/// the exact one by a fifth to a third, and is here to show that.
double dcqcn_marking_approximation(const DcqcnFluid& model, std::int64_t flows);

/// Growth of one flow's rate once it is alone, in Gb/s a second: ai_rate per rate timer.
double dcqcn_recovery_slope(Rate increase, Time rate_timer);

}  // namespace spineleaf
