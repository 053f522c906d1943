#pragma once
// InputTurns: the virtual output queues of one egress (port, class): one list per ingress port,
// served round robin, a packet a turn.

#include <cstdint>
#include <vector>

#include "models/parts/packet_pool.hpp"
#include "sim/bitmap.hpp"

namespace spineleaf {

class InputTurns {
 public:
  explicit InputTurns(std::uint32_t inputs) : lists_(inputs) {}

  /// Queues packet `i` of the pool, which came in by `input`. Returns the packet whose turn is
  /// next: it may be this one, if its input comes before that of the packet that was next so far.
  std::uint32_t push(PacketPool& pool, std::uint32_t input, std::uint32_t i) {
    List& list = lists_[input];
    if (waiting_.test(input)) {
      pool.append(list.tail, i, pool.size(i));
    } else {
      list.head = i;
      waiting_.set(input);
    }
    list.tail = i;
    return next();
  }
  /// Takes out the packet whose turn it is, that of `input`, and returns the next one or kNone.
  std::uint32_t pop(const PacketPool& pool, std::uint32_t input) {
    last_ = input;
    return remove(pool, input);
  }
  /// Takes out the first packet of an input, whoever's turn it is, and returns the packet whose
  /// turn is next or kNone.
  std::uint32_t remove(const PacketPool& pool, std::uint32_t input) {
    List& list = lists_[input];
    list.head = pool.next(list.head);
    if (list.head == PacketPool::kNone) waiting_.clear(input);
    return waiting_.any() ? next() : PacketPool::kNone;
  }
  bool has(std::uint32_t input) const { return waiting_.test(input); }
  /// First packet of an input, or kNone.
  std::uint32_t head(std::uint32_t input) const { return lists_[input].head; }

 private:
  struct List {
    std::uint32_t head = PacketPool::kNone;
    std::uint32_t tail = PacketPool::kNone;
  };
  std::uint32_t next() const { return lists_[waiting_.next_after(last_)].head; }

  std::vector<List> lists_;
  PortSet waiting_;         ///< inputs with packets
  std::uint32_t last_ = 0;  ///< input served last
};

}  // namespace spineleaf
