// Ties are fair: senders whose packets arrive in the same picosecond lose and wait alike. A fixed
// order of ports would starve one of them.

#include <gtest/gtest.h>

#include "tests/models/fabric/rig.hpp"

namespace spineleaf {
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

TEST(FairTies, SymmetricSendersIntoALossyPortLoseAlike) {
  for (const std::string_view queue : {"10000B", "40KB", "200KB"}) {
    for (const int senders : {2, 3}) {
      std::vector<std::int64_t> sum(static_cast<std::size_t>(senders));
      std::int64_t total = 0;
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const std::vector<std::int64_t> drops = drops_of(senders, queue, seed);
        for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += drops[s];
        for (const std::int64_t d : drops) total += d;
      }
      ASSERT_GT(total, 5000);
      for (const std::int64_t d : sum) {
        // 1 % is over three standard deviations of a fair draw.
        const double fair = static_cast<double>(total) / senders;
        EXPECT_NEAR(static_cast<double>(d), fair, 0.02 * fair) << queue << " of " << senders;
      }
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

}  // namespace
}  // namespace spineleaf
