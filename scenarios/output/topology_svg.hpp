#pragma once
// A drawing of a topology as SVG text: tiers of switches in rows, hosts at the bottom.
//
// A row has a box for each node as long as that stays readable; larger rows are drawn in boxes of
// several nodes (pods, groups, or equal pieces), and hosts by the leaves they hang on. A line
// stands for all cables between two boxes. Cables inside a tier are arcs above its row. The
// drawing has no script and no outside references, and follows the viewer's light or dark scheme.

#include <span>
#include <string>

#include "topologies/topology.hpp"

namespace spineleaf {

struct TopologySvgOptions {
  std::string title;  ///< empty: the topology's name
  /// Load of each cable, 0 to 1, in the order of Topology::cables; empty: lines are not coloured.
  /// A line takes the colour of its busiest cable.
  std::span<const double> utilisation;
};

std::string topology_svg(const Topology& topology, const TopologySvgOptions& options = {});

}  // namespace spineleaf
