// Pause times: exact length, expiry, refresh, resume, and the share of time that an incast pauses.

#include <gtest/gtest.h>

#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/link_forms.hpp"
#include "validation/oracles/pfc_forms.hpp"

namespace spineleaf::pfc_timing {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Time kCable = Time::from_ns(100);

/// First bit of host0's one-packet message, posted at 1 us, given pause frames.
Time start_of_message(Rate rate, std::vector<std::pair<Time, std::uint32_t>> pauses,
                      Time response = {}) {
  ModelParams params = wire_only("roce-400g");
  params.pfc.response_time = response;
  Rig rig(test::chain({{rate, kCable}}), params, {flow("host0", "host1", 1000, Time::from_us(1))});
  for (const auto& [when, quanta] : pauses) {
    rig.at(when, [&rig, q = quanta](Time now) { rig.give_pause(now, "host0", 0, q); });
  }
  rig.run();
  const std::vector<Hop> hops{{rate, kCable + params.fabric.fec}};
  return rig.flows().at(0).received - store_and_forward_latency(1000 + 62 + 20 + 20, hops);
}

TEST(PauseTime, LongestPauseIs33553920BitTimes) {
  for (const std::int64_t g : {10, 40, 100, 400}) {
    const Rate rate = Rate::from_gbps(g);
    const Time pause = pause_time(65535, rate);
    EXPECT_EQ(pause.ps, INT64_C(33'553'920) * 1000 / g);
    EXPECT_EQ(start_of_message(rate, {{Time{1000}, 65535}}).ps, (Time{1000} + pause).ps);
  }
}

TEST(PauseTime, ExpiresByItselfAndIsCountedFromTheLastFrame) {
  const Rate rate = Rate::from_gbps(400);
  const Time one = pause_time(5000, rate);
  EXPECT_EQ(start_of_message(rate, {}).ps, Time::from_us(1).ps);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}}).ps, one.ps);
  const Time later = Time::from_us(3);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}, {later, 5000}}).ps, (later + one).ps);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}, {later, 0}}).ps, later.ps);
  // Shorter than what is left of the first: the last frame rules.
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}, {later, 10}}).ps,
            (later + pause_time(10, rate)).ps);
}

TEST(PauseTime, RefreshInThePicosecondOfExpiryWins) {
  const Rate rate = Rate::from_gbps(400);
  const Time one = pause_time(5000, rate);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}, {one, 5000}}).ps, (2 * one).ps);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}, {one + Time{1}, 5000}}).ps, one.ps);
}

TEST(PauseTime, ResponseTimeDelaysBothPauseAndResume) {
  const Rate rate = Rate::from_gbps(400);
  const Time response = Time::from_ns(400);
  const Time one = pause_time(5000, rate);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}}, response).ps, (response + one).ps);
  const Time resume = Time::from_us(2);
  EXPECT_EQ(start_of_message(rate, {{Time{0}, 5000}, {resume, 0}}, response).ps,
            (resume + response).ps);
  // Takes effect after the message was posted: too late.
  EXPECT_EQ(start_of_message(rate, {{Time::from_ns(601), 5000}}, response).ps, Time::from_us(1).ps);
}

struct Standing {
  std::int64_t frames = 0;   ///< pause frames the switch sent to host0 in the window
  std::int64_t packets = 0;  ///< that host0 sent in it
  bool paused = false;
};

