#include "validation/oracles/link_forms.hpp"

#include <algorithm>
#include <numeric>

#include "models/host/wire.hpp"

namespace spineleaf {

Time store_and_forward_latency(std::int64_t wire_bytes, std::span<const Hop> path) {
  Time total;
  for (const Hop& hop : path) total += serialisation(Bytes{wire_bytes}, hop.rate) + hop.latency;
  return total;
}

Time cut_through_latency(std::int64_t wire_bytes, std::int64_t header, std::span<const Hop> path) {
  Time start;  // of the packet's transmission on the link at hand
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Time whole = serialisation(Bytes{wire_bytes}, path[i].rate);
    const Time tail = start + whole + path[i].latency;
    if (i + 1 == path.size()) return tail;
    const Time part = serialisation(Bytes{std::min(header, wire_bytes)}, path[i].rate);
    const Time forward = start + part + path[i].latency;
    start = std::max(forward, tail - serialisation(Bytes{wire_bytes}, path[i + 1].rate));
  }
  return start;
}

std::vector<Time> train_arrivals(std::span<const std::int64_t> wire_bytes,
                                 std::span<const Hop> path) {
  std::vector<Time> free(path.size());
  std::vector<Time> arrivals;
  for (const std::int64_t bytes : wire_bytes) {
    Time at;
    for (std::size_t i = 0; i < path.size(); ++i) {
      free[i] = std::max(free[i], at) + serialisation(Bytes{bytes}, path[i].rate);
      at = free[i] + path[i].latency;
    }
    arrivals.push_back(at);
  }
  return arrivals;
}

std::vector<std::int64_t> message_packets(WireFormat wire, Bytes message, Bytes mtu,
                                          bool immediate) {
  const WireSizes sizes = wire_sizes(wire);
  std::vector<std::int64_t> packets;
  for (std::int64_t left = message.count; left > 0; left -= mtu.count) {
    packets.push_back(std::min(left, mtu.count) + sizes.header + sizes.gap);
  }
  if (packets.empty()) return packets;
  packets.front() += sizes.reth;
  if (immediate) packets.back() += sizes.immediate;
  return packets;
}

std::int64_t message_wire_bytes(WireFormat wire, Bytes message, Bytes mtu, bool immediate) {
  const std::vector<std::int64_t> packets = message_packets(wire, message, mtu, immediate);
  return std::accumulate(packets.begin(), packets.end(), std::int64_t{0});
}

}  // namespace spineleaf
