#include "sim/mailbox.hpp"

#include <algorithm>

namespace spineleaf {

void ChunkPool::refill() {
  constexpr std::size_t kBlock = 64;
  blocks_.push_back(std::make_unique<Chunk[]>(kBlock));
  for (std::size_t i = 0; i < kBlock; ++i) give(&blocks_.back()[i]);
}

// With inverse = floor((2^64 - 1) / W), floor((t + 1) * inverse / 2^64) is floor(t / W) or one less
// for every t below 2^63 and every W >= 1; epoch_of corrects the latter.
EpochGrid::EpochGrid(Time length)
    : length_(length.ps), inverse_(UINT64_MAX / static_cast<std::uint64_t>(length.ps)) {}

Mailbox::Mailbox(std::size_t actors, std::uint32_t slots, EpochGrid grid)
    : grid_(grid),
      actors_(actors),
      slots_(slots),
      tails_(actors * slots, nullptr),
      work_(slots, WorkBitmap(actors)) {}

Record& Mailbox::append_far(ActorId to, Time at) {
  far_min_ = std::min(far_min_, at.ps);
  return far_.emplace_back(FarRecord{to, at, {}}).record;
}

void Mailbox::begin_epoch(std::int64_t epoch) {
  now_epoch_ = epoch;
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
