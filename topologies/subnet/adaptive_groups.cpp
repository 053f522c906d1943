#include "topologies/subnet/adaptive_groups.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "topologies/subnet/tables.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {

namespace {

constexpr std::uint16_t kFar = UINT16_MAX;

/// Per switch port: the row that it leads to, or kNoRow.
class NextRows {
 public:
  static constexpr std::uint32_t kNoRow = UINT32_MAX;

  NextRows(const SwitchGraph& graph, const Topology& topology) {
    for (std::uint32_t row = 0; row < graph.rows(); ++row) {
      first_.push_back(next_.size());
      next_.resize(next_.size() + topology.nodes[topology.host_count + row].ports, kNoRow);
      for (const SwitchGraph::Link& link : graph.links(row)) {
        next_[first_.back() + link.port] = link.row;
      }
    }
  }
  std::uint32_t of(std::uint32_t row, std::uint16_t port) const {
    return next_[first_[row] + port];
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> next_;
};

/// Hops between switches that the tables' path from each switch to `lid` takes; kFar where it does
/// not arrive. Every switch is walked once.
class PathHops {
 public:
  PathHops(const ForwardingTables& tables, const NextRows& next, std::size_t rows)
      : tables_(tables), next_(next), hops_(rows) {}

  const std::vector<std::uint16_t>& to(std::uint32_t lid, std::uint32_t own, std::uint16_t port) {
    constexpr std::uint16_t kUnknown = kFar - 1;
    std::fill(hops_.begin(), hops_.end(), kUnknown);
    if (tables_.at(own, lid) == port) hops_[own] = 0;
    for (std::uint32_t row = 0; row < hops_.size(); ++row) {
      walk_.clear();
      std::uint32_t at = row;
      while (at != NextRows::kNoRow && hops_[at] == kUnknown) {
        hops_[at] = kFar;  // for good where the path comes back here
        walk_.push_back(at);
        const std::uint16_t out = tables_.at(at, lid);
        const bool leads = out != ForwardingTables::kNone && out != ForwardingTables::kSelf;
        at = leads ? next_.of(at, out) : NextRows::kNoRow;
      }
      std::uint16_t hops = at == NextRows::kNoRow ? kFar : hops_[at];
      for (; !walk_.empty() && hops != kFar; walk_.pop_back()) hops_[walk_.back()] = ++hops;
    }
    return hops_;
  }

 private:
  const ForwardingTables& tables_;
  const NextRows& next_;
  std::vector<std::uint16_t> hops_;
  std::vector<std::uint32_t> walk_;
};

}  // namespace

void add_adaptive_groups(const Subnet& subnet, const ForwardingTables& tables,
                         AdaptiveGroups groups, TableRoutes& made) {
  if (groups == AdaptiveGroups::None) return;
  const Topology& topology = subnet.topology;
  const SwitchGraph graph(topology);
  const NextRows next(graph, topology);
  Routes& routes = made.routes;
  PathHops paths(tables, next, graph.rows());
  std::vector<std::map<std::vector<std::uint16_t>, std::uint16_t>> known(graph.rows());
  std::vector<std::vector<std::vector<std::uint16_t>>> sets(graph.rows(), {{}});
  const std::vector<Attachment> at = attachments(topology);
  std::vector<Attachment> target_of(routes.group_count);
  for (std::size_t e = 0; e < at.size(); ++e) {
    const AdapterPort& port = subnet.endpoints[e];
    for (std::size_t g = 0; g < made.lid_of_group.size(); ++g) {
      const std::uint32_t lid = made.lid_of_group[g];
      if (lid >= port.lid && lid < port.lid + (1U << port.lmc)) target_of[g] = at[e];
    }
  }
  std::vector<std::uint16_t> ports;
  for (std::uint32_t g = 0; g < routes.group_count; ++g) {
    const std::uint32_t lid = made.lid_of_group[g];
    if (lid >= tables.lids()) continue;
    const std::vector<std::uint16_t>& hops = paths.to(lid, target_of[g].row, target_of[g].port);
    for (std::uint32_t row = 0; row < graph.rows(); ++row) {
      const std::uint16_t own = tables.at(row, lid);
      ports.clear();
      if (own != ForwardingTables::kNone && own != ForwardingTables::kSelf) {
        const std::uint32_t to = next.of(row, own);
        for (const SwitchGraph::Link& link : graph.links(row)) {
          const bool lag = link.row == to;
          const bool closer = groups == AdaptiveGroups::Tree && hops[row] != kFar &&
                              hops[link.row] != kFar && hops[link.row] < hops[row];
          if (to != NextRows::kNoRow && (lag || closer)) ports.push_back(link.port);
        }
        if (ports.empty()) ports.push_back(own);
      }
      const auto [entry, fresh] =
          known[row].emplace(ports, static_cast<std::uint16_t>(sets[row].size()));
      if (fresh) {
        if (ports.empty()) {
          entry->second = 0;
        } else {
          sets[row].push_back(ports);
        }
      }
      routes.set_of[std::size_t{row} * routes.group_count + g] = entry->second;
    }
  }
  routes.sets.clear();
  routes.ports.clear();
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    routes.set_base[row] = static_cast<std::uint32_t>(routes.sets.size());
    for (const std::vector<std::uint16_t>& set : sets[row]) {
      routes.sets.push_back({static_cast<std::uint32_t>(routes.ports.size()),
                             static_cast<std::uint16_t>(set.size())});
      routes.ports.insert(routes.ports.end(), set.begin(), set.end());
    }
  }
}

}  // namespace spineleaf
