#include "topologies/subnet/verdict.hpp"

namespace spineleaf {

LoopVerdict credit_loops(const Subnet& subnet, const SubnetRoutes& routes) {
  const TableRoutes table = to_routes(subnet, routes.tables);
  std::vector<TrafficClass> classes(routes.lanes.lanes);
  for (std::uint32_t lane = 0; lane < classes.size(); ++lane) {
    classes[lane].routes = &table.routes;
    classes[lane].lane = lane;
    if (classes.size() == 1) break;
    classes[lane].sends = [&, lane](std::uint32_t source, std::uint32_t group) {
      return routes.lanes.lane(source, table.lid_of_group[group]) == lane;
    };
  }
  LoopVerdict verdict;
  const ChannelGraph graph = channel_dependencies(subnet.topology, classes);
  verdict.dependencies = graph.to.size();
  verdict.cycles = find_cycles(subnet.topology, graph);
  for (const std::vector<std::uint32_t>& cycle : verdict.cycles.cycles) {
    verdict.loops.push_back(
        {cycle, graph.lane_of(cycle[0]), witnesses_of(subnet.topology, classes, graph, cycle)});
  }
  return verdict;
}

std::string channel_text(const Subnet& subnet, std::uint32_t channel) {
  const Cable& cable = subnet.topology.cables[channel / 2];
  const bool forward = channel % 2 == 0;
  return port_text(subnet, forward ? cable.a : cable.b) + " > " +
         port_text(subnet, forward ? cable.b : cable.a);
}

}  // namespace spineleaf
