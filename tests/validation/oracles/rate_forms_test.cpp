#include <gtest/gtest.h>

#include "validation/oracles/collective_forms.hpp"
#include "validation/oracles/credit_forms.hpp"
#include "validation/oracles/goodput_forms.hpp"
#include "validation/oracles/link_forms.hpp"
#include "validation/oracles/pfc_forms.hpp"

namespace spineleaf {
namespace {

constexpr Rate k400 = Rate::from_gbps(400);
constexpr Bytes kMtu{4096};

TEST(GoodputForms, MiddlePackets) {
  EXPECT_NEAR(middle_goodput(WireFormat::RoceV2, kMtu, k400), 392.15, 0.005);
  EXPECT_NEAR(middle_goodput(WireFormat::RoceV2, Bytes{1024}, k400) / 400, 0.926, 5e-4);
  EXPECT_NEAR(middle_goodput(WireFormat::InfiniBand, kMtu, k400), 397.477, 5e-4);
}

TEST(GoodputForms, MessagesPayForTheirFirstAndLastPacket) {
  // Two packets: 16 B of RETH on the first, 4 B of immediate on the last.
  EXPECT_DOUBLE_EQ(message_goodput(WireFormat::InfiniBand, Bytes{8192}, kMtu, true, k400),
                   400.0 * 8192 / (8192 + 2 * 26 + 16 + 4));
  EXPECT_DOUBLE_EQ(message_goodput(WireFormat::RoceV2, Bytes{4097}, kMtu, false, k400),
                   400.0 * 4097 / (4097 + 2 * 82 + 16));
  EXPECT_NEAR(message_goodput(WireFormat::RoceV2, Bytes{1 << 30}, kMtu, true, k400),
              middle_goodput(WireFormat::RoceV2, kMtu, k400), 1e-5);
}

TEST(GoodputForms, CreditUpdatesShareTheLine) {
  const Time cadence = Time::from_ns(256);
  EXPECT_NEAR(credit_goodput(kMtu, k400, CreditSharing::None, cadence), 397.477, 5e-4);
  EXPECT_NEAR(credit_goodput(kMtu, k400, CreditSharing::PerPacket, cadence), 396.707, 5e-4);
  EXPECT_NEAR(credit_goodput(kMtu, k400, CreditSharing::MinSpacing, cadence), 397.284, 5e-4);
  EXPECT_NEAR(credit_goodput(kMtu, k400, CreditSharing::Timer, cadence), 397.229, 5e-4);
}

TEST(GoodputForms, IncastDrains) {
  // 32 x 1 MiB at 400G: 256 packets each of 4178 B, 16 and 4 more.
  const Time drain = incast_drain(32, WireFormat::RoceV2, Bytes{1 << 20}, kMtu, true, k400);
  EXPECT_EQ(drain.ps, 32ll * (256 * 4178 + 20) * 20);
}

TEST(LinkForms, PacketsOfEqualHopsArePipelined) {
  // (M + h - 1) L / C + h (prop + switch).
  const std::vector<Hop> path(3, Hop{Rate::from_gbps(40), Time::from_ns(1000)});
  const std::vector<std::int64_t> train(10, 1000);
  EXPECT_EQ(train_arrivals(train, path).back().ps, (10 + 3 - 1) * 200'000 + 3 * 1'000'000);
  EXPECT_EQ(store_and_forward_latency(1000, path).ps, 3 * 1'200'000);
}

TEST(LinkForms, CutThroughPaysForTheSlowestLinkOnce) {
  const Time hop = Time::from_ns(250);
  const std::vector<Hop> mixed{{k400, hop}, {Rate::from_gbps(100), hop}, {k400, hop}};
  // 4096 B at 100G take 327.68 ns; a header of 64 B 1.28 ns at 400G. The last link is as fast as
  // its feed at best, so the tail is one cut-through header time and three latencies later.
  EXPECT_EQ(cut_through_latency(4096, 64, mixed).ps,
            1'280 + 327'680 + 81'920 - 81'920 + 3 * 250'000);
}

// Equal links: every switch but the receiver adds a header time and a latency, whatever follows.
TEST(LinkForms, CutThroughOverEqualLinks) {
  for (std::int64_t h = 1; h <= 6; ++h) {
    const std::vector<Hop> path(static_cast<std::size_t>(h), Hop{k400, Time::from_ns(250)});
    const std::int64_t fixed = (h - 1) * 1'280 + h * 250'000;
    EXPECT_EQ(cut_through_latency(4096, 64, path).ps, fixed + 81'920) << h;
    const std::vector<std::int64_t> train(10, 4096);
    EXPECT_EQ(train_arrivals(train, path, 64).back().ps, fixed + 10 * 81'920) << h;
  }
}

// No bit leaves before it is there, and a start one picosecond earlier would break that or read a
// header that is not there yet: checked bit by bit over unequal links.
TEST(LinkForms, CutThroughStartsAsEarlyAsItsBitsAllow) {
  constexpr std::int64_t kBytes = 1000, kHeader = 64;
  for (const std::int64_t in : {100, 200, 400}) {
    for (const std::int64_t out : {100, 200, 400}) {
      const Rate first = Rate::from_gbps(in), second = Rate::from_gbps(out);
      const Time latency = Time::from_ns(77);
      const std::vector<Hop> path{{first, latency}, {second, Time{0}}};
      const Time end = cut_through_latency(kBytes, kHeader, path);
      const Time start = end - serialisation(Bytes{kBytes}, second);
      const auto possible = [&](Time from) {
        bool all = from >= serialisation(Bytes{kHeader}, first) + latency;
        for (std::int64_t bit = 1; bit <= 8 * kBytes; ++bit) {
          // In halves of a picosecond: a bit takes 2.5 ps at 400 Gb/s.
          const std::int64_t there = 2 * latency.ps + bit * (2000 / in);
          all = all && 2 * from.ps + bit * (2000 / out) >= there;
        }
        return all;
      };
      EXPECT_TRUE(possible(start)) << in << " " << out;
      EXPECT_FALSE(possible(start - Time{1})) << in << " " << out;
    }
  }
}

TEST(PfcForms, HeadroomOfTheReferenceRows) {
  // 1,000 B packets, a pause frame of 64 B, no gap: bytes after the packet that tripped XOFF.
  const auto headroom = [](std::int64_t gbps, Time propagation, Time response) {
    return headroom_bytes(
        {Rate::from_gbps(gbps), propagation, propagation, response, 1000, 1000, 64});
  };
  EXPECT_NEAR(headroom(40, Time::from_us(1), {}), 12'064, 1e-6);
  EXPECT_NEAR(headroom(400, Time::from_ns(500), {}), 52'064, 1e-6);
  EXPECT_NEAR(headroom(100, Time::from_us(1), {}), 27'064, 1e-6);
  EXPECT_NEAR(headroom(40, Time::from_us(1), Time::from_ns(500)), 14'564, 1e-6);
  EXPECT_NEAR(headroom(400, Time::from_ns(500), Time{1'158'400}), 109'984, 1e-6);
  EXPECT_EQ(pause_time(65'535, Rate::from_gbps(40)).ps, 838'848'000);
}

CreditLoop loop(std::int64_t metres, std::int64_t kib) {
  // 5 ns a metre, 100 ns of FEC each way, a pipeline of 150 ns.
  return {k400, Time::from_ns(5 * metres + 100), Time::from_ns(150), 4122, kib * 1024};
}

TEST(CreditForms, RateAgainstCableLength) {
  struct Row {
    std::int64_t metres, kib;
    double gbps;
  };
  for (const Row& row :
       {Row{5, 64, 400}, Row{50, 64, 400}, Row{100, 64, 345.3}, Row{150, 64, 256.0},
        Row{200, 64, 203.4}, Row{300, 64, 144.2}, Row{500, 64, 91.0}, Row{1000, 64, 47.3},
        Row{2000, 64, 24.2}, Row{200, 128, 400}, Row{300, 128, 297.8}, Row{500, 128, 188.1},
        Row{1000, 128, 97.7}}) {
    const CreditLoop l = loop(row.metres, row.kib);
    EXPECT_NEAR(credit_rate(l, credit_loop_time(l)), row.gbps, 0.006 * row.gbps)
        << row.metres << " m, " << row.kib << " KiB";
  }
  EXPECT_EQ(credit_loop_time(loop(100, 64)).ps, 1'432'600);
  EXPECT_EQ(credit_window(loop(1, 64)), 15);
  EXPECT_EQ(credit_window(loop(1, 128)), 31);
  EXPECT_EQ(credit_window(loop(1, 256)), 31);  // at most 2,048 blocks are ever offered
}

TEST(CollectiveForms, Ring) {
  const StepCost step{Time::from_us(2), 50};
  // 16 ranks, 1 GiB: 30 steps of 64 MiB.
  const Time time = ring_all_reduce(16, Bytes{1 << 30}, step);
  EXPECT_NEAR(time.microseconds(), 30 * (2 + (64 << 20) / 50e3), 1e-3);
  EXPECT_EQ(2 * ring_all_gather(16, Bytes{1 << 30}, step).ps, time.ps);
}

TEST(CollectiveForms, AllToAll) {
  EXPECT_NEAR(all_to_all_busbw(16, 8, 50), 93.75, 1e-9);
  EXPECT_NEAR(all_to_all_busbw(32, 8, 50), 64.58, 0.01);
  EXPECT_NEAR(all_to_all_bound(4, Bytes{4'000'000}, 50).microseconds(), 60, 1e-6);
}

}  // namespace
}  // namespace spineleaf
