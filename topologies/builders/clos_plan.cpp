#include <algorithm>
#include <cmath>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/clos.hpp"

namespace spineleaf {

namespace {

/// Uplinks that `down` links of `down_speed` need at the given oversubscription. The small margin
/// keeps an exact ratio written as a decimal from costing one more link.
std::int64_t uplinks(std::int64_t down, Rate down_speed, Rate up_speed, double oversubscription) {
  const double need = static_cast<double>(down) * static_cast<double>(down_speed.bits_per_second) /
                      (oversubscription * static_cast<double>(up_speed.bits_per_second));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(need - 1e-6)));
}

/// The most downlinks of a switch whose uplinks still fit beside them.
std::int64_t most_downlinks(std::int64_t radix, Rate down_speed, Rate up_speed,
                            double oversubscription) {
  std::int64_t down = radix - 1;
  while (down > 0 && down + uplinks(down, down_speed, up_speed, oversubscription) > radix) --down;
  return down;
}

/// The smallest divisor of `n` that is at least `least`; 0 if there is none.
std::int64_t divisor_from(std::int64_t n, std::int64_t least) {
  for (std::int64_t d = std::max<std::int64_t>(1, least); d <= n; ++d) {
    if (n % d == 0) return d;
  }
  return 0;
}

struct Planner {
  const ClosParams& params;
  const ClosShape& shape;
  std::vector<Problem>& problems;
  ClosPlan plan;
  Rate host_speed = speed_or(params.host_speed, params.speed);
  Rate spine_speed = speed_or(params.spine_speed, params.speed);
  Rate core_speed = speed_or(params.core_speed, params.speed);
  std::int64_t spine_radix = params.spine_radix > 0 ? params.spine_radix : params.radix;

  void leaf_tier() {
    const bool top = params.tiers == 1;
    const std::int64_t most =
        top ? params.radix
            : most_downlinks(params.radix, host_speed, spine_speed, params.oversubscription);
    plan.down = params.leaf_ports_down > 0 ? params.leaf_ports_down : most;
    if (plan.down > most || plan.down < 1) {
      problems.push_back(
          make_error(params.leaf_ports_down > 0 ? "leaf_ports_down" : "radix",
                     "a leaf has too few ports for its hosts and their uplinks",
                     std::to_string(params.leaf_ports_down > 0 ? plan.down : params.radix),
                     "leaf_ports_down of at most " + std::to_string(most),
                     "Use a larger radix or more oversubscription"));
      return;
    }
    if (!top) {
      plan.up = uplinks(plan.down, host_speed, spine_speed, params.oversubscription);
    }
    const std::int64_t lanes = shape.rail_leaves ? params.nics_per_host : 1;
    const std::int64_t ports =
        shape.rail_leaves ? params.hosts : params.hosts * params.nics_per_host;
    plan.groups = ceil_div(ports, plan.down);
    plan.leaves = plan.groups * lanes * shape.sides;
    plan.leaves_per_pod = plan.leaves;
    if (top && plan.groups > 1) {
      problems.push_back(make_error("tiers", "one tier of leaves does not join all hosts",
                                    std::to_string(plan.groups) + " groups of leaves",
                                    "2 or 3 tiers, or at most " + std::to_string(plan.down) +
                                        (shape.rail_leaves ? " hosts" : " NICs")));
    }
  }

  /// Sets spines_per_pod and spine_parallel for the leaves that share them.
  void spine_tier(std::int64_t leaves) {
    if (params.parallel > 0) {
      plan.spine_parallel = params.parallel;
      plan.spines_per_pod = plan.up / params.parallel;
      if (plan.up % params.parallel != 0) {
        problems.push_back(make_error("parallel", "does not divide the uplinks of a leaf",
                                      std::to_string(params.parallel),
                                      "a divisor of " + std::to_string(plan.up)));
      } else if (leaves * params.parallel > spine_radix) {
        too_many_leaves(leaves * params.parallel);
      }
      return;
    }
    plan.spines_per_pod = divisor_from(plan.up, ceil_div(leaves * plan.up, spine_radix));
    if (plan.spines_per_pod == 0) return too_many_leaves(leaves);
    plan.spine_parallel = plan.up / plan.spines_per_pod;
  }

