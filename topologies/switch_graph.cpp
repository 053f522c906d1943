#include "topologies/switch_graph.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace spineleaf {

SwitchGraph::SwitchGraph(const Topology& topology) {
  const std::size_t rows = topology.nodes.size() - topology.host_count;
  const auto inside = [&](const Cable& cable) {
    return cable.up && !topology.is_host(cable.a.node) && !topology.is_host(cable.b.node);
  };
  const auto row_of = [&](PortRef port) { return index(port.node) - topology.host_count; };
  links_from_.assign(rows + 1, 0);
  for (const Cable& cable : topology.cables) {
    if (!inside(cable)) continue;
    ++links_from_[row_of(cable.a) + 1];
    ++links_from_[row_of(cable.b) + 1];
  }
  std::partial_sum(links_from_.begin(), links_from_.end(), links_from_.begin());
  links_.resize(links_from_.back());
  std::vector<std::size_t> next(links_from_.begin(), links_from_.end() - 1);
  for (std::uint32_t c = 0; c < topology.cables.size(); ++c) {
    const Cable& cable = topology.cables[c];
    if (!inside(cable)) continue;
    links_[next[row_of(cable.a)]++] = {row_of(cable.b), cable.a.port, 2 * c};
    links_[next[row_of(cable.b)]++] = {row_of(cable.a), cable.b.port, 2 * c + 1};
  }
  neighbours_from_.push_back(0);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = links_.begin() + static_cast<std::ptrdiff_t>(links_from_[row]);
    const auto last = links_.begin() + static_cast<std::ptrdiff_t>(links_from_[row + 1]);
    std::sort(first, last, [](const Link& x, const Link& y) { return x.port < y.port; });
    const auto begin = static_cast<std::ptrdiff_t>(neighbours_.size());
    for (auto link = first; link != last; ++link) neighbours_.push_back(link->row);
    std::sort(neighbours_.begin() + begin, neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin() + begin, neighbours_.end()),
                      neighbours_.end());
    neighbours_from_.push_back(neighbours_.size());
  }
  for (std::size_t row = 0; row < rows; ++row) {
    tier_.push_back(topology.nodes[topology.host_count + row].tier);
  }
}

namespace {

/// Hops inside a switch's own tier from the first switch of its connected part of that tier.
std::vector<std::uint32_t> hops_in_tier(const SwitchGraph& graph) {
  std::vector<std::uint32_t> hops(graph.rows(), UINT32_MAX);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t root = 0; root < graph.rows(); ++root) {
    if (hops[root] != UINT32_MAX) continue;
    hops[root] = 0;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t u = queue[head];
      for (const std::uint32_t v : graph.neighbours(u)) {
        if (graph.tier(v) != graph.tier(u) || hops[v] != UINT32_MAX) continue;
        hops[v] = hops[u] + 1;
        queue.push_back(v);
      }
    }
  }
  return hops;
}

}  // namespace

std::vector<std::uint32_t> up_down_ranks(const SwitchGraph& graph) {
  const std::vector<std::uint32_t> hops = hops_in_tier(graph);
  std::vector<std::uint32_t> order(graph.rows());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t row) {
    return std::tuple{255 - graph.tier(row), hops[row], row};
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
  std::vector<std::uint32_t> rank(graph.rows());
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

std::vector<std::uint32_t> first_endpoints(const Topology& topology) {
  std::vector<std::uint32_t> first(topology.nodes.size(), 0);
  for (std::size_t e = topology.endpoints.size(); e-- > 0;) {
    first[index(topology.endpoints[e].host)] = static_cast<std::uint32_t>(e);
  }
  return first;
}

}  // namespace spineleaf
