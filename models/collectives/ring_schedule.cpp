// Ring: every rank of a channel goes through the same operations, one chunk per rank and loop.

#include "models/collectives/schedules.hpp"

namespace spineleaf {
namespace {

class RingSchedule final : public Schedule {
 public:
  RingSchedule(const ScheduleQuery& query, RingShape shape, const std::vector<std::int64_t>& shares)
      : Schedule(query.communicator, shape, static_cast<std::uint32_t>(shares.size())),
        shape_(shape),
        part_(query.bytes / shape.ranks) {
    std::int64_t at = 0;
    for (const std::int64_t bytes : shares) {
      if (shares_.empty() || shares_.back().bytes != bytes) shares_.emplace_back(shape_, bytes);
      channels_.push_back({static_cast<std::uint32_t>(shares_.size() - 1), at});
      at += bytes;
    }
  }

  std::string_view algorithm() const override { return "ring"; }
  double leaving() const override { return ring_leaving(); }

  Links links(const MachineId& place) const override {
    const std::uint32_t at = position(place);
    const MachineId previous = at_position(at + shape_.ranks - 1, place.channel);
    const MachineId next = at_position(at + 1, place.channel);
    return {{on_rail(previous, place, previous, 0)}, {on_rail(place, next, next, 0)}};
  }

  bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const override {
    const std::uint32_t at = position(place);
    const Channel& channel = channels_[place.channel];
    const ChannelShare& share = shares_[channel.share];
    for (; cursor.loop < share.loops; ++cursor.loop, cursor.operation = 0) {
      for (; cursor.operation < shape_.operations(); ++cursor.operation) {
        const std::uint32_t number = shape_.chunk_at(at, cursor.operation);
        chunk.bytes = share.chunk_bytes(shape_, cursor.loop, number);
        if (chunk.bytes == 0) continue;
        chunk.offset = channel.offset + offset_of(share, cursor.loop, number);
        describe(cursor.operation, chunk);
        return true;
      }
    }
    return false;
  }

  LinkTotals sends(const MachineId& place, std::uint32_t) const override {
    return edge_totals(shape_, shares_[channels_[place.channel].share], position(place));
  }

 private:
  struct Channel {
    std::uint32_t share = 0;
    std::int64_t offset = 0;
  };

  std::int64_t offset_of(const ChannelShare& share, std::uint32_t loop,
                         std::uint32_t number) const {
    const bool last = loop + 1 == share.loops;
    if (shape_.collective == Collective::AllReduce) {
      return std::int64_t{loop} * shape_.chunk * shape_.ranks +
             number * (last ? share.last_chunk : shape_.chunk);
    }
    return number * part_ + std::int64_t{loop} * shape_.chunk;
  }

  void describe(std::uint32_t operation, ChunkStep& chunk) const {
    const bool last = operation + 1 == shape_.operations();
    chunk.ins = operation > 0 ? 1 : 0;
    chunk.outs = last ? 0 : 1;
    switch (shape_.collective) {
      case Collective::AllGather:
        chunk.adds_own = operation == 0;
        chunk.keeps = true;
        break;
      case Collective::ReduceScatter:
        chunk.adds_own = true;
        chunk.keeps = last;
        break;
      default:
        chunk.adds_own = operation < shape_.ranks;
        chunk.keeps = operation + 1 >= shape_.ranks;
    }
  }

  RingShape shape_;
  std::int64_t part_ = 0;  ///< bytes of one rank's part
  std::vector<ChannelShare> shares_;
  std::vector<Channel> channels_;
};

}  // namespace

std::shared_ptr<const Schedule> make_ring_schedule(const ScheduleQuery& query) {
  const RingShape shape = make_ring_shape(query.collective, query.protocol,
                                          query.communicator.ranks(), query.host, query.costs);
  return std::make_shared<RingSchedule>(query, shape,
                                        split_channels(shape, query.bytes, query.channels));
}

}  // namespace spineleaf
