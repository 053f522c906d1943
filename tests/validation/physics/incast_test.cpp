// Incast: a lossless fabric keeps the bottleneck busy from the first packet to the last, so that
// the last byte arrives when the bottleneck has carried every byte and its own flow control, to
// the picosecond.

#include <gtest/gtest.h>

#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/goodput_forms.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf::incast {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Time kCable = Time::from_ns(100);

struct Row {
  std::string_view name;
  std::string_view preset;
  std::string_view credit_mode;
  Switching switching;
  std::int64_t senders;
  std::int64_t bytes;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class IncastDrain : public ::testing::TestWithParam<Row> {};

std::vector<FlowEntry> flows_of(const Row& row) {
  std::vector<FlowEntry> flows;
  for (std::int64_t s = 1; s <= row.senders; ++s) {
    flows.push_back(flow("host" + std::to_string(s), "host0", row.bytes));
  }
  return flows;
}

Time last_arrival(const Rig& rig) {
  Time last;
  for (const FlowRecord& f : rig.flows()) {
    EXPECT_GE(f.received.ps, 0) << "flow " << f.flow;
    last = std::max(last, f.received);
  }
  return last;
}

/// When the first packet starts on the cable to the receiver.
Time first_start(const Row& row, const ModelParams& params) {
  const std::int64_t whole =
      message_packets(params.fabric.wire, Bytes{row.bytes}, params.fabric.mtu, true).front();
  const Bytes needed = row.switching == Switching::CutThrough ? params.sw.header : Bytes{whole};
  return serialisation(needed, kLine) + kCable + params.fabric.fec + params.sw.core_latency;
}

TEST_P(IncastDrain, TakesWhatTheBottleneckCarriesToThePicosecond) {
  const Row& row = GetParam();
  ModelParams params = wire_only(row.preset, {{"credit.mode", row.credit_mode}});
  params.sw.switching = row.switching;
  const Topology topology = test::star(row.senders + 1, kLine, kCable);
  Rig once(topology, params, flows_of(row));
  once.run();
  EXPECT_EQ(once.drops(), 0);
  const Time last = last_arrival(once);
  const Time from = first_start(row, params), link = kCable + params.fabric.fec;
  // Again, to see what flow control took on that cable meanwhile.
  Rig again(topology, params, flows_of(row));
  const auto control = [&again] {
    return again.ports_of("leaf0").counters(again.port("leaf0", "host0")).control_bytes;
  };
  std::int64_t before = 0, after = 0;
  again.at(from, [&](Time) { before = control(); });
  again.at(last - link, [&](Time) { after = control(); });
  again.run();
  EXPECT_EQ(last_arrival(again).ps, last.ps);
  const Time drain = incast_drain(row.senders, params.fabric.wire, Bytes{row.bytes},
                                  params.fabric.mtu, true, kLine);
  EXPECT_EQ(last.ps, (from + drain + serialisation(Bytes{after - before}, kLine) + link).ps);
}

constexpr auto kStore = Switching::StoreAndForward, kCut = Switching::CutThrough;

INSTANTIATE_TEST_SUITE_P(
    , IncastDrain,
    ::testing::Values(Row{"Pfc32", "roce-400g", "min_spacing", kStore, 32, 1 << 20},
                      Row{"Pfc8", "roce-400g", "min_spacing", kStore, 8, 8 << 20},
                      Row{"PfcCutThrough32", "roce-400g", "min_spacing", kCut, 32, 1 << 20},
                      Row{"Credits32", "ib-ndr", "min_spacing", kCut, 32, 1 << 20},
                      Row{"CreditsImmediate32", "ib-ndr", "immediate", kCut, 32, 1 << 20},
                      Row{"CreditsStore32", "ib-ndr", "immediate", kStore, 32, 1 << 20},
                      Row{"Credits2", "ib-ndr", "min_spacing", kCut, 2, 8 << 20}),
    [](const ::testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace spineleaf::incast
