// Reliable connections: recovery from a link that flaps, retry counts, ACK coalescing, and order
// under packets that overtake each other.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf::transport {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Time kCable = Time::from_ns(100);

HostCounters totals(Rig& rig) {
  HostCounters sum;
  for (const Host* host : rig.fabric().hosts) {
    const HostCounters& c = host->counters();
    sum.packets_sent += c.packets_sent;
    sum.packets_delivered += c.packets_delivered;
    sum.payload_delivered += c.payload_delivered;
    sum.acks += c.acks;
    sum.naks += c.naks;
    sum.retransmissions += c.retransmissions;
    sum.timeouts += c.timeouts;
    sum.failed += c.failed;
    sum.out_of_order += c.out_of_order;
  }
  return sum;
}

void expect_all_done(Rig& rig, std::int64_t payload) {
  for (const FlowRecord& f : rig.flows()) {
    EXPECT_GE(f.received.ps, 0) << "flow " << f.flow;
    EXPECT_GE(f.acked, f.received) << "flow " << f.flow;
  }
  EXPECT_EQ(totals(rig).payload_delivered, payload);
}

class LinkFlap : public ::testing::TestWithParam<std::string_view> {};

TEST_P(LinkFlap, EveryByteArrivesOnce) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ModelParams params = wire_only("roce-400g", {{"transport.recovery", GetParam()},
                                                 {"transport.timeout", "50us"},
                                                 {"transport.nak_interval", "5us"},
                                                 {"fabric.flow_control", "none"}});
    std::vector<FlowEntry> flows;
    std::int64_t payload = 0;
    for (std::uint64_t i = 0; i < 6; ++i) {
      const auto bytes = static_cast<std::int64_t>(1 + mix64(seed, i) % 600'000);
      flows.push_back(flow("host" + std::to_string(i % 3 + 1), "host0", bytes));
      payload += bytes;
    }
    Rig rig(test::star(4, kLine, kCable), params, flows, seed);
    Time at{static_cast<std::int64_t>(mix64(seed, 99) % 20'000'000)};
    for (std::uint64_t k = 0; k < 3; ++k) {
      const char* cable = k == 1 ? "host0" : "host1";
      rig.set_cable(at, cable, "leaf0", false);
      at += Time{static_cast<std::int64_t>(1 + mix64(seed, k, 7) % 5'000'000)};
      rig.set_cable(at, cable, "leaf0", true);
      at += Time{static_cast<std::int64_t>(1 + mix64(seed, k, 8) % 15'000'000)};
    }
    rig.run();
    expect_all_done(rig, payload);
  }
}

INSTANTIATE_TEST_SUITE_P(, LinkFlap, ::testing::Values("go_back_n", "selective_repeat"),
                         [](const ::testing::TestParamInfo<std::string_view>& mode) {
                           return mode.param == "go_back_n" ? "GoBackN" : "SelectiveRepeat";
                         });

/// A cable fails for a picosecond: what is on it is lost, what comes behind is not.
HostCounters lose_a_burst(std::string_view recovery) {
  const ModelParams params = wire_only("roce-400g", {{"transport.recovery", recovery},
                                                     {"transport.ack_every", "1"},
                                                     {"transport.timeout", "1ms"}});
  Rig rig(test::star(2, kLine, Time::from_us(2)), params, {flow("host0", "host1", 4096 * 500)});
  rig.set_cable(Time{10'000'000}, "host0", "leaf0", false);
  rig.set_cable(Time{10'000'001}, "host0", "leaf0", true);
  rig.run();
  expect_all_done(rig, 4096 * 500);
  return totals(rig);
}

TEST(LossRecoveryCost, GoBackNSendsTheRoundTripAgainSelectiveRepeatOnlyWhatIsLost) {
  const HostCounters go_back = lose_a_burst("go_back_n");
  // 2.1 us hold 25 packets; everything sent in the round trip after them is sent again, 9.4 us hold
  // 112.
  EXPECT_GE(go_back.packets_sent - go_back.packets_delivered, 25);
  EXPECT_NEAR(static_cast<double>(go_back.retransmissions), 25 + 112, 15);
  EXPECT_EQ(go_back.timeouts, 0);
  const HostCounters selective = lose_a_burst("selective_repeat");
  EXPECT_GE(selective.packets_sent - selective.packets_delivered, 25);
  EXPECT_EQ(selective.retransmissions, selective.packets_sent - selective.packets_delivered);
  EXPECT_EQ(selective.timeouts, 0);
}

TEST(Retries, ADeadLinkFailsTheConnectionAfterRetryCntTimeouts) {
  for (const std::string_view retries : {"0", "3", "7"}) {
    const ModelParams params = wire_only("roce-400g", {{"transport.timeout", "10us"},
                                                       {"transport.retry_cnt", retries},
                                                       {"fabric.flow_control", "none"}});
    Rig rig(test::star(2, kLine, kCable), params, {flow("host0", "host1", 4096 * 1000)});
    rig.set_cable(Time::from_us(5), "leaf0", "host1", false);
    rig.run();
    const HostCounters counters = totals(rig);
    EXPECT_EQ(counters.failed, 1) << retries;
    EXPECT_EQ(counters.timeouts, std::stoi(std::string(retries)) + 1) << retries;
    EXPECT_LT(rig.flows().at(0).acked.ps, 0);
  }
}

