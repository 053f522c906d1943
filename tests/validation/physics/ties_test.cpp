// Ties are fair: senders whose packets arrive in the same picosecond lose and wait alike. A fixed
// order of ports would starve one of them.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/models/fabric/rig.hpp"

namespace spineleaf::ties {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Time kCable = Time::from_ns(100);

std::vector<FlowEntry> into_host0(int senders, std::int64_t bytes) {
  std::vector<FlowEntry> flows;
  for (int s = 1; s <= senders; ++s) {
    flows.push_back(flow("host" + std::to_string(s), "host0", bytes));
  }
  return flows;
}

/// Packets of each sender dropped at the switch in 300 us. Every message is one packet of the same
/// size, sent once, so that the senders stay in step and every arrival is a tie.
std::vector<std::int64_t> drops_of(int senders, std::string_view queue, std::uint64_t seed) {
  const ModelParams params =
      wire_only("roce-400g", {{"fabric.flow_control", "none"}, {"switch.queue_limit", queue}});
  std::vector<FlowEntry> flows;
  for (int i = 0; i < 3500; ++i) {
    for (const FlowEntry& f : into_host0(senders, 4096)) flows.push_back(f);
  }
  Rig rig(test::star(senders + 1, kLine, kCable), params, flows, seed);
  rig.run(Time::from_us(300));
  std::vector<std::int64_t> drops;
  for (int s = 1; s <= senders; ++s) {
    const std::uint32_t port = rig.port("leaf0", "host" + std::to_string(s));
    drops.push_back(rig.ports_of("leaf0").counters(port).drops[0]);
  }
  return drops;
}

/// `count` wins of `draws` fair draws with chance 1 / of: within five standard deviations, which
/// chance leaves once in 1.7 million times.
void expect_fair(std::int64_t count, std::int64_t draws, int of, const std::string& what) {
  const double chance = 1.0 / of, n = static_cast<double>(draws);
  EXPECT_NEAR(static_cast<double>(count), n * chance, 5 * std::sqrt(n * chance * (1 - chance)))
      << what;
}

// In every single run, not only over seeds: an order drawn once a run would starve one of them.
TEST(FairTies, SymmetricSendersIntoALossyPortLoseAlike) {
  for (const std::string_view queue : {"10000B", "40KB", "200KB"}) {
    for (const int senders : {2, 3}) {
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const std::vector<std::int64_t> drops = drops_of(senders, queue, seed);
        const std::int64_t total = std::accumulate(drops.begin(), drops.end(), std::int64_t{0});
        ASSERT_GT(total, 2000);
        for (const std::int64_t d : drops) {
          expect_fair(d, total, senders, std::string(queue) + " seed " + std::to_string(seed));
        }
      }
    }
  }
}

// A pair of packets meets at the port every 200 ns, the port idle before: one of them goes at
// once, the other waits for it. In one run each waits half of the times.
TEST(FairTies, OfPairsThatMeetEachWaitsHalfOfTheTimes) {
  constexpr int kPairs = 2000;
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    for (const Switching switching : {Switching::StoreAndForward, Switching::CutThrough}) {
      ModelParams params = wire_only(preset);
      params.sw.switching = switching;
      std::vector<FlowEntry> flows;
      for (int i = 0; i < kPairs; ++i) {
        for (const FlowEntry& f : into_host0(2, 4096)) {
          flows.push_back(f);
          flows.back().start = Time::from_ns(200 * i);
        }
      }
      Rig rig(test::star(3, kLine, kCable), params, flows);
      rig.run();
      const std::vector<FlowRecord> done = rig.flows();
      std::int64_t waits = 0, changes = 0;
      bool before = false;
      for (std::size_t i = 0; i < done.size(); i += 2) {
        ASSERT_EQ(done[i].start.ps, done[i + 1].start.ps);
        ASSERT_NE(done[i].received.ps, done[i + 1].received.ps);
        const bool waited = done[i].received > done[i + 1].received;
        waits += waited ? 1 : 0;
        changes += i > 0 && waited != before ? 1 : 0;
        before = waited;
      }
      expect_fair(waits, kPairs, 2, std::string(preset));
      expect_fair(changes, kPairs - 1, 2, std::string(preset) + ": one draw tells the next");
    }
  }
}

// In a lossless fabric the one that wins a tie is a packet ahead: over seeds each wins half.
TEST(FairTies, EqualMessagesWinAndLoseTheFirstPlaceEquallyOften) {
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    int first = 0;
    for (std::uint64_t seed = 1; seed <= 64; ++seed) {
      Rig rig(test::star(3, kLine, kCable), wire_only(preset), into_host0(2, 4096), seed);
      rig.run();
      const std::vector<FlowRecord> flows = rig.flows();
      ASSERT_NE(flows.at(0).received.ps, flows.at(1).received.ps);
      first += flows[0].received < flows[1].received ? 1 : 0;
    }
    // Binomial of 64: 99.9 % lie within 32 +- 13.
    EXPECT_NEAR(first, 32, 13) << preset;
  }
}

TEST(FairTies, LongMessagesWaitAlike) {
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    double sum[2] = {};
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      Rig rig(test::star(3, kLine, kCable), wire_only(preset), into_host0(2, 1 << 22), seed);
      rig.run();
      const std::vector<FlowRecord> flows = rig.flows();
      for (std::size_t i = 0; i < 2; ++i) sum[i] += flows[i].received.microseconds();
    }
    EXPECT_NEAR(sum[0] / sum[1], 1, 0.01) << preset;
  }
}

/// Packets on each cable from leaf0 to a spine: `senders` hosts of that leaf send one packet each
/// to another leaf in the same instant, `rounds` times.
std::vector<std::int64_t> uplinks(std::string_view preset, int senders, int rounds) {
  const ModelParams params =
      wire_only(preset, {{"switch.forwarding", "adaptive"}, {"switch.routing", "up_down"}});
  std::vector<FlowEntry> flows;
  for (int i = 0; i < rounds; ++i) {
    for (int s = 0; s < senders; ++s) {
      flows.push_back(flow("host" + std::to_string(s), "host" + std::to_string(8 + s), 4096,
                           Time::from_ns(200 * i)));
    }
  }
  Rig rig(test::topology_of(build_topology("fat_tree", {{"hosts", 16}, {"radix", 8}})), params,
          flows);
  rig.run();
  std::vector<std::int64_t> packets;
  for (const Cable& cable : rig.topology().cables) {
    if (rig.topology().node(cable.a.node).name != "leaf0") continue;
    packets.push_back(rig.ports_of("leaf0").packets_sent(cable.a.port));
  }
  return packets;
}

// Adaptive routing at equal loads takes no cable by its number, and of two arrivals in one instant
// the second sees where the first went.
TEST(FairTies, AdaptiveRoutingFavoursNoCable) {
  constexpr int kRounds = 2000;
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    const std::vector<std::int64_t> alone = uplinks(preset, 1, kRounds);
    ASSERT_EQ(alone.size(), 4U);
    for (const std::int64_t packets : alone) expect_fair(packets, kRounds, 4, std::string(preset));
    EXPECT_EQ(uplinks(preset, 4, kRounds), std::vector<std::int64_t>(4, kRounds)) << preset;
  }
}

}  // namespace
}  // namespace spineleaf::ties
