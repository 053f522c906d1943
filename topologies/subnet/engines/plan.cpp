#include "topologies/subnet/engines/plan.hpp"

#include <algorithm>
#include <tuple>

namespace spineleaf {

EnginePlan::EnginePlan(const Subnet& of)
    : subnet(of),
      graph(of.topology),
      hosts_at(of.switches.size(), 0),
      lids(lid_owners(of).owner.size()) {
  const std::vector<Attachment> at = attachments(subnet.topology);
  for (std::size_t e = 0; e < at.size(); ++e) {
    if (at[e].row == Attachment::kNoLeaf) continue;
    const AdapterPort& port = subnet.endpoints[e];
    for (unsigned offset = 0; offset < 1U << port.lmc; ++offset) {
      targets.push_back({port.lid + offset, at[e].row, at[e].port, true, offset});
    }
    ++hosts_at[at[e].row];
  }
  for (std::uint32_t row = 0; row < subnet.switches.size(); ++row) {
    targets.push_back({subnet.switches[row].lid, row, ForwardingTables::kSelf, false, 0});
  }
  const auto key = [](const Target& t) {
    return std::tuple{t.row, !t.host, t.offset, t.last_port};
  };
  std::sort(targets.begin(), targets.end(),
            [&](const Target& x, const Target& y) { return key(x) < key(y); });
}

ForwardingTables EnginePlan::make_tables() const {
  ForwardingTables tables(subnet.switches.size(), lids);
  for (const Target& target : targets) tables.set(target.row, target.lid, target.last_port);
  return tables;
}

void HopField::shortest_to(std::uint32_t target) {
  rank_ = nullptr;
  std::fill(hops_.begin(), hops_.end(), kUnreachable);
  hops_[target] = 0;
  queue_.assign(1, target);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::uint32_t u = queue_[head];
    const auto next = static_cast<Hops>(hops_[u] + 1);
    for (const std::uint32_t v : graph_.neighbours(u)) {
      if (hops_[v] != kUnreachable || next >= kAscending) continue;
      hops_[v] = next;
      queue_.push_back(v);
    }
  }
}

void HopField::up_down_to(std::uint32_t target, const std::vector<std::uint32_t>& rank,
                          const std::vector<std::uint32_t>& by_rank) {
  rank_ = &rank;
  std::fill(hops_.begin(), hops_.end(), kUnreachable);
  hops_[target] = 0;
  queue_.assign(1, target);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const std::uint32_t u = queue_[head];
    const auto next = static_cast<Hops>(hops_[u] + 1);
    for (const std::uint32_t v : graph_.neighbours(u)) {
      if (rank[v] > rank[u] || hops_[v] != kUnreachable || next >= kAscending) continue;
      hops_[v] = next;
      queue_.push_back(v);
    }
  }
  // From the top down, so that whatever is above a switch is final.
  for (const std::uint32_t u : by_rank) {
    if (hops_[u] < kAscending) continue;
    Hops best = kUnreachable;
    for (const std::uint32_t v : graph_.neighbours(u)) {
      if (rank[v] > rank[u] || hops_[v] == kUnreachable) continue;
      best = std::min(best, static_cast<Hops>((hops_[v] | kAscending) + 1));
    }
    hops_[u] = best;
  }
}

void HopField::candidates(std::uint32_t row, std::vector<SwitchGraph::Link>& links) const {
  links.clear();
  const Hops own = hops_[row];
  if (own == 0 || own == kUnreachable) return;
  for (const SwitchGraph::Link& link : graph_.links(row)) {
    const Hops next = hops_[link.row];
    if (next == kUnreachable) continue;
    const bool up = rank_ != nullptr && (*rank_)[link.row] < (*rank_)[row];
    const bool descends = own < kAscending;
    // One that can go down goes down; one that goes up may step onto either kind above it.
    if (rank_ != nullptr && descends == up) continue;
    const auto lifted = static_cast<Hops>(up ? next | kAscending : next);
    if (lifted + 1 == own) links.push_back(link);
  }
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& permutation) {
  std::vector<std::uint32_t> result(permutation.size());
  for (std::uint32_t i = 0; i < permutation.size(); ++i) result[permutation[i]] = i;
  return result;
}

}  // namespace spineleaf
