#include "scenarios/output/link_map.hpp"

#include <algorithm>
#include <vector>

#include "scenarios/output/topology_svg.hpp"

namespace spineleaf {

std::string link_map(const Result& result, const Topology& topology) {
  std::vector<double> loads(topology.cables.size());
  for (const LinkRow& link : result.links) {
    if (link.cable < loads.size()) {
      loads[link.cable] = std::clamp(link.utilisation, loads[link.cable], 1.0);
    }
  }
  TopologySvgOptions options;
  if (!result.links.empty()) options.utilisation = loads;
  return topology_svg(topology, options);
}

}  // namespace spineleaf
