#pragma once
// The common part of all leaf and spine fabrics: how many switches of each tier, then the cables.
//
// A leaf has `down` ports to hosts and `up` ports to the tier above. With two tiers every leaf
// reaches every spine over `up / spines` parallel links; `spines` is the smallest divisor of `up`
// whose ports suffice, so that the links of one leaf spread evenly (this gives the counts of
// NVIDIA's DGX SuperPOD tables). With three tiers leaves and aggregation switches form pods, and
// aggregation switch a of every pod reaches the cores l * aggs + a, l = 0, 1, ...: for radix k this
// is the k-ary fat tree, and host h hangs on leaf h / (k/2) in pod h / (k^2/4).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/builders/params.hpp"

namespace spineleaf {

/// What distinguishes the kinds built on a Clos fabric.
struct ClosShape {
  std::string_view name;
  bool rail_leaves = false;  ///< a leaf serves one NIC number of a group of hosts
  std::int64_t planes = 1;   ///< ports a NIC has, each in a fabric of its own
  std::int64_t sides = 1;    ///< ports a NIC has in the same fabric, on that many leaves
};

/// Counts of one plane. All are checked against the radix before anything is allocated.
struct ClosPlan {
  std::int64_t down = 0;    ///< ports of a leaf to hosts, at most
  std::int64_t up = 0;      ///< ports of a leaf to the tier above
  std::int64_t groups = 0;  ///< groups of leaves that serve the same hosts
  std::int64_t leaves = 0;
  std::int64_t leaves_per_pod = 0;
  std::int64_t pods = 1;
  std::int64_t spines_per_pod = 0;  ///< spines (two tiers: all of them) or aggregation switches
  std::int64_t spine_parallel = 0;  ///< cables from a leaf to each of them
  std::int64_t spine_up = 0;
  std::int64_t cores_per_spine = 0;  ///< cores that an aggregation switch reaches
  std::int64_t core_parallel = 0;

  std::int64_t spines() const { return pods * spines_per_pod; }
  std::int64_t cores() const { return spines_per_pod * cores_per_spine; }
};

/// Sizes the fabric; problems name the parameter that does not fit and what would.
ClosPlan plan_clos(const ClosParams& params, const ClosShape& shape,
                   std::vector<Problem>& problems);

/// Checks the ranges of `table`, plans, then cables.
BuildResult build_clos(const ClosParams& params, const ClosShape& shape, const ParamTable& table);

}  // namespace spineleaf
