#include "topologies/audit.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "topologies/channel_graph.hpp"

namespace spineleaf {

namespace {

/// Long lists of equal findings help nobody: the first ones, then how many there are.
class Findings {
 public:
  explicit Findings(std::vector<Problem>& problems) : problems_(problems) {}

  void add(Problem problem) {
    if (++count_ <= kListed) {
      problems_.push_back(std::move(problem));
    } else if (count_ == kListed + 1) {
      problems_.push_back(make_note(problem.where, ""));
      more_ = problems_.size() - 1;
    }
    if (count_ > kListed) {
      problems_[more_].what = std::to_string(count_ - kListed) + " more like this";
    }
  }

 private:
  static constexpr std::size_t kListed = 8;
  std::vector<Problem>& problems_;
  std::size_t count_ = 0;
  std::size_t more_ = 0;
};

std::string gbps(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.6g Gb/s", value);
  return text.data();
}

bool ids_in_range(const Topology& topology, std::vector<Problem>& problems) {
  const std::size_t nodes = topology.nodes.size();
  const auto complain = [&](std::string where) {
    problems.push_back(make_error(std::move(where), "names a node that does not exist", {},
                                  "0 to " + std::to_string(nodes)));
  };
  for (std::size_t c = 0; c < topology.cables.size() && problems.empty(); ++c) {
    const Cable& cable = topology.cables[c];
    if (index(cable.a.node) >= nodes || index(cable.b.node) >= nodes) {
      complain("cables[" + std::to_string(c) + "]");
    }
  }
  for (std::size_t e = 0; e < topology.endpoints.size() && problems.empty(); ++e) {
    if (index(topology.endpoints[e].host) >= topology.host_count) {
      complain("endpoints[" + std::to_string(e) + "]");
    }
  }
  if (topology.host_count > nodes) complain("host_count");
  return problems.empty();
}

void check_ports(const Topology& topology, std::vector<Problem>& problems) {
  std::vector<std::vector<std::uint32_t>> cable_at(topology.nodes.size());
  for (std::size_t n = 0; n < cable_at.size(); ++n) {
    cable_at[n].assign(topology.nodes[n].ports, UINT32_MAX);
  }
  Findings twice(problems);
  Findings beyond(problems);
  for (std::uint32_t c = 0; c < topology.cables.size(); ++c) {
    for (const PortRef end : {topology.cables[c].a, topology.cables[c].b}) {
      auto& ports = cable_at[index(end.node)];
      const std::string where = topology.node(end.node).name + ":" + std::to_string(end.port);
      if (end.port >= ports.size()) {
        beyond.add(make_error(where, "is cabled, but the node has fewer ports in use",
                              std::to_string(end.port), "below " + std::to_string(ports.size())));
      } else if (ports[end.port] != UINT32_MAX) {
        twice.add(make_error(where, "port used twice",
                             cable_name(topology, CableId{ports[end.port]}) + " and " +
                                 cable_name(topology, CableId{c}),
                             "one cable a port"));
      } else {
        ports[end.port] = c;
      }
    }
  }
  Findings empty(problems);
  for (std::size_t n = 0; n < cable_at.size(); ++n) {
    const auto gap = std::find(cable_at[n].begin(), cable_at[n].end(), UINT32_MAX);
    if (gap == cable_at[n].end()) continue;
    empty.add(make_error(topology.nodes[n].name + ":" + std::to_string(gap - cable_at[n].begin()),
                         "port in use without a cable"));
  }
}

void check_nodes(const Topology& topology, std::vector<Problem>& problems) {
  Findings radix(problems);
  Findings bare(problems);
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.radix > 0 && node.ports > node.radix) {
      radix.add(make_error(node.name, "radix exceeded", std::to_string(node.ports) + " ports",
                           "at most " + std::to_string(node.radix),
                           "Use a larger switch or fewer cables"));
    }
    if (node.ports > 0) continue;
    const bool host = n < topology.host_count;
    bare.add(host ? make_error(node.name, "host without link")
                  : make_warning(node.name, "switch without link"));
  }
}

