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
      records_.push_back(record);
      next_.push_back(kNone);
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t i = free_;
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

 private:
  std::vector<Record> records_;
  std::vector<std::uint32_t> next_;
  std::uint32_t free_ = kNone;
};

}  // namespace spineleaf
