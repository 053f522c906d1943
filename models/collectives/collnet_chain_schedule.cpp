// CollNetChain: on each channel a chain runs through the GPUs of a host and adds up, ends at the
// GPU next to the channel's NIC, whose sum the switches reduce further, and runs back with the
// result. Source: NCCL 2.26 src/device/all_reduce.h (COLLNET_CHAIN); chunks of 256 KiB at most.

#include <algorithm>

#include "models/collectives/schedules.hpp"

namespace spineleaf {
namespace {

constexpr std::uint32_t kChainUp = 0, kChainDown = 1;
constexpr std::int64_t kMostChunk = 256 * 1024;

class CollnetChainSchedule final : public Schedule {
 public:
  CollnetChainSchedule(const ScheduleQuery& query, const Slicing& slicing,
                       const std::vector<std::int64_t>& shares)
      : Schedule(query.communicator, slicing, static_cast<std::uint32_t>(shares.size())) {
    std::int64_t at = 0;
    for (const std::int64_t bytes : shares) {
      channels_.push_back({at, bytes});
      at += bytes;
    }
  }

  std::string_view algorithm() const override { return "collnet_chain"; }
  std::uint32_t roles() const override { return 2; }
  bool aggregates() const override { return true; }
  double leaving() const override { return communicator().gpus > 1 ? 2 : 0; }

  Links links(const MachineId& place) const override {
    Links out;
    std::vector<Peer>& towards = place.role == kChainUp ? out.out : out.in;
    std::vector<Peer>& away = place.role == kChainUp ? out.in : out.out;
    if (distance(place) > 0) {
      towards.push_back(neighbour(place, distance(place) - 1));
    } else {
      MachineId other = place;
      other.role = place.role == kChainUp ? kChainDown : kChainUp;
      Peer peer = on_rail(place, place, other, 0);
      peer.aggregated = true;
      towards.push_back(peer);
    }
    if (distance(place) + 1 < communicator().gpus) {
      away.push_back(neighbour(place, distance(place) + 1));
    }
    return out;
  }

  bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const override {
    const Channel& channel = channels_[place.channel];
    const std::int64_t done = cursor.operation * slicing().chunk;
    if (done >= channel.bytes) return false;
    chunk.bytes = std::min(channel.bytes - done, slicing().chunk);
    chunk.offset = channel.offset + done;
    const std::uint16_t away = distance(place) + 1 < communicator().gpus ? 1 : 0;
    const bool up = place.role == kChainUp;
    chunk.first_in = chunk.first_out = 0;
    chunk.ins = up ? away : 1;
    chunk.outs = up ? 1 : away;
    chunk.adds_own = up;
    chunk.keeps = !up;
    return true;
  }

 private:
  struct Channel {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
  };

  std::uint32_t entry(const MachineId& place) const {
    return communicator().entry(place.rank / communicator().gpus, place.channel);
  }
  /// GPUs between this one and the one next to the NIC, along the chain.
  std::uint32_t distance(const MachineId& place) const {
    const std::uint32_t gpus = communicator().gpus;
    return (place.rank % gpus + gpus - entry(place)) % gpus;
  }
  Peer neighbour(const MachineId& place, std::uint32_t distance) const {
    const std::uint32_t gpus = communicator().gpus;
    MachineId other = place;
    other.rank = place.rank / gpus * gpus + (entry(place) + distance) % gpus;
    Peer peer;
    peer.place = other;
    peer.proxy = place.rank % gpus;
    return peer;
  }

  std::vector<Channel> channels_;
};

}  // namespace

std::shared_ptr<const Schedule> make_collnet_chain_schedule(const ScheduleQuery& query) {
  Slicing slicing = make_slicing(query.protocol, query.host, query.costs, 1, 1);
  slicing.chunk = std::min(slicing.chunk, kMostChunk);
  return std::make_shared<CollnetChainSchedule>(query, slicing,
                                                split_channels(query.bytes, 1, query.channels));
}

}  // namespace spineleaf
