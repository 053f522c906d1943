#include "topologies/subnet/tables.hpp"

#include <algorithm>

namespace spineleaf {

TableRoutes to_routes(const Subnet& subnet, const ForwardingTables& tables) {
  TableRoutes result;
  Routes& routes = result.routes;
  const Topology& topology = subnet.topology;
  const std::size_t switches = subnet.switches.size();
  routes.first_switch = topology.host_count;
  routes.group_of.assign(topology.endpoints.size(), Routes::kNoGroup);
  routes.last_port.assign(topology.endpoints.size(), 0);
  routes.group_at.assign(switches, Routes::kNoGroup - 1);
  // Base LIDs first: a group per endpoint; then the other LIDs of each.
  const std::vector<Attachment> at = attachments(topology);
  for (std::size_t e = 0; e < at.size(); ++e) {
    if (at[e].row == Attachment::kNoLeaf) continue;
    routes.group_of[e] = static_cast<std::uint32_t>(result.lid_of_group.size());
    routes.last_port[e] = at[e].port;
    result.lid_of_group.push_back(subnet.endpoints[e].lid);
  }
  for (std::size_t e = 0; e < at.size(); ++e) {
    if (at[e].row == Attachment::kNoLeaf) continue;
    for (std::uint32_t i = 1; i < 1U << subnet.endpoints[e].lmc; ++i) {
      result.lid_of_group.push_back(subnet.endpoints[e].lid + i);
    }
  }
  routes.group_count = static_cast<std::uint32_t>(result.lid_of_group.size());
  routes.set_of.assign(switches * routes.group_count, 0);
  for (std::size_t row = 0; row < switches; ++row) {
    routes.set_base.push_back(static_cast<std::uint32_t>(routes.sets.size()));
    routes.sets.push_back({});
    const std::uint16_t ports = topology.nodes[topology.host_count + row].ports;
    for (std::uint16_t port = 0; port < ports; ++port) {
      routes.sets.push_back({static_cast<std::uint32_t>(routes.ports.size()), 1});
      routes.ports.push_back(port);
    }
    for (std::size_t g = 0; g < routes.group_count; ++g) {
      const std::uint32_t lid = result.lid_of_group[g];
      const std::uint16_t port =
          lid < tables.lids() ? tables.at(row, lid) : ForwardingTables::kNone;
      const bool leads = port != ForwardingTables::kNone && port != ForwardingTables::kSelf;
      routes.set_of[row * routes.group_count + g] =
          static_cast<std::uint16_t>(leads ? port + 1 : 0);
    }
  }
  return result;
}

}  // namespace spineleaf
