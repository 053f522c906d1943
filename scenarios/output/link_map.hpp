#pragma once
// The drawing of a fabric with the load that a run put on its links.

#include <string>

#include "scenarios/result.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// topology_svg with each cable coloured by the busier of its two directions. `topology` is the one
/// that was run.
std::string link_map(const Result& result, const Topology& topology);

}  // namespace spineleaf
