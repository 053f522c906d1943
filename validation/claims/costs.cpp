// Claims about buffers and money, as far as formulas go.

#include <cmath>

#include "scenarios/headroom.hpp"
#include "scenarios/output/text.hpp"
#include "validation/claims/evaluators.hpp"

namespace spineleaf {
namespace {

/// Headroom of 64 ports of 400 Gb/s against the lossless pool that SONiC ships for a switch of that
/// class: 158,229,504 B (sonic-buildimage, device/mellanox SN5600, buffers_defaults_t1.j2).
ClaimTrials deep_buffers() {
  constexpr double kPool = 158'229'504;
  ClaimTrials trials;
  for (const double metres : {5.0, 20.0, 300.0}) {
    HeadroomQuestion question;
    question.rate = Rate::from_gbps(400);
    question.cable = metres;
    question.frame = 4198;
    question.pause_frame = 84;
    question.small_packets = 1;
    question.asic = *find_headroom_asic("spectrum-4");
    const double bytes = 64.0 * static_cast<double>(headroom(question)->xoff);
    trials.push_back(
        {"64 ports of 400 Gb/s, cables of " + fixed_text(metres, 0) +
             " m, one lossless class, SONiC's formula with nothing but packets of 64 "
             "bytes: headroom does not fit into the 158 MB of a switch on one chip",
         fixed_text(bytes / 1e6, 1) + " MB, " + fixed_text(bytes / kPool * 100, 0) + " % of it",
         bytes > kPool});
  }
  return trials;
}

ClaimTrials tenth_of_a_cluster() {
  constexpr double kCluster = 10e6, kHit = 0.1;
  const auto money = [](double dollars) {
    return count_text(static_cast<std::int64_t>(std::llround(dollars))) + " $";
  };
  const double share = kCluster * kHit;
  const double longer = kCluster / (1 - kHit) - kCluster;
  return {{"a tenth of the capital", money(share), std::llround(share) == 1'000'000},
          {"the same work at nine tenths of the speed takes " +
               fixed_text((1 / (1 - kHit) - 1) * 100, 1) + " % more of it",
           money(longer), longer >= 1e6}};
}

constexpr ClaimEvaluator kCostClaims[] = {
    {"S56", deep_buffers, "headroom --speed 400Gbps --cable 5m 20m 300m"},
    {"S67", tenth_of_a_cluster, ""},
};

}  // namespace

std::span<const ClaimEvaluator> cost_claims() { return kCostClaims; }

}  // namespace spineleaf
