#include "models/collectives/ring_plan.hpp"

#include <algorithm>

namespace spineleaf {
namespace {

constexpr std::int64_t kChunkAlign = 16;
constexpr std::int64_t kMinTrafficPerChannel = 16 << 10;
constexpr std::uint32_t kMaxChannels = 64;
constexpr std::uint32_t kSingleNodeChannels = 24;

std::int64_t align_up(std::int64_t a, std::int64_t b) { return div_up(a, b) * b; }

}  // namespace

std::string_view name_of(Collective collective) {
  constexpr std::string_view kNames[] = {"all_reduce", "all_gather", "reduce_scatter",
                                         "broadcast",  "reduce",     "alltoall",
                                         "gather",     "scatter",    "sendrecv"};
  return kNames[static_cast<std::size_t>(collective)];
}

ChannelShare::ChannelShare(const RingShape& shape, std::int64_t share) : bytes(share) {
  const bool reduce = shape.collective == Collective::AllReduce;
  const std::int64_t loop = reduce ? shape.chunk * shape.ranks : shape.chunk;
  loops = static_cast<std::uint32_t>(div_up(bytes, loop));
  last_bytes = bytes - (loops - std::int64_t{1}) * loop;
  last_chunk = shape.chunk;
  if (last_bytes < loop) {
    last_chunk = reduce ? align_up(div_up(last_bytes, shape.ranks), kChunkAlign) : last_bytes;
  }
}

std::int64_t ChannelShare::chunk_bytes(const RingShape& shape, std::uint32_t loop,
                                       std::uint32_t chunk) const {
  if (loop + 1 < loops) return shape.chunk;
  if (shape.collective != Collective::AllReduce) return last_chunk;
  return std::clamp(last_bytes - chunk * last_chunk, std::int64_t{0}, last_chunk);
}

LinkTotals edge_totals(const RingShape& shape, const ChannelShare& share, std::uint32_t rank) {
  const std::int64_t sends = shape.operations() - std::int64_t{1};
  LinkTotals totals;
  shape.add(totals, shape.chunk, sends * (share.loops - std::int64_t{1}));
  if (shape.collective != Collective::AllReduce) {
    shape.add(totals, share.last_chunk, sends);
    return totals;
  }
  // A rank sends every chunk twice but for the last two of its sequence, which it sends once.
  const auto full = share.last_bytes / share.last_chunk;
  shape.add(totals, share.last_chunk, 2 * full);
  shape.add(totals, share.last_bytes - full * share.last_chunk, 2);
  for (const std::uint32_t chunk : {rank, (rank + 1) % shape.ranks}) {
    shape.add(totals, share.chunk_bytes(shape, share.loops - 1, chunk), -1);
  }
  return totals;
}

RingShape make_ring_shape(Collective collective, Protocol protocol, std::uint32_t ranks,
                          const HostParams& host, const NcclCosts& costs) {
  RingShape shape;
  static_cast<Slicing&>(shape) =
      make_slicing(protocol, host, costs, host.chunk_steps, host.slice_steps);
  shape.collective = collective;
  shape.ranks = ranks;
  return shape;
}

std::uint32_t default_channels(std::uint32_t nodes, std::uint32_t nics) {
  if (nodes < 2) return kSingleNodeChannels;
  std::uint32_t channels = 2 * nics;
  if (channels < 16) channels *= 2;
  return std::min(channels, kMaxChannels);
}

std::uint32_t reduced_channels(std::uint32_t channels, std::int64_t bytes, Protocol protocol) {
  const std::int64_t per_channel = protocol == Protocol::Simple  ? 512 * 64
                                   : protocol == Protocol::Ll128 ? 640 * 8
                                                                 : 512 * 8;
  while (channels > 1 && bytes < channels * per_channel) --channels;
  return channels;
}

std::vector<std::int64_t> split_channels(std::int64_t total, std::int64_t traffic_per_byte,
                                         std::uint32_t channels) {
  const std::int64_t cell = align_up(div_up(kMinTrafficPerChannel, traffic_per_byte), kChunkAlign);
  const std::int64_t share = div_up(div_up(total, cell), channels) * cell;
  std::vector<std::int64_t> shares;
  for (std::int64_t at = 0; at < total; at += share) shares.push_back(std::min(share, total - at));
  return shares;
}

std::vector<std::int64_t> split_channels(const RingShape& shape, std::int64_t bytes,
                                         std::uint32_t channels) {
  if (shape.collective == Collective::AllReduce) return split_channels(bytes, 2, channels);
  return split_channels(bytes / shape.ranks, shape.ranks, channels);
}

Time ring_cost(Collective collective, std::uint32_t ranks, Bytes bytes, Time alpha, Rate rate) {
  const std::int64_t steps =
      (collective == Collective::AllReduce ? 2 : 1) * (std::int64_t{ranks} - 1);
  const Time wire = serialisation(bytes * steps, Rate{rate.bits_per_second});
  return alpha * steps + Time{wire.ps / ranks};
}

}  // namespace spineleaf