TEST(Retries, TimeoutsInARowAreCountedNotAllOfThem) {
  // One packet at a time, which both cables lose at five instants: five timeouts, never two in a
  // row.
  const ModelParams params = wire_only("roce-400g", {{"transport.timeout", "30us"},
                                                     {"transport.retry_cnt", "1"},
                                                     {"transport.window", "4KiB"},
                                                     {"fabric.flow_control", "none"}});
  Rig rig(test::star(2, kLine, Time::from_us(2)), params, {flow("host0", "host1", 4096 * 60)});
  for (std::int64_t k = 0; k < 5; ++k) {
    for (const char* host : {"host0", "host1"}) {
      rig.set_cable(Time::from_us(20 + 60 * k), host, "leaf0", false);
      rig.set_cable(Time::from_us(20 + 60 * k) + Time{1}, host, "leaf0", true);
    }
  }
  rig.run();
  EXPECT_EQ(totals(rig).failed, 0);
  EXPECT_EQ(totals(rig).timeouts, 5);
  expect_all_done(rig, 4096 * 60);
}

TEST(AckCoalescing, OneAckPerNPacketsAndOneForTheLast) {
  for (const std::int64_t every : {1, 2, 8, 100}) {
    for (const std::int64_t packets : {1, 7, 8, 64, 101}) {
      ModelParams params = wire_only("roce-400g");
      params.transport.ack_every = every;
      Rig rig(test::star(2, kLine, kCable), params, {flow("host0", "host1", 4096 * packets)});
      rig.run();
      EXPECT_EQ(totals(rig).acks, (packets + every - 1) / every) << every << " " << packets;
      const WireSizes sizes = wire_sizes(params.fabric.wire);
      EXPECT_EQ(rig.host(1).ports().bytes_sent(0), totals(rig).acks * (sizes.ack + sizes.gap));
    }
  }
}

TEST(Window, RateIsOneWindowARoundTrip) {
  // A full window asks for an ACK, so that seldom ACKs do not stop it.
  for (const std::string_view every : {"1", "64"}) {
    const ModelParams params =
        wire_only("roce-400g", {{"transport.window", "32KiB"}, {"transport.ack_every", every}});
    Rig rig(test::star(2, kLine, Time::from_us(4)), params, {flow("host0", "host1", 4096 * 800)});
    rig.run();
    // Seldom ACKs open the window only when its last packet has arrived: 7 packets later.
    const Time round_trip = 4 * (Time::from_us(4) + params.fabric.fec) +
                            2 * params.sw.core_latency + 2 * Time{83'560} + 2 * Time{86 * 20} +
                            (every == "1" ? 0 : 7) * Time{83'560};
    const double rate = 8 * 4096 / round_trip.seconds();
    EXPECT_NEAR(4096 * 800 / rig.flows().at(0).acked.seconds(), rate, 0.02 * rate) << every;
    EXPECT_EQ(totals(rig).timeouts, 0);
  }
}

struct Overtaking {
  std::string_view preset;
  std::string_view forwarding;
  std::string_view recovery;
};

TEST(Reordering, EveryMessageArrivesOnceAndInOrder) {
  for (const Overtaking& o :
       {Overtaking{"ib-ndr", "adaptive", "go_back_n"}, Overtaking{"ib-ndr", "spray", "go_back_n"},
        Overtaking{"roce-400g", "spray", "go_back_n"},
        Overtaking{"roce-400g", "adaptive", "selective_repeat"},
        Overtaking{"roce-400g", "flowlet", "go_back_n"}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(std::string(o.preset) + " " + std::string(o.forwarding) + " seed " +
                   std::to_string(seed));
      const ModelParams params = wire_only(o.preset, {{"switch.forwarding", o.forwarding},
                                                      {"switch.flowlet_gap", "100ns"},
                                                      {"switch.routing", "up_down"},
                                                      {"transport.recovery", o.recovery}});
      std::vector<FlowEntry> flows;
      std::int64_t payload = 0, packets = 0;
      for (std::uint64_t i = 0; i < 60; ++i) {
        const auto from = i % 16, to = (from + 1 + mix64(seed, i) % 15) % 16;
        const auto bytes = static_cast<std::int64_t>(1 + mix64(seed, i, 2) % 100'000);
        flows.push_back(flow("host" + std::to_string(from), "host" + std::to_string(to), bytes));
        payload += bytes;
        packets += (bytes + 4095) / 4096;
      }
      Rig rig(test::topology_of(build_topology("fat_tree", {{"hosts", 16}, {"radix", 8}})), params,
              flows, seed);
      rig.run();
      expect_all_done(rig, payload);
      EXPECT_EQ(rig.drops(), 0);
      EXPECT_GE(totals(rig).packets_delivered, packets);
      if (o.recovery == "go_back_n") {
        EXPECT_EQ(totals(rig).packets_delivered, packets) << "nothing is sent twice";
      }
      if (o.forwarding != "flowlet") {
        EXPECT_GT(totals(rig).out_of_order, 0);
      }
    }
  }
}

}  // namespace
}  // namespace spineleaf::transport
