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
    const std::uint32_t i = free_;
    if (i == kNone) [[unlikely]] {
      records_.push_back(record);
      next_.push_back(kNone);
      return static_cast<std::uint32_t>(next_.size() - 1);
    }
    free_ = next_[i];
    records_[i] = record;
    next_[i] = kNone;
    return i;
  }
  void free(std::uint32_t i) {
    next_[i] = free_;
    free_ = i;
  }
  Record& operator[](std::uint32_t i) { return records_[i]; }
  const Record& operator[](std::uint32_t i) const { return records_[i]; }
  std::uint32_t& next(std::uint32_t i) { return next_[i]; }
  std::uint32_t next(std::uint32_t i) const { return next_[i]; }
  /// Asks for a packet that will soon be at the head; kNone is harmless.
  void prefetch(std::uint32_t i) const {
    if (i != kNone) __builtin_prefetch(&records_[i]);
  }

 private:
  std::vector<Record> records_;      ///< two to a cache line
  std::vector<std::uint32_t> next_;  ///< the list that each is in, or the free list
  std::uint32_t free_ = kNone;
};

}  // namespace spineleaf
