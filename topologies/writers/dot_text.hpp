#pragma once
// A topology as a graph for Graphviz: dot -Tsvg FILE.

#include <string>

#include "topologies/topology.hpp"

namespace spineleaf {

/// Switches by tier, hosts below; parallel cables are one edge with their number, cables that are
/// down are dashed.
std::string dot_text(const Topology& topology);

}  // namespace spineleaf
