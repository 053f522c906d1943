// Candidate sets from hop counts. For every group of endpoints (a switch that has some) the hops of
// all switches to it are found by one breadth-first search; a port is a candidate where it leads
// one hop closer. The table of hops is kept switch by switch, so that the sets of a switch come
// from whole rows: all groups are compared with one port at a time, which compilers vectorise.

#include "topologies/routes.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "topologies/switch_graph.hpp"

namespace spineleaf {

namespace {

using Hops = std::uint16_t;
constexpr Hops kUnreachable = UINT16_MAX;

/// Under the up-down rule a switch without an all-down path carries this bit over its hops: one
/// comparison then tells whether a move is both closer and legal.
constexpr Hops kAscending = 0x8000;

/// Hops of every switch to every group: [switch row][group].
struct HopTable {
  std::size_t groups = 0;
  std::vector<Hops> hops;

  std::size_t at(std::size_t row, std::size_t group) const { return row * groups + group; }
};

void shortest_hops(const SwitchGraph& graph, std::uint32_t target, std::vector<Hops>& hops,
                   std::vector<std::uint32_t>& queue) {
  std::fill(hops.begin(), hops.end(), kUnreachable);
  queue.clear();
  queue.push_back(target);
  hops[target] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t u = queue[head];
    const auto next = static_cast<Hops>(hops[u] + 1);
    for (const std::uint32_t v : graph.neighbours(u)) {
      if (hops[v] != kUnreachable) continue;
      hops[v] = next;
      queue.push_back(v);
    }
  }
}

HopTable shortest_hop_table(const SwitchGraph& graph, const std::vector<std::uint32_t>& targets,
                            std::size_t groups) {
  HopTable table{groups, std::vector<Hops>(graph.rows() * groups, kUnreachable)};
  std::vector<Hops> hops(graph.rows());
  std::vector<std::uint32_t> queue;
  for (std::size_t g = 0; g < targets.size(); ++g) {
    shortest_hops(graph, targets[g], hops, queue);
    for (std::size_t row = 0; row < hops.size(); ++row) table.hops[table.at(row, g)] = hops[row];
  }
  return table;
}

/// Marks the switches with an all-down path to `target`: those above it, by a search upwards.
void mark_descents(const SwitchGraph& graph, const std::vector<std::uint32_t>& rank,
                   std::uint32_t target, std::size_t group, HopTable& table,
                   std::vector<std::uint32_t>& queue) {
  table.hops[table.at(target, group)] = 0;
  queue.assign(1, target);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t u = queue[head];
    const auto next = static_cast<Hops>(table.hops[table.at(u, group)] + 1);
    if (next >= kAscending) return;
    for (const std::uint32_t v : graph.neighbours(u)) {
      const std::size_t at = table.at(v, group);
      if (rank[v] > rank[u] || table.hops[at] != kUnreachable) continue;
      table.hops[at] = next;
      queue.push_back(v);
    }
  }
}

/// Hops under the up-down rule: a switch with an all-down path takes the shortest of these, any
/// other goes up where that is shortest. Whoever has turned down therefore stays on down paths.
HopTable up_down_hop_table(const SwitchGraph& graph, const std::vector<std::uint32_t>& rank,
                           const std::vector<std::uint32_t>& targets, std::size_t groups) {
  HopTable table{groups, std::vector<Hops>(graph.rows() * groups, kUnreachable)};
  std::vector<std::uint32_t> queue;
  for (std::size_t g = 0; g < targets.size(); ++g) {
    mark_descents(graph, rank, targets[g], g, table, queue);
  }
  // From the top down, so that whatever is above a switch is final: whole rows at a time.
  std::vector<std::uint32_t> by_rank(graph.rows());
  for (std::uint32_t row = 0; row < graph.rows(); ++row) by_rank[rank[row]] = row;
  for (const std::uint32_t u : by_rank) {
    Hops* own = table.hops.data() + table.at(u, 0);
    for (const std::uint32_t v : graph.neighbours(u)) {
      if (rank[v] > rank[u]) continue;
      const Hops* above = table.hops.data() + table.at(v, 0);
      for (std::size_t g = 0; g < groups; ++g) {
        constexpr Hops kLast = kUnreachable - 1;
        const auto lifted = std::min(static_cast<Hops>(above[g] | kAscending), kLast);
        const auto through = static_cast<Hops>(lifted + 1);
        own[g] = own[g] < kAscending ? own[g] : std::min(own[g], through);
      }
    }
  }
  return table;
}

