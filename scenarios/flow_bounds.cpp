#include "scenarios/flow_bounds.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace spineleaf {
namespace {

/// Latencies between switches, by the fewest hops; of such paths the fastest. One source at a time
/// is kept: a fabric of 65,536 hosts has thousands.
class Distances {
 public:
  Distances(const Topology& topology, Fabric& fabric) : topology_(topology), fabric_(fabric) {
    steps_.resize(topology.nodes.size() - topology.host_count);
    for (const Cable& cable : topology.cables) {
      add(cable.a, cable.b);
      add(cable.b, cable.a);
    }
  }

  /// What an endpoint's cable leads to, and its latency; nullptr = it has none.
  struct Step {
    std::uint32_t to = 0;
    Time latency;
  };
  const Step* cable_of(const Endpoint& endpoint) const {
    const auto found = cables_.find({index(endpoint.host), endpoint.port});
    return found == cables_.end() ? nullptr : &found->second;
  }
  bool is_switch(std::uint32_t node) const { return node >= topology_.host_count; }

  /// Latency from one switch to another; -1 = no path.
  Time between(std::uint32_t from, std::uint32_t to) {
    if (found_.empty() || from != from_) search(from);
    return found_[row(to)];
  }

 private:
  std::size_t row(std::uint32_t node) const { return node - topology_.host_count; }

  void add(PortRef from, PortRef to) {
    const Time latency = fabric_.ports_of(index(from.node)).out_link(from.port).latency;
    const Step step{index(to.node), latency};
    if (topology_.is_host(from.node)) {
      cables_[{index(from.node), from.port}] = step;
    } else if (!topology_.is_host(to.node)) {
      steps_[row(index(from.node))].push_back(step);
    }
  }

  /// Breadth first, level by level.
  void search(std::uint32_t from) {
    from_ = from;
    found_.assign(steps_.size(), Time{-1});
    hops_.assign(steps_.size(), UINT32_MAX);
    found_[row(from)] = Time{0};
    hops_[row(from)] = 0;
    std::vector<std::uint32_t> level{from};
    std::vector<std::uint32_t> next;
    for (std::uint32_t hops = 1; !level.empty(); ++hops) {
      next.clear();
      for (const std::uint32_t node : level) {
        for (const Step& step : steps_[row(node)]) {
          const std::size_t to = row(step.to);
          if (hops_[to] < hops) continue;
          const Time at = found_[row(node)] + step.latency;
          if (hops_[to] != hops) {
            hops_[to] = hops;
            found_[to] = at;
            next.push_back(step.to);
          }
          found_[to] = std::min(found_[to], at);
        }
      }
      level.swap(next);
    }
  }

  const Topology& topology_;
  Fabric& fabric_;
  std::vector<std::vector<Step>> steps_;  ///< by switch: to other switches
  std::map<std::pair<std::uint32_t, std::uint16_t>, Step> cables_;  ///< by port of a host
  std::uint32_t from_ = 0;                                          ///< of the last search
  std::vector<Time> found_;                                         ///< by switch
  std::vector<std::uint32_t> hops_;
};

Time latency_between(Distances& distances, const Endpoint& from, const Endpoint& to) {
  const Distances::Step* const out = distances.cable_of(from);
  const Distances::Step* const in = distances.cable_of(to);
  if (out == nullptr || in == nullptr) return Time{-1};
  if (!distances.is_switch(out->to)) return out->to == index(to.host) ? out->latency : Time{-1};
  if (!distances.is_switch(in->to)) return Time{-1};
  const Time middle = distances.between(out->to, in->to);
  return middle.ps < 0 ? middle : out->latency + middle + in->latency;
}

}  // namespace

std::vector<Time> flow_bounds(const std::vector<FlowRecord>& flows, const Topology& topology,
                              Fabric& fabric) {
  Distances distances(topology, fabric);
  const auto source = [&](std::size_t f) {
    const Distances::Step* const cable =
        distances.cable_of(topology.endpoints[index(flows[f].from)]);
    return cable == nullptr ? UINT32_MAX : cable->to;
  };
  std::vector<std::size_t> order(flows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return source(a) < source(b); });
  std::vector<Time> bounds(flows.size(), Time{-1});
  for (const std::size_t f : order) {
    const FlowRecord& flow = flows[f];
    const Endpoint& from = topology.endpoints[index(flow.from)];
    const Endpoint& to = topology.endpoints[index(flow.to)];
    const Time latency = latency_between(distances, from, to);
    const std::int64_t rate =
        std::min(fabric.ports_of(index(from.host)).out_link(from.port).rate.bits_per_second,
                 fabric.ports_of(index(to.host)).out_link(to.port).rate.bits_per_second);
    if (latency.ps < 0 || rate <= 0) continue;
    const double ps = static_cast<double>(flow.bytes.count) * 8e12 / static_cast<double>(rate);
    bounds[f] = latency + Time{static_cast<std::int64_t>(ps)};
  }
  return bounds;
}

}  // namespace spineleaf
