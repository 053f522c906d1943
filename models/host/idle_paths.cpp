#include "models/host/idle_paths.hpp"

#include <algorithm>

namespace spineleaf {

IdlePaths::IdlePaths(const Topology& topology, const Routes& routes, const ModelParams& params)
    : topology_(topology),
      routes_(routes),
      params_(params),
      ports_(topology),
      wire_(wire_sizes(params)) {}

IdlePaths::RoundTrip IdlePaths::round_trip(EndpointId from, EndpointId to) const {
  const std::int64_t packet = params_.fabric.mtu.count + wire_.header + wire_.gap;
  const RoundTrip out = one_way(from, to, packet);
  const RoundTrip back = one_way(to, from, wire_.ack + wire_.gap);
  return {out.time + back.time, out.switches};
}

// Cut-through: all links but the last take a header each; the slowest link decides how the tail
// follows, which is left out: with unequal speeds the sum is a little short.
IdlePaths::RoundTrip IdlePaths::one_way(EndpointId from, EndpointId to,
                                        std::int64_t wire_bytes) const {
  constexpr std::uint32_t kMostHops = 64;
  const Endpoint& start = topology_.endpoints[index(from)];
  const Endpoint& end = topology_.endpoints[index(to)];
  PortRef at{start.host, start.port};
  RoundTrip trip;
  while (trip.switches < kMostHops) {
    const PortMap::Far& far = ports_.far(at);
    if (!far.present) return {};
    const Cable& cable = topology_.cables[index(far.cable)];
    const Time whole = serialisation(Bytes{wire_bytes}, cable.rate);
    trip.time += cable.propagation + params_.fabric.fec;
    if (far.port.node == end.host) {
      trip.time += whole;
      return trip;
    }
    if (topology_.is_host(far.port.node)) return {};
    const bool cut = params_.sw.switching == Switching::CutThrough;
    trip.time += params_.sw.core_latency +
                 (cut ? std::min(whole, serialisation(params_.sw.header, cable.rate)) : whole);
    ++trip.switches;
    const auto candidates = routes_.candidates(far.port.node, to);
    if (candidates.empty()) return {};
    at = {far.port.node, candidates.front()};
  }
  return {};
}

}  // namespace spineleaf