/// Turns the hops of one switch after the other into the compact sets.
class SetBuilder {
 public:
  /// `rank` is empty for shortest paths.
  SetBuilder(const SwitchGraph& graph, const HopTable& table,
             const std::vector<std::uint32_t>& rank, Routes& routes)
      : graph_(graph), table_(table), rank_(rank), routes_(routes), classes_(table.groups) {
    routes_.set_base.resize(graph.rows());
    routes_.set_of.resize(graph.rows() * table.groups);
  }

  /// Ports are taken in blocks: two groups share a set iff they agree on every block.
  void add_switch(std::uint32_t row) {
    const auto links = graph_.links(row);
    std::fill(classes_.begin(), classes_.end(), 0U);
    masks_.assign((links.size() + kBlock - 1) / kBlock * table_.groups, 0);
    for (std::size_t i = 0; i < links.size(); ++i) mark_candidates(row, links[i].row, i);
    for (std::size_t first = 0; first < masks_.size(); first += table_.groups) {
      refine({masks_.data() + first, table_.groups});
    }
    emit(row, links);
  }

 private:
  /// Ports a block: as wide as hops, so that the loop over groups works on one width.
  static constexpr std::size_t kBlock = 16;
  using Mask = std::uint16_t;

  /// Sets the link's bit for the groups to which it leads one hop closer. Under the up-down rule a
  /// move up is made by ascending switches only, whatever the next one is; a move down from an
  /// all-down path to an all-down path. No move is made where there are no hops left.
  void mark_candidates(std::uint32_t row, std::uint32_t next_row, std::size_t port) {
    const bool up_down = !rank_.empty();
    const bool up = up_down && rank_[next_row] < rank_[row];
    const Hops lift = up ? kAscending : 0;
    const auto most = static_cast<Hops>(up_down && !up ? kAscending - 1 : kUnreachable);
    const auto bit = static_cast<Mask>(1U << (port % kBlock));
    const std::size_t groups = table_.groups;
    Mask* masks = masks_.data() + port / kBlock * groups;
    const Hops* own = table_.hops.data() + table_.at(row, 0);
    const Hops* next = table_.hops.data() + table_.at(next_row, 0);
    for (std::size_t g = 0; g < groups; ++g) {
      const bool closer = static_cast<Hops>((next[g] | lift) + 1) == own[g];
      const bool legal = static_cast<Hops>(own[g] - 1) < most;
      masks[g] = static_cast<Mask>(masks[g] | (closer && legal ? bit : Mask{0}));
    }
  }

  /// Splits the classes of groups by one more block of masks; class 0 stays "no port so far".
  /// Classes are numbered by first appearance. Neighbouring groups mostly agree, so the last
  /// answer is tried before the map.
  void refine(std::span<const Mask> masks) {
    std::map<std::uint64_t, std::uint32_t> ids{{0, 0}};
    std::uint64_t last = 0;
    std::uint32_t last_id = 0;
    for (std::size_t g = 0; g < classes_.size(); ++g) {
      const std::uint64_t key = std::uint64_t{classes_[g]} << kBlock | masks[g];
      if (key != last) {
        last = key;
        last_id = ids.emplace(key, static_cast<std::uint32_t>(ids.size())).first->second;
      }
      classes_[g] = last_id;
    }
  }

