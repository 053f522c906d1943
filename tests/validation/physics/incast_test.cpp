// Incast: the last byte can't arrive before the bottleneck has carried them all, and a lossless
// fabric keeps the bottleneck busy until then.

#include <gtest/gtest.h>

#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/goodput_forms.hpp"

namespace spineleaf {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);

struct Row {
  std::string_view name;
  std::string_view preset;
  std::string_view credit_mode;
  std::int64_t senders;
  std::int64_t bytes;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class IncastDrain : public ::testing::TestWithParam<Row> {};

TEST_P(IncastDrain, TakesTheBoundAndALittleMoreAndLosesNothing) {
  const Row& row = GetParam();
  const ModelParams params = wire_only(row.preset, {{"credit.mode", row.credit_mode}});
  std::vector<FlowEntry> flows;
  for (std::int64_t s = 1; s <= row.senders; ++s) {
    flows.push_back(flow("host" + std::to_string(s), "host0", row.bytes));
  }
  Rig rig(test::star(row.senders + 1, kLine, Time::from_ns(100)), params, flows);
  rig.run();
  Time last;
  for (const FlowRecord& f : rig.flows()) {
    ASSERT_GE(f.received.ps, 0);
    last = std::max(last, f.received);
  }
  const Time bound = incast_drain(row.senders, params.fabric.wire, Bytes{row.bytes},
                                  params.fabric.mtu, true, kLine);
  const Time rtt = 2 * (2 * (Time::from_ns(100) + params.fabric.fec) + params.sw.core_latency);
  EXPECT_GE(last.ps, bound.ps);
  EXPECT_LE(last.seconds(), 1.01 * bound.seconds() + rtt.seconds());
  EXPECT_EQ(rig.drops(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    , IncastDrain,
    ::testing::Values(Row{"Pfc32", "roce-400g", "min_spacing", 32, 1 << 20},
                      Row{"Pfc8", "roce-400g", "min_spacing", 8, 8 << 20},
                      Row{"Credits32", "ib-ndr", "min_spacing", 32, 1 << 20},
                      Row{"CreditsImmediate32", "ib-ndr", "immediate", 32, 1 << 20},
                      Row{"Credits2", "ib-ndr", "min_spacing", 2, 8 << 20}),
    [](const ::testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace spineleaf
