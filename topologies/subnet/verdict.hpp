#pragma once
// The verdict on credit loops of a subnet's routes, with their virtual lanes.

#include <string>
#include <vector>

#include "topologies/channel_graph.hpp"
#include "topologies/subnet/tables.hpp"

namespace spineleaf {

struct CreditLoop {
  std::vector<std::uint32_t> buffers;  ///< in order; numbered as in ChannelGraph
  std::uint32_t lane = 0;
  std::vector<Witness> routes;  ///< route i holds buffer i and waits for buffer i + 1
};

struct LoopVerdict {
  CycleReport cycles;
  std::vector<CreditLoop> loops;  ///< the cycles that are listed
  std::size_t dependencies = 0;   ///< pairs of buffers of which one can wait for the other
};

/// Looks at routes between hosts, all their LIDs. A loop is needed for a deadlock, not enough.
LoopVerdict credit_loops(const Subnet& subnet, const SubnetRoutes& routes);

/// "leaf1:9 > spine1:1": a channel by the numbers on the boxes.
std::string channel_text(const Subnet& subnet, std::uint32_t channel);

}  // namespace spineleaf
