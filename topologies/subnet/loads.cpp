#include "topologies/subnet/loads.hpp"

#include <algorithm>
#include <numeric>

#include "sim/random.hpp"
#include "topologies/port_map.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {

RouteWalker::RouteWalker(const Subnet& subnet, const ForwardingTables& tables)
    : subnet_(subnet), tables_(tables), attachments_(spineleaf::attachments(subnet.topology)) {
  const Topology& topology = subnet.topology;
  const PortMap ports(topology);
  const std::vector<std::uint32_t> first_endpoint = first_endpoints(topology);
  for (std::uint32_t n = topology.host_count; n < topology.nodes.size(); ++n) {
    first_hop_.push_back(hops_.size());
    for (std::uint16_t p = 0; p < topology.nodes[n].ports; ++p) {
      const PortRef own{NodeId{n}, p};
      const PortMap::Far& far = ports.far(own);
      const std::uint32_t cable = index(far.cable);
      if (topology.is_host(far.port.node)) {
        hops_.push_back({kHost, first_endpoint[index(far.port.node)] + far.port.port});
      } else {
        const bool forward = topology.cables[cable].a.node == own.node;
        hops_.push_back(
            {index(far.port.node) - topology.host_count, 2 * cable + (forward ? 0U : 1U)});
      }
    }
  }
}

bool RouteWalker::inside(std::uint32_t channel) const {
  const Cable& cable = subnet_.topology.cables[channel / 2];
  return !subnet_.topology.is_host(cable.a.node) && !subnet_.topology.is_host(cable.b.node);
}

namespace {

const char* reason(RouteWalker::End end) {
  switch (end) {
    case RouteWalker::End::Hole: return "there is no entry on the way";
    case RouteWalker::End::Loop: return "the route goes round in a loop";
    case RouteWalker::End::WrongPort: return "the route ends at another host";
    case RouteWalker::End::Arrived: break;
  }
  return "";
}

void summarise(const RouteWalker& walker, AllPairsLoads& loads) {
  for (std::uint32_t c = 0; c < loads.load.size(); ++c) {
    if (!walker.inside(c)) continue;
    ++loads.channels;
    if (loads.load[c] == 0) continue;
    loads.least = loads.used == 0 ? loads.load[c] : std::min(loads.least, loads.load[c]);
    loads.most = std::max(loads.most, loads.load[c]);
    ++loads.used;
  }
}

/// Endpoints of each switch row.
std::vector<std::vector<std::uint32_t>> endpoints_at(const RouteWalker& walker) {
  std::vector<std::vector<std::uint32_t>> at(walker.subnet().switches.size());
  for (std::uint32_t e = 0; e < walker.attachments().size(); ++e) {
    const std::uint32_t row = walker.attachments()[e].row;
    if (row != Attachment::kNoLeaf) at[row].push_back(e);
  }
  return at;
}

}  // namespace

/// Routes depend on where they enter, not on which host sends: one walk a switch and destination.
AllPairsLoads all_pairs(const RouteWalker& walker) {
  AllPairsLoads loads;
  loads.load.assign(walker.channels(), 0);
  const auto sources = endpoints_at(walker);
  std::vector<std::uint32_t> route;
  const auto& ports = walker.subnet().endpoints;
  for (std::uint32_t to = 0; to < ports.size(); ++to) {
    if (walker.attachments()[to].row == Attachment::kNoLeaf) continue;
    for (std::uint32_t row = 0; row < sources.size(); ++row) {
      const bool own = walker.attachments()[to].row == row;
      const std::uint64_t senders = sources[row].size() - (own ? 1 : 0);
      if (senders == 0) continue;
      route.clear();
      const RouteWalker::End end = walker.follow(
          row, ports[to].lid, to, [&](std::uint32_t channel) { route.push_back(channel); });
      if (end != RouteWalker::End::Arrived) {
        if (loads.lost == 0) {
          const std::uint32_t from = sources[row][own && sources[row].front() == to ? 1 : 0];
          loads.lost_example = ports[from].name + " to " + ports[to].name + ": " + reason(end);
        }
        loads.lost += senders;
        continue;
      }
      for (const std::uint32_t channel : route) loads.load[channel] += senders;
      loads.pairs += senders;
      loads.pairs_by_links[static_cast<unsigned>(route.size() + 2)] += senders;
    }
  }
  summarise(walker, loads);
  return loads;
}

