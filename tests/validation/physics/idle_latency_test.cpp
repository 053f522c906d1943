// Latency of an idle fabric, to the picosecond: 1 to 6 links, store-and-forward and cut-through,
// equal and mixed rates, both wire formats.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf::idle_latency {
namespace {

using test::Cabling;
using test::flow;
using test::Rig;
using test::wire_only;

constexpr Time kStart = Time::from_us(1);

struct Case {
  std::string_view preset;
  Switching switching;
  std::vector<Rate> rates;
  std::int64_t bytes;
};

std::string text(const Case& c) {
  std::string s(c.preset);
  s += c.switching == Switching::CutThrough ? " cut-through" : " store-and-forward";
  s += " bytes=" + std::to_string(c.bytes) + " Gb/s:";
  for (const Rate rate : c.rates) s += " " + std::to_string(rate.gbps());
  return s;
}

/// Cables of different lengths, so that no two terms of the sum are equal.
std::vector<Cabling> cables_of(const std::vector<Rate>& rates) {
  std::vector<Cabling> cables;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    cables.push_back({rates[i], Time{50'003 + 7'919 * static_cast<std::int64_t>(i)}});
  }
  return cables;
}

/// The links as a packet from host0 to host1 sees them, or back.
std::vector<Hop> hops_of(const std::vector<Cabling>& cables, const ModelParams& params, bool back) {
  std::vector<Hop> hops;
  for (std::size_t i = 0; i < cables.size(); ++i) {
    const Cabling& cable = cables[back ? cables.size() - 1 - i : i];
    const Time core = i + 1 < cables.size() ? params.sw.core_latency : Time{0};
    hops.push_back({cable.rate, cable.latency + params.fabric.fec + core});
  }
  return hops;
}

Time expected(const Case& c, const ModelParams& params, std::int64_t wire,
              const std::vector<Hop>& hops) {
  return c.switching == Switching::CutThrough
             ? cut_through_latency(wire, params.sw.header.count, hops)
             : store_and_forward_latency(wire, hops);
}

void check(const Case& c) {
  SCOPED_TRACE(text(c));
  ModelParams params = wire_only(c.preset);
  params.sw.switching = c.switching;
  const WireSizes sizes = wire_sizes(params.fabric.wire);
  const std::vector<Cabling> cables = cables_of(c.rates);
  Rig rig(test::chain(cables), params, {flow("host0", "host1", c.bytes, kStart)});
  rig.run();
  const FlowRecord done = rig.flows().at(0);
  const std::int64_t wire = c.bytes + sizes.header + sizes.reth + sizes.immediate + sizes.gap;
  const Time there = expected(c, params, wire, hops_of(cables, params, false));
  const Time back = expected(c, params, sizes.ack + sizes.gap, hops_of(cables, params, true));
  EXPECT_EQ(done.start.ps, kStart.ps);
  EXPECT_EQ((done.received - done.start).ps, there.ps);
  // With credits the receiver's update (8 B) leaves in the same instant, ahead of its ACK.
  const bool credits = params.fabric.flow_control == FlowControlKind::Credit;
  const Time update = credits ? serialisation(Bytes{8}, cables.back().rate) : Time{0};
  EXPECT_EQ((done.acked - done.start).ps, (there + update + back).ps);
}

constexpr Rate gbps(std::int64_t n) { return Rate::from_gbps(n); }

void check_all_modes(const std::vector<Rate>& rates) {
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    for (const Switching s : {Switching::StoreAndForward, Switching::CutThrough}) {
      for (const std::int64_t bytes : {1, 1000, 4096}) check({preset, s, rates, bytes});
    }
  }
}

TEST(IdleLatency, EqualLinksOneToSix) {
  for (std::size_t links = 1; links <= 6; ++links) {
    check_all_modes(std::vector<Rate>(links, gbps(400)));
  }
}

TEST(IdleLatency, MixedLinksOneToSix) {
  constexpr std::int64_t kRates[] = {40, 100, 200, 400, 800};
  for (std::size_t links = 1; links <= 6; ++links) {
    for (std::uint64_t draw = 0; draw < 5; ++draw) {
      std::vector<Rate> rates;
      for (std::size_t i = 0; i < links; ++i)
        rates.push_back(gbps(kRates[mix64(links, draw, i) % 5]));
      check_all_modes(rates);
    }
  }
}

