#pragma once
// RingPlan: which bytes a ring collective moves, step by step, as NCCL cuts them.
//
// Every rank of a channel's ring goes through the same sequence of operations. Operation k of rank
// r works on chunk (r - 1 - k) mod n (all-gather: r - k): the first operation only sends, the last
// one only receives, each other receives a chunk, works on it and sends it on. A chunk travels in
// slices; a slice is what GPUs hand over and, between nodes, one network message.
// Rules: NCCL 2.26 src/device/all_reduce.h, all_gather.h, reduce_scatter.h, prims_simple.h
// (slices), src/enqueue.cc (cells per channel, chunk sizes).

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/collectives/slicing.hpp"
#include "models/params.hpp"
#include "sim/units.hpp"

namespace spineleaf {

enum class Collective : std::uint8_t {
  AllReduce,
  AllGather,
  ReduceScatter,
  Broadcast,
  Reduce,
  AllToAll,
  Gather,
  Scatter,
  SendRecv
};

/// As nccl-tests names it: "all_reduce".
std::string_view name_of(Collective collective);

/// What is equal for all channels of a ring.
struct RingShape : Slicing {
  Collective collective = Collective::AllReduce;
  std::uint32_t ranks = 0;

  std::uint32_t operations() const {
    return collective == Collective::AllReduce ? 2 * ranks - 1 : ranks;
  }
  /// Chunk that rank `rank` works on in operation `operation`.
  std::uint32_t chunk_at(std::uint32_t rank, std::uint32_t operation) const {
    const std::uint32_t back = operation + (collective == Collective::AllGather ? 0 : 1);
    return (rank + 2 * ranks - back % ranks) % ranks;
  }
};

/// The part of the data that one channel moves, cut into loops of (at most) `ranks` chunks.
/// `bytes` is the channel's share of the whole buffer (all-reduce) or of one rank's part of it.
struct ChannelShare {
  ChannelShare(const RingShape& shape, std::int64_t bytes);

  /// Size of chunk `chunk` in loop `loop`; 0 when the data end before it.
  std::int64_t chunk_bytes(const RingShape& shape, std::uint32_t loop, std::uint32_t chunk) const;

  std::int64_t bytes = 0;
  std::uint32_t loops = 0;
  std::int64_t last_chunk = 0;  ///< the last loop shrinks its chunk
  std::int64_t last_bytes = 0;  ///< data left for the last loop
};

/// What a rank sends to the next one in one run of a channel.
LinkTotals edge_totals(const RingShape& shape, const ChannelShare& share, std::uint32_t rank);

RingShape make_ring_shape(Collective collective, Protocol protocol, std::uint32_t ranks,
                          const HostParams& host, const NcclCosts& costs);

/// Channels that NCCL uses by default: twice the channels of its search (one per NIC), doubled
/// again below 16 on several nodes, 64 at most; 24 inside one NVSwitch node (Hopper).
std::uint32_t default_channels(std::uint32_t nodes, std::uint32_t nics);

/// Small messages use fewer channels: each has at least threads x threshold bytes of work.
std::uint32_t reduced_channels(std::uint32_t channels, std::int64_t bytes, Protocol protocol);

/// Shares of the channels of `total` bytes, in whole cells; trailing channels may get nothing and
/// are left out. A cell is 16 KiB of traffic; each byte makes `traffic_per_byte` of it.
std::vector<std::int64_t> split_channels(std::int64_t total, std::int64_t traffic_per_byte,
                                         std::uint32_t channels);
/// The same for a ring; `bytes` is the nccl-tests size of the collective.
std::vector<std::int64_t> split_channels(const RingShape& shape, std::int64_t bytes,
                                         std::uint32_t channels);

/// The textbook cost of a ring: every one of its steps costs `alpha` and moves bytes / ranks.
Time ring_cost(Collective collective, std::uint32_t ranks, Bytes bytes, Time alpha, Rate rate);

}  // namespace spineleaf
