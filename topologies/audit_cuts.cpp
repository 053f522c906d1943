// Connectivity and bisection: the parts of the audit that need graph algorithms.

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <map>
#include <set>
#include <utility>

#include "topologies/audit.hpp"
#include "topologies/channel_graph.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// "host96 .. host127" of a list in ascending order.
std::string range_name(const Topology& topology, const std::vector<NodeId>& nodes) {
  const std::string& first = topology.node(nodes.front()).name;
  if (nodes.size() == 1) return first;
  return first + (nodes.size() == 2 ? ", " : " .. ") + topology.node(nodes.back()).name;
}

/// Connected parts. Hosts forward nothing, so only switches connect; a cable between two hosts is
/// a part of its own, numbered after those of the switches.
struct Parts {
  std::vector<std::uint32_t> of_switch;    ///< per switch row
  std::vector<std::uint32_t> of_endpoint;  ///< kNone: its cable is down
  std::uint32_t count = 0;
};

Parts find_parts(const Topology& topology, const std::vector<std::uint32_t>& first_endpoint,
                 bool only_up) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  const std::size_t rows = topology.nodes.size() - topology.host_count;
  const auto row_of = [&](NodeId node) { return index(node) - topology.host_count; };
  Graph graph(rows);
  for (const Cable& cable : topology.cables) {
    if (only_up && !cable.up) continue;
    if (topology.is_host(cable.a.node) || topology.is_host(cable.b.node)) continue;
    boost::add_edge(row_of(cable.a.node), row_of(cable.b.node), graph);
  }
  Parts parts;
  parts.of_switch.resize(rows);
  if (rows > 0) {
    parts.count = static_cast<std::uint32_t>(boost::connected_components(
        graph, boost::make_iterator_property_map(parts.of_switch.begin(),
                                                 boost::get(boost::vertex_index, graph))));
  }
  parts.of_endpoint.assign(topology.endpoints.size(), kNone);
  const auto join = [&](PortRef host, std::uint32_t part) {
    const std::size_t endpoint = first_endpoint[index(host.node)] + std::size_t{host.port};
    if (endpoint < parts.of_endpoint.size()) parts.of_endpoint[endpoint] = part;
  };
  for (const Cable& cable : topology.cables) {
    if (only_up && !cable.up) continue;
    const bool a_host = topology.is_host(cable.a.node);
    const bool b_host = topology.is_host(cable.b.node);
    if (!a_host && !b_host) continue;
    std::uint32_t part = 0;
    if (a_host && b_host) part = parts.count++;
    if (a_host != b_host) part = parts.of_switch[row_of(a_host ? cable.b.node : cable.a.node)];
    if (a_host) join(cable.a, part);
    if (b_host) join(cable.b, part);
  }
  return parts;
}

class Connectivity {
 public:
  Connectivity(const Topology& topology, std::vector<Problem>& problems)
      : topology_(topology),
        problems_(problems),
        first_endpoint_(first_endpoints(topology)),
        live_(find_parts(topology, first_endpoint_, true)),
        design_(find_parts(topology, first_endpoint_, false)) {}

  bool run() {
    const bool whole = every_two_hosts_share_a_part();
    name_splits(whole ? Severity::Warning : Severity::Error);
    name_lone_hosts();
    return whole;
  }

 private:
  /// Hosts by the set of parts they have an endpoint in. Few such sets exist in any sane fabric.
  bool every_two_hosts_share_a_part() {
    std::map<std::set<std::uint32_t>, std::vector<NodeId>> kinds;
    std::vector<std::set<std::uint32_t>> parts(topology_.host_count);
    for (std::size_t e = 0; e < topology_.endpoints.size(); ++e) {
      if (live_.of_endpoint[e] == kNone) continue;
      parts[index(topology_.endpoints[e].host)].insert(live_.of_endpoint[e]);
    }
    for (std::uint32_t h = 0; h < topology_.host_count; ++h) kinds[parts[h]].push_back(NodeId{h});
    for (auto a = kinds.begin(); a != kinds.end(); ++a) {
      if (a->first.empty() && topology_.host_count > 1) return false;
      for (auto b = std::next(a); b != kinds.end(); ++b) {
        std::vector<std::uint32_t> common;
        std::set_intersection(a->first.begin(), a->first.end(), b->first.begin(), b->first.end(),
                              std::back_inserter(common));
        if (!common.empty()) continue;
        name_uncabled(a->second, b->second);
        return false;
      }
    }
    return true;
  }

