#include "sim/mailbox.hpp"

#include <algorithm>

namespace spineleaf {

void ChunkPool::refill() {
  constexpr std::size_t kBlock = 64;
  Rows<Chunk>& block = blocks_.emplace_back(arena_, kBlock);
  for (std::size_t i = kBlock; i-- > 0;) give(&block[i]);
}

// With inverse = floor((2^64 - 1) / W), floor((t + 1) * inverse / 2^64) is floor(t / W) or one less
// for every t below 2^63 and every W >= 1; epoch_of corrects the latter.
EpochGrid::EpochGrid(Time length)
    : length_(length.ps), inverse_(UINT64_MAX / static_cast<std::uint64_t>(length.ps)) {}

Mailbox::Mailbox(std::size_t actors, std::uint32_t slots, EpochGrid grid)
    : grid_(grid),
      actors_(actors),
      slots_(slots),
      bins_(actors * slots),
      work_(slots, WorkBitmap(actors)) {}

void Mailbox::begin_chunk(Bin& bin, WorkBitmap& work, ActorId to) {
  if (bin.empty()) work.set(to);
  Chunk* const chunk = pool.take();
  chunk->put_before(bin.empty() ? nullptr : bin.newest());
  bin.end = chunk->records;
}

Record& Mailbox::append_later(ActorId to, Time at) {
  const std::int64_t epoch = grid_.epoch_of(at);
  if (epoch - now_epoch_ >= slots_) return append_far(to, at);
  Bin& later = bin(epoch, to);
  if (later.full()) begin_chunk(later, work_[slot_of(epoch)], to);
  return *later.end++;
}

Record& Mailbox::append_far(ActorId to, Time at) {
  far_min_ = std::min(far_min_, at.ps);
  return far_.emplace_back(FarRecord{to, at, {}}).record;
}

void Mailbox::begin_epoch(std::int64_t epoch) {
  now_epoch_ = epoch;
  next_start_ = grid_.start_of(epoch + 1).ps;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t slot = slot_of(epoch + 1 + i);
    near_[i] = {&bins_[std::size_t{slot} * actors_], &work_[slot]};
  }
  if (far_min_ == INT64_MAX || grid_.epoch_of(Time{far_min_}) - epoch >= slots_) return;
  far_min_ = INT64_MAX;
  std::vector<FarRecord> records;
  std::vector<FarVisit> visits;
  records.swap(far_);
  visits.swap(far_visits_);
  for (const FarRecord& far : records) append(far.to, far.at) = far.record;
  for (const FarVisit& far : visits) visit(far.actor, far.at);
}

}  // namespace spineleaf
