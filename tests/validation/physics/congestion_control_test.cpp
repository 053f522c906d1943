// The controls that act on ACKs, at one bottleneck: the steady state that each paper states in
// closed form. And what lossy links do to each way of recovery.

#include <gtest/gtest.h>

#include <cmath>

#include "models/host/idle_paths.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/control_forms.hpp"

namespace spineleaf::congestion_control {
namespace {

using test::flow;
using test::params_of;
using test::Rig;

constexpr Rate kLine = Rate::from_gbps(100);
constexpr Time kCable = Time::from_us(2);  // about 10 us around

ModelParams plain(std::initializer_list<PresetEntry> settings) {
  ModelParams params = params_of("roce-400g", {{"fabric.flow_control", "none"},
                                               {"fabric.mtu", "938B"},
                                               {"fabric.fec", "0ns"},
                                               {"switch.core_latency", "0ns"},
                                               {"switch.queue_limit", "0B"},
                                               {"transport.ack_every", "1"},
                                               {"transport.timeout", "10s"}});
  for (const PresetEntry& entry : settings) test::set_param(params, entry);
  return params;
}

struct Bottleneck {
  double queue = 0;  ///< mean bytes
  double least = 1e18;
  double most = 0;
  double utilisation = 0;
  double estimate = 0;  ///< mean over connections and instants
  Time base_rtt;
};

/// n senders into one port; what lies between `from` and `length` counts.
Bottleneck measure(int n, const ModelParams& params, Time from, Time length) {
  std::vector<FlowEntry> flows;
  for (int s = 1; s <= n; ++s) {
    flows.push_back(
        flow("host" + std::to_string(s), "host0", INT64_C(1) << 36, Time::from_ns(1700 * s)));
  }
  Rig rig(test::star(n + 1, kLine, kCable), params, flows);
  const Ports& ports = rig.ports_of("leaf0");
  const std::uint32_t port = rig.port("leaf0", "host0");
  Bottleneck b;
  const Routes routes = compute_routes(rig.topology(), RoutingRule::ShortestPath);
  b.base_rtt =
      IdlePaths(rig.topology(), routes, params).round_trip(EndpointId{1}, EndpointId{0}).time;
  std::int64_t samples = 0, before = 0;
  rig.at(from, [&](Time) { before = ports.bytes_sent(port); });
  rig.every(from, Time::from_ns(700), [&](Time) {
    const auto queue = static_cast<double>(ports.queued_bytes(port, 0));
    b.queue += queue;
    b.least = std::min(b.least, queue);
    b.most = std::max(b.most, queue);
    ++samples;
    if (const CongestionControl* control = rig.host(1).control()) {
      b.estimate += control->estimate(0);
    }
  });
  rig.run(length);
  b.queue /= static_cast<double>(samples);
  b.estimate /= static_cast<double>(samples);
  const double sent = static_cast<double>(ports.bytes_sent(port) - before);
  b.utilisation =
      sent * 8 / (static_cast<double>(kLine.bits_per_second) * (length - from).seconds());
  EXPECT_EQ(rig.drops(), 0);
  ::testing::Test::RecordProperty("queue", std::to_string(b.queue));
  ::testing::Test::RecordProperty("most", std::to_string(b.most));
  ::testing::Test::RecordProperty("least", std::to_string(b.least));
  ::testing::Test::RecordProperty("utilisation", std::to_string(b.utilisation));
  ::testing::Test::RecordProperty("estimate", std::to_string(b.estimate));
  return b;
}

constexpr double kPacket = 1020;  // 938 of payload, 62 of headers, 20 of gap

TEST(Dctcp, QueueSwingsBelowItsThresholdAndAlphaFollowsTheWindow) {
  const ModelParams params = plain({{"transport.congestion_control", "dctcp"},
                                    {"ecn.point", "enqueue"},
                                    {"ecn.kmin", "60KB"},
                                    {"ecn.kmax", "60KB"},
                                    {"ecn.pmax", "1"}});
  const Bottleneck b = measure(2, params, Time::from_ms(4), Time::from_ms(12));
  const double bdp = 100e9 / 8 * b.base_rtt.seconds() / kPacket;
  const DctcpSteady steady = dctcp_steady(2, bdp, 60);
  EXPECT_LE(b.most, (steady.most + 4) * 1000);
  EXPECT_GE(b.least, (steady.most - 2.0 * steady.swing) * 1000);
  EXPECT_NEAR(b.queue, (steady.most - steady.swing / 2) * 1000, 0.15 * b.queue);
  EXPECT_NEAR(b.estimate, steady.alpha, 0.25 * steady.alpha);
  EXPECT_GE(b.utilisation, 0.998);
}

TEST(Swift, TheRoundTripIsHeldAtItsTarget) {
  const ModelParams params = plain({{"transport.congestion_control", "swift"},
                                    {"swift.base_target", "20us"},
                                    {"swift.ai", "0.25"}});
  for (const int n : {1, 4}) {
    const Bottleneck b = measure(n + 1, params, Time::from_ms(4), Time::from_ms(8));
    const double waiting = (Time::from_us(20) - b.base_rtt).seconds() * 100e9 / 8;
    EXPECT_NEAR(b.queue, waiting, 0.1 * waiting) << n + 1;
    EXPECT_GE(b.utilisation, 0.998);
    EXPECT_NEAR(b.estimate, 1, 0.06);
  }
}

// Windows below one packet: of 300 senders with a packet each, 190 packets would wait.
TEST(Swift, WindowsBelowAPacketArePaced) {
  const ModelParams params = plain({{"transport.congestion_control", "swift"},
                                    {"swift.base_target", "12us"},
                                    {"swift.ai", "0.02"}});
  const Bottleneck b = measure(300, params, Time::from_ms(9), Time::from_ms(11));
  EXPECT_LT(b.queue, 95 * kPacket);
  EXPECT_GE(b.utilisation, 0.95);
}

TEST(Timely, TheRoundTripStaysBetweenItsBounds) {
  const ModelParams params = plain({{"transport.congestion_control", "timely"},
                                    {"timely.delta", "200Mbps"},
                                    {"timely.t_low", "30us"},
                                    {"timely.t_high", "100us"}});
  const Bottleneck b = measure(2, params, Time::from_ms(6), Time::from_ms(12));
  const auto waiting = [&](std::int64_t us) {
    return (Time::from_us(us) - b.base_rtt).seconds() * 100e9 / 8;
  };
  EXPECT_GT(b.queue, waiting(30));
  EXPECT_LT(b.most, waiting(100));
  EXPECT_GE(b.utilisation, 0.999);
}

TEST(Hpcc, TheLinkIsUsedToEtaAndNothingWaits) {
  for (const auto& [eta, share] : {std::pair{"0.95", 0.95}, std::pair{"0.8", 0.80}}) {
    const ModelParams params = plain(
        {{"transport.congestion_control", "hpcc"}, {"hpcc.rate_ai", "5Mbps"}, {"hpcc.eta", eta}});
    const Bottleneck b = measure(4, params, Time::from_ms(3), Time::from_ms(6));
    EXPECT_NEAR(b.utilisation, share, 0.02);
    EXPECT_NEAR(b.estimate, share, 0.03);
    EXPECT_LT(b.queue, 2 * kPacket);
  }
}

TEST(Hpcc, TelemetryTakesItsBytes) {
  ModelParams params = plain({{"transport.congestion_control", "hpcc"}});
  const WireSizes with = wire_sizes(params);
  params.transport.congestion_control = CongestionControlKind::None;
  const WireSizes without = wire_sizes(params);
  EXPECT_EQ(with.header, without.header + 42);
  EXPECT_EQ(with.ack, without.ack + 42);
}

TEST(WindowBdp, WhatWaitsIsWhatAllButOneHaveInFlight) {
  const ModelParams params =
      plain({{"transport.congestion_control", "none"}, {"transport.window_bdp", "true"}});
  const Bottleneck b = measure(8, params, Time::from_ms(1), Time::from_ms(2));
  const double window = std::ceil(100e9 / 8 * b.base_rtt.seconds() / 938);  // packets
  const double pipe = 100e9 / 8 * b.base_rtt.seconds() / kPacket;
  EXPECT_NEAR(b.queue, (8 * window - pipe) * 1000, 0.02 * b.queue);
  EXPECT_GE(b.utilisation, 0.999);
}

TEST(IdlePaths, RoundTripOfOnePacketIsExact) {
  ModelParams params = test::wire_only("roce-400g", {{"transport.immediate", "false"}});
  const Topology star = test::star(2, kLine, kCable);
  const Routes routes = compute_routes(star, RoutingRule::ShortestPath);
  const IdlePaths::RoundTrip idle =
      IdlePaths(star, routes, params).round_trip(EndpointId{1}, EndpointId{0});
  EXPECT_EQ(idle.switches, 1U);
  // The first packet of a write has 16 bytes of RETH, which the second, of a full MTU, has not.
  Rig rig(star, params, {flow("host1", "host0", 2 * params.fabric.mtu.count)});
  rig.run();
  const Time first = serialisation(Bytes{params.fabric.mtu.count + 62 + 16 + 20}, kLine);
  const Time behind{2 * 16 * 80};  // its RETH, once on each link, holds the second packet up
  EXPECT_NEAR(static_cast<double>(rig.flows()[0].acked.ps),
              static_cast<double>((first + idle.time).ps), static_cast<double>(behind.ps));
}

// --- lossy links

TEST(BitErrors, FramesAreLostAsTheirBitsTell) {
  const ModelParams params =
      test::wire_only("roce-400g", {{"fabric.flow_control", "none"},
                                    {"fabric.bit_error_rate", "3e-7"},
                                    {"transport.recovery", "selective_repeat"},
                                    {"transport.timeout", "50us"},
                                    {"transport.retry_cnt", "1000"},
                                    {"transport.nak_interval", "5us"}});
  Rig rig(test::star(2, kLine, Time::from_ns(100)), params, {flow("host1", "host0", 40'000'000)});
  rig.run();
  EXPECT_GE(rig.flows()[0].acked.ps, 0);
  const HostCounters& sent = rig.host(1).counters();
  const double p = frame_loss(3e-7, 4096 + 62);
  EXPECT_NEAR(p, 0.00993, 0.0001);
  // Data crosses two links; ACKs are lost too, at their own size.
  const double acks = frame_loss(3e-7, 66) * static_cast<double>(rig.host(0).counters().acks);
  const double expected = 2 * p * static_cast<double>(sent.packets_sent) + 2 * acks;
  EXPECT_NEAR(static_cast<double>(rig.drops()), expected, 4 * std::sqrt(expected));
}

std::int64_t delivered_in(std::string_view recovery, const char* errors) {
  ModelParams params = test::wire_only("roce-400g", {{"fabric.flow_control", "none"},
                                                     {"fabric.mtu", "1024B"},
                                                     {"fabric.bit_error_rate", errors},
                                                     {"transport.timeout", "100us"},
                                                     {"transport.retry_cnt", "1000"},
                                                     {"transport.nak_interval", "1us"}});
  test::set_param(params, {"transport.recovery", recovery});
  std::vector<FlowEntry> flows;
  for (int ms = 0; ms < 9; ++ms) {
    flows.push_back(flow("host1", "host0", 4'000'000, Time::from_ms(ms)));
  }
  Rig rig(test::star(2, Rate::from_gbps(40), Time::from_ns(100)), params, flows);
  rig.run(Time::from_ms(10));
  return rig.host(0).counters().payload_delivered;
}

// Guo et al., SIGCOMM 2016, section 4.1: one packet of 256 is lost; messages of 4 MB never end if
// each loss starts them anew, and lose little where the sender goes back to the loss.
TEST(GoBack0, LossMakesALivelock) {
  const char* const one_in_256 = "2.2e-7";  // two links, 1,106-byte frames
  EXPECT_EQ(delivered_in("go_back_0", one_in_256), 0);
  EXPECT_GE(delivered_in("go_back_n", one_in_256), 30'000'000);
  EXPECT_GE(delivered_in("go_back_0", "0"), 36'000'000);
  EXPECT_GT(delivered_in("go_back_0", "1e-11"), 0);
}

}  // namespace
}  // namespace spineleaf::congestion_control