namespace {

/// Counts one permutation after the other.
class Counter {
 public:
  explicit Counter(const RouteWalker& walker)
      : walker_(walker),
        order_(endpoints_by_leaf(walker.subnet().topology)),
        load_(walker.channels(), 0) {}

  std::size_t size() const { return order_.size(); }

  /// Endpoint i of the order sends to to[i].
  void add(std::span<const std::uint32_t> to) {
    std::uint32_t worst = 0;
    touched_.clear();
    route_from_.assign(1, 0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (to[i] != i) {
        const std::uint32_t target = index(order_[to[i]]);
        const std::uint32_t row = walker_.attachments()[index(order_[i])].row;
        walker_.follow(row, walker_.subnet().endpoints[target].lid, target,
                       [&](std::uint32_t channel) {
                         touched_.push_back(channel);
                         worst = std::max(worst, ++load_[channel]);
                       });
      }
      route_from_.push_back(touched_.size());
    }
    result_.worst = std::max(result_.worst, worst);
    sum_of_worst_ += worst;
    for (std::size_t i = 0; i + 1 < route_from_.size(); ++i) {
      std::uint32_t met = 0;
      for (std::size_t k = route_from_[i]; k < route_from_[i + 1]; ++k) {
        met = std::max(met, load_[touched_[k]]);
      }
      if (met > 0) {
        sum_of_routes_ += met;
        ++routes_;
      }
    }
    for (const std::uint32_t channel : touched_) load_[channel] = 0;
    ++result_.permutations;
  }

  PermutationLoads result() const {
    PermutationLoads result = result_;
    const auto count = static_cast<double>(std::max<std::size_t>(result.permutations, 1));
    result.mean_of_worst = static_cast<double>(sum_of_worst_) / count;
    if (routes_ > 0) {
      result.mean_of_routes = static_cast<double>(sum_of_routes_) / static_cast<double>(routes_);
    }
    return result;
  }

 private:
  const RouteWalker& walker_;
  const std::vector<EndpointId> order_;
  std::vector<std::uint32_t> load_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::size_t> route_from_;
  PermutationLoads result_;
  std::uint64_t sum_of_worst_ = 0;
  std::uint64_t sum_of_routes_ = 0;
  std::uint64_t routes_ = 0;
};

}  // namespace

PermutationLoads shift_permutations(const RouteWalker& walker, std::size_t most,
                                    std::uint64_t seed) {
  Counter counter(walker);
  const std::size_t n = counter.size();
  if (n < 2) return {};
  std::vector<std::size_t> shifts(n - 1);
  std::iota(shifts.begin(), shifts.end(), std::size_t{1});
  for (std::size_t i = 0; most < shifts.size() && i < most; ++i) {
    const std::uint64_t bits = draw(seed, Purpose::Permutation, i);
    std::swap(shifts[i], shifts[i + uniform_below(bits, shifts.size() - i)]);
  }
  shifts.resize(std::min(most, shifts.size()));
  std::vector<std::uint32_t> to(n);
  for (const std::size_t shift : shifts) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::uint32_t>((i + shift) % n);
    counter.add(to);
  }
  return counter.result();
}

PermutationLoads random_permutations(const RouteWalker& walker, std::size_t count,
                                     std::uint64_t seed) {
  Counter counter(walker);
  const std::size_t n = counter.size();
  if (n < 2) return {};
  std::vector<std::uint32_t> to(n);
  for (std::size_t k = 0; k < count; ++k) {
    std::iota(to.begin(), to.end(), 0U);
    for (std::size_t i = n - 1; i > 0; --i) {
      std::swap(to[i], to[uniform_below(draw(seed, Purpose::Permutation, k, i), i + 1)]);
    }
    counter.add(to);
  }
  return counter.result();
}

}  // namespace spineleaf
