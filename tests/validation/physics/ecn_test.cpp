// Marking at a held queue: the port is paused, a known number of packets queues up, the port is
// released, and the marks are counted (the ECN accuracy test of the SONiC test plans).

#include <gtest/gtest.h>

#include <cmath>

#include "models/host/wire.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf::ecn {
namespace {

using test::flow;
using test::params_of;
using test::Rig;

constexpr std::int64_t kSize = 4096 + 62 + 16 + 4;  ///< a message of one packet, in a buffer
constexpr int kSenders = 16;

struct Marks {
  std::int64_t counted = 0;
  double mean = 0;
  double deviation = 0;
};

double probability(std::int64_t queue, const EcnParams& ecn) {
  if (queue <= ecn.kmin.count) return 0;
  if (queue > ecn.kmax.count) return 1;
  return ecn.pmax * static_cast<double>(queue - ecn.kmin.count) /
         static_cast<double>(ecn.kmax.count - ecn.kmin.count);
}

/// `packets` one-packet messages over 16 senders queue up behind a paused port and drain.
Marks held_queue(std::int64_t packets, EcnPoint point, std::uint64_t seed) {
  ModelParams params = params_of("roce-400g", {{"ecn.kmin", "400KB"},
                                               {"ecn.kmax", "1600KB"},
                                               {"ecn.pmax", "0.2"},
                                               {"transport.congestion_control", "none"}});
  params.ecn.point = point;
  std::vector<FlowEntry> flows;
  for (std::int64_t i = 0; i < packets; ++i) {
    flows.push_back(flow("host" + std::to_string(1 + i % kSenders), "host0", 4096));
  }
  Rig rig(test::star(kSenders + 1, Rate::from_gbps(400), Time::from_ns(100)), params, flows, seed);
  const std::uint32_t port = rig.port("leaf0", "host0");
  rig.at(Time{0}, [&](Time now) { rig.give_pause(now, "leaf0", port, 65535); });
  rig.run();
  EXPECT_EQ(rig.ports_of("leaf0").max_queue(port, 0), packets * kSize);
  Marks marks;
  marks.counted = rig.ports_of("leaf0").marks(port, 0);
  // The k-th packet to leave, or to join, has all but k of them, or k, in the queue beside it.
  double variance = 0;
  for (std::int64_t k = 0; k < packets; ++k) {
    const double p = probability(k * kSize, params.ecn);
    marks.mean += p;
    variance += p * (1 - p);
  }
  marks.deviation = std::sqrt(variance);
  return marks;
}

TEST(EcnHeldQueue, MarksLieWithinThe99PercentInterval) {
  for (const EcnPoint point : {EcnPoint::Dequeue, EcnPoint::Enqueue}) {
    for (const std::int64_t packets : {60, 200, 300, 380, 500}) {
      Marks sum;
      double variance = 0;
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Marks marks = held_queue(packets, point, seed);
        sum.counted += marks.counted;
        sum.mean += marks.mean;
        variance += marks.deviation * marks.deviation;
      }
      const double margin = 2.576 * std::sqrt(variance);
      EXPECT_NEAR(static_cast<double>(sum.counted), sum.mean, margin) << packets << " packets";
    }
  }
}

TEST(EcnHeldQueue, BelowKminNothingIsMarkedAndAboveKmaxEverything) {
  EXPECT_EQ(held_queue(95, EcnPoint::Dequeue, 1).counted, 0);
  const Marks many = held_queue(900, EcnPoint::Dequeue, 1);
  EXPECT_GE(many.counted, 900 - 1'600'000 / kSize - 1);
}

}  // namespace
}  // namespace spineleaf::ecn
