#pragma once
// Buffer dependencies: which directed cables can wait for which (Dally and Seitz, "Deadlock-Free
// Message Routing in Multiprocessor Interconnection Networks", 1987). A lossless fabric can
// deadlock only if this graph has a cycle.
//
// A channel is one direction of a cable, numbered 2 * cable + (0: from end a to b, 1: from b to a).
// Only channels between switches appear: a host consumes what it receives.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topologies/paths.hpp"
#include "topologies/routes.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// Channel c can wait for the channels to[from[c]] .. to[from[c + 1] - 1].
struct ChannelGraph {
  std::vector<std::size_t> from;
  std::vector<std::uint32_t> to;

  std::span<const std::uint32_t> waits_for(std::uint32_t channel) const {
    return {to.data() + from[channel], from[channel + 1] - from[channel]};
  }
};

/// Dependencies that traffic between any endpoints can make over every candidate of `routes`, and
/// those of the pinned `paths`; either may be nullptr. Works on groups of endpoints: 8,192 hosts
/// take well under a second.
ChannelGraph channel_dependencies(const Topology& topology, const Routes* routes,
                                  const PathTable* paths = nullptr);

struct CycleReport {
  bool has_cycle = false;
  std::size_t channels_in_cycles = 0;  ///< channels that lie on some cycle
  /// For each strongly connected part, up to the limit, one short cycle as channels in order.
  std::vector<std::vector<std::uint32_t>> cycles;
  std::vector<Problem> problems;  ///< one a listed cycle, naming its links
};

CycleReport find_cycles(const Topology& topology, const ChannelGraph& graph, std::size_t limit = 8);

/// "leaf0:32 > spine1:0".
std::string channel_name(const Topology& topology, std::uint32_t channel);
/// "leaf0:32 - spine1:0".
std::string cable_name(const Topology& topology, CableId cable);

}  // namespace spineleaf
