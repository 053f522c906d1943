// VL arbitration alone: shares of lanes that always have a packet, and turns that are passed on.

#include "models/parts/vl_arbiter.hpp"

#include <gtest/gtest.h>

#include <map>

namespace spineleaf {
namespace {

VlTables tables(const char* low, const char* high = "", std::int64_t limit = 0,
                bool carry = false) {
  return {{read_vl_table(low).entries, read_vl_table(high).entries}, limit, carry};
}

/// Packets of each VL out of `count`, all of `size` bytes, while the VLs of `eligible` wait.
std::map<std::uint32_t, int> shares(const VlTables& of, std::uint32_t eligible, int count,
                                    std::int32_t size = 4122) {
  VlArbiter arbiter(of);
  std::map<std::uint32_t, int> packets;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t vl = arbiter.choose(eligible);
    arbiter.sent(size);
    ++packets[vl];
  }
  return packets;
}

using Counts = std::map<std::uint32_t, int>;

TEST(VlArbiter, ATurnIsTheWeightRoundedUpToPackets) {
  EXPECT_EQ(shares(tables("0:65,1:195"), 3, 400), (Counts{{0, 100}, {1, 300}}));
  EXPECT_EQ(shares(tables("0:4,1:12"), 3, 400), (Counts{{0, 200}, {1, 200}}));
  EXPECT_EQ(shares(tables("0:66,1:198"), 3, 600), (Counts{{0, 200}, {1, 400}}));
}

TEST(VlArbiter, WithCarryTheWeightsHold) {
  for (const char* low : {"0:1,1:3", "0:4,1:12", "0:66,1:198"}) {
    Counts got = shares(tables(low, "", 0, true), 3, 40'000);
    EXPECT_NEAR(got[1], 3 * got[0], 40) << low;
  }
}

TEST(VlArbiter, TheLimitLetsLowPacketsThrough) {
  const auto ratio = [](std::int64_t limit) {
    Counts got = shares(tables("0:64", "1:64", limit), 3, 11 * 12 * 20);
    return got[0] == 0 ? 0.0 : static_cast<double>(got[1]) / got[0];
  };
  EXPECT_EQ(ratio(0), 1);
  EXPECT_EQ(ratio(3), 3);
  EXPECT_EQ(ratio(10), 10);
  EXPECT_EQ(ratio(255), 0) << "no limit: the low table waits";
}

TEST(VlArbiter, WhoHasNothingPassesTheTurnOn) {
  EXPECT_EQ(shares(tables("0:65,1:195"), 1, 10), (Counts{{0, 10}}));
  EXPECT_EQ(shares(tables("0:64", "1:64", 255), 1, 10), (Counts{{0, 10}}));
  EXPECT_EQ(shares(tables("1:64,0:0,0:64"), 1, 10), (Counts{{0, 10}})) << "weight 0 is skipped";
  EXPECT_EQ(shares(tables("", "0:1,1:1", 0, true), 2, 10, 9'000), (Counts{{1, 10}}));
}

TEST(VlArbiter, TablesAreReadOrRefused) {
  EXPECT_EQ(read_vl_table("0:4,14:255").entries.size(), 2U);
  for (const char* bad : {"0", "0:", ":4", "15:1", "0:256", "0:4,,1:4", "0:4 ", "a:b", "-1:4"}) {
    EXPECT_FALSE(read_vl_table(bad).reason.empty()) << bad;
  }
  std::string many = "0:1";
  for (int i = 0; i < 64; ++i) many += ",0:1";
  EXPECT_FALSE(read_vl_table(many).reason.empty());
  EXPECT_EQ(tables("0:4,3:0", "5:1").served(), 0x21U);
}

}  // namespace
}  // namespace spineleaf
