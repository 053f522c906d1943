// Broadcast and reduce: a ring cut before its root, a chain through all ranks with one buffer slot
// as chunk. Source: NCCL 2.26 src/device/broadcast.h, reduce.h; BROADCAST_CHUNKSTEPS = 1.

#include <algorithm>

#include "models/collectives/schedules.hpp"

namespace spineleaf {
namespace {

class ChainSchedule final : public Schedule {
 public:
  ChainSchedule(const ScheduleQuery& query, const Slicing& slicing,
                const std::vector<std::int64_t>& shares)
      : Schedule(query.communicator, slicing, static_cast<std::uint32_t>(shares.size())),
        reduce_(query.collective == Collective::Reduce),
        root_(query.root) {
    std::int64_t at = 0;
    for (const std::int64_t bytes : shares) {
      channels_.push_back({at, bytes});
      at += bytes;
    }
  }

  std::string_view algorithm() const override { return "ring"; }
  double leaving() const override { return ring_leaving(); }

  Links links(const MachineId& place) const override {
    Links out;
    const std::uint32_t at = position(place);
    if (!is_first(place)) {
      const MachineId previous = at_position(at + communicator().ranks() - 1, place.channel);
      out.in.push_back(on_rail(previous, place, previous, 0));
    }
    if (!is_last(place)) {
      const MachineId next = at_position(at + 1, place.channel);
      out.out.push_back(on_rail(place, next, next, 0));
    }
    return out;
  }

  bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const override {
    const Channel& channel = channels_[place.channel];
    const std::int64_t done = cursor.operation * slicing().chunk;
    if (done >= channel.bytes) return false;
    chunk.bytes = std::min(channel.bytes - done, slicing().chunk);
    chunk.offset = channel.offset + done;
    chunk.ins = is_first(place) ? 0 : 1;
    chunk.outs = is_last(place) ? 0 : 1;
    chunk.adds_own = reduce_ || is_first(place);
    chunk.keeps = !reduce_ || is_last(place);
    return true;
  }

 private:
  struct Channel {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
  };

  /// The root begins a broadcast and ends a reduction.
  bool is_first(const MachineId& place) const {
    const std::uint32_t root = position({root_, place.channel, 0});
    return position(place) == (root + (reduce_ ? 1 : 0)) % communicator().ranks();
  }
  bool is_last(const MachineId& place) const {
    const std::uint32_t root = position({root_, place.channel, 0});
    const std::uint32_t ranks = communicator().ranks();
    return position(place) == (reduce_ ? root : (root + ranks - 1) % ranks);
  }

  bool reduce_ = false;
  std::uint32_t root_ = 0;
  std::vector<Channel> channels_;
};

}  // namespace

std::shared_ptr<const Schedule> make_chain_schedule(const ScheduleQuery& query) {
  return std::make_shared<ChainSchedule>(
      query, make_slicing(query.protocol, query.host, query.costs, 1, 1),
      split_channels(query.bytes, 1, query.channels));
}

}  // namespace spineleaf