  /// Says so where no cable, up or down, was ever meant to join two sets of hosts.
  void name_uncabled(const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
    const auto design = [&](NodeId host) {
      std::set<std::uint32_t> parts;
      for (std::size_t e = first_endpoint_[index(host)];
           e < topology_.endpoints.size() && topology_.endpoints[e].host == host; ++e) {
        parts.insert(design_.of_endpoint[e]);
      }
      return parts;
    };
    const std::set<std::uint32_t> of_a = design(a.front());
    for (const std::uint32_t part : design(b.front())) {
      if (of_a.contains(part)) return;
    }
    // Hosts cabled to each other are meant to reach their neighbours only.
    const bool direct = topology_.nodes.size() == topology_.host_count;
    Problem problem = make_error(range_name(topology_, a) + " and " + range_name(topology_, b),
                                 "unreachable pair: no cable joins their switches");
    if (direct) {
      problem.severity = Severity::Note;
      problem.hint = "Hosts forward nothing: only neighbours can talk";
    }
    problems_.push_back(std::move(problem));
  }

  /// A designed part that has fallen into several: each smaller piece is named with its hosts and
  /// the cables that are down at its border.
  void name_splits(Severity severity) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::vector<NodeId>>> pieces;
    for (std::size_t e = 0; e < topology_.endpoints.size(); ++e) {
      if (live_.of_endpoint[e] == kNone) continue;
      auto& hosts = pieces[design_.of_endpoint[e]][live_.of_endpoint[e]];
      const NodeId host = topology_.endpoints[e].host;
      if (hosts.empty() || hosts.back() != host) hosts.push_back(host);
    }
    for (const auto& [part, split] : pieces) {
      if (split.size() < 2) continue;
      const auto largest = std::max_element(split.begin(), split.end(), [](auto& x, auto& y) {
        return x.second.size() < y.second.size();
      });
      for (const auto& [piece, hosts] : split) {
        if (piece != largest->first) name_split(severity, piece, hosts, largest->second);
      }
    }
  }

  void name_split(Severity severity, std::uint32_t piece, const std::vector<NodeId>& hosts,
                  const std::vector<NodeId>& others) {
    constexpr std::size_t kNamed = 4;
    std::string cut;
    std::size_t count = 0;
    for (std::uint32_t c = 0; c < topology_.cables.size(); ++c) {
      const Cable& cable = topology_.cables[c];
      if (cable.up || topology_.is_host(cable.a.node) || topology_.is_host(cable.b.node)) continue;
      const auto inside = [&](NodeId node) {
        return live_.of_switch[index(node) - topology_.host_count] == piece;
      };
      if (inside(cable.a.node) == inside(cable.b.node)) continue;
      if (count++ < kNamed) cut += (cut.empty() ? "" : ", ") + cable_name(topology_, CableId{c});
    }
    if (count > kNamed) cut += ", and " + std::to_string(count - kNamed) + " more";
    Problem problem = make_error(range_name(topology_, hosts),
                                 std::to_string(hosts.size()) + " hosts cannot reach " +
                                     std::to_string(others.size()) + " others (" +
                                     range_name(topology_, others) + ") of this fabric",
                                 "cables down at the cut: " + cut);
    problem.severity = severity;
    problems_.push_back(std::move(problem));
  }

  void name_lone_hosts() {
    std::vector<bool> joined(topology_.host_count, false);
    for (std::size_t e = 0; e < topology_.endpoints.size(); ++e) {
      if (live_.of_endpoint[e] != kNone) joined[index(topology_.endpoints[e].host)] = true;
    }
    std::vector<NodeId> lone;
    for (std::uint32_t h = 0; h < topology_.host_count; ++h) {
      if (!joined[h] && topology_.nodes[h].ports > 0) lone.push_back(NodeId{h});
    }
    if (lone.empty()) return;
    problems_.push_back(make_error(range_name(topology_, lone),
                                   "cut off: every cable of the host is down",
                                   std::to_string(lone.size()) + " hosts"));
  }

  const Topology& topology_;
  std::vector<Problem>& problems_;
  std::vector<std::uint32_t> first_endpoint_;
  Parts live_;
  Parts design_;
};

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<
        boost::edge_capacity_t, std::int64_t,
        boost::property<boost::edge_residual_capacity_t, std::int64_t,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

