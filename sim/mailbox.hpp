#pragma once
// Mailbox: records on their way, binned by receiver and epoch. One per lane (thread or rank).
//
// A lane appends only to its own mailbox, so sending needs no lock; the receiver's owner gathers
// the bins of all lanes when the epoch comes. Order of appending never matters: receivers sort.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/arena.hpp"
#include "sim/bitmap.hpp"
#include "sim/link.hpp"
#include "sim/record.hpp"

namespace spineleaf {

/// Chunks of a bin form a list, newest first; all but the newest are full. Each knows its next
/// three, so that whoever walks the list can ask for them in time. Aligned to its size: the place
/// in a chunk tells which chunk it is, and when it is full.
struct alignas(512) Chunk {
  static constexpr std::uint32_t kCapacity = 15;
  Chunk* next = nullptr;
  Chunk* second = nullptr;
  Chunk* third = nullptr;
  alignas(sizeof(Record)) Record records[kCapacity];

  void put_before(Chunk* list) {
    next = list;
    second = list == nullptr ? nullptr : list->next;
    third = list == nullptr ? nullptr : list->second;
  }
  /// Asks for the lines of the first `count` records (the header's own is being read) and for the
  /// chunk that comes three further.
  void prefetch(std::uint32_t count) const {
    __builtin_prefetch(third);
    for (std::uint32_t i = 1; i < count; i += 2) __builtin_prefetch(&records[i]);
  }
};
static_assert(sizeof(Chunk) == 512);
static_assert(alignof(Chunk) == 512);
static_assert(offsetof(Chunk, records) + sizeof(Chunk::records) == sizeof(Chunk));

/// The records for one actor and epoch: where the next one goes. Sending touches no chunk's header.
struct Bin {
  Record* end = nullptr;

  bool empty() const { return end == nullptr; }
  bool full() const { return reinterpret_cast<std::uintptr_t>(end) % sizeof(Chunk) == 0; }
  Chunk* newest() const {
    return reinterpret_cast<Chunk*>((reinterpret_cast<std::uintptr_t>(end) - 1) / sizeof(Chunk) *
                                    sizeof(Chunk));
  }
  /// Records in the newest chunk.
  std::uint32_t newest_count() const { return static_cast<std::uint32_t>(end - newest()->records); }
};

/// Fixed-size chunks with a stack of free ones; memory is kept until the lane ends.
class ChunkPool {
 public:
  Chunk* take() {
    if (free_.empty()) refill();
    Chunk* const chunk = free_.back();
    free_.pop_back();
    if (free_.size() >= kAhead) __builtin_prefetch(free_[free_.size() - kAhead], 1);
    return chunk;
  }
  void give(Chunk* chunk) { free_.push_back(chunk); }
  std::size_t free_count() const { return free_.size(); }
  /// Moves up to `n` free chunks from `other` here (threads that only receive would hoard).
  void take_from(ChunkPool& other, std::size_t n) {
    for (; n > 0 && !other.free_.empty(); --n) {
      free_.push_back(other.free_.back());
      other.free_.pop_back();
    }
  }

 private:
  static constexpr std::size_t kAhead = 4;
  void refill();

  Arena arena_;
  std::vector<Rows<Chunk>> blocks_;
  std::vector<Chunk*> free_;
};

/// Divides the time axis into epochs of equal length W, numbered from 0.
class EpochGrid {
 public:
  explicit EpochGrid(Time length = Time{1});
  std::int64_t epoch_of(Time t) const {
    const auto q =
        static_cast<std::int64_t>(((static_cast<unsigned __int128>(t.ps) + 1) * inverse_) >> 64);
    return q + static_cast<std::int64_t>((q + 1) * length_ <= t.ps);
  }
  Time start_of(std::int64_t epoch) const { return {epoch * length_}; }
  Time length() const { return {length_}; }

 private:
  std::int64_t length_;
  std::uint64_t inverse_;
};

struct FarRecord {
  ActorId to;
  Time at;  ///< when `record` acts
  Record record;
};

class Mailbox {
 public:
  Mailbox(std::size_t actors, std::uint32_t slots, EpochGrid grid);

  /// Room for a record that acts at `at`. `now_epoch_` must have been set by begin_epoch; records
  /// beyond the ring of slots wait in `far` and are moved when their epoch comes into reach.
  Record& append(ActorId to, Time at) {
    // Most records act in the epoch after this one or in the next: no division for them.
    const auto ahead = static_cast<std::uint64_t>(at.ps - next_start_);
    const auto length = static_cast<std::uint64_t>(grid_.length().ps);
    if (ahead >= 2 * length) [[unlikely]]
      return append_later(to, at);
    const Near& near = near_[ahead >= length ? 1 : 0];
    Bin& bin = near.bins[to];
    if (bin.full()) [[unlikely]]
      begin_chunk(bin, *near.work, to);
    return *bin.end++;
  }
  /// Marks an actor for a visit at `at` (a local event); beyond the ring it is remembered.
  void visit(ActorId actor, Time at) {
    const std::int64_t epoch = grid_.epoch_of(at);
    if (epoch - now_epoch_ >= slots_) [[unlikely]] {
      far_visits_.push_back({at, actor});
      far_min_ = std::min(far_min_, at.ps);
      return;
    }
    work_[slot_of(epoch)].set(actor);
  }

  /// Makes `epoch` the current one and brings far records and visits within reach into the ring.
  void begin_epoch(std::int64_t epoch);
  void end_epoch(std::int64_t epoch) { work_[slot_of(epoch)].clear(); }

  Bin& bin(std::int64_t epoch, ActorId actor) {
    return bins_[std::size_t{slot_of(epoch)} * actors_ + actor];
  }
  const WorkBitmap& work(std::int64_t epoch) const { return work_[slot_of(epoch)]; }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(slots_); }
  Time far_min() const { return {far_min_}; }
  const EpochGrid& grid() const { return grid_; }

  ChunkPool pool;

 private:
  std::uint32_t slot_of(std::int64_t epoch) const {
    return static_cast<std::uint32_t>(epoch) & (static_cast<std::uint32_t>(slots_) - 1);
  }
  Record& append_later(ActorId to, Time at);
  Record& append_far(ActorId to, Time at);
  void begin_chunk(Bin& bin, WorkBitmap& work, ActorId to);

  struct Near {
    Bin* bins = nullptr;
    WorkBitmap* work = nullptr;
  };

  struct FarVisit {
    Time at;
    ActorId actor;
  };

  EpochGrid grid_;
  std::size_t actors_;
  std::int64_t slots_;
  std::int64_t now_epoch_ = 0;
  std::int64_t next_start_ = INT64_MAX;  ///< of the epoch after the current one, ps
  Near near_[2];                         ///< bins of the next epoch and of the one after
  std::vector<Bin> bins_;
  std::vector<WorkBitmap> work_;
  std::vector<FarRecord> far_;
  std::vector<FarVisit> far_visits_;
  std::int64_t far_min_ = INT64_MAX;
};

}  // namespace spineleaf