/// Zero rates and delays, and parallel cables that differ in rate.
void check_cables(const Topology& topology, std::vector<Problem>& problems) {
  Findings values(problems);
  Findings mismatch(problems);
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> first;
  for (std::uint32_t c = 0; c < topology.cables.size(); ++c) {
    const Cable& cable = topology.cables[c];
    const std::string name = cable_name(topology, CableId{c});
    if (cable.rate.bits_per_second <= 0 || cable.rate > kMaxRate) {
      values.add(make_error(name, "rate out of range", gbps(cable.rate.gbps()),
                            "above 0 and at most 100 Tb/s"));
    }
    if (cable.propagation.ps <= 0) {
      values.add(make_error(name, "a cable must take some time",
                            std::to_string(cable.propagation.ps) + " ps", "above 0"));
    }
    const auto pair = std::minmax(cable.a.node, cable.b.node);
    const auto [other, fresh] = first.emplace(std::pair{pair.first, pair.second}, c);
    const Cable& same = topology.cables[other->second];
    if (fresh || same.rate == cable.rate) continue;
    mismatch.add(make_warning(
        name, "rate mismatch between parallel cables", gbps(cable.rate.gbps()),
        gbps(same.rate.gbps()) + " as " + cable_name(topology, CableId{other->second})));
  }
}

/// Per switch: capacity and number of cables by direction, over cables that are up.
struct SwitchCapacity {
  double down = 0;
  double up = 0;
};

std::vector<SwitchCapacity> switch_capacities(const Topology& topology) {
  std::vector<SwitchCapacity> capacity(topology.nodes.size());
  for (const Cable& cable : topology.cables) {
    const std::uint8_t tier_a = topology.node(cable.a.node).tier;
    const std::uint8_t tier_b = topology.node(cable.b.node).tier;
    if (!cable.up || tier_a == tier_b) continue;
    const PortRef low = tier_a < tier_b ? cable.a : cable.b;
    const PortRef high = tier_a < tier_b ? cable.b : cable.a;
    capacity[index(low.node)].up += cable.rate.gbps();
    capacity[index(high.node)].down += cable.rate.gbps();
  }
  return capacity;
}

}  // namespace

std::vector<Problem> check_structure(const Topology& topology) {
  std::vector<Problem> problems;
  if (!ids_in_range(topology, problems)) return problems;
  check_ports(topology, problems);
  check_nodes(topology, problems);
  check_cables(topology, problems);
  return problems;
}

std::vector<TierCapacity> tier_capacities(const Topology& topology) {
  std::map<std::uint8_t, TierCapacity> tiers;
  const std::vector<SwitchCapacity> capacity = switch_capacities(topology);
  for (std::uint32_t n = topology.host_count; n < topology.nodes.size(); ++n) {
    TierCapacity& tier = tiers[topology.nodes[n].tier];
    ++tier.switches;
    tier.down_gbps += capacity[n].down;
    tier.up_gbps += capacity[n].up;
    if (capacity[n].up <= 0) continue;
    const double ratio = capacity[n].down / capacity[n].up;
    if (ratio <= tier.worst) continue;
    tier.worst = ratio;
    tier.worst_switch = NodeId{n};
  }
  for (const Cable& cable : topology.cables) {
    if (!cable.up) continue;
    const bool hosts = topology.is_host(cable.a.node) && topology.is_host(cable.b.node);
    const auto [low, high] =
        std::minmax(topology.node(cable.a.node).tier, topology.node(cable.b.node).tier);
    if (hosts) continue;
    if (low == high) {
      ++tiers[low].cables_across;
      tiers[low].across_gbps += cable.rate.gbps();
      continue;
    }
    ++tiers[high].cables_down;
    if (tiers.contains(low)) ++tiers[low].cables_up;
  }
  std::vector<TierCapacity> result;
  for (auto& [number, tier] : tiers) {
    tier.tier = number;
    if (tier.up_gbps > 0) tier.oversubscription = tier.down_gbps / tier.up_gbps;
    result.push_back(tier);
  }
  return result;
}

