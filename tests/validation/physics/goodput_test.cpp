// Payload rate of a long message: a saturated cable carries the message's own packets and the
// flow-control and acknowledgement bytes counted on it, and nothing else.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf::goodput {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Bytes kMessage{64 * 1024 * 1024};
constexpr Time kCable = Time::from_ns(50);

struct Row {
  std::string_view name;
  std::string_view preset;
  std::string_view credit_mode;
  bool both_ways;
  double expected;  ///< Gb/s
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class Goodput : public ::testing::TestWithParam<Row> {};

std::vector<FlowEntry> flows_of(const Row& row) {
  std::vector<FlowEntry> flows{flow("host0", "host1", kMessage.count)};
  if (row.both_ways) flows.push_back(flow("host1", "host0", kMessage.count));
  return flows;
}

ModelParams params_of(const Row& row) {
  return wire_only(row.preset, {{"credit.mode", row.credit_mode}, {"transport.ack_every", "1024"}});
}

/// What went over a cable beside a message until its last bit: link control, and the ACKs of the
/// message the other way.
std::int64_t beside(const Ports& ports, std::uint32_t port, const ModelParams& params) {
  const WireSizes sizes = wire_sizes(params.fabric.wire);
  const std::int64_t acks =
      ports.packets_sent(port) -
      (kMessage.count + params.fabric.mtu.count - 1) / params.fabric.mtu.count;
  return ports.counters(port).control_bytes + acks * (sizes.ack + sizes.gap);
}

/// Last bit of host0's message on the wire to its receiver, and what went over each cable of its
/// way until then: the same run twice, the second time with a look at that instant.
struct Taken {
  Time end;
  std::vector<std::int64_t> beside;
};
Taken run(const Row& row, const Topology& topology, const ModelParams& params) {
  Rig once(topology, params, flows_of(row));
  once.run();
  Taken taken{once.flows().at(0).received - kCable - params.fabric.fec, {}};
  Rig again(topology, params, flows_of(row));
  again.at(taken.end, [&](Time) {
    taken.beside.push_back(beside(again.host(0).ports(), 0, params));
    if (topology.nodes.size() == 2) return;
    taken.beside.push_back(beside(again.ports_of("leaf0"), again.port("leaf0", "host1"), params));
  });
  again.run();
  return taken;
}

double payload_rate(Time taken) {
  return static_cast<double>(kMessage.count) * 8e-9 / taken.seconds();
}

std::int64_t message_bytes(const ModelParams& params) {
  return message_wire_bytes(params.fabric.wire, kMessage, params.fabric.mtu, true);
}

TEST_P(Goodput, OneCableCarriesTheMessageAndWhatIsCountedBesideIt) {
  const Row& row = GetParam();
  const ModelParams params = params_of(row);
  const Taken taken = run(row, test::chain({{kLine, kCable}}), params);
  const Bytes carried{message_bytes(params) + taken.beside.at(0)};
  EXPECT_EQ(taken.end.ps, serialisation(carried, kLine).ps);
  EXPECT_NEAR(payload_rate(taken.end), row.expected, row.expected * 5e-5);
}

// Two links in a row, each with its own flow control: the fuller one sets the pace.
TEST_P(Goodput, ThroughASwitchTheFullerCableSetsThePace) {
  const Row& row = GetParam();
  const ModelParams params = params_of(row);
  const Taken taken = run(row, test::star(2, kLine, kCable), params);
  const bool whole = params.sw.switching == Switching::StoreAndForward;
  const auto first = message_packets(params.fabric.wire, kMessage, params.fabric.mtu, true).front();
  const Time before = serialisation(Bytes{whole ? first : params.sw.header.count}, kLine) + kCable +
                      params.fabric.fec + params.sw.core_latency;
  const double seconds = (taken.end - before).seconds();
  const std::int64_t most = std::max(taken.beside.at(0), taken.beside.at(1));
  const double fuller = serialisation(Bytes{message_bytes(params) + most}, kLine).seconds();
  EXPECT_NEAR(seconds, fuller, fuller * 1e-6)
      << taken.beside[0] << " and " << taken.beside[1] << " B beside the message";
}

INSTANTIATE_TEST_SUITE_P(
    , Goodput,
    ::testing::Values(Row{"RoceOneWay", "roce-400g", "immediate", false, 400 * 4096 / 4178.0},
                      Row{"RoceBothWays", "roce-400g", "immediate", true, 400 * 4096 / 4178.0},
                      Row{"IbImmediateOneWay", "ib-ndr", "immediate", false, 397.477},
                      Row{"IbImmediateBothWays", "ib-ndr", "immediate", true, 396.707},
                      Row{"IbSpacedOneWay", "ib-ndr", "min_spacing", false, 397.284},
                      Row{"IbSpacedBothWays", "ib-ndr", "min_spacing", true, 397.284}),
    [](const ::testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

TEST(GoodputExact, TheRowsOfSpacedUpdatesAreTheDefault) {
  const ModelParams params = test::params_of("ib-ndr");
  EXPECT_EQ(params.credit.mode, CreditMode::MinSpacing);
  EXPECT_EQ(params.credit.min_spacing.ps, 256'000);
}

// With nothing coming back on the data direction a RoCE message is a train to the picosecond.
TEST(GoodputExact, RoceMessageIsItsTrain) {
  const ModelParams params = wire_only("roce-400g");
  Rig rig(test::star(2, kLine, kCable), params, {flow("host0", "host1", 1 << 24)});
  rig.run();
  const auto packets = message_packets(params.fabric.wire, Bytes{1 << 24}, params.fabric.mtu, true);
  const std::vector<Hop> hops{{kLine, kCable + params.fabric.fec + params.sw.core_latency},
                              {kLine, kCable + params.fabric.fec}};
  EXPECT_EQ(rig.flows().at(0).received.ps, train_arrivals(packets, hops).back().ps);
}

// RETH on the first packet of a message, immediate on the last: every message pays them once.
TEST(GoodputExact, HeaderBytesOfEachMessageAreExact) {
  for (const std::string_view preset : {"roce-400g", "ib-ndr"}) {
    for (const bool immediate : {true, false}) {
      ModelParams params = wire_only(preset, {{"credit.mode", "immediate"}});
      params.transport.immediate = immediate;
      const std::vector<std::int64_t> sizes{1, 64, 4095, 4096, 4097, 8192, 100'000};
      std::vector<FlowEntry> flows;
      std::int64_t expected = 0, packets = 0;
      for (const std::int64_t bytes : sizes) {
        flows.push_back(flow("host0", "host1", bytes));
        expected +=
            message_wire_bytes(params.fabric.wire, Bytes{bytes}, params.fabric.mtu, immediate);
        packets += (bytes + 4095) / 4096;
      }
      Rig rig(test::star(2, kLine, kCable), params, flows);
      rig.run();
      const Ports& ports = rig.host(0).ports();
      EXPECT_EQ(ports.bytes_sent(0) - ports.counters(0).control_bytes, expected) << preset;
      EXPECT_EQ(ports.packets_sent(0), packets);
      EXPECT_EQ(rig.host(1).counters().payload_delivered,
                1 + 64 + 4095 + 4096 + 4097 + 8192 + 100'000);
    }
  }
}

}  // namespace
}  // namespace spineleaf::goodput
