// DCQCN at one bottleneck: the queue and utilisation of the paper's profile, and how slowly
// ConnectX settings take back a link that a competitor has left.

#include <gtest/gtest.h>

#include "models/host/wire.hpp"
#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/dcqcn_forms.hpp"

namespace spineleaf::dcqcn_queue {
namespace {

using test::flow;
using test::params_of;
using test::Rig;

/// Paper parameters at 40G: frames of 1000 B, kmin 5 KB, kmax 200 KB, pmax 1 %, no flow control.
ModelParams paper() {
  ModelParams params = params_of("roce-400g", {{"fabric.flow_control", "none"},
                                               {"fabric.mtu", "938B"},
                                               {"fabric.fec", "0ns"},
                                               {"switch.core_latency", "0ns"},
                                               {"switch.queue_limit", "0B"},
                                               {"ecn.kmin", "5KB"},
                                               {"ecn.kmax", "200KB"},
                                               {"ecn.pmax", "0.01"},
                                               {"transport.ack_every", "256"},
                                               {"transport.timeout", "10s"}});
  test::set_preset(params, "dcqcn-paper");
  return params;
}

struct Bottleneck {
  double queue = 0;  ///< mean bytes
  double utilisation = 0;
};

/// n line-rate starts into one port, seen for 300 ms, of which the last 60 % count. A mark acts
/// `feedback` after it was made: a quarter of it on each cable.
Bottleneck measure(int n, const ModelParams& params, Time feedback, std::uint64_t seed) {
  const Time length = Time::from_ms(300);
  std::vector<FlowEntry> flows;
  for (int s = 1; s <= n; ++s) {
    const auto start =
        static_cast<std::int64_t>(mix64(seed, static_cast<std::uint64_t>(s)) % 1'000'000);
    flows.push_back(flow("host" + std::to_string(s), "host0", INT64_C(1) << 36, Time{start}));
  }
  const Rate line = Rate::from_gbps(40);
  Rig rig(test::star(n + 1, line, Time{feedback.ps / 4}), params, flows, seed);
  const Ports& ports = rig.ports_of("leaf0");
  const std::uint32_t port = rig.port("leaf0", "host0");
  const Time from{length.ps / 5 * 2};
  double sum = 0;
  std::int64_t samples = 0, before = 0;
  rig.at(from, [&](Time) { before = ports.bytes_sent(port); });
  rig.every(from, Time::from_us(7), [&](Time) {
    sum += static_cast<double>(ports.queued_bytes(port, 0));
    ++samples;
  });
  rig.run(length);
  const double sent = static_cast<double>(ports.bytes_sent(port) - before);
  EXPECT_EQ(rig.drops(), 0);
  return {sum / static_cast<double>(samples),
          sent * 8 / (static_cast<double>(line.bits_per_second) * (length - from).seconds())};
}

Bottleneck mean_of(int n, const ModelParams& params, Time feedback, std::uint64_t seeds) {
  Bottleneck mean;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Bottleneck b = measure(n, params, feedback, seed);
    mean.queue += b.queue / static_cast<double>(seeds);
    mean.utilisation += b.utilisation / static_cast<double>(seeds);
  }
  ::testing::Test::RecordProperty("mean_queue", std::to_string(mean.queue));
  ::testing::Test::RecordProperty("utilisation", std::to_string(mean.utilisation));
  return mean;
}

struct Row {
  int senders;
  double queue;
};

class DcqcnPaperQueue : public ::testing::TestWithParam<Row> {};

// Values of an independent model of the published algorithm, ten seeds each.
TEST_P(DcqcnPaperQueue, MeanQueueAndUtilisation) {
  const Bottleneck b = mean_of(GetParam().senders, paper(), Time::from_us(4), 3);
  EXPECT_NEAR(b.queue, GetParam().queue, 0.08 * GetParam().queue);
  EXPECT_GE(b.utilisation, 0.997);
}

INSTANTIATE_TEST_SUITE_P(, DcqcnPaperQueue,
                         ::testing::Values(Row{2, 25'400}, Row{4, 56'000}, Row{8, 121'000}),
                         [](const ::testing::TestParamInfo<Row>& row) {
                           return "Senders" + std::to_string(row.param.senders);
                         });

// Marking when a packet joins sees the queue of the past: a limit cycle from about 8 flows on.
TEST(FullDcqcn, MarkingAtEnqueueOscillates) {
  ModelParams params = paper();
  params.ecn.point = EcnPoint::Enqueue;
  const Bottleneck b = mean_of(10, params, Time::from_us(4), 5);
  EXPECT_NEAR(b.queue, 65'000, 0.15 * 65'000);
  EXPECT_NEAR(b.utilisation, 0.979, 0.006);
}

TEST(FullDcqcn, TenFlowsAtDequeueFillTheQueueEvenly) {
  const Bottleneck b = mean_of(10, paper(), Time::from_us(4), 10);
  EXPECT_NEAR(b.queue, 150'000, 0.08 * 150'000);
  EXPECT_GE(b.utilisation, 0.997);
}

TEST(FullDcqcn, LongFeedbackIsUnstable) {
  const Bottleneck two = mean_of(2, paper(), Time::from_us(85), 5);
  EXPECT_NEAR(two.queue, 24'500, 0.1 * 24'500);
  EXPECT_NEAR(two.utilisation, 0.995, 0.02);
  const Bottleneck ten = mean_of(10, paper(), Time::from_us(85), 5);
  EXPECT_NEAR(ten.queue, 53'200, 0.1 * 53'200);
  EXPECT_NEAR(ten.utilisation, 0.939, 0.02);
}

// ConnectX settings: one of two flows leaves; the other takes the link back by rpg_hai_rate per
// rpg_time_reset, 0.167 Gb/s a millisecond.
TEST(DcqcnRecovery, SlopeIsHyperIncreaseOverItsPeriod) {
  const ModelParams params = params_of(
      "roce-400g", {{"ecn.kmin", "131072B"}, {"ecn.kmax", "262144B"}, {"ecn.pmax", "0.05"}});
  Rig rig(test::star(3, Rate::from_gbps(400), Time::from_ns(100)), params,
          {flow("host1", "host0", INT64_C(1) << 36), flow("host2", "host0", 100'000'000)});
  std::int64_t bytes[3] = {};
  const Time at[3] = {Time::from_ms(12), Time::from_ms(17), Time::from_ms(42)};
  for (int i = 0; i < 3; ++i) {
    // Bytes of 3 ms from each instant on: the rate there.
    rig.at(at[i], [&, i](Time) { bytes[i] -= rig.host(1).ports().bytes_sent(0); });
    rig.at(at[i] + Time::from_ms(3),
           [&, i](Time) { bytes[i] += rig.host(1).ports().bytes_sent(0); });
  }
  rig.run(Time::from_ms(46));
  const double per_second = 8 / 3e-3;
  const double slope = static_cast<double>(bytes[2] - bytes[1]) * per_second / 25e-3;
  EXPECT_GT(rig.flows().at(1).acked.ps, 0);
  EXPECT_LT(rig.flows().at(1).acked.ps, at[0].ps) << "the competitor has left";
  EXPECT_LT(static_cast<double>(bytes[2]) * per_second, 390e9) << "not yet at line rate";
  const double expected =
      1e9 * dcqcn_recovery_slope(params.dcqcn.rpg_hai_rate, params.dcqcn.rpg_time_reset);
  EXPECT_NEAR(expected, 50e6 / 300e-6, 1);
  EXPECT_NEAR(slope, expected, 0.02 * expected);
}

}  // namespace
}  // namespace spineleaf::dcqcn_queue