std::vector<Problem> check_balance(const Topology& topology) {
  std::vector<Problem> problems;
  const std::vector<SwitchCapacity> capacity = switch_capacities(topology);
  std::map<std::uint8_t, double> most;
  for (std::uint32_t n = topology.host_count; n < topology.nodes.size(); ++n) {
    double& tier = most[topology.nodes[n].tier];
    tier = std::max(tier, capacity[n].up);
  }
  Findings thin(problems);
  for (std::uint32_t n = topology.host_count; n < topology.nodes.size(); ++n) {
    const double best = most[topology.nodes[n].tier];
    if (capacity[n].up >= best) continue;
    thin.add(make_warning(topology.nodes[n].name,
                          "unbalanced: less capacity upwards than others of its tier",
                          gbps(capacity[n].up), gbps(best)));
  }
  // Cables from each switch to each of its upper neighbours.
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> bundles;
  for (const Cable& cable : topology.cables) {
    const int rise = topology.node(cable.b.node).tier - topology.node(cable.a.node).tier;
    if (!cable.up || rise == 0 || topology.is_host(cable.a.node)) continue;
    ++bundles[rise > 0 ? std::pair{cable.a.node, cable.b.node}
                       : std::pair{cable.b.node, cable.a.node}];
  }
  Findings uneven(problems);
  for (auto first = bundles.begin(); first != bundles.end();) {
    const NodeId node = first->first.first;
    auto last = first;
    std::uint32_t fewest = UINT32_MAX;
    std::uint32_t largest = 0;
    for (; last != bundles.end() && last->first.first == node; ++last) {
      fewest = std::min(fewest, last->second);
      largest = std::max(largest, last->second);
    }
    first = last;
    if (fewest == largest) continue;
    uneven.add(make_warning(
        topology.node(node).name, "uplinks are not spread evenly",
        std::to_string(fewest) + " to " + std::to_string(largest) + " cables a neighbour",
        "equal numbers"));
  }
  return problems;
}

std::vector<Problem> check_routes(const Topology& topology, const Routes& routes) {
  std::vector<Problem> problems;
  Findings unreachable(problems);
  const auto switches = static_cast<std::uint32_t>(routes.group_at.size());
  std::vector<std::uint32_t> row_of(routes.group_count, UINT32_MAX);
  for (std::uint32_t row = 0; row < switches; ++row) {
    if (routes.group_at[row] < routes.group_count) row_of[routes.group_at[row]] = row;
  }
  const auto name = [&](std::uint32_t row) {
    return topology.nodes[routes.first_switch + row].name;
  };
  for (std::uint32_t group = 0; group < routes.group_count; ++group) {
    if (row_of[group] == UINT32_MAX) continue;  // endpoints whose cables are down
    std::uint32_t missing = 0;
    std::uint32_t example = 0;
    for (std::uint32_t from = 0; from < routes.group_count; ++from) {
      const std::uint32_t row = row_of[from];
      if (from == group || row == UINT32_MAX) continue;
      if (routes.set_of[std::size_t{row} * routes.group_count + group] != 0) continue;
      if (missing++ == 0) example = row;
    }
    if (missing == 0) continue;
    unreachable.add(
        make_warning(name(row_of[group]),
                     "no route from " + std::to_string(missing) + " other switches with hosts",
                     "none from " + name(example)));
  }
  return problems;
}

AuditReport audit(const Topology& topology) {
  AuditReport report;
  report.hosts = topology.host_count;
  report.switches = static_cast<std::uint32_t>(topology.nodes.size()) - topology.host_count;
  report.endpoints = static_cast<std::uint32_t>(topology.endpoints.size());
  report.cables = static_cast<std::uint32_t>(topology.cables.size());
  if (!ids_in_range(topology, report.problems)) return report;
  report.problems = check_structure(topology);
  for (const Cable& cable : topology.cables) report.cables_off += cable.up ? 0 : 1;
  report.connected = check_connectivity(topology, report.problems);
  const std::vector<Problem> balance = check_balance(topology);
  report.problems.insert(report.problems.end(), balance.begin(), balance.end());
  report.tiers = tier_capacities(topology);
  report.bisection = bisection(topology);
  return report;
}

}  // namespace spineleaf
