#include "topologies/channel_graph.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <utility>

#include "topologies/port_map.hpp"

namespace spineleaf {

namespace {

std::string port_name(const Topology& topology, PortRef port) {
  return topology.node(port.node).name + ":" + std::to_string(port.port);
}

std::vector<std::uint32_t> switches_with_endpoints(const Topology& topology) {
  std::vector<std::uint32_t> rows;
  for (const Cable& cable : topology.cables) {
    const bool a_host = topology.is_host(cable.a.node);
    if (!cable.up || a_host == topology.is_host(cable.b.node)) continue;
    rows.push_back(index(a_host ? cable.b.node : cable.a.node) - topology.host_count);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// Follows the traffic towards one group after the other. What a channel can wait for at its far
/// switch is noted as set numbers there, not as ports: sets are few, and most groups share them.
class DependencyWalk {
 public:
  DependencyWalk(const Topology& topology, const TrafficClass& traffic)
      : topology_(topology),
        routes_(*traffic.routes),
        sends_(traffic.sends),
        ports_(topology),
        seen_from_(2 * topology.cables.size() + 1, 0),
        sources_(switches_with_endpoints(topology)),
        visited_(routes_.group_at.size(), 0) {
    for (std::uint32_t c = 0; c + 1 < seen_from_.size(); ++c) {
      const std::size_t words = (sets_at(far_row(c)) + 63) / 64;
      seen_from_[c + 1] = seen_from_[c] + words;
    }
    seen_.resize(seen_from_.back());
    hops_.resize(routes_.ports.size());
    for (std::uint32_t row = 0; row < routes_.set_base.size(); ++row) {
      for (std::size_t number = 0; number < sets_at(row); ++number) {
        const Routes::Set& set = set_at(row, number);
        for (std::size_t i = set.first; i < set.first + set.count; ++i) {
          const std::uint32_t channel = channel_of(row, routes_.ports[i]);
          hops_[i] = {channel, far_row(channel)};
        }
      }
    }
  }

  void walk(std::uint32_t group) {
    std::fill(visited_.begin(), visited_.end(), std::uint8_t{0});
    stack_.clear();
    for (const std::uint32_t row : sources_) {
      if (sends_ && !sends_(row, group)) continue;
      stack_.push_back(row);
      visited_[row] = 1;
    }
    while (!stack_.empty()) {
      const std::uint32_t row = stack_.back();
      stack_.pop_back();
      if (routes_.group_at[row] == group) continue;
      for (const auto [channel, next] : hops_of(set_at(row, set_number(row, group)))) {
        if (next == kHost) continue;
        if (routes_.group_at[next] != group) {
          const std::size_t set = set_number(next, group);
          seen_[seen_from_[channel] + set / 64] |= std::uint64_t{1} << (set % 64);
        }
        if (visited_[next] != 0) continue;
        visited_[next] = 1;
        stack_.push_back(next);
      }
    }
  }

  /// Adds the channels that `channel` can wait for, over all groups walked; some more than once.
  void collect(std::uint32_t channel, std::vector<std::uint32_t>& result) const {
    const std::uint32_t row = far_row(channel);
    for (std::size_t word = seen_from_[channel]; word < seen_from_[channel + 1]; ++word) {
      for (std::size_t bit = 0; bit < 64; ++bit) {
        if ((seen_[word] >> bit & 1) == 0) continue;
        const std::size_t set = (word - seen_from_[channel]) * 64 + bit;
        for (const Hop& hop : hops_of(set_at(row, set))) {
          if (hop.row != kHost) result.push_back(hop.channel);
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kHost = UINT32_MAX;

  struct Hop {
    std::uint32_t channel = 0;
    std::uint32_t row = 0;  ///< the switch it leads to
  };

  std::uint32_t far_row(std::uint32_t channel) const {
    const Cable& cable = topology_.cables[channel / 2];
    const NodeId far = channel % 2 == 0 ? cable.b.node : cable.a.node;
    return topology_.is_host(far) ? kHost : index(far) - topology_.host_count;
  }
  std::uint32_t channel_of(std::uint32_t row, std::uint16_t port) const {
    const PortRef own{NodeId{routes_.first_switch + row}, port};
    const std::uint32_t cable = index(ports_.far(own).cable);
    return 2 * cable + (topology_.cables[cable].a.node == own.node ? 0 : 1);
  }
  std::size_t sets_at(std::uint32_t row) const {
    if (row == kHost) return 0;
    const bool last = row + 1 == routes_.set_base.size();
    return (last ? routes_.sets.size() : routes_.set_base[row + 1]) - routes_.set_base[row];
  }
  std::size_t set_number(std::uint32_t row, std::uint32_t group) const {
    return routes_.set_of[std::size_t{row} * routes_.group_count + group];
  }
  const Routes::Set& set_at(std::uint32_t row, std::size_t number) const {
    return routes_.sets[routes_.set_base[row] + number];
  }
  std::span<const Hop> hops_of(const Routes::Set& set) const {
    return {hops_.data() + set.first, set.count};
  }

  const Topology& topology_;
  const Routes& routes_;
  const std::function<bool(std::uint32_t, std::uint32_t)>& sends_;
  const PortMap ports_;
  std::vector<Hop> hops_;               ///< beside routes.ports: where each port leads
  std::vector<std::size_t> seen_from_;  ///< per channel: its first word in seen_
  std::vector<std::uint64_t> seen_;     ///< sets of the far switch that follow the channel
  std::vector<std::uint32_t> sources_;
  std::vector<std::uint8_t> visited_;
  std::vector<std::uint32_t> stack_;
};

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Adds the consecutive channels of each pinned path, host cables left out; sorted, each once.
void path_dependencies(const Topology& topology, const PathTable& paths, Pairs& pairs) {
  const auto to_host = [&](std::uint32_t channel) {
    const Cable& cable = topology.cables[channel / 2];
    return topology.is_host(cable.a.node) || topology.is_host(cable.b.node);
  };
  for (std::uint32_t p = 0; p < paths.size(); ++p) {
    const auto channels = paths.channels(PathId{p});
    for (std::size_t i = 0; i + 1 < channels.size(); ++i) {
      if (to_host(channels[i]) || to_host(channels[i + 1])) continue;
      pairs.emplace_back(channels[i], channels[i + 1]);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// Adds the buffers of one lane with what they can wait for.
void add_lane(ChannelGraph& graph, std::uint32_t lane, const std::vector<DependencyWalk>& walks,
              const Pairs& pinned) {
  auto next_pinned = pinned.begin();
  std::vector<std::uint32_t> targets;
  for (std::uint32_t c = 0; c < graph.channels; ++c) {
    targets.clear();
    for (const DependencyWalk& walk : walks) walk.collect(c, targets);
    for (; next_pinned != pinned.end() && next_pinned->first == c; ++next_pinned) {
      targets.push_back(next_pinned->second);
    }
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (const std::uint32_t target : targets) graph.to.push_back(lane * graph.channels + target);
    graph.from.push_back(graph.to.size());
  }
}

/// A shortest cycle through `start` inside its strongly connected part.
std::vector<std::uint32_t> cycle_through(const ChannelGraph& graph, std::uint32_t start,
                                         const std::vector<std::uint32_t>& part_of) {
  std::vector<std::uint32_t> parent(part_of.size(), UINT32_MAX);
  std::vector<std::uint32_t> queue{start};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t c = queue[head];
    for (const std::uint32_t next : graph.waits_for(c)) {
      if (part_of[next] != part_of[start]) continue;
      if (next == start) {
        std::vector<std::uint32_t> cycle;
        for (std::uint32_t at = c; at != start; at = parent[at]) cycle.push_back(at);
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (parent[next] != UINT32_MAX) continue;
      parent[next] = c;
      queue.push_back(next);
    }
  }
  return {};
}

Problem cycle_problem(const Topology& topology, const ChannelGraph& graph,
                      const std::vector<std::uint32_t>& cycle) {
  constexpr std::size_t kNamed = 12;
  std::string links;
  for (std::size_t i = 0; i < std::min(cycle.size(), kNamed); ++i) {
    links += (i == 0 ? "" : ", ") + channel_name(topology, graph.channel_of(cycle[i]));
  }
  if (cycle.size() > kNamed) links += ", ...";
  return make_warning("routes",
                      "buffers can wait for each other in a cycle of " +
                          std::to_string(cycle.size()) + " links: a lossless class can deadlock",
                      links, "no cycle",
                      "Use up-down routing, a second class for the turn, or other paths");
}

}  // namespace

std::string channel_name(const Topology& topology, std::uint32_t channel) {
  const Cable& cable = topology.cables[channel / 2];
  const bool forward = channel % 2 == 0;
  return port_name(topology, forward ? cable.a : cable.b) + " > " +
         port_name(topology, forward ? cable.b : cable.a);
}

std::string cable_name(const Topology& topology, CableId id) {
  const Cable& cable = topology.cables[index(id)];
  return port_name(topology, cable.a) + " - " + port_name(topology, cable.b);
}

ChannelGraph channel_dependencies(const Topology& topology, std::span<const TrafficClass> classes) {
  ChannelGraph graph;
  graph.channels = static_cast<std::uint32_t>(2 * topology.cables.size());
  std::uint32_t lanes = 1;
  for (const TrafficClass& traffic : classes) lanes = std::max(lanes, traffic.lane + 1);
  graph.from.push_back(0);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    std::vector<DependencyWalk> walks;
    Pairs pinned;
    for (const TrafficClass& traffic : classes) {
      if (traffic.lane != lane) continue;
      if (traffic.paths != nullptr) path_dependencies(topology, *traffic.paths, pinned);
      if (traffic.routes == nullptr) continue;
      walks.emplace_back(topology, traffic);
      for (std::uint32_t group = 0; group < traffic.routes->group_count; ++group) {
        walks.back().walk(group);
      }
    }
    add_lane(graph, lane, walks, pinned);
  }
  return graph;
}

ChannelGraph channel_dependencies(const Topology& topology, const Routes* routes,
                                  const PathTable* paths) {
  TrafficClass traffic;
  traffic.routes = routes;
  traffic.paths = paths;
  return channel_dependencies(topology, {&traffic, 1});
}

CycleReport find_cycles(const Topology& topology, const ChannelGraph& graph, std::size_t limit) {
  using Csr = boost::compressed_sparse_row_graph<boost::directedS>;
  if (graph.from.size() < 2) return {};
  const std::size_t channels = graph.from.size() - 1;
  Pairs edges;
  edges.reserve(graph.to.size());
  for (std::uint32_t c = 0; c < channels; ++c) {
    for (const std::uint32_t next : graph.waits_for(c)) edges.emplace_back(c, next);
  }
  const Csr csr(boost::edges_are_sorted, edges.begin(), edges.end(), channels);
  std::vector<std::uint32_t> part_of(channels, 0);
  const std::size_t parts = boost::strong_components(
      csr,
      boost::make_iterator_property_map(part_of.begin(), boost::get(boost::vertex_index, csr)));

  CycleReport report;
  std::vector<std::uint32_t> size(parts, 0);
  for (const std::uint32_t part : part_of) ++size[part];
  std::vector<bool> listed(parts, false);
  for (std::uint32_t c = 0; c < channels; ++c) {
    if (size[part_of[c]] < 2) continue;
    report.has_cycle = true;
    ++report.channels_in_cycles;
    if (listed[part_of[c]] || report.cycles.size() >= limit) continue;
    listed[part_of[c]] = true;
    report.cycles.push_back(cycle_through(graph, c, part_of));
    report.problems.push_back(cycle_problem(topology, graph, report.cycles.back()));
  }
  return report;
}

}  // namespace spineleaf
