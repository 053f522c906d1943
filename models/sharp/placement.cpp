#include "models/sharp/placement.hpp"

#include <map>
#include <utility>

namespace spineleaf {

void place_group(const AggregationGroup& group, const GroupPlaces& places,
                 std::vector<std::vector<AggregatorGroup>>& switches,
                 std::vector<HostSetup>& hosts) {
  const std::uint32_t host_count = places.topology.host_count;
  std::map<std::uint32_t, std::uint32_t> row_at;                            // by switch
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> row_of;  // by host port
  for (const AggregationNode& node : group.tree.nodes) {
    std::vector<AggregatorGroup>& rows = switches[index(node.node) - host_count];
    row_at[index(node.node)] = static_cast<std::uint32_t>(rows.size());
    rows.emplace_back();
  }
  for (const AggregationMember& member : group.members) {
    const Endpoint& endpoint = places.topology.endpoints[index(member.endpoint)];
    const std::uint32_t host = index(endpoint.host);
    row_of[{host, endpoint.port}] = static_cast<std::uint32_t>(hosts[host].members.size());
    MemberSetup setup;
    setup.fixed = member;
    setup.number = group.number;
    setup.remote = row_at.at(places.ports[host][endpoint.port].out.to);
    setup.window = group.window;
    setup.payload = group.payload;
    setup.port = endpoint.port;
    setup.app = places.app_of_job[host][group.job];
    setup.traffic_class = group.traffic_class;
    hosts[host].members.push_back(setup);
  }
  for (const AggregationNode& node : group.tree.nodes) {
    const std::uint32_t at = index(node.node);
    AggregatorGroup& here = switches[at - host_count][row_at.at(at)];
    here.number = group.number;
    here.parent_port = node.parent_port;
    here.traffic_class = group.traffic_class;
    here.header = places.header;
    here.window = group.window;
    if (node.parent_port != AggregationNode::kRoot) {
      here.parent_row = row_at.at(places.ports[at][node.parent_port].out.to);
    }
    for (const AggregationNode::Child& child : node.children) {
      const Link& down = places.ports[at][child.port].out;
      const std::uint32_t row =
          down.to < host_count ? row_of.at({down.to, down.to_port}) : row_at.at(down.to);
      here.children.push_back({child.port, child.receives, row});
    }
  }
}

}  // namespace spineleaf
