#pragma once
// Spreading LIDs over candidate links by load: the common end of minhop and updn.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "topologies/subnet/engines/plan.hpp"

namespace spineleaf {

/// Fills tables from candidate links: each host LID goes over the candidate with the fewest host
/// LIDs so far, the lowest port where several have; the further LIDs of a port go over other
/// candidates than its first ones while there are any. `aim(field, row)` prepares the hops to a
/// switch.
template <class Aim>
ForwardingTables spread_by_load(const EnginePlan& plan, Aim aim) {
  ForwardingTables tables = plan.make_tables();
  HopField field(plan.graph);
  std::vector<SwitchGraph::Link> links;
  std::vector<std::vector<std::uint32_t>> load(plan.graph.rows());
  for (std::uint32_t row = 0; row < load.size(); ++row) {
    load[row].resize(plan.subnet.switches[row].numbers.size());
  }
  std::uint32_t aimed = UINT32_MAX;
  for (const EnginePlan::Target& target : plan.targets) {
    if (target.row != aimed) aim(field, target.row);
    aimed = target.row;
    for (std::uint32_t row = 0; row < plan.graph.rows(); ++row) {
      field.candidates(row, links);
      if (links.empty()) continue;
      const auto used_before = [&](std::uint16_t port) {
        for (unsigned k = 1; k <= target.offset; ++k) {
          if (tables.at(row, target.lid - k) == port) return true;
        }
        return false;
      };
      std::uint16_t best = links[0].port;
      std::uint64_t least = UINT64_MAX;
      for (const SwitchGraph::Link& link : links) {
        const std::uint64_t repeated = target.offset > 0 && used_before(link.port) ? 1 : 0;
        const std::uint64_t cost = repeated << 32 | load[row][link.port];
        if (cost >= least) continue;
        least = cost;
        best = link.port;
      }
      tables.set(row, target.lid, best);
      if (target.host) ++load[row][best];
    }
  }
  return tables;
}

}  // namespace spineleaf
