// EpochGrid against plain division, and which bin of a Mailbox a record lies in.

#include "sim/mailbox.hpp"

#include <gtest/gtest.h>

#include "sim/hash.hpp"

namespace spineleaf {
namespace {

void check_near(const EpochGrid& grid, std::int64_t length, std::int64_t t) {
  for (std::int64_t d = -2; d <= 2; ++d) {
    if (t + d < 0) continue;
    const std::int64_t epoch = grid.epoch_of(Time{t + d});
    ASSERT_EQ(epoch, (t + d) / length) << "W " << length << ", t " << t + d;
    ASSERT_LE(grid.start_of(epoch).ps, t + d);
  }
}

TEST(EpochGrid, EqualsDivision) {
  std::vector<std::int64_t> lengths{1, 2, 3, 5, 7, 10, 999, 25'000, 400'000, 999'999'999'989};
  for (int k = 2; k <= 40; ++k) {
    for (std::int64_t d = -1; d <= 1; ++d) lengths.push_back((std::int64_t{1} << k) + d);
  }
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  for (const std::int64_t length : lengths) {
    const EpochGrid grid{Time{length}};
    EXPECT_EQ(grid.length(), Time{length});
    for (std::int64_t n = 0; n < 5; ++n) check_near(grid, length, n * length);
    check_near(grid, length, kFar);
    check_near(grid, length, kFar / length * length);
    for (std::uint64_t i = 0; i < 200; ++i) {
      const auto t = static_cast<std::int64_t>(mix64(i, 1) >> 2 >> (i % 60));
      check_near(grid, length, t);
      check_near(grid, length, t / length * length);
    }
  }
}

/// Empties the bin and gives the acting instants found, sorted.
std::vector<std::int64_t> taken(Mailbox& mailbox, std::int64_t epoch, ActorId actor) {
  std::vector<std::int64_t> times;
  Bin& bin = mailbox.bin(epoch, actor);
  if (bin.empty()) return times;
  std::uint32_t count = bin.newest_count();
  for (const Chunk* chunk = bin.newest(); chunk != nullptr; chunk = chunk->next) {
    for (std::uint32_t i = 0; i < count; ++i) times.push_back(chunk->records[i].time.ps);
    count = Chunk::kCapacity;
  }
  bin = {};
  std::sort(times.begin(), times.end());
  return times;
}

Record at(std::int64_t ps) {
  Record record;
  record.time = Time{ps};
  return record;
}

void append(Mailbox& mailbox, ActorId to, std::int64_t ps) {
  mailbox.append(to, Time{ps}) = at(ps);
}

bool has_work(const Mailbox& mailbox, std::int64_t epoch, ActorId actor) {
  return (mailbox.work(epoch).word(actor / 64) >> (actor % 64) & 1U) != 0;
}

TEST(Mailbox, ARecordAtTheEndOfAnEpochIsInTheNext) {
  Mailbox mailbox(3, 4, EpochGrid(Time{100}));
  mailbox.begin_epoch(0);
  append(mailbox, 1, 199);
  append(mailbox, 1, 200);
  append(mailbox, 1, 100);
  EXPECT_EQ(taken(mailbox, 1, 1), (std::vector<std::int64_t>{100, 199}));
  EXPECT_EQ(taken(mailbox, 2, 1), std::vector<std::int64_t>{200});
  EXPECT_TRUE(taken(mailbox, 1, 0).empty());
  EXPECT_TRUE(has_work(mailbox, 1, 1));
  EXPECT_FALSE(has_work(mailbox, 1, 0));
}

TEST(Mailbox, RecordsAndVisitsBeyondTheRingComeBackInTheirEpoch) {
  Mailbox mailbox(2, 4, EpochGrid(Time{100}));
  mailbox.begin_epoch(0);
  append(mailbox, 0, 350);  // the last slot
  append(mailbox, 0, 400);  // one beyond
  append(mailbox, 0, 12'345);
  mailbox.visit(1, Time{777});
  EXPECT_EQ(taken(mailbox, 3, 0), std::vector<std::int64_t>{350});
  EXPECT_TRUE(taken(mailbox, 0, 0).empty()) << "slot 0 belongs to epoch 0, not 4";
  EXPECT_EQ(mailbox.far_min(), Time{400});
  mailbox.begin_epoch(1);
  EXPECT_EQ(taken(mailbox, 4, 0), std::vector<std::int64_t>{400});
  EXPECT_EQ(mailbox.far_min(), Time{777});
  mailbox.begin_epoch(7);
  EXPECT_TRUE(has_work(mailbox, 7, 1));
  EXPECT_EQ(mailbox.far_min(), Time{12'345});
  mailbox.begin_epoch(123);
  EXPECT_EQ(taken(mailbox, 123, 0), std::vector<std::int64_t>{12'345});
  EXPECT_EQ(mailbox.far_min(), Time::max());
}

TEST(Mailbox, ManyRecordsFillChunksAndAllAreKept) {
  Mailbox mailbox(1, 4, EpochGrid(Time{1000}));
  mailbox.begin_epoch(0);
  std::vector<std::int64_t> sent;
  for (std::int64_t i = 0; i < 100; ++i) {
    sent.push_back(1000 + i);
    append(mailbox, 0, 1000 + i);
  }
  EXPECT_EQ(taken(mailbox, 1, 0), sent);
}

TEST(ChunkPool, GivesBackWhatItTook) {
  ChunkPool pool, other;
  std::vector<Chunk*> taken;
  for (int i = 0; i < 100; ++i) taken.push_back(pool.take());
  const std::size_t free_before = pool.free_count();
  for (Chunk* chunk : taken) pool.give(chunk);
  EXPECT_EQ(pool.free_count(), free_before + 100);
  other.take_from(pool, 60);
  EXPECT_EQ(other.free_count(), 60U);
  EXPECT_EQ(pool.free_count(), free_before + 40);
}

}  // namespace
}  // namespace spineleaf
