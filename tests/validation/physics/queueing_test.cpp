// Waiting in a queue: Poisson arrivals of equal packets at one port are an M/D/1 system.
//
// Eight hosts send packets of one size to a ninth. All links have one rate, so the fabric is a tree
// of equal deterministic servers, and those are one server at the root: a packet that a host holds
// back follows others of that host, which keep the root busy meanwhile. So the k-th arrival at the
// receiver is exactly the k-th departure of one server fed at the instants of posting; that the
// mean wait is M/D/1's is then a matter of statistics alone.

#include <gtest/gtest.h>

#include <cmath>

#include "models/host/wire.hpp"
#include "tests/models/fabric/kind_workload.hpp"
#include "tests/models/fabric/rig.hpp"
#include "validation/oracles/link_forms.hpp"
#include "validation/oracles/load_forms.hpp"

namespace spineleaf::queueing {
namespace {

using test::Rig;
using test::wire_only;

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Time kCable = Time::from_ns(100);
constexpr std::int64_t kPayload = 4096;

ModelParams params_of(Switching switching) {
  ModelParams params = wire_only("roce-400g", {{"fabric.flow_control", "none"}});
  params.sw.switching = switching;
  return params;
}

/// A packet that is a message of its own, on the wire.
Time service(const ModelParams& params) {
  const WireSizes sizes = wire_sizes(params.fabric.wire);
  const std::int64_t headers = sizes.header + sizes.reth + sizes.immediate + sizes.gap;
  return serialisation(Bytes{kPayload + headers}, kLine);
}

struct Waits {
  std::int64_t packets = 0;
  double mean = 0;           ///< in service times
  std::int64_t unequal = 0;  ///< arrivals that are not the single server's
};

/// Posting instants and arrivals of a finished run, each in order.
struct Instants {
  std::vector<std::int64_t> posted, received;
};

Instants instants_of(Rig& rig) {
  JobReport report;
  for (const Host* host : rig.fabric().hosts) host->collect(report);
  Instants instants;
  for (const FlowRecord& flow : report.sender_flows) instants.posted.push_back(flow.start.ps);
  for (const FlowRecord& f : report.receiver_flows) instants.received.push_back(f.received.ps);
  std::sort(instants.posted.begin(), instants.posted.end());
  std::sort(instants.received.begin(), instants.received.end());
  return instants;
}

Waits run(double rho, std::int64_t packets, std::uint64_t seed, Switching switching) {
  const ModelParams params = params_of(switching);
  const Time one = service(params);
  const Topology topology = test::star(9, kLine, kCable);
  // The load is counted in payload, rho in bytes on the wire.
  const double load =
      rho * static_cast<double>(kPayload) * 8 / kLine.gbps() / 1e-3 / static_cast<double>(one.ps);
  const auto duration = static_cast<double>(packets) * static_cast<double>(one.ps) / rho;
  const std::string load_text = std::to_string(load);
  const std::string duration_text = std::to_string(static_cast<std::int64_t>(duration)) + "ps";
  const std::string bytes_text = std::to_string(kPayload) + "B";
  Rig rig(topology, params,
          test::workload_of(topology, params, seed, "poisson",
                            {{"load", load_text},
                             {"duration", duration_text},
                             {"bytes", bytes_text},
                             {"receiver", "host0"},
                             {"connections", "per_pair"}}),
          seed);
  rig.run();
  EXPECT_EQ(rig.drops(), 0);
  const Instants instants = instants_of(rig);
  EXPECT_EQ(instants.posted.size(), instants.received.size());
  const Time link = kCable + params.fabric.fec;
  const std::vector<Hop> hops{{kLine, link + params.sw.core_latency}, {kLine, link}};
  const std::int64_t wire = one.ps * kLine.bits_per_second / 8'000'000'000'000;
  const Time idle = switching == Switching::CutThrough
                        ? cut_through_latency(wire, params.sw.header.count, hops)
                        : store_and_forward_latency(wire, hops);
  Waits waits;
  waits.packets = static_cast<std::int64_t>(instants.posted.size());
  std::int64_t free = 0, total = 0;
  for (std::size_t k = 0; k < instants.posted.size(); ++k) {
    const std::int64_t start = std::max(free, instants.posted[k]);
    free = start + one.ps;
    waits.unequal += instants.received[k] != start + idle.ps ? 1 : 0;
    total += instants.received[k] - instants.posted[k] - idle.ps;
  }
  waits.mean = static_cast<double>(total) / static_cast<double>(waits.packets * one.ps);
  return waits;
}

TEST(Queueing, EveryArrivalIsThatOfOneServerToThePicosecond) {
  for (const Switching switching : {Switching::StoreAndForward, Switching::CutThrough}) {
    for (const double rho : {0.3, 0.8, 0.95}) {
      for (const std::uint64_t seed : {1U, 2U}) {
        EXPECT_EQ(run(rho, 20'000, seed, switching).unequal, 0) << rho << " seed " << seed;
      }
    }
  }
}

/// Mean over seeds of the mean wait, against M/D/1.
void check_md1(double rho, std::int64_t packets, std::uint64_t seeds, double tolerance) {
  double sum = 0, squares = 0;
  std::int64_t count = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Waits waits = run(rho, packets, seed, Switching::StoreAndForward);
    EXPECT_EQ(waits.unequal, 0) << "seed " << seed;
    sum += waits.mean;
    squares += waits.mean * waits.mean;
    count += waits.packets;
  }
  const auto n = static_cast<double>(seeds);
  const double mean = sum / n;
  const double error = std::sqrt((squares / n - mean * mean) / (n - 1));
  const double expected = md1_wait(rho);
  ::testing::Test::RecordProperty("packets", std::to_string(count));
  std::printf("rho %.2f: %lld packets, wait %.5f +- %.5f services, M/D/1 %.5f, %+.3f %%\n", rho,
              static_cast<long long>(count), mean, error, expected, 100 * (mean / expected - 1));
  EXPECT_GE(count, packets * static_cast<std::int64_t>(seeds) * 99 / 100);
  EXPECT_NEAR(mean, expected, tolerance * expected);
  // The band must be one that chance alone does not leave.
  EXPECT_LT(4 * error, tolerance * expected);
}

TEST(Md1, MeanWaitAtHalfLoadWithin4Percent) { check_md1(0.5, 40'000, 5, 0.04); }

class FullMd1 : public ::testing::TestWithParam<double> {};

TEST_P(FullMd1, MeanWaitWithin2PercentOverTenMillionPackets) {
  check_md1(GetParam(), 1'020'000, 10, 0.02);
}

INSTANTIATE_TEST_SUITE_P(FullLoad, FullMd1, ::testing::Values(0.5, 0.8));

}  // namespace
}  // namespace spineleaf::queueing
