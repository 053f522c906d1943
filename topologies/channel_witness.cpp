// Which routes make a cycle of buffers. Asked for the few dependencies of a cycle only: a group of
// endpoints is a candidate when its routes take both channels, and is proved by walking there from
// a switch where its traffic enters.

#include <algorithm>
#include <optional>

#include "topologies/channel_graph.hpp"
#include "topologies/port_map.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {

namespace {

/// One class's routes, seen from single channels.
class RouteSearch {
 public:
  RouteSearch(const Topology& topology, const TrafficClass& traffic)
      : topology_(topology),
        traffic_(traffic),
        routes_(*traffic.routes),
        ports_(topology),
        first_endpoint_(first_endpoints(topology)),
        entry_of_(routes_.group_at.size(), kNone) {
    for (std::uint32_t e = 0; e < topology.endpoints.size(); ++e) {
      const PortMap::Far& far =
          ports_.far({topology.endpoints[e].host, topology.endpoints[e].port});
      if (!far.present || topology.is_host(far.port.node) || !cable_up(far)) continue;
      std::uint32_t& entry = entry_of_[row_of(far.port.node)];
      if (entry == kNone) entry = e;
    }
  }

  std::optional<Witness> find(std::uint32_t held, std::uint32_t wanted) {
    const PortRef out = sender(held);
    const PortRef next = sender(wanted);
    for (std::uint32_t group = 0; group < routes_.group_count; ++group) {
      if (!takes(out, group) || !takes(next, group)) continue;
      if (auto witness = walk(held, wanted, group)) return witness;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  bool cable_up(const PortMap::Far& far) const { return topology_.cables[index(far.cable)].up; }
  std::uint32_t row_of(NodeId node) const { return index(node) - topology_.host_count; }
  PortRef sender(std::uint32_t channel) const {
    const Cable& cable = topology_.cables[channel / 2];
    return channel % 2 == 0 ? cable.a : cable.b;
  }
  std::uint32_t channel_at(PortRef port) const {
    const std::uint32_t cable = index(ports_.far(port).cable);
    const PortRef a = topology_.cables[cable].a;
    return 2 * cable + (a.node == port.node && a.port == port.port ? 0 : 1);
  }
  std::span<const std::uint16_t> candidates(std::uint32_t row, std::uint32_t group) const {
    const std::size_t number = routes_.set_of[std::size_t{row} * routes_.group_count + group];
    const Routes::Set& set = routes_.sets[routes_.set_base[row] + number];
    return {routes_.ports.data() + set.first, set.count};
  }
  bool takes(PortRef port, std::uint32_t group) const {
    const std::uint32_t row = row_of(port.node);
    if (routes_.group_at[row] == group) return false;
    const auto set = candidates(row, group);
    return std::find(set.begin(), set.end(), port.port) != set.end();
  }

  /// From an entry of the group's traffic to the channel that is held, and on to the destination.
  std::optional<Witness> walk(std::uint32_t held, std::uint32_t wanted, std::uint32_t group) {
    const std::uint32_t target = row_of(sender(held).node);
    std::vector<std::uint32_t> came_by(entry_of_.size(), kNone);  // channel into the switch
    std::vector<std::uint8_t> seen(entry_of_.size(), 0);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t row = 0; row < entry_of_.size(); ++row) {
      if (entry_of_[row] == kNone || (traffic_.sends && !traffic_.sends(row, group))) continue;
      queue.push_back(row);
      seen[row] = 1;
    }
    for (std::size_t head = 0; head < queue.size() && seen[target] == 0; ++head) {
      const std::uint32_t row = queue[head];
      if (routes_.group_at[row] == group) continue;
      for (const std::uint16_t port : candidates(row, group)) {
        const PortRef from{NodeId{topology_.host_count + row}, port};
        const NodeId far = ports_.far(from).port.node;
        if (topology_.is_host(far) || seen[row_of(far)] != 0) continue;
        seen[row_of(far)] = 1;
        came_by[row_of(far)] = channel_at(from);
        queue.push_back(row_of(far));
      }
    }
    if (seen[target] == 0) return std::nullopt;
    Witness witness;
    std::uint32_t row = target;
    for (; came_by[row] != kNone; row = row_of(sender(came_by[row]).node)) {
      witness.channels.push_back(came_by[row]);
    }
    const Endpoint& entry = topology_.endpoints[entry_of_[row]];
    witness.from = EndpointId{entry_of_[row]};
    witness.channels.push_back(channel_at({entry.host, entry.port}));
    std::reverse(witness.channels.begin(), witness.channels.end());
    witness.channels.push_back(held);
    witness.channels.push_back(wanted);
    follow(group, witness);
    return witness;
  }

  /// The first candidates from the last channel on, to a host; a route that does not end there is
  /// left where it stops.
  void follow(std::uint32_t group, Witness& witness) {
    for (std::size_t steps = 0; steps <= entry_of_.size(); ++steps) {
      const std::uint32_t last = witness.channels.back();
      const PortRef at = sender(last ^ 1U);
      if (topology_.is_host(at.node)) {
        witness.to = EndpointId{first_endpoint_[index(at.node)] + at.port};
        return;
      }
      const std::uint32_t row = row_of(at.node);
      std::uint16_t port = 0;
      if (routes_.group_at[row] == group) {
        const auto member = std::find(routes_.group_of.begin(), routes_.group_of.end(), group);
        if (member == routes_.group_of.end()) return;
        port = routes_.last_port[static_cast<std::size_t>(member - routes_.group_of.begin())];
      } else if (const auto set = candidates(row, group); !set.empty()) {
        port = set[0];
      } else {
        return;
      }
      witness.channels.push_back(channel_at({at.node, port}));
    }
  }

  const Topology& topology_;
  const TrafficClass& traffic_;
  const Routes& routes_;
  const PortMap ports_;
  const std::vector<std::uint32_t> first_endpoint_;
  std::vector<std::uint32_t> entry_of_;  ///< per switch row: an endpoint there
};

std::optional<Witness> find_path(const PathTable& paths, std::uint32_t held, std::uint32_t wanted) {
  for (std::uint32_t p = 0; p < paths.size(); ++p) {
    const auto channels = paths.channels(PathId{p});
    for (std::size_t i = 0; i + 1 < channels.size(); ++i) {
      if (channels[i] != held || channels[i + 1] != wanted) continue;
      return Witness{paths.source(PathId{p}),
                     paths.destination(PathId{p}),
                     {channels.begin(), channels.end()}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Witness> witnesses_of(const Topology& topology, std::span<const TrafficClass> classes,
                                  const ChannelGraph& graph, std::span<const std::uint32_t> cycle) {
  std::vector<Witness> witnesses;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::uint32_t held = graph.channel_of(cycle[i]);
    const std::uint32_t wanted = graph.channel_of(cycle[(i + 1) % cycle.size()]);
    std::optional<Witness> found;
    for (const TrafficClass& traffic : classes) {
      if (found || traffic.lane != graph.lane_of(cycle[i])) continue;
      if (traffic.paths != nullptr) found = find_path(*traffic.paths, held, wanted);
      if (!found && traffic.routes != nullptr) {
        found = RouteSearch(topology, traffic).find(held, wanted);
      }
    }
    if (found) witnesses.push_back(std::move(*found));
  }
  return witnesses;
}

}  // namespace spineleaf
