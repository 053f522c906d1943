#include "topologies/bounce_classes.hpp"

#include <algorithm>
#include <utility>

#include "topologies/port_map.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {
namespace {

constexpr std::uint32_t kMostClasses = 8;  // of PFC
constexpr std::size_t kMostPairs = 50'000'000;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

class BounceWalk {
 public:
  explicit BounceWalk(const Topology& topology)
      : topology_(topology),
        graph_(topology),
        ranks_(up_down_ranks(graph_)),
        ports_(topology),
        channels_(static_cast<std::uint32_t>(2 * topology.cables.size())) {}

  /// Follows one pinned path; false if it bounces too often.
  bool follow(std::span<const std::uint32_t> path) {
    std::uint32_t before = kNone;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::uint32_t channel = path[i];
      if (touches_host(channel)) continue;
      const auto here = path.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(path.begin(), here, channel) != here) return false;  // a routing loop
      const std::uint32_t buffer = next_buffer(before, channel);
      if (buffer == kNone) return false;
      if (before != kNone) pairs_.emplace_back(before, buffer);
      before = buffer;
    }
    return true;
  }

  /// Follows all candidates towards one group.
  bool follow(const Routes& routes, std::uint32_t group) {
    std::vector<bool> seen(std::size_t{channels_} * kMostClasses);
    std::vector<std::uint32_t> stack;
    const auto go = [&](std::uint32_t row, std::uint32_t before) {
      const std::uint32_t set =
          routes.set_base[row] + routes.set_of[std::size_t{row} * routes.group_count + group];
      for (std::uint32_t i = 0; i < routes.sets[set].count; ++i) {
        const std::uint32_t channel = channel_at(row, routes.ports[routes.sets[set].first + i]);
        if (touches_host(channel)) continue;
        const std::uint32_t buffer = next_buffer(before, channel);
        if (buffer == kNone) return false;
        if (before != kNone) pairs_.emplace_back(before, buffer);
        if (seen[buffer]) continue;
        seen[buffer] = true;
        stack.push_back(buffer);
      }
      return true;
    };
    for (std::uint32_t row = 0; row < routes.group_at.size(); ++row) {
      if (routes.group_at[row] >= routes.group_count || routes.group_at[row] == group) continue;
      if (!go(row, kNone)) return false;
    }
    while (!stack.empty()) {
      const std::uint32_t buffer = stack.back();
      stack.pop_back();
      const std::uint32_t row = far_row(buffer % channels_);
      if (routes.group_at[row] != group && !go(row, buffer)) return false;
    }
    return true;
  }

  /// Keeps each pair once, now and then; false if there are too many.
  bool compact() {
    if (pairs_.size() < compact_at_) return true;
    remove_doubles();
    compact_at_ = std::max(compact_at_, 2 * pairs_.size());
    return pairs_.size() < kMostPairs;
  }

  BounceClasses finish() {
    remove_doubles();
    BounceClasses result;
    result.tried = true;
    ChannelGraph graph;
    graph.channels = channels_;
    for (const auto& [from, to] : pairs_) {
      result.classes = std::max(result.classes, std::max(from, to) / channels_ + 1);
    }
    auto pair = pairs_.begin();
    graph.from.push_back(0);
    for (std::uint32_t buffer = 0; buffer < result.classes * channels_; ++buffer) {
      for (; pair != pairs_.end() && pair->first == buffer; ++pair)
        graph.to.push_back(pair->second);
      graph.from.push_back(graph.to.size());
    }
    result.has_cycle = find_cycles(topology_, graph, 1).has_cycle;
    return result;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void remove_doubles() {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  bool touches_host(std::uint32_t channel) const {
    const Cable& cable = topology_.cables[channel / 2];
    return topology_.is_host(cable.a.node) || topology_.is_host(cable.b.node);
  }
  std::uint32_t far_row(std::uint32_t channel) const {
    const Cable& cable = topology_.cables[channel / 2];
    return index(channel % 2 == 0 ? cable.b.node : cable.a.node) - topology_.host_count;
  }
  bool goes_up(std::uint32_t channel) const {
    const std::uint32_t to = far_row(channel);
    const std::uint32_t from = far_row(channel ^ 1U);
    return ranks_[to] < ranks_[from];
  }
  std::uint32_t channel_at(std::uint32_t row, std::uint16_t port) const {
    const PortRef own{NodeId{topology_.host_count + row}, port};
    const std::uint32_t cable = index(ports_.far(own).cable);
    const PortRef& a = topology_.cables[cable].a;
    return 2 * cable + (a.node == own.node && a.port == own.port ? 0 : 1);
  }
  /// The buffer that `channel` fills after `before`: a class more after a bounce.
  std::uint32_t next_buffer(std::uint32_t before, std::uint32_t channel) const {
    std::uint32_t lane = 0;
    if (before != kNone) {
      lane = before / channels_;
      if (!goes_up(before % channels_) && goes_up(channel)) ++lane;
    }
    return lane < kMostClasses ? lane * channels_ + channel : kNone;
  }

  const Topology& topology_;
  const SwitchGraph graph_;
  const std::vector<std::uint32_t> ranks_;
  const PortMap ports_;
  std::uint32_t channels_;
  Pairs pairs_;
  std::size_t compact_at_ = 1'000'000;
};

}  // namespace

BounceClasses classes_per_bounce(const Topology& topology, std::span<const TrafficClass> traffic) {
  BounceWalk walk(topology);
  for (const TrafficClass& in : traffic) {
    for (std::uint32_t p = 0; in.paths != nullptr && p < in.paths->size(); ++p) {
      if (!walk.follow(in.paths->channels(PathId{p}))) return {};
    }
    for (std::uint32_t g = 0; in.routes != nullptr && g < in.routes->group_count; ++g) {
      if (!walk.follow(*in.routes, g) || !walk.compact()) return {};
    }
  }
  return walk.finish();
}

}  // namespace spineleaf
