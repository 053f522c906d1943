// updn: paths go up towards the roots first and then down, never up again (Autonet's rule;
// Schroeder et al., "Autonet: a high-speed, self-configuring local area network using
// point-to-point links", 1991). No cycle of buffers can close.
//
// Where no roots are given, they are the switches farthest from any host, if there are switches
// without hosts at all. OpenSM looks for a peak in each switch's histogram of distances and hands
// over to minhop where it finds none; a damaged tree misleads it. Here no root is an error.

#include <algorithm>

#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/engines/spread.hpp"

namespace spineleaf {

namespace {

constexpr std::uint32_t kFar = UINT32_MAX;

/// Hops of every switch from the nearest of `from`.
std::vector<std::uint32_t> distances(const SwitchGraph& graph,
                                     const std::vector<std::uint32_t>& from) {
  std::vector<std::uint32_t> hops(graph.rows(), kFar);
  std::vector<std::uint32_t> queue = from;
  for (const std::uint32_t row : from) hops[row] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const std::uint32_t v : graph.neighbours(queue[head])) {
      if (hops[v] != kFar) continue;
      hops[v] = hops[queue[head]] + 1;
      queue.push_back(v);
    }
  }
  return hops;
}

std::vector<std::uint32_t> find_roots(const EnginePlan& plan) {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t row = 0; row < plan.graph.rows(); ++row) {
    if (plan.hosts_at[row] > 0) leaves.push_back(row);
  }
  const std::vector<std::uint32_t> hops = distances(plan.graph, leaves);
  std::uint32_t farthest = 0;
  for (const std::uint32_t h : hops) farthest = std::max(farthest, h == kFar ? 0 : h);
  std::vector<std::uint32_t> roots;
  for (std::uint32_t row = 0; farthest > 0 && row < hops.size(); ++row) {
    if (hops[row] == farthest) roots.push_back(row);
  }
  // A single switch is a tree whose root is itself.
  if (roots.empty() && leaves.size() == 1) roots = leaves;
  return roots;
}

EngineResult route_updn(const Subnet& subnet, const EngineOptions& options) {
  const EnginePlan plan(subnet);
  EngineResult result;
  const std::vector<std::uint32_t> roots = options.roots.empty() ? find_roots(plan) : options.roots;
  if (roots.empty()) {
    result.problems.push_back(
        make_error("updn", "no root switch is found: hosts hang on every switch", {}, "roots",
                   "Name them (--roots; in a scenario subnet.roots), or use another "
                   "engine"));
    return result;
  }
  const std::vector<std::uint32_t> level = distances(plan.graph, roots);
  std::vector<std::uint32_t> by_rank(plan.graph.rows());
  for (std::uint32_t row = 0; row < by_rank.size(); ++row) by_rank[row] = row;
  std::stable_sort(by_rank.begin(), by_rank.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return level[x] < level[y]; });
  const std::vector<std::uint32_t> rank = inverse(by_rank);
  result.routes.tables = spread_by_load(plan, [&](HopField& field, std::uint32_t target) {
    field.up_down_to(target, rank, by_rank);
  });
  return result;
}

}  // namespace

RoutingEngine updn_engine() {
  return {"updn", "up towards the roots, then down: no credit loops; roots found or given",
          route_updn};
}

}  // namespace spineleaf
