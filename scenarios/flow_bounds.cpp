#include "scenarios/flow_bounds.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace spineleaf {
namespace {

/// A directed link: where it leads, and its latency.
struct Step {
  std::uint32_t to = 0;
  Time latency;
};

class Distances {
 public:
  Distances(const Topology& topology, Fabric& fabric) : topology_(topology), fabric_(fabric) {
    steps_.resize(topology.nodes.size());
    for (const Cable& cable : topology.cables) {
      add(cable.a, cable.b);
      add(cable.b, cable.a);
    }
  }

  /// Latency from one host's port to another host's, by the fewest hops; of such paths the fastest.
  Time between(const Endpoint& from, const Endpoint& to) {
    auto [at, isnew] = from_port_.try_emplace({index(from.host), from.port});
    if (isnew) at->second = search(from);
    return at->second[index(to.host)];
  }

 private:
  void add(PortRef from, PortRef to) {
    const Time latency = fabric_.ports_of(index(from.node)).out_link(from.port).latency;
    steps_[index(from.node)].push_back({index(to.node), latency});
    if (topology_.is_host(from.node))
      first_[{index(from.node), from.port}] = steps_[index(from.node)].back();
  }

  /// Breadth first, level by level; hosts pass nothing on.
  std::vector<Time> search(const Endpoint& from) const {
    std::vector<Time> found(steps_.size(), Time{-1});
    const auto first = first_.find({index(from.host), from.port});
    if (first == first_.end()) return found;
    std::vector<std::uint32_t> level{first->second.to};
    found[index(from.host)] = Time{0};
    found[level.front()] = first->second.latency;
    while (!level.empty()) {
      std::map<std::uint32_t, Time> next;
      for (const std::uint32_t node : level) {
        if (node < topology_.host_count) continue;
        for (const Step& step : steps_[node]) {
          if (found[step.to].ps >= 0) continue;
          const Time at = found[node] + step.latency;
          const auto [entry, isnew] = next.try_emplace(step.to, at);
          if (!isnew) entry->second = std::min(entry->second, at);
        }
      }
      level.clear();
      for (const auto& [node, at] : next) {
        found[node] = at;
        level.push_back(node);
      }
    }
    return found;
  }

  const Topology& topology_;
  Fabric& fabric_;
  std::vector<std::vector<Step>> steps_;  ///< by node
  std::map<std::pair<std::uint32_t, std::uint16_t>, Step> first_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<Time>> from_port_;
};

}  // namespace

std::vector<Time> flow_bounds(const std::vector<FlowRecord>& flows, const Topology& topology,
                              Fabric& fabric) {
  Distances distances(topology, fabric);
  std::vector<Time> bounds;
  for (const FlowRecord& flow : flows) {
    const Endpoint& from = topology.endpoints[index(flow.from)];
    const Endpoint& to = topology.endpoints[index(flow.to)];
    const Time latency = distances.between(from, to);
    const std::int64_t rate =
        std::min(fabric.ports_of(index(from.host)).out_link(from.port).rate.bits_per_second,
                 fabric.ports_of(index(to.host)).out_link(to.port).rate.bits_per_second);
    if (latency.ps < 0 || rate <= 0) {
      bounds.push_back(Time{-1});
      continue;
    }
    const double ps = static_cast<double>(flow.bytes.count) * 8e12 / static_cast<double>(rate);
    bounds.push_back(latency + Time{static_cast<std::int64_t>(ps)});
  }
  return bounds;
}

}  // namespace spineleaf
