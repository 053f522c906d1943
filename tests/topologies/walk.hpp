#pragma once
// What several tests of topologies share: building by name, walking along candidate sets.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "topologies/port_map.hpp"
#include "topologies/registry.hpp"
#include "topologies/routes.hpp"
#include "topologies/topology.hpp"

namespace spineleaf::test {

/// Builds and insists that nothing was wrong.
inline Topology make(std::string_view kind, std::initializer_list<ParamSetting> settings) {
  BuildResult result = build_topology(kind, settings);
  for (const Problem& problem : result.problems) {
    EXPECT_NE(problem.severity, Severity::Error) << to_string(problem);
  }
  return std::move(result.topology);
}

/// All problems of a failed build as one text.
inline std::string refusal(std::string_view kind, std::initializer_list<ParamSetting> settings) {
  const BuildResult result = build_topology(kind, settings);
  EXPECT_FALSE(result.ok());
  EXPECT_TRUE(result.topology.nodes.empty());
  std::string text;
  for (const Problem& problem : result.problems) text += to_string(problem) + "\n";
  return text;
}

inline std::size_t switches_of_tier(const Topology& topology, int tier) {
  std::size_t count = 0;
  for (const Node& node : topology.nodes) {
    count += node.kind == NodeKind::Switch && node.tier == tier ? 1U : 0U;
  }
  return count;
}

inline std::size_t cables_of_tier(const Topology& topology, int tier) {
  std::size_t count = 0;
  for (const Cable& cable : topology.cables) count += cable.tier == tier ? 1U : 0U;
  return count;
}

inline NodeId node_named(const Topology& topology, std::string_view name) {
  for (std::uint32_t n = 0; n < topology.nodes.size(); ++n) {
    if (topology.nodes[n].name == name) return NodeId{n};
  }
  ADD_FAILURE() << "no node " << name;
  return {};
}

/// The cables of a walk from one endpoint to another, taking `choose(candidates)` at each switch;
/// empty where the walk gets stuck or does not end.
template <class Choose>
std::vector<CableId> walk(const Topology& topology, const PortMap& ports, const Routes& routes,
                          EndpointId from, EndpointId to, Choose choose) {
  const Endpoint& source = topology.endpoints[index(from)];
  const Endpoint& target = topology.endpoints[index(to)];
  PortMap::Far far = ports.far({source.host, source.port});
  std::vector<CableId> cables{far.cable};
  while (!topology.is_host(far.port.node)) {
    const auto candidates = routes.candidates(far.port.node, to);
    if (candidates.empty() || cables.size() > topology.nodes.size()) return {};
    far = ports.far({far.port.node, choose(candidates)});
    cables.push_back(far.cable);
  }
  return far.port.node == target.host && far.port.port == target.port ? cables
                                                                      : std::vector<CableId>{};
}

/// Fewest cables between two endpoints over cables that are up, by a search that knows nothing of
/// routes; 0 where there is no way. Hosts forward nothing.
inline std::size_t fewest_cables(const Topology& topology, const PortMap& ports, EndpointId from,
                                 EndpointId to) {
  const Endpoint& source = topology.endpoints[index(from)];
  const Endpoint& target = topology.endpoints[index(to)];
  std::vector<std::size_t> hops(topology.nodes.size(), 0);
  std::vector<NodeId> queue;
  const auto is_up = [&](const PortMap::Far& far) { return topology.cables[index(far.cable)].up; };
  const PortMap::Far first = ports.far({source.host, source.port});
  if (!is_up(first)) return 0;
  if (topology.is_host(first.port.node)) {
    return first.port.node == target.host && first.port.port == target.port ? 1 : 0;
  }
  hops[index(first.port.node)] = 1;
  queue.push_back(first.port.node);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const PortMap::Far& far : ports.ports(queue[head])) {
      if (!is_up(far)) continue;
      const std::size_t next = hops[index(queue[head])] + 1;
      if (far.port.node == target.host && far.port.port == target.port) return next;
      if (topology.is_host(far.port.node) || hops[index(far.port.node)] != 0) continue;
      hops[index(far.port.node)] = next;
      queue.push_back(far.port.node);
    }
  }
  return 0;
}

}  // namespace spineleaf::test
