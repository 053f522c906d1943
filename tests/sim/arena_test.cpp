// Arena: pieces apart and aligned; Rows: made in order, moved, destroyed once.

#include "sim/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace spineleaf {
namespace {

TEST(Arena, GivesAlignedPiecesThatDoNotOverlap) {
  Arena arena;
  struct Piece {
    unsigned char* at;
    std::size_t bytes;
  };
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::size_t align = std::size_t{1} << (i % 10);
    const std::size_t bytes = i == 1500 ? std::size_t{5} << 20 : 1 + i % 700;
    auto* const at = static_cast<unsigned char*>(arena.take(bytes, align));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(at) % std::min<std::size_t>(align, 64), 0U);
    std::memset(at, static_cast<int>(i % 251), bytes);
    pieces.push_back({at, bytes});
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto* const last = pieces[i].at + pieces[i].bytes - 1;
    ASSERT_EQ(*pieces[i].at, i % 251) << "piece " << i << " was written over";
    ASSERT_EQ(*last, i % 251) << "piece " << i << " was written over";
  }
  for (const Piece& piece : pieces) Arena::give(piece.at);
}

struct Counted {
  Counted(int number, int& count) : value(number), alive(&count) { ++count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*alive; }
  int value;
  int* alive;
};

TEST(Rows, AreMadeInOrderAndDestroyedOnce) {
  Arena arena;
  int alive = 0;
  {
    Rows<Counted> rows(arena, 5,
                       [&](std::size_t i) { return Counted(static_cast<int>(i), alive); });
    EXPECT_EQ(alive, 5);
    Rows<Counted> moved = std::move(rows);
    Rows<Counted> assigned;
    assigned = std::move(moved);
    EXPECT_EQ(alive, 5);
    ASSERT_EQ(assigned.size(), 5U);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(assigned[static_cast<std::size_t>(i)].value, i);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Rows, NoneTakeNoMemory) {
  Arena arena;
  const Rows<int> none(arena, 0);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
}

}  // namespace
}  // namespace spineleaf
