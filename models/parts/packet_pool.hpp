#pragma once
// PacketPool: queued packets of one actor, as index-linked lists.

#include <cstdint>
#include <vector>

#include "sim/record.hpp"

namespace spineleaf {

class PacketPool {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t put(const Record& record) {
    if (free_ == kNone) {
      slots_.push_back({record, kNone});
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t i = free_;
    Slot& slot = slots_[i];
    free_ = slot.next;
    slot.record = record;
    slot.next = kNone;
    prefetch(free_);
    return i;
  }
  void free(std::uint32_t i) {
    slots_[i].next = free_;
    free_ = i;
  }
  Record& operator[](std::uint32_t i) { return slots_[i].record; }
  const Record& operator[](std::uint32_t i) const { return slots_[i].record; }
  std::uint32_t& next(std::uint32_t i) { return slots_[i].next; }
  std::uint32_t next(std::uint32_t i) const { return slots_[i].next; }
  /// Asks for a packet that will soon be at the head; kNone is harmless.
  void prefetch(std::uint32_t i) const {
    if (i == kNone) return;
    __builtin_prefetch(&slots_[i].record);
    __builtin_prefetch(&slots_[i].next);
  }

 private:
  struct Slot {
    Record record;
    std::uint32_t next;
  };
  std::vector<Slot> slots_;
  std::uint32_t free_ = kNone;
};

}  // namespace spineleaf
