#pragma once
// PacketPool: queued packets of one actor, as index-linked lists. The links lie apart from the
// records, eight to a cache line; a packet's lines are asked for when it comes to the head, and
// read when it leaves.

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
      links_.push_back({kNone, 0});
      return static_cast<std::uint32_t>(links_.size() - 1);
    }
    free_ = links_[i].next;
    records_[i] = record;
    links_[i].next = kNone;
    return i;
  }
  void free(std::uint32_t i) {
    links_[i].next = free_;
    free_ = i;
  }
  Record& operator[](std::uint32_t i) { return records_[i]; }
  const Record& operator[](std::uint32_t i) const { return records_[i]; }
  std::uint32_t next(std::uint32_t i) const { return links_[i].next; }
  /// Bytes of the packet that follows `i`, if any does.
  std::uint16_t next_size(std::uint32_t i) const { return links_[i].next_size; }
  /// Packet `i`, of `size` bytes, comes after `last`, which had none.
  void append(std::uint32_t last, std::uint32_t i, std::uint16_t size) { links_[last] = {i, size}; }
  std::uint16_t size(std::uint32_t i) const { return records_[i].size; }
  /// Port that the packet came in by.
  std::uint16_t ingress(std::uint32_t i) const { return records_[i].port; }
  /// Asks for a packet that is at the head now.
  void prefetch(std::uint32_t i) const {
    __builtin_prefetch(&records_[i]);
    __builtin_prefetch(&links_[i]);
  }

 private:
  struct Link {
    std::uint32_t next;       ///< in the list that the packet is in, or in the free list
    std::uint16_t next_size;  ///< so that a new head's size is known before its lines are here
  };
  std::vector<Record> records_;  ///< two to a cache line
  std::vector<Link> links_;
  std::uint32_t free_ = kNone;
};

}  // namespace spineleaf
