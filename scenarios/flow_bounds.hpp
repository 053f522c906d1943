#pragma once
// The least time that a flow needs: what slow-down is counted from.

#include <vector>

#include "models/fabric.hpp"
#include "models/host/app.hpp"

namespace spineleaf {

/// For each flow: the latencies of the links of a path with the fewest hops, plus the payload at
/// the rate of the slower of both NIC ports. Headers, the first packet's stay in each switch and
/// the hosts' software are left out, so that no flow is faster. -1 where there is no path. Memory
/// grows with the fabric, not with its square.
std::vector<Time> flow_bounds(const std::vector<FlowRecord>& flows, const Topology& topology,
                              Fabric& fabric);

}  // namespace spineleaf
