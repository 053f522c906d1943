// LocalQueue against a sorted list: whatever ring or heap holds an event, the order is the key's.

#include "sim/local_queue.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "sim/hash.hpp"

namespace spineleaf {
namespace {

using Entry = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  // time, key, payload

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(mix64(seed_, ++count_) % n);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

void push_some(LocalQueue& queue, std::set<Entry>& sorted, Draws& draws, std::int64_t now,
               std::uint32_t& next_row) {
  constexpr std::int64_t kDelays[] = {0, 10, 20, 20, 37, 64, 100, 1000};  // more than rings
  for (std::uint32_t n = draws.below(4); n > 0; --n) {
    // Rows in no order, each once: equal times must be sorted by row.
    const std::uint32_t row = (next_row++ * 2654435761U) & 0xffffffU;
    const auto event_class = static_cast<EventClass>(1 + draws.below(5));
    const std::uint32_t key = LocalQueue::make_key(event_class, draws.below(32), row);
    const std::uint32_t payload = draws.below(1000);
    const std::int64_t delay = kDelays[draws.below(8)];
    if (draws.below(3) == 0) {
      queue.push(Time{now + delay}, key, payload);
    } else {
      queue.push_near(Time{now + delay}, Time{delay}, key, payload);
    }
    sorted.emplace(now + delay, key, payload);
  }
}

TEST(LocalQueue, EqualsASortedListForMixedDelays) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    LocalQueue queue;
    std::set<Entry> sorted;
    Draws draws(seed);
    std::uint32_t next_row = 0;
    std::int64_t now = 0;
    for (int step = 0; step < 400; ++step) {
      if (step < 300) push_some(queue, sorted, draws, now, next_row);
      ASSERT_EQ(queue.empty(), sorted.empty());
      ASSERT_EQ(queue.size(), sorted.size());
      if (sorted.empty()) continue;
      ASSERT_EQ(queue.peek().time.ps, std::get<0>(*sorted.begin()));
      const LocalEvent event = queue.pop();
      ASSERT_EQ((Entry{event.time.ps, event.key, event.payload}), *sorted.begin());
      sorted.erase(sorted.begin());
      now = event.time.ps;
    }
  }
}

TEST(LocalQueue, AnEmptyQueueIsBeyondTime) {
  LocalQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.peek().time, Time::max());
  queue.push(Time{5}, LocalQueue::make_key(EventClass::Timer, 0, 0), 0);
  EXPECT_EQ(queue.peek().time, Time{5});
  queue.pop();
  EXPECT_EQ(queue.peek().time, Time::max());
}

TEST(LocalQueue, AKeyKeepsClassKindAndRow) {
  for (const std::uint32_t event_class : {1U, 5U}) {
    for (const std::uint32_t kind : {0U, 31U}) {
      for (const std::uint32_t row : {0U, LocalQueue::kRowLimit - 1}) {
        const auto as_class = static_cast<EventClass>(event_class);
        const LocalEvent event{0, LocalQueue::make_key(as_class, kind, row), Time{}};
        EXPECT_EQ(event.event_class(), as_class);
        EXPECT_EQ(event.kind(), kind);
        EXPECT_EQ(event.row(), row);
      }
    }
  }
}

}  // namespace
}  // namespace spineleaf
