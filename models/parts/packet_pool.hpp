#pragma once
// PacketPool: queued packets of one actor, as index-linked lists. What queueing and arbitration
// look at (link, size, ingress) lies apart from the record, eight to a cache line; the record
// itself is read once, when it leaves.

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
      links_.push_back({kNone, record.size, record.port});
      return static_cast<std::uint32_t>(links_.size() - 1);
    }
    free_ = links_[i].next;
    records_[i] = record;
    links_[i] = {kNone, record.size, record.port};
    return i;
  }
  void free(std::uint32_t i) {
    links_[i].next = free_;
    free_ = i;
  }
  Record& operator[](std::uint32_t i) { return records_[i]; }
  const Record& operator[](std::uint32_t i) const { return records_[i]; }
  std::uint32_t& next(std::uint32_t i) { return links_[i].next; }
  std::uint32_t next(std::uint32_t i) const { return links_[i].next; }
  std::uint16_t size(std::uint32_t i) const { return links_[i].size; }
  /// Port that the packet came in by.
  std::uint16_t ingress(std::uint32_t i) const { return links_[i].ingress; }
  /// Asks for a packet that will soon be at the head; kNone is harmless.
  void prefetch(std::uint32_t i) const {
    if (i != kNone) __builtin_prefetch(&records_[i]);
  }

 private:
  struct Link {
    std::uint32_t next;  ///< in the list that the packet is in, or in the free list
    std::uint16_t size;
    std::uint16_t ingress;
  };
  std::vector<Record> records_;  ///< two to a cache line
  std::vector<Link> links_;
  std::uint32_t free_ = kNone;
};

}  // namespace spineleaf
