#include "models/collectives/ring_plan.hpp"

#include <algorithm>

namespace spineleaf {
namespace {

// nccl-tests runs in float by default; the element size only rounds slices (16 elements).
constexpr std::int64_t kElement = 4;
constexpr std::int64_t kChunkAlign = 16;
constexpr std::int64_t kMinTrafficPerChannel = 16 << 10;
constexpr std::uint32_t kMaxChannels = 64;
constexpr std::uint32_t kSingleNodeChannels = 24;

std::int64_t div_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t align_up(std::int64_t a, std::int64_t b) { return div_up(a, b) * b; }

/// Slices, payload and wire bytes of one chunk.
EdgeTotals chunk_totals(const RingShape& shape, std::int64_t bytes) {
  EdgeTotals totals;
  const std::int64_t slice = shape.slice_size(bytes);
  for (std::int64_t left = bytes; left > 0; left -= slice) {
    ++totals.messages;
    totals.wire += shape.wire_bytes(std::min(left, slice));
  }
  totals.payload = bytes;
  return totals;
}

void add(EdgeTotals& sum, const EdgeTotals& part, std::int64_t times) {
  sum.messages += part.messages * times;
  sum.payload += part.payload * times;
  sum.wire += part.wire * times;
}

}  // namespace

std::string_view name_of(Collective collective) {
  switch (collective) {
    case Collective::AllReduce: return "all_reduce";
    case Collective::AllGather: return "all_gather";
    case Collective::ReduceScatter: return "reduce_scatter";
  }
  return "";
}

std::string_view name_of(Protocol protocol) {
  return protocol == Protocol::Simple ? "simple" : "ll128";
}

std::int64_t RingShape::slice_size(std::int64_t bytes) const {
  const std::int64_t grain = 16 * kElement;
  return std::max(div_up(bytes, grain * slices) * grain, min_slice);
}

std::uint32_t RingShape::slice_count(std::int64_t bytes) const {
  return bytes <= 0 ? 0 : static_cast<std::uint32_t>(div_up(bytes, slice_size(bytes)));
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

EdgeTotals edge_totals(const RingShape& shape, const ChannelShare& share, std::uint32_t rank) {
  const std::int64_t sends = shape.operations() - std::int64_t{1};
  EdgeTotals totals;
  add(totals, chunk_totals(shape, shape.chunk), sends * (share.loops - std::int64_t{1}));
  if (shape.collective != Collective::AllReduce) {
    add(totals, chunk_totals(shape, share.last_chunk), sends);
    return totals;
  }
  // A rank sends every chunk twice but for the last two of its sequence, which it sends once.
  const auto full = share.last_bytes / share.last_chunk;
  add(totals, chunk_totals(shape, share.last_chunk), 2 * full);
  add(totals, chunk_totals(shape, share.last_bytes - full * share.last_chunk), 2);
  for (const std::uint32_t chunk : {rank, (rank + 1) % shape.ranks}) {
    add(totals, chunk_totals(shape, share.chunk_bytes(shape, share.loops - 1, chunk)), -1);
  }
  return totals;
}

RingShape make_ring_shape(Collective collective, Protocol protocol, std::uint32_t ranks,
                          const HostParams& host) {
  RingShape shape;
  shape.collective = collective;
  shape.protocol = protocol;
  shape.ranks = ranks;
  if (protocol == Protocol::Ll128) {
    shape.chunk = host.ll128_step.count / 128 * 120;
    shape.slices = 1;
    shape.min_slice = 1;
    shape.depth = static_cast<std::uint32_t>(host.steps);
    return shape;
  }
  const std::int64_t step = host.buffer.count / host.steps;
  shape.chunk = step * host.chunk_steps;
  shape.slices = static_cast<std::uint32_t>(host.chunk_steps / host.slice_steps);
  shape.min_slice = std::max<std::int64_t>(1, step * host.slice_steps / 32);
  shape.depth = static_cast<std::uint32_t>(host.steps / host.slice_steps);
  return shape;
}

std::uint32_t default_channels(std::uint32_t nodes, std::uint32_t nics) {
  if (nodes < 2) return kSingleNodeChannels;
  std::uint32_t channels = 2 * nics;
  if (channels < 16) channels *= 2;
  return std::min(channels, kMaxChannels);
}

std::uint32_t reduced_channels(std::uint32_t channels, std::int64_t bytes, Protocol protocol) {
  const std::int64_t per_channel = protocol == Protocol::Simple ? 512 * 64 : 640 * 8;
  while (channels > 1 && bytes < channels * per_channel) --channels;
  return channels;
}

std::vector<std::int64_t> split_channels(const RingShape& shape, std::int64_t bytes,
                                         std::uint32_t channels) {
  const bool reduce = shape.collective == Collective::AllReduce;
  const std::int64_t total = reduce ? bytes : bytes / shape.ranks;
  const std::int64_t traffic_per_byte = reduce ? 2 : shape.ranks;
  const std::int64_t cell = align_up(div_up(kMinTrafficPerChannel, traffic_per_byte), kChunkAlign);
  const std::int64_t share = div_up(div_up(total, cell), channels) * cell;
  std::vector<std::int64_t> shares;
  for (std::int64_t at = 0; at < total; at += share) shares.push_back(std::min(share, total - at));
  return shares;
}

Time ring_cost(Collective collective, std::uint32_t ranks, Bytes bytes, Time alpha, Rate rate) {
  const std::int64_t steps =
      (collective == Collective::AllReduce ? 2 : 1) * (std::int64_t{ranks} - 1);
  const Time wire = serialisation(bytes * steps, Rate{rate.bits_per_second});
  return alpha * steps + Time{wire.ps / ranks};
}

}  // namespace spineleaf
