#pragma once
// Shortest paths that avoid cables in use: the common part of sssp and dfsssp.

#include "topologies/subnet/engines/plan.hpp"

namespace spineleaf {

/// Destination by destination, each switch takes the shortest path over the least loaded cables so
/// far, where a cable's load is the number of routes over it (Hoefler, Schneider, Lumsdaine,
/// "Optimized routing for large-scale InfiniBand networks", 2009).
ForwardingTables weighted_paths(const EnginePlan& plan);

}  // namespace spineleaf
