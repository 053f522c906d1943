// Exchanges between peers: alltoall, gather, scatter and sendrecv as grouped sends and receives.
//
// All ranks go through the same rounds. In a round a rank sends to the rank that is so many groups
// and places further on, and receives from the one that is as far back. A message is cut into
// parts, each on a channel of its own; a channel works on up to eight of them at once (lanes), each
// with threads to send and threads to receive. With PXN a message leaves its node on the NIC of the
// receiving GPU's number, by the proxy thread of the GPU there, so that rails stay apart.
// Source: NCCL 2.26 src/init.cc (p2pSchedule), src/include/channel.h (channels of a round and
// part), src/enqueue.cc; the least part of 64 KiB and the order within a lane are assumed. Protocol
// LL for small messages is not modelled.

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "models/collectives/schedules.hpp"

namespace spineleaf {
namespace {

constexpr std::uint32_t kMostLanes = 8;     // NCCL_MAX_DEV_WORK_P2P_PER_BATCH
constexpr std::uint32_t kSharedSteps = 16;  // NCCL_SHARED_STEPS
constexpr std::int64_t kLocalChunk = 512 << 10;
constexpr std::int64_t kLeastPart = 64 << 10;
constexpr std::int64_t kPartAlign = 4096;

std::uint32_t reversed_bits(std::uint32_t value, int bits) {
  std::uint32_t out = 0;
  for (int i = 0; i < bits; ++i) out |= (value >> i & 1U) << (bits - 1 - i);
  return out;
}

/// Ranks in groups of up to eight that never span nodes; the order in which a rank visits others.
class Rounds {
 public:
  explicit Rounds(const Communicator& comm) : ranks_(comm.ranks()) {
    size_ = std::min(comm.gpus, kMostLanes);
    while (comm.gpus % size_ != 0) --size_;
    groups_ = ranks_ / size_;
    index_.resize(groups_);
    // Distances of groups: triangular numbers, which meet every value once (modulo a power of two).
    const std::uint32_t power = std::bit_ceil(groups_);
    for (std::uint32_t k = 0, distance = 0; k < power; ++k, distance = (distance + k) % power) {
      if (distance >= groups_) continue;
      index_[distance] = static_cast<std::uint32_t>(distances_.size());
      distances_.push_back(distance);
    }
  }

  std::uint32_t count() const { return ranks_; }
  std::uint32_t send_to(std::uint32_t rank, std::uint32_t round) const {
    return moved(rank, distances_[round / size_], round % size_);
  }
  std::uint32_t receive_from(std::uint32_t rank, std::uint32_t round) const {
    return moved(rank, groups_ - distances_[round / size_], size_ - round % size_);
  }
  std::uint32_t round_of(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t groups = (to / size_ + groups_ - from / size_) % groups_;
    return index_[groups] * size_ + (to % size_ + size_ - from % size_) % size_;
  }

 private:
  std::uint32_t moved(std::uint32_t rank, std::uint32_t groups, std::uint32_t places) const {
    return (rank / size_ + groups) % groups_ * size_ + (rank % size_ + places) % size_;
  }

  std::uint32_t ranks_ = 1;
  std::uint32_t size_ = 1;
  std::uint32_t groups_ = 1;
  std::vector<std::uint32_t> distances_;
  std::vector<std::uint32_t> index_;
};

class PeerSchedule final : public Schedule {
 public:
  PeerSchedule(const ScheduleQuery& query, const Slicing& slicing, std::uint32_t parts)
      : Schedule(query.communicator, slicing, query.channels),
        collective_(query.collective),
        message_(query.collective == Collective::SendRecv
                     ? query.bytes
                     : query.bytes / query.communicator.ranks()),
        part_(div_up(div_up(message_, parts), kPartAlign) * kPartAlign),
        root_(query.root),
        pxn_(query.pxn),
        rounds_(query.communicator),
        works_(query.channels) {
    list_works();
    std::size_t most = 1;
    for (const auto& list : works_) most = std::max(most, list.size());
    lanes_ = static_cast<std::uint32_t>(std::min<std::size_t>(most, kMostLanes));
  }

  std::string_view algorithm() const override { return "p2p"; }
  std::uint32_t roles() const override { return 2 * lanes_; }
  bool clears_late() const override { return true; }
  std::uint32_t lanes() const { return lanes_; }

  /// The threads of a channel are shared by the lanes that have something to do.
  MachineCost cost(const MachineId& place) const override {
    std::uint32_t busy = 0;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      const MachineId other{place.rank, place.channel, 2 * lane + place.role % 2};
      ScheduleCursor cursor;
      ChunkStep chunk;
      if (find(other, cursor, chunk)) ++busy;
    }
    return {Rate{slicing().rate.bits_per_second / std::max(busy, 1U)}, slicing().overhead};
  }