  /// Each class becomes a set, its ports read off the masks of its first group.
  void emit(std::uint32_t row, std::span<const SwitchGraph::Link> links) {
    routes_.set_base[row] = static_cast<std::uint32_t>(routes_.sets.size());
    routes_.sets.push_back({});
    std::uint32_t made = 0;
    for (std::size_t g = 0; g < classes_.size(); ++g) {
      routes_.set_of[table_.at(row, g)] = static_cast<std::uint16_t>(classes_[g]);
      if (classes_[g] <= made) continue;
      ++made;
      Routes::Set set{static_cast<std::uint32_t>(routes_.ports.size()), 0};
      for (std::size_t i = 0; i < links.size(); ++i) {
        if ((masks_[i / kBlock * table_.groups + g] >> (i % kBlock) & 1) == 0) continue;
        routes_.ports.push_back(links[i].port);
        ++set.count;
      }
      routes_.sets.push_back(set);
    }
  }

  const SwitchGraph& graph_;
  const HopTable& table_;
  const std::vector<std::uint32_t>& rank_;
  Routes& routes_;
  std::vector<Mask> masks_;             ///< [block of ports][group]: candidates
  std::vector<std::uint32_t> classes_;  ///< per group: its set at this switch
};

/// Gives endpoints their groups; returns the switch row of each group. An endpoint whose cable is
/// down joins a group that no switch has, so that every candidate set towards it is empty.
std::vector<std::uint32_t> form_groups(const Topology& topology, Routes& routes) {
  const std::size_t switches = topology.nodes.size() - topology.host_count;
  routes.first_switch = topology.host_count;
  routes.group_of.assign(topology.endpoints.size(), Routes::kNoGroup);
  routes.last_port.assign(topology.endpoints.size(), 0);
  routes.group_at.assign(switches, Routes::kNoGroup - 1);
  std::vector<std::uint32_t> targets;
  std::vector<std::size_t> cut_off;
  const std::vector<std::uint32_t> first_endpoint = first_endpoints(topology);
  for (const Cable& cable : topology.cables) {
    const bool a_host = topology.is_host(cable.a.node);
    const bool b_host = topology.is_host(cable.b.node);
    if (a_host == b_host) continue;
    const PortRef host = a_host ? cable.a : cable.b;
    const PortRef leaf = a_host ? cable.b : cable.a;
    const std::size_t endpoint = first_endpoint[index(host.node)] + host.port;
    routes.last_port[endpoint] = leaf.port;
    if (!cable.up) {
      cut_off.push_back(endpoint);
      continue;
    }
    const std::size_t row = index(leaf.node) - topology.host_count;
    routes.group_of[endpoint] = static_cast<std::uint32_t>(row);
    routes.group_at[row] = 0;
  }
  // Groups are numbered by switch, whatever the order of the cables.
  for (std::size_t row = 0; row < switches; ++row) {
    if (routes.group_at[row] != 0) continue;
    routes.group_at[row] = static_cast<std::uint32_t>(targets.size());
    targets.push_back(static_cast<std::uint32_t>(row));
  }
  for (std::uint32_t& group : routes.group_of) {
    if (group != Routes::kNoGroup) group = routes.group_at[group];
  }
  for (const std::size_t endpoint : cut_off) {
    routes.group_of[endpoint] = static_cast<std::uint32_t>(targets.size());
  }
  routes.group_count = static_cast<std::uint32_t>(targets.size() + (cut_off.empty() ? 0 : 1));
  return targets;
}

}  // namespace

Routes compute_routes(const Topology& topology, RoutingRule rule) {
  Routes routes;
  const std::vector<std::uint32_t> targets = form_groups(topology, routes);
  const SwitchGraph graph(topology);
  std::vector<std::uint32_t> rank;
  if (rule == RoutingRule::UpDown) rank = up_down_ranks(graph);
  // Where there are more groups than targets, no switch reaches the groups beyond them.
  const HopTable table = rule == RoutingRule::UpDown
                             ? up_down_hop_table(graph, rank, targets, routes.group_count)
                             : shortest_hop_table(graph, targets, routes.group_count);
  SetBuilder builder(graph, table, rank, routes);
  for (std::uint32_t row = 0; row < graph.rows(); ++row) builder.add_switch(row);
  return routes;
}

}  // namespace spineleaf
