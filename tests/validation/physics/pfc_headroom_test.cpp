// PFC headroom: what arrives after the packet that tripped XOFF stays within the bound, comes
// within one packet of it, and is lost where the headroom is shorter than that.
//
// A sends to R over a switch whose port to R hardly moves, so that nothing leaves A's ingress while
// B keeps the cable from the switch to A busy. Only the phase between the two streams is random.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/pfc_forms.hpp"

namespace spineleaf::pfc_headroom {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr std::int64_t kFull = 4096 + 62;  ///< middle packet in a buffer
constexpr std::int64_t kGap = 20;
constexpr int kPhases = 200;

struct Row {
  std::string_view name;
  Rate rate;
  Time propagation;
  Time fec;
  Time core;
  Time response;
  Switching switching;
  bool small_trigger;  ///< XOFF is tripped by a packet of 83 B, not by a full one
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

/// Three hosts on one switch: 0 = A, 1 = B, 2 = R at 1 Mb/s.
Topology fabric(const Row& row) {
  CustomSpec spec;
  spec.nodes = {{"host0"}, {"host1"}, {"host2"}, {"sw", NodeKind::Switch}};
  for (const int h : {0, 1, 2}) {
    CustomLink link;
    link.a = "host" + std::to_string(h);
    link.b = "sw";
    link.rate = h == 2 ? Rate{1'000'000} : row.rate;
    link.latency = row.propagation;
    spec.links.push_back(link);
  }
  return test::topology_of(build_custom(spec));
}

struct Outcome {
  std::int64_t after = 0;  ///< bytes charged at A's ingress after the trigger
  std::int64_t drops = 0;
};

/// Bytes in A's ingress when XOFF trips: the first packet (with RETH) and k - 1 more, or the small
/// packet of another connection behind it.
std::int64_t trigger_level(const Row& row) {
  return row.small_trigger ? kFull + 16 + 83 : kFull + 16 + 3 * kFull;
}

Outcome run_phase(const Row& row, std::int64_t headroom, std::uint64_t phase) {
  ModelParams params = wire_only(
      "roce-400g", {{"pfc.alpha", "0"}, {"pfc.cell", "1B"}, {"transport.ack_every", "1024"}});
  params.pfc.xoff = Bytes{trigger_level(row)};
  params.pfc.headroom = Bytes{headroom};
  params.pfc.response_time = row.response;
  params.fabric.fec = row.fec;
  params.sw.core_latency = row.core;
  params.sw.switching = row.switching;
  const Time packet = serialisation(Bytes{kFull + kGap}, row.rate);
  const Time flight = row.propagation + row.fec + row.core;
  const auto offset =
      static_cast<std::int64_t>(mix64(phase, 7) % static_cast<std::uint64_t>(packet.ps));
  const Time start = 8 * flight + 20 * packet + Time{offset};
  std::vector<FlowEntry> flows{flow("host0", "host2", 1 << 26, start)};
  if (row.small_trigger) flows.push_back(flow("host0", "host2", 1, start));
  flows.push_back(flow("host1", "host0", 1 << 28));
  Rig rig(fabric(row), params, flows);
  const Time end = start + 8 * (flight + row.response) + 60 * packet;
  rig.run(end);
  const Ports& ports = rig.ports_of("sw");
  EXPECT_TRUE(rig.host(0).ports().paused(0, 0, end));
  EXPECT_GT(ports.packets_sent(rig.port("sw", "host0")), 10) << "the reverse link is busy";
  return {ports.ingress_used(rig.port("sw", "host0"), 0) - trigger_level(row), rig.drops()};
}

/// What a cut-through switch still has to receive of the packet that trips XOFF: it decides at the
/// header, a store-and-forward switch at the last bit.
Time after_decision(const Row& row) {
  if (row.switching == Switching::StoreAndForward) return Time{0};
  constexpr std::int64_t kHeader = 64;
  const std::int64_t trigger = (row.small_trigger ? 83 : kFull) + kGap;
  return serialisation(Bytes{trigger}, row.rate) - serialisation(Bytes{kHeader}, row.rate);
}

class PfcHeadroom : public ::testing::TestWithParam<Row> {};

TEST_P(PfcHeadroom, ZeroLossIffHeadroomCoversTheBound) {
  const Row& row = GetParam();
  const std::int64_t wire = kFull + kGap;
  const PfcLoop loop{row.rate,
                     row.propagation + row.fec + row.core - after_decision(row),
                     row.propagation + row.fec,
                     row.response,
                     wire,
                     wire,
                     64 + kGap};
  const double bound = headroom_bytes(loop);
  // The bound counts bytes on the wire, a buffer those of packets without their gaps.
  const auto in_buffer = static_cast<std::int64_t>(bound) / wire * kFull;
  std::int64_t worst = 0;
  std::uint64_t worst_phase = 0;
  for (std::uint64_t phase = 0; phase < kPhases; ++phase) {
    const Outcome outcome = run_phase(row, in_buffer, phase);
    EXPECT_EQ(outcome.drops, 0) << "phase " << phase;
    EXPECT_EQ(outcome.after % kFull, 0) << "phase " << phase;
    EXPECT_LE(static_cast<double>(outcome.after / kFull * wire), bound) << "phase " << phase;
    if (outcome.after > worst) {
      worst = outcome.after;
      worst_phase = phase;
    }
  }
  EXPECT_GE(static_cast<double>(worst / kFull * wire), bound - static_cast<double>(wire));
  EXPECT_EQ(worst, in_buffer) << "as many packets as fit into the bound do arrive";
  EXPECT_GE(run_phase(row, in_buffer - kFull, worst_phase).drops, 1);
  EXPECT_GE(run_phase(row, in_buffer - 1, worst_phase).drops, 1);
}

// What a fabric reserves where a scenario sets no headroom: the bound, in whole bytes.
TEST(PfcHeadroomBound, TheFabricReservesItAndNoMore) {
  for (const std::int64_t gbps : {40, 100, 400}) {
    for (const std::int64_t ns : {50, 500, 5000}) {
      for (const Time response : {Time{0}, Time{1'158'400}}) {
        Link arriving, leaving;
        arriving.rate = leaving.rate = Rate::from_gbps(gbps);
        arriving.latency = Time::from_ns(ns + 600);
        leaving.control_latency = Time::from_ns(ns);
        const double bound = headroom_bytes(
            {arriving.rate, arriving.latency, leaving.control_latency, response, 4178, 4178, 84});
        const auto reserved =
            static_cast<double>(headroom_bound(arriving, leaving, 4178, 84, response));
        EXPECT_GE(reserved, bound - 1e-6) << gbps << " Gb/s, " << ns << " ns";
        EXPECT_LT(reserved, bound + 1) << gbps << " Gb/s, " << ns << " ns";
      }
    }
  }
}

constexpr Time ns(std::int64_t n) { return Time::from_ns(n); }
constexpr Rate kSlow = Rate::from_gbps(40), kFast = Rate::from_gbps(400);
constexpr auto kStore = Switching::StoreAndForward, kCut = Switching::CutThrough;

INSTANTIATE_TEST_SUITE_P(
    , PfcHeadroom,
    ::testing::Values(
        Row{"Slow", kSlow, ns(1000), ns(0), ns(0), ns(0), kStore, false},
        Row{"SlowResponse", kSlow, ns(1000), ns(0), ns(0), ns(500), kStore, false},
        Row{"Fast", kFast, ns(500), ns(0), ns(0), ns(0), kStore, false},
        Row{"FastPipelineFec", kFast, ns(137), ns(100), ns(600), Time{1'158'400}, kStore, false},
        Row{"FastSmallTrigger", kFast, ns(500), ns(0), ns(0), ns(0), kStore, true},
        Row{"CutSlow", kSlow, ns(1000), ns(0), ns(0), ns(0), kCut, false},
        // Not 500 ns: the bound is then 13.003 packets, which 200 random phases do not meet.
        Row{"CutFast", kFast, ns(520), ns(0), ns(0), ns(0), kCut, false},
        Row{"CutFastResponse", kFast, ns(137), ns(100), ns(150), ns(500), kCut, false},
        Row{"CutSlowSmallTrigger", kSlow, ns(1000), ns(0), ns(0), ns(0), kCut, true},
        Row{"CutFastSmallTrigger", kFast, ns(500), ns(0), ns(0), ns(0), kCut, true},
        Row{"CutFastPipeline", kFast, ns(137), ns(100), ns(150), ns(500), kCut, true}),
    [](const ::testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace spineleaf::pfc_headroom
