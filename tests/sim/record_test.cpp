// What a record packs, the two sets of bits, and times on a wire.

#include "sim/record.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sim/bitmap.hpp"
#include "sim/hash.hpp"
#include "sim/link.hpp"

namespace spineleaf {
namespace {

TEST(Record, Has32Bytes) {
  EXPECT_EQ(sizeof(Record), 32U);
  EXPECT_TRUE(std::is_trivially_copyable_v<Record>);
}

TEST(Record, EightPauseTimesStandSideBySide) {
  Record frame;
  frame.size = 64;
  frame.port = 513;
  frame.traffic_class = 0xa5;
  frame.time = Time{77};
  const auto quanta = [](unsigned c) { return static_cast<std::uint16_t>(65535 - c * 4097); };
  for (unsigned c = 0; c < 8; ++c) set_pfc_quanta(frame, c, quanta(c));
  for (unsigned c = 0; c < 8; ++c) EXPECT_EQ(pfc_quanta(frame, c), quanta(c)) << c;
  set_pfc_quanta(frame, 3, 0);
  for (unsigned c = 0; c < 8; ++c) EXPECT_EQ(pfc_quanta(frame, c), c == 3 ? 0 : quanta(c)) << c;
  EXPECT_EQ(frame.size, 64);
  EXPECT_EQ(frame.port, 513);
  EXPECT_EQ(frame.traffic_class, 0xa5);
  EXPECT_EQ(frame.time, Time{77});
}

TEST(Record, FourCreditWordsStandSideBySide) {
  Record round;
  round.size = 4;
  round.port = 9;
  const CreditWord words[kCreditWords] = {{0, 0, 4095}, {15, 4095, 0}, {7, 2048, 2047}, {1, 1, 2}};
  for (unsigned i = 0; i < kCreditWords; ++i) set_credit_word(round, i, words[i]);
  for (unsigned i = 0; i < kCreditWords; ++i) {
    const CreditWord word = credit_word(round, i);
    EXPECT_EQ(word.vl, words[i].vl) << i;
    EXPECT_EQ(word.fctbs, words[i].fctbs) << i;
    EXPECT_EQ(word.fccl, words[i].fccl) << i;
  }
  EXPECT_EQ(round.size, 4);
  EXPECT_EQ(round.port, 9);
}

TEST(Record, OnlyLinkControlStaysOnItsLink) {
  for (const RecordKind kind :
       {RecordKind::Data, RecordKind::Ack, RecordKind::Nak, RecordKind::Cnp}) {
    EXPECT_FALSE(is_link_control(kind));
  }
  EXPECT_TRUE(is_link_control(RecordKind::PfcFrame));
  EXPECT_TRUE(is_link_control(RecordKind::CreditRound));
}

TEST(PortSet, EqualsASetOfNumbers) {
  PortSet ports;
  std::set<std::uint32_t> expected;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto port = static_cast<std::uint32_t>(mix64(i, 2) % kMaxPorts);
    switch (mix64(i, 3) % 4) {
      case 0:
      case 1:
        ports.set(port);
        expected.insert(port);
        break;
      case 2:
        ports.clear(port);
        expected.erase(port);
        break;
      default:
        if (expected.empty()) break;
        ASSERT_EQ(ports.pop_first(), *expected.begin());
        expected.erase(expected.begin());
    }
    ASSERT_EQ(ports.any(), !expected.empty());
    ASSERT_EQ(ports.test(port), expected.contains(port));
  }
}

std::set<std::uint32_t> members(const WorkBitmap& work) {
  std::set<std::uint32_t> found;
  for (std::size_t s = 0; s < work.summary_size(); ++s) {
    for (std::size_t b = 0; b < 64; ++b) {
      if ((work.summary(s) >> b & 1U) == 0) continue;
      for (std::size_t i = 0; i < 64; ++i) {
        if ((work.word(s * 64 + b) >> i & 1U) != 0) {
          found.insert(static_cast<std::uint32_t>((s * 64 + b) * 64 + i));
        }
      }
    }
  }
  return found;
}

TEST(WorkBitmap, ItsSummaryLeadsToEveryMember) {
  for (const std::uint32_t bits : {1U, 64U, 65U, 4096U, 4097U, 20'000U}) {
    WorkBitmap work(bits);
    EXPECT_FALSE(work.any());
    for (std::uint64_t round = 0; round < 3; ++round) {
      std::set<std::uint32_t> expected{0, bits - 1};
      for (std::uint64_t i = 0; i < 50; ++i) {
        expected.insert(static_cast<std::uint32_t>(mix64(round, i) % bits));
      }
      for (const std::uint32_t i : expected) work.set(i);
      EXPECT_TRUE(work.any());
      EXPECT_EQ(members(work), expected);
      work.clear();
      EXPECT_FALSE(work.any());
      EXPECT_TRUE(members(work).empty());
    }
  }
}

TEST(Serialisation, IsTheLeastTimeThatCarriesTheBits) {
  EXPECT_EQ(serialisation(Bytes{4178}, Rate::from_gbps(400)), Time{83'560});
  EXPECT_EQ(serialisation(Bytes{0}, Rate::from_gbps(400)), Time{0});
  EXPECT_EQ(serialisation(Bytes{1}, kMaxRate), Time{1}) << "0.08 ps, rounded up";
  __extension__ using Wide = __int128;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const auto bytes = static_cast<std::int64_t>(mix64(i, 4) >> (24 + i % 40));
    const std::int64_t rate =
        1 + static_cast<std::int64_t>(mix64(i, 5) %
                                      static_cast<std::uint64_t>(kMaxRate.bits_per_second));
    if (static_cast<Wide>(bytes) * 8'000'000'000'000 / rate >= INT64_MAX) continue;
    const Wide bits_ps = static_cast<Wide>(bytes) * 8 * 1'000'000'000'000;
    const std::int64_t t = serialisation(Bytes{bytes}, Rate{rate}).ps;
    ASSERT_GE(static_cast<Wide>(t) * rate, bits_ps);
    ASSERT_LT(static_cast<Wide>(t - 1) * rate, bits_ps);
  }
}

TEST(Serialisation, WholeNanosecondsAreTruncatedButNeverZero) {
  Link link;
  link.rate = Rate::from_gbps(100);
  EXPECT_EQ(link.serialisation_of(1048), Time{83'840});
  link.whole_nanoseconds = true;
  EXPECT_EQ(link.serialisation_of(1048), Time{83'000});
  link.rate = Rate::from_gbps(800);
  EXPECT_EQ(link.serialisation_of(60), Time{1'000}) << "0.6 ns";
  EXPECT_EQ(link.serialisation_of(0), Time{0});
}

}  // namespace
}  // namespace spineleaf
