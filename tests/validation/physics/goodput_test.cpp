// Payload rate of a long message: the closed form of its own packets, less the flow-control and
// acknowledgement bytes counted on the link it crosses.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Bytes kMessage{64 * 1024 * 1024};
constexpr Time kCable = Time::from_ns(50);

double gbps(Bytes payload, Time time) {
  return static_cast<double>(payload.count) * 8e-9 / time.seconds();
}

/// Time the link was taken for: message, link control and ACK bytes.
Time line_time(Rig& rig, const ModelParams& params) {
  const PortCounters& control = rig.host(0).ports().counters(0);
  const WireSizes sizes = wire_sizes(params.fabric.wire);
  const std::int64_t acks = rig.host(0).counters().acks * (sizes.ack + sizes.gap);
  return serialisation(
      Bytes{message_wire_bytes(params.fabric.wire, kMessage, params.fabric.mtu, true) +
            control.control_bytes + acks},
      kLine);
}

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

TEST_P(Goodput, OneCableEqualsTheClosedFormToOneInAMillion) {
  const Row& row = GetParam();
  const ModelParams params = params_of(row);
  Rig rig(test::chain({{kLine, kCable}}), params, flows_of(row));
  rig.run();
  const Time taken = rig.flows().at(0).received - (kCable + params.fabric.fec);
  const double exact = gbps(kMessage, line_time(rig, params));
  EXPECT_NEAR(gbps(kMessage, taken), exact, exact * 1e-6);
  EXPECT_NEAR(gbps(kMessage, taken), row.expected, 0.02);
}

TEST_P(Goodput, ThroughASwitchItIsTheSame) {
  const Row& row = GetParam();
  const ModelParams params = params_of(row);
  Rig rig(test::star(2, kLine, kCable), params, flows_of(row));
  rig.run();
  // From the last bit on the first cable to the last bit received.
  const Time link = kCable + params.fabric.fec;
  const Time fixed =
      2 * link + params.sw.core_latency +
      (params.sw.switching == Switching::StoreAndForward ? Time{83'560} : Time{64 * 20});
  EXPECT_NEAR(gbps(kMessage, rig.flows().at(0).received - fixed), row.expected, 0.02);
}

INSTANTIATE_TEST_SUITE_P(
    , Goodput,
    ::testing::Values(Row{"RoceOneWay", "roce-400g", "immediate", false, 400 * 4096 / 4178.0},
                      Row{"IbImmediateOneWay", "ib-ndr", "immediate", false, 397.477},
                      Row{"IbImmediateBothWays", "ib-ndr", "immediate", true, 396.707},
                      Row{"IbSpacedOneWay", "ib-ndr", "min_spacing", false, 397.284},
                      Row{"IbSpacedBothWays", "ib-ndr", "min_spacing", true, 397.284}),
    [](const ::testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

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
}  // namespace spineleaf