TEST(IdleLatency, RatesThatAreNoWholePicosecondsAByte) {
  check_all_modes(std::vector<Rate>(4, Rate{53'125'000'000}));
  check_all_modes({Rate{53'125'000'000}, gbps(300), Rate{53'125'000'000}});
}

TEST(IdleLatency, FasterEgress) {
  check_all_modes({gbps(100), gbps(400)});
  check_all_modes({gbps(100), gbps(200), gbps(400), gbps(800)});
}

TEST(IdleLatency, SlowerEgress) {
  check_all_modes({gbps(400), gbps(100)});
  check_all_modes({gbps(800), gbps(400), gbps(200), gbps(100)});
}

TEST(IdleLatency, FastAndSlowInTurn) {
  check_all_modes({gbps(400), gbps(100), gbps(400)});
  check_all_modes({gbps(100), gbps(400), gbps(40), gbps(800), gbps(100), gbps(400)});
}

TEST(IdleLatency, HeaderLongerThanThePacketMeansStoreAndForward) {
  ModelParams params = wire_only("ib-ndr", {{"switch.header", "9216B"}});
  const std::vector<Cabling> cables = cables_of({gbps(100), gbps(400), gbps(100)});
  Rig rig(test::chain(cables), params, {flow("host0", "host1", 1000)});
  rig.run();
  EXPECT_EQ(rig.flows().at(0).received.ps,
            store_and_forward_latency(1046, hops_of(cables, params, false)).ps);
}

TEST(IdleLatency, NicCostsAddToTheWire) {
  const std::vector<Cabling> cables = cables_of({gbps(400), gbps(400)});
  const auto received = [&](std::initializer_list<PresetEntry> settings) {
    Rig rig(test::chain(cables), wire_only("roce-400g", settings),
            {flow("host0", "host1", 1000, kStart)});
    rig.run();
    return rig.flows().at(0).received.ps;
  };
  const std::int64_t bare = received({});
  EXPECT_EQ(received({{"nic.send_latency", "300ns"}}), bare + 300'000);
  EXPECT_EQ(received({{"nic.receive_latency", "250ns"}}), bare + 250'000);
  EXPECT_EQ(received({{"nic.message_cost", "30ns"}}), bare + 30'000);
}

// M equal packets over h equal hops: (M + h - 1) L / C + h (latency) where switches wait for whole
// packets, M L / C + (h - 1) header / C + h (latency) where they cut through.
TEST(Train, EqualPacketsOverEqualHops) {
  for (const Switching switching : {Switching::StoreAndForward, Switching::CutThrough}) {
    for (std::size_t links = 1; links <= 5; ++links) {
      for (const std::int64_t packets : {1, 2, 7, 64}) {
        ModelParams params = wire_only("roce-400g");
        params.sw.switching = switching;
        const std::vector<Cabling> cables(links, {gbps(400), Time::from_ns(500)});
        Rig rig(test::chain(cables), params,
                std::vector<FlowEntry>(static_cast<std::size_t>(packets),
                                       flow("host0", "host1", 4096)));
        rig.run();
        Time last;
        for (const FlowRecord& f : rig.flows()) last = std::max(last, f.received);
        const auto h = static_cast<std::int64_t>(links);
        const Time line = serialisation(Bytes{4096 + 62 + 20 + 16 + 4}, gbps(400));
        const Time each =
            switching == Switching::StoreAndForward ? line : serialisation(Bytes{64}, gbps(400));
        const Time fixed =
            h * (Time::from_ns(500) + params.fabric.fec) + (h - 1) * params.sw.core_latency;
        EXPECT_EQ(last.ps, (packets * line + (h - 1) * each + fixed).ps) << packets << " " << h;
      }
    }
  }
}

/// Last byte of a message, its first and last packets longer by RETH and immediate.
void check_message(std::string_view preset, Switching switching, const std::vector<Rate>& rates,
                   std::int64_t bytes) {
  SCOPED_TRACE(text({preset, switching, rates, bytes}));
  // No ACK but the last: the credits it returns would travel between the data packets.
  ModelParams params = wire_only(
      preset,
      {{"credit.mode", "immediate"}, {"credit.buffer", "1MiB"}, {"transport.ack_every", "1024"}});
  params.sw.switching = switching;
  const std::vector<Cabling> cables = cables_of(rates);
  Rig rig(test::chain(cables), params, {flow("host0", "host1", bytes)});
  rig.run();
  const auto packets = message_packets(params.fabric.wire, Bytes{bytes}, params.fabric.mtu, true);
  const std::int64_t header =
      switching == Switching::CutThrough ? params.sw.header.count : kWholePacket;
  EXPECT_EQ(rig.flows().at(0).received.ps,
            train_arrivals(packets, hops_of(cables, params, false), header).back().ps);
}

TEST(Train, MessageOverEqualAndMixedLinks) {
  const std::vector<std::vector<Rate>> paths{
      {gbps(400)},
      {gbps(400), gbps(400)},
      {gbps(400), gbps(400), gbps(400)},
      {gbps(400), gbps(400), gbps(400), gbps(400)},
      {gbps(400), gbps(400), gbps(400), gbps(400), gbps(400)},
      {gbps(400), gbps(100)},
      {gbps(100), gbps(400)},
      {gbps(400), gbps(100), gbps(400)},
      {gbps(100), gbps(400), gbps(200), gbps(800)},
      {gbps(800), gbps(400), gbps(100), gbps(200), gbps(400)}};
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    for (const Switching switching : {Switching::StoreAndForward, Switching::CutThrough}) {
      for (const std::vector<Rate>& rates : paths) {
        for (const std::int64_t bytes : {4096, 4097, 40'000, 300'000}) {
          check_message(preset, switching, rates, bytes);
        }
      }
    }
  }
}

/// Acting instants at the receiver of the packets numbered first .. first + count - 1.
std::vector<Time> deliveries(std::string_view preset, std::vector<Time> instants) {
  std::vector<Time> seen;
  const std::vector<Cabling> cables(2, {gbps(400), Time::from_ns(100)});
  // No ACK but the last: the credits it returns would travel between the data packets.
  Rig rig(test::chain(cables),
          wire_only(preset, {{"credit.mode", "immediate"}, {"transport.ack_every", "1024"}}),
          {flow("host0", "host1", 4096 * 64)});
  for (const Time t : instants) {
    for (const std::int64_t after : {0, 1}) {
      rig.at(t + Time{after}, [&rig, &seen](Time now) {
        seen.push_back(Time{now.ps * 1000 + rig.host(1).counters().packets_delivered});
      });
    }
  }
  rig.run();
  return seen;
}

// Middle packets arrive back to back: one more packet in the picosecond of each multiple of the
// spacing, none in the picosecond before it.
void check_spacing(std::string_view preset, Time spacing, Time first_middle) {
  std::vector<Time> instants;
  for (std::int64_t k = 0; k < 60; ++k) instants.push_back(first_middle + k * spacing);
  const std::vector<Time> seen = deliveries(preset, instants);
  ASSERT_EQ(seen.size(), 120U);
  for (std::int64_t k = 0; k < 60; ++k) {
    const auto i = static_cast<std::size_t>(2 * k);
    EXPECT_EQ(seen[i].ps % 1000, k + 1) << preset;
    EXPECT_EQ(seen[i + 1].ps % 1000, k + 2) << preset;
  }
}

TEST(Train, MiddlePacketsAreExactlyOneSerialisationApart) {
  // The second packet is the first of the middle ones.
  const auto second = [](std::string_view preset) {
    const ModelParams params = wire_only(preset);
    const std::vector<Cabling> cables(2, {gbps(400), Time::from_ns(100)});
    const std::vector<Hop> hops = hops_of(cables, params, false);
    const auto packets =
        message_packets(params.fabric.wire, Bytes{4096 * 64}, params.fabric.mtu, true);
    const std::int64_t header =
        params.sw.switching == Switching::CutThrough ? params.sw.header.count : kWholePacket;
    return train_arrivals(packets, hops, header)[1];
  };
  check_spacing("roce-400g", Time{83'560}, second("roce-400g"));
  check_spacing("ib-ndr", Time{82'440}, second("ib-ndr"));
}

}  // namespace
}  // namespace spineleaf::idle_latency