  double leaving() const override {
    const Communicator& comm = communicator();
    const double others = comm.ranks() - 1.0;
    const double near = comm.gpus - 1.0;
    const double forwarded = pxn_ ? (comm.nodes - 1.0) * near : 0;
    return lanes_ * std::min(1.0, (near + forwarded) / others);
  }

  Links links(const MachineId& place) const override {
    Links out;
    each_port(place, [&](std::uint32_t peer) {
      const bool sends = place.role % 2 == 0;
      const MachineId other{peer, place.channel, place.role ^ 1U};
      std::uint32_t port = 0;
      std::uint32_t found = 0;
      each_port(other, [&](std::uint32_t back) {
        if (back == place.rank) found = port;
        ++port;
      });
      (sends ? out.out : out.in)
          .push_back(sends ? route(place, other, other, found) : route(other, place, other, found));
    });
    return out;
  }

  bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const override {
    const bool sends = place.role % 2 == 0;
    const std::vector<Work>& list = works_[place.channel];
    std::uint16_t port = 0;
    for (std::uint32_t i = place.role / 2, n = 0; i < list.size(); i += lanes_, ++n) {
      const std::uint32_t peer = peer_of(place, list[i]);
      const std::int64_t bytes = bytes_of(place, peer, list[i]);
      const bool self = peer == place.rank;
      if (n >= cursor.loop && bytes > 0 && (sends || !self)) {
        if (n > cursor.loop) cursor = {n, 0};
        if (place_in(place, peer, list[i], bytes, cursor, chunk)) {
          chunk.first_in = chunk.first_out = port;
          chunk.ins = sends ? 0 : 1;
          chunk.outs = sends && !self ? 1 : 0;
          chunk.adds_own = sends;
          chunk.keeps = !sends || self;
          return true;
        }
      }
      if (bytes > 0 && !self) ++port;
    }
    return false;
  }

  LinkTotals sends(const MachineId& place, std::uint32_t port) const override {
    LinkTotals totals;
    std::uint32_t at = 0;
    const std::vector<Work>& list = works_[place.channel];
    for (std::uint32_t i = place.role / 2; i < list.size(); i += lanes_) {
      const std::uint32_t peer = peer_of(place, list[i]);
      const std::int64_t bytes = bytes_of(place, peer, list[i]);
      if (bytes == 0 || peer == place.rank || at++ != port) continue;
      const std::int64_t chunk = chunk_of(place.rank, peer, bytes);
      slicing().add(totals, chunk, bytes / chunk);
      slicing().add(totals, bytes % chunk, 1);
    }
    return totals;
  }

 private:
  struct Work {
    std::uint32_t round = 0;
    std::uint32_t part = 0;
  };

  std::int64_t between(std::uint32_t from, std::uint32_t to) const {
    switch (collective_) {
      case Collective::Gather: return to == root_ ? message_ : 0;
      case Collective::Scatter: return from == root_ ? message_ : 0;
      case Collective::SendRecv: return to == (from + 1) % rounds_.count() ? message_ : 0;
      default: return message_;
    }
  }
  std::uint32_t peer_of(const MachineId& place, const Work& work) const {
    return place.role % 2 == 0 ? rounds_.send_to(place.rank, work.round)
                               : rounds_.receive_from(place.rank, work.round);
  }
  std::int64_t bytes_of(const MachineId& place, std::uint32_t peer, const Work& work) const {
    const bool sends = place.role % 2 == 0;
    const std::int64_t all = sends ? between(place.rank, peer) : between(peer, place.rank);
    return std::clamp(all - work.part * part_, std::int64_t{0}, part_);
  }

  /// Which channel works on a part of a round. Rounds to the GPUs of one node share a channel.
  std::uint32_t channel_of(const Work& work) const {
    const Communicator& comm = communicator();
    const auto bits = std::countr_zero(channels());
    std::uint32_t base = work.round;
    if (comm.nodes > 1) {
      base = work.round / comm.gpus * ((comm.gpus + kMostLanes - 1) / kMostLanes) +
             work.round % comm.gpus / kMostLanes;
    }
    return (reversed_bits(base, bits) + reversed_bits(work.part, bits)) & (channels() - 1);
  }

  void list_works() {
    std::vector<bool> used(rounds_.count(), collective_ == Collective::AllToAll);
    for (std::uint32_t rank = 0; rank < rounds_.count(); ++rank) {
      if (collective_ == Collective::Gather) used[rounds_.round_of(rank, root_)] = true;
      if (collective_ == Collective::Scatter) used[rounds_.round_of(root_, rank)] = true;
      if (collective_ == Collective::SendRecv) {
        used[rounds_.round_of(rank, (rank + 1) % rounds_.count())] = true;
      }
    }
    const auto parts =
        static_cast<std::uint32_t>(std::max<std::int64_t>(1, div_up(message_, part_)));
    for (std::uint32_t round = 0; round < rounds_.count(); ++round) {
      for (std::uint32_t part = 0; used[round] && part < parts; ++part) {
        const Work work{round, part};
        works_[channel_of(work)].push_back(work);
      }
    }
  }

