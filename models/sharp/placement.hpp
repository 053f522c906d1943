#pragma once
// From a group as plain data to its rows in the switches and hosts that carry it.

#include <cstdint>
#include <vector>

#include "models/host/host.hpp"
#include "models/sharp/aggregator.hpp"
#include "models/sharp/group.hpp"

namespace spineleaf {

struct GroupPlaces {
  const Topology& topology;
  const std::vector<std::vector<PortSetup>>& ports;           ///< by node
  const std::vector<std::vector<std::uint16_t>>& app_of_job;  ///< by host, job
  std::uint16_t header = 0;                                   ///< bytes of a packet without data
};

/// Each end of a cable of the tree learns the row of the group at the other end. Members get the
/// next rows of their hosts, in their order.
void place_group(const AggregationGroup& group, const GroupPlaces& places,
                 std::vector<std::vector<AggregatorGroup>>& switches,
                 std::vector<HostSetup>& hosts);

}  // namespace spineleaf