  void too_many_leaves(std::int64_t ports) {
    const char* hint = params.tiers == 2 ? "Use 3 tiers, a larger radix or fewer hosts"
                                         : "Use fewer leaves_per_pod or a larger radix";
    problems.push_back(make_error(params.spine_radix > 0 ? "spine_radix" : "radix",
                                  "a spine has too few ports to reach every leaf",
                                  std::to_string(spine_radix), "at least " + std::to_string(ports),
                                  hint));
  }

  /// Pods as large as an aggregation switch allows, in whole rail groups where there are any.
  void pods() {
    const std::int64_t parallel = std::max<std::int64_t>(1, params.parallel);
    const std::int64_t most =
        most_downlinks(spine_radix, spine_speed, core_speed, params.spine_oversubscription) /
        parallel;
    std::int64_t size = params.leaves_per_pod > 0 ? params.leaves_per_pod : most;
    const std::int64_t unit = plan.leaves / plan.groups;
    if (params.leaves_per_pod == 0 && size > unit) size -= size % unit;
    if (size > most || size < 1) {
      problems.push_back(make_error("leaves_per_pod",
                                    "an aggregation switch has too few ports for its leaves and "
                                    "their uplinks",
                                    std::to_string(size), "at most " + std::to_string(most)));
      return;
    }
    plan.leaves_per_pod = std::min(size, plan.leaves);
    plan.pods = ceil_div(plan.leaves, plan.leaves_per_pod);
    plan.spine_parallel = parallel;
    plan.spines_per_pod = plan.up / parallel;
    if (plan.up % parallel != 0) {
      problems.push_back(make_error("parallel", "does not divide the uplinks of a leaf",
                                    std::to_string(parallel),
                                    "a divisor of " + std::to_string(plan.up)));
    }
  }

  void core_tier() {
    plan.spine_up = uplinks(plan.leaves_per_pod * plan.spine_parallel, spine_speed, core_speed,
                            params.spine_oversubscription);
    plan.cores_per_spine =
        divisor_from(plan.spine_up, ceil_div(plan.pods * plan.spine_up, spine_radix));
    if (plan.cores_per_spine == 0) {
      problems.push_back(make_error(
          "hosts", "three tiers of this radix reach fewer hosts", std::to_string(params.hosts),
          "at most " + std::to_string(spine_radix) + " pods, not " + std::to_string(plan.pods),
          "Use a larger radix"));
      return;
    }
    plan.core_parallel = plan.spine_up / plan.cores_per_spine;
  }
};

void check_fits(const ClosParams& params, const ClosShape& shape, const ClosPlan& plan,
                std::vector<Problem>& problems) {
  const std::int64_t cables = params.hosts * params.nics_per_host * shape.sides +
                              plan.leaves * plan.up + plan.spines() * plan.spine_up;
  const std::int64_t switches = plan.leaves + plan.spines() + plan.cores();
  check_size(
      {params.hosts, switches * shape.planes, cables * shape.planes, plan.leaves * shape.planes},
      problems);
}

}  // namespace

ClosPlan plan_clos(const ClosParams& params, const ClosShape& shape,
                   std::vector<Problem>& problems) {
  Planner planner{params, shape, problems, {}};
  planner.leaf_tier();
  if (!has_errors(problems) && params.tiers == 2) planner.spine_tier(planner.plan.leaves);
  if (!has_errors(problems) && params.tiers == 3) {
    planner.pods();
    if (!has_errors(problems)) planner.core_tier();
  }
  if (has_errors(problems)) return {};
  check_fits(params, shape, planner.plan, problems);
  if (params.tiers > 1 && planner.plan.leaves == 1) {
    problems.push_back(make_note("hosts", "all hosts fit on one leaf: no traffic crosses a spine",
                                 std::to_string(params.hosts), {},
                                 "Use a smaller radix or leaf_ports_down to spread them"));
  }
  return planner.plan;
}

}  // namespace spineleaf