  template <typename See>
  void each_port(const MachineId& place, See see) const {
    const std::vector<Work>& list = works_[place.channel];
    for (std::uint32_t i = place.role / 2; i < list.size(); i += lanes_) {
      const std::uint32_t peer = peer_of(place, list[i]);
      if (peer != place.rank && bytes_of(place, peer, list[i]) > 0) see(peer);
    }
  }

  /// Steps between nodes are small; halved where there are few of them, quartered for less than
  /// one.
  std::int64_t chunk_of(std::uint32_t from, std::uint32_t to, std::int64_t bytes) const {
    const bool near = from / communicator().gpus == to / communicator().gpus;
    const std::int64_t chunk = near ? std::max(kLocalChunk, slicing().chunk) : slicing().chunk;
    if (bytes < chunk) return std::max<std::int64_t>(chunk / 4, 1);
    return bytes < 8 * chunk ? chunk / 2 : chunk;
  }

  bool place_in(const MachineId& place, std::uint32_t peer, const Work& work, std::int64_t bytes,
                const ScheduleCursor& cursor, ChunkStep& chunk) const {
    const bool sends = place.role % 2 == 0;
    const std::uint32_t from = sends ? place.rank : peer;
    const std::int64_t size = chunk_of(from, sends ? peer : place.rank, bytes);
    const std::int64_t done = cursor.operation * size;
    if (done >= bytes) return false;
    chunk.bytes = std::min(size, bytes - done);
    const bool by_sender = collective_ == Collective::AllToAll || collective_ == Collective::Gather;
    chunk.offset = (by_sender ? from * message_ : 0) + work.part * part_ + done;
    return true;
  }

  std::uint32_t nic_of(std::uint32_t node, std::uint32_t gpu, std::uint32_t channel) const {
    const Communicator& comm = communicator();
    const std::uint32_t each = std::max(1U, comm.nics[node] / comm.gpus);
    return comm.nic_at_gpu(node, gpu) + channel % each;
  }

  Peer route(const MachineId& from, const MachineId& to, const MachineId& other,
             std::uint32_t port) const {
    const Communicator& comm = communicator();
    const std::uint32_t gpu = from.rank % comm.gpus;
    const std::uint32_t there = to.rank % comm.gpus;
    const std::uint32_t node = from.rank / comm.gpus;
    Peer peer;
    peer.place = other;
    peer.port = port;
    peer.to_nic = nic_of(to.rank / comm.gpus, there, from.channel);
    peer.from_nic = nic_of(node, pxn_ ? there : gpu, from.channel);
    const bool own = peer.from_nic == nic_of(node, gpu, from.channel);
    peer.proxy = own ? gpu : comm.gpu_at_nic(node, peer.from_nic);
    return peer;
  }

  Collective collective_;
  std::int64_t message_ = 0;  ///< from one rank to another
  std::int64_t part_ = 0;
  std::uint32_t root_ = 0;
  bool pxn_ = true;
  Rounds rounds_;
  std::vector<std::vector<Work>> works_;  ///< by channel
  std::uint32_t lanes_ = 1;
};

Slicing slicing_of(const HostParams& host, const NcclCosts& costs, std::uint32_t lanes) {
  Slicing slicing;
  slicing.chunk = costs.p2p_chunk.count;
  slicing.slices = 1;
  slicing.min_slice = 1;
  slicing.depth = std::clamp(kSharedSteps / lanes, 1U, static_cast<std::uint32_t>(host.steps));
  slicing.rate = host.channel_rate;
  slicing.overhead = costs.p2p_overhead * 2;  // a step only sends or only receives: half of it
  slicing.hop = host.intra_hop;
  return slicing;
}

}  // namespace

std::shared_ptr<const Schedule> make_peer_schedule(const ScheduleQuery& query) {
  ScheduleQuery rounded = query;
  rounded.channels = std::bit_floor(query.channels);
  const std::uint32_t ranks = query.communicator.ranks();
  const std::int64_t message =
      query.collective == Collective::SendRecv ? query.bytes : query.bytes / ranks;
  const auto parts = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(div_up(message, kLeastPart), 1, query.channels_per_peer));
  // How deep a connection is depends on how many share a channel, which the schedule tells.
  const PeerSchedule first(rounded, slicing_of(query.host, query.costs, 1), parts);
  return std::make_shared<PeerSchedule>(rounded, slicing_of(query.host, query.costs, first.lanes()),
                                        parts);
}

std::uint32_t default_channels_per_peer(std::uint32_t nodes, std::uint32_t ranks,
                                        std::uint32_t channels, Rate nic) {
  if (nodes < 2) return channels;
  std::uint32_t count = 2;
  while (static_cast<double>(count) * 14 < nic.gbps() / 8) count *= 2;
  while (count > 1 && std::uint64_t{count} * ((ranks + kMostLanes - 1) / kMostLanes) > channels) {
    count /= 2;
  }
  return count;
}

}  // namespace spineleaf