using Bundles = std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>;

/// Capacity in Mb/s between the vertices of the flow problem: 0 the first half of the hosts, 1 the
/// second half, 2 + row a switch.
Bundles bundle_cables(const Topology& topology) {
  Bundles bundles;
  const auto vertex = [&](NodeId node) -> std::uint32_t {
    if (!topology.is_host(node)) return 2 + index(node) - topology.host_count;
    return index(node) < topology.host_count / 2 ? 0 : 1;
  };
  for (const Cable& cable : topology.cables) {
    if (!cable.up) continue;
    const std::uint32_t a = vertex(cable.a.node);
    const std::uint32_t b = vertex(cable.b.node);
    if (a != b) bundles[std::minmax(a, b)] += cable.rate.bits_per_second / 1'000'000;
  }
  return bundles;
}

std::int64_t max_flow(const Bundles& bundles, std::size_t vertices) {
  FlowGraph graph(vertices);
  auto capacity = boost::get(boost::edge_capacity, graph);
  auto reverse = boost::get(boost::edge_reverse, graph);
  // Boost's second phase tells a reverse edge by its capacity of zero, so each direction of a
  // bundle is an edge with a reverse of its own.
  const auto add_arc = [&](std::uint32_t from, std::uint32_t to, std::int64_t megabits) {
    const auto there = boost::add_edge(from, to, graph).first;
    const auto back = boost::add_edge(to, from, graph).first;
    capacity[there] = megabits;
    capacity[back] = 0;
    reverse[there] = back;
    reverse[back] = there;
  };
  for (const auto& [ends, megabits] : bundles) {
    add_arc(ends.first, ends.second, megabits);
    add_arc(ends.second, ends.first, megabits);
  }
  return boost::push_relabel_max_flow(graph, 0, 1);
}

}  // namespace

bool check_connectivity(const Topology& topology, std::vector<Problem>& problems) {
  return Connectivity(topology, problems).run();
}

Bisection bisection(const Topology& topology) {
  constexpr std::size_t kMostBundles = 200'000;
  Bisection result;
  const Bundles bundles = bundle_cables(topology);
  double halves[2] = {0, 0};
  for (const Cable& cable : topology.cables) {
    if (!cable.up) continue;
    for (const PortRef end : {cable.a, cable.b}) {
      if (!topology.is_host(end.node)) continue;
      halves[index(end.node) < topology.host_count / 2 ? 0 : 1] += cable.rate.gbps();
    }
  }
  result.host_gbps = std::min(halves[0], halves[1]);
  if (bundles.size() <= kMostBundles) {
    const std::size_t vertices = 2 + topology.nodes.size() - topology.host_count;
    result.gbps = static_cast<double>(max_flow(bundles, vertices)) / 1000;
    return result;
  }
  result.method = BisectionMethod::TierCapacity;
  result.gbps = result.host_gbps;
  for (const TierCapacity& tier : tier_capacities(topology)) {
    if (tier.up_gbps > 0) result.gbps = std::min(result.gbps, tier.up_gbps / 2);
  }
  return result;
}

}  // namespace spineleaf