/// host0 feeds a port that is blocked by a cable of 1 Mb/s; looked at from 100 us to 300 us. With
/// `reverse` host2 keeps the cable to host0 busy, so that refreshes wait for data packets.
Standing standing_pause(std::string_view refresh, std::string_view quanta, bool reverse = false) {
  CustomSpec spec;
  spec.nodes = {{"host0"}, {"host1"}, {"host2"}, {"sw", NodeKind::Switch}};
  for (const int h : {0, 1, 2}) {
    CustomLink link;
    link.a = "host" + std::to_string(h);
    link.b = "sw";
    link.rate = h == 1 ? Rate{1'000'000} : Rate::from_gbps(400);
    link.latency = kCable;
    spec.links.push_back(link);
  }
  const ModelParams params = wire_only("roce-400g", {{"pfc.alpha", "0"},
                                                     {"pfc.refresh", refresh},
                                                     {"pfc.quanta", quanta},
                                                     {"fabric.ack_class", "1"}});
  std::vector<FlowEntry> flows{flow("host0", "host1", 1 << 26)};
  if (reverse) flows.push_back(flow("host2", "host0", 1 << 26));
  Rig rig(test::topology_of(build_custom(spec)), params, flows);
  Standing before, after;
  const auto look = [&rig](Standing& s, Time now) {
    s.frames = rig.ports_of("sw").class_counters(0, 0).pauses_sent;
    s.packets = rig.host(0).ports().packets_sent(0, 0);
    s.paused = rig.host(0).ports().paused(0, 0, now);
  };
  rig.at(Time::from_us(100), [&](Time now) { look(before, now); });
  rig.at(Time::from_us(300), [&](Time now) { look(after, now); });
  rig.run(Time::from_us(301));
  return {after.frames - before.frames, after.packets - before.packets, after.paused};
}

TEST(PauseRefresh, StandingPauseIsRefreshedAndHolds) {
  // 4000 quanta at 400G last 5.12 us; refreshed after half of that, 200 us hold 78.1 periods.
  const Standing half = standing_pause("0.5", "4000");
  EXPECT_TRUE(half.paused);
  EXPECT_EQ(half.packets, 0);
  EXPECT_NEAR(static_cast<double>(half.frames), 200 / 2.56, 1);
  const Standing late = standing_pause("0.9", "4000");
  EXPECT_EQ(late.packets, 0);
  EXPECT_NEAR(static_cast<double>(late.frames), 200 / (0.9 * 5.12), 1);
}

TEST(PauseRefresh, AShortPauseRunsOutWhereDataHoldsUpItsRefresh) {
  // 100 quanta last 128 ns; the refresh, due 6.4 ns before the end, arrives in time on an idle
  // cable and up to 83.56 ns late behind a data packet.
  EXPECT_EQ(standing_pause("0.95", "100").packets, 0);
  EXPECT_GT(standing_pause("0.95", "100", true).packets, 10);
  EXPECT_EQ(standing_pause("0.25", "100", true).packets, 0);
}

class PauseShare : public ::testing::TestWithParam<int> {};

// k senders into one: each is paused for 1 - 1/k of the time.
TEST_P(PauseShare, IncastPausesOneMinusOneOverK) {
  const int k = GetParam();
  const ModelParams params = wire_only("roce-400g", {{"pfc.alpha", "0"}, {"pfc.xoff", "100KB"}});
  std::vector<FlowEntry> flows;
  for (int s = 1; s <= k; ++s) {
    flows.push_back(flow("host" + std::to_string(s), "host0", 1 << 28));
  }
  Rig rig(test::star(k + 1, Rate::from_gbps(400), kCable), params, flows);
  const Time from = Time::from_us(200), to = Time::from_us(1700);
  std::vector<Time> before(static_cast<std::size_t>(k)), after = before;
  const auto look = [&](std::vector<Time>& paused, Time now) {
    for (std::size_t s = 0; s < paused.size(); ++s) {
      paused[s] = rig.host(s + 1).ports().paused_time(0, 0, now);
    }
  };
  rig.at(from, [&](Time now) { look(before, now); });
  rig.at(to, [&](Time now) { look(after, now); });
  rig.run(to + Time{1});
  for (std::size_t s = 0; s < before.size(); ++s) {
    const double share = (after[s] - before[s]).seconds() / (to - from).seconds();
    EXPECT_NEAR(share, pause_share(k), 0.02) << "sender " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(, PauseShare, ::testing::Values(2, 4, 8));

}  // namespace
}  // namespace spineleaf::pfc_timing
