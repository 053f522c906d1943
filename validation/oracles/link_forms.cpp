#include "validation/oracles/link_forms.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "models/host/wire.hpp"

namespace spineleaf {

Time store_and_forward_latency(std::int64_t wire_bytes, std::span<const Hop> path) {
  Time total;
  for (const Hop& hop : path) total += serialisation(Bytes{wire_bytes}, hop.rate) + hop.latency;
  return total;
}

Time cut_through_latency(std::int64_t wire_bytes, std::int64_t header, std::span<const Hop> path) {
  return train_arrivals(std::array{wire_bytes}, path, header).back();
}

std::vector<Time> train_arrivals(std::span<const std::int64_t> wire_bytes,
                                 std::span<const Hop> path, std::int64_t header) {
  std::vector<Time> free(path.size());
  std::vector<Time> arrivals;
  for (const std::int64_t bytes : wire_bytes) {
    Time may_start, tail;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const auto on_link = [&](std::size_t link, std::int64_t count) {
        return serialisation(Bytes{count}, path[link].rate);
      };
      const Time start = std::max(free[i], may_start);
      free[i] = start + on_link(i, bytes);
      tail = free[i] + path[i].latency;
      if (i + 1 == path.size()) break;
      const Time header_in = start + on_link(i, std::min(header, bytes)) + path[i].latency;
      may_start = std::max(header_in, tail - on_link(i + 1, bytes));
    }
    arrivals.push_back(tail);
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
