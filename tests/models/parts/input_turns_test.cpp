#include "models/parts/input_turns.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "sim/hash.hpp"

namespace spineleaf {
namespace {

/// A switch's inputs as plain queues, and the input served last.
struct Plain {
  explicit Plain(std::uint32_t inputs) : queues(inputs) {}
  std::uint32_t next_input() const {
    const auto n = static_cast<std::uint32_t>(queues.size());
    for (std::uint32_t k = 1; k <= n; ++k) {
      if (!queues[(last + k) % n].empty()) return (last + k) % n;
    }
    return n;
  }
  bool empty() const { return next_input() == queues.size(); }
  std::vector<std::deque<std::uint32_t>> queues;
  std::uint32_t last = 0;
};

TEST(InputTurns, ServesInputsRoundRobinAtEveryMixOfArrivals) {
  for (const std::uint32_t inputs : {1U, 2U, 5U, 64U, 130U}) {
    PacketPool pool;
    InputTurns turns(inputs);
    Plain plain(inputs);
    std::uint32_t head = PacketPool::kNone;
    for (std::uint64_t step = 0; step < 5000; ++step) {
      const std::uint64_t draw = mix64(inputs, step);
      // Longer phases of growing and of draining: the set of waiting inputs runs full and empty.
      if (draw % 8 < (step / 500 % 2 == 0 ? 5U : 3U)) {
        const auto input = static_cast<std::uint32_t>((draw >> 8) % inputs);
        Record record;
        record.port = static_cast<std::uint16_t>(input);
        const std::uint32_t i = pool.put(record);
        plain.queues[input].push_back(i);
        head = turns.push(pool, input, i);
      } else if (!plain.empty()) {
        const std::uint32_t input = plain.next_input();
        ASSERT_EQ(head, plain.queues[input].front()) << "step " << step << ", inputs " << inputs;
        plain.queues[input].pop_front();
        plain.last = input;
        const std::uint32_t served = head;
        head = turns.pop(pool, pool[served].port);
        pool.free(served);
      }
      ASSERT_EQ(head == PacketPool::kNone, plain.empty());
      if (!plain.empty()) {
        ASSERT_EQ(head, plain.queues[plain.next_input()].front());
      }
    }
  }
}

TEST(InputTurns, ABurstOfOneInputLetsAnotherInAfterOnePacket) {
  PacketPool pool;
  InputTurns turns(4);
  const auto push = [&](std::uint16_t input) {
    Record record;
    record.port = input;
    return turns.push(pool, input, pool.put(record));
  };
  push(2);
  push(2);
  push(2);
  std::uint32_t head = push(3);
  std::vector<std::uint16_t> served;
  while (head != PacketPool::kNone) {
    served.push_back(pool[head].port);
    head = turns.pop(pool, pool[head].port);
  }
  EXPECT_EQ(served, (std::vector<std::uint16_t>{2, 3, 2, 2}));
}

}  // namespace
}  // namespace spineleaf
