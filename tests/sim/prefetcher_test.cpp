// Requests: every line that a range touches is asked for once, in order, spread over the events.

#include "sim/prefetcher.hpp"

#include <gtest/gtest.h>

#include <array>

namespace spineleaf {
namespace {

constexpr std::ptrdiff_t kLine = 64;

struct alignas(64) Memory {
  std::array<std::byte, 64 * 64> bytes{};
  /// Number of a line in it.
  std::ptrdiff_t line(const std::byte* at) const { return (at - bytes.data()) / kLine; }
};

TEST(Requests, AskForEachLineOnceInOrder) {
  Memory memory;
  Requests requests;
  requests.want(std::span(memory.bytes).subspan(60, 69));  // lines 0 to 2, the last by one byte
  requests.want({});
  requests.want(std::span(memory.bytes).subspan(640, 64));
  requests.spread_over(1000);
  std::vector<std::ptrdiff_t> asked;
  while (const std::byte* next = requests.next()) {
    asked.push_back(memory.line(next));
    requests.ask();
  }
  EXPECT_EQ(asked, (std::vector<std::ptrdiff_t>{0, 1, 2, 10}));
  requests.ask();
  EXPECT_EQ(requests.next(), nullptr);
}

TEST(Requests, SpreadOverTheEventsAndFinishTheRest) {
  Memory memory;
  Requests requests;
  for (int round = 0; round < 2; ++round) {
    requests.want(memory.bytes);
    requests.spread_over(15);  // 64 lines, 15 calls: 5 each
    for (int i = 0; i < 3; ++i) requests.ask();
    ASSERT_NE(requests.next(), nullptr);
    EXPECT_EQ(memory.line(requests.next()), 15);
    requests.finish();
    EXPECT_EQ(requests.next(), nullptr);
  }
}

TEST(Requests, NothingWantedIsNothingAsked) {
  Requests requests;
  requests.spread_over(10);
  requests.ask();
  requests.finish();
  EXPECT_EQ(requests.next(), nullptr);
}

}  // namespace
}  // namespace spineleaf
