#pragma once
// CollectiveGroups: the groups in the switches that a schedule needs, one for each of its outputs
// into them. All nodes list theirs in the same order, so the k-th of each belong together.

#include <cstdint>
#include <string>
#include <vector>

#include "models/sharp/manager.hpp"
#include "models/workloads/collective_build.hpp"

namespace spineleaf {

class CollectiveGroups {
 public:
  CollectiveGroups(const WorkloadContext& context, const HostTable& table,
                   const CollectivePlan& plan);

  /// Why the switches don't do it; empty = they do.
  const std::string& refusal() const { return grant_.refusal; }
  /// The next output of a node: its member, to which results come back with these cookies.
  MemberRow join(std::uint32_t node, std::uint32_t sent_cookie, std::uint32_t received_cookie);
  std::vector<AggregationGroup> take() { return std::move(grant_.groups); }

 private:
  AggregationGrant grant_;
  std::vector<std::uint32_t> group_of_;  ///< of the k-th output
  std::vector<std::uint32_t> joined_;    ///< by node
};

}  // namespace spineleaf
