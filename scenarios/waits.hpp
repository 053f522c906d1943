#pragma once
// Who waits for whom: the wait-for graph of blocked egress queues.

#include <vector>

#include "models/fabric.hpp"
#include "scenarios/result.hpp"

namespace spineleaf {

struct WaitGraph {
  std::vector<WaitsFor> edges;
  bool cycle = false;  ///< a cycle of blocked queues none of which sent since `sent_before`
};

/// Vertex: an egress queue (node, port, class) that holds packets and is paused or out of credits.
/// Edge: to each egress queue of the peer that holds packets which came in by this link and class;
/// those occupy the buffer that the waiting queue needs. A peer host is a vertex of its own.
/// `sent_before`: packets sent per directed port (fabric order) at an earlier check; queues that
/// have sent since are not part of a standing cycle.
WaitGraph wait_graph(Fabric& fabric, const Topology& topology, Time at,
                     const std::vector<std::int64_t>& sent_before);

/// Packets sent by every port of every node, in node order.
std::vector<std::int64_t> packets_sent_by_port(Fabric& fabric, const Topology& topology);

}  // namespace spineleaf
