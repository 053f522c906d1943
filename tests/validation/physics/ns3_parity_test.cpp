// Parity with HPCC ns-3 on its own runs. Its marks are drawn at random and each run has one seed,
// so means over several of our seeds are held against its single ones.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/validation/physics/ns3_replay.hpp"

namespace spineleaf::ns3_parity {
namespace {

using test::fcts_of;
using test::mean;
using test::ns3_file;
using test::ns3_name;
using test::Rig;

constexpr std::uint64_t kSeeds = 5;

std::unique_ptr<Rig> replay(const std::string& topology, const ModelParams& params,
                            const std::vector<Ns3Flow>& flows, std::uint64_t seed = 1) {
  std::vector<std::vector<std::string>> back;
  for (const Ns3Flow& flow : flows) {
    if (!flow.path.empty()) back.push_back(test::ns3_ack_path(flow));
  }
  return std::make_unique<Rig>(test::ns3_topology(ns3_file(topology, read_ns3_topology)), params,
                               test::ns3_flows(flows), seed, back);
}

TEST(Ns3Parity, ThePresetIsTheConfigurationOfThe100GRuns) {
  const ModelParams preset = test::params_of("ns3-hpcc");
  const ModelParams config = test::ns3_params(
      ns3_file("incast8_100g_1MB_config.csv", read_ns3_config), Rate::from_gbps(100));
  for (const ParamTable& table : model_param_tables()) {
    for (const ParamDecl& decl : table.params) {
      const ParamValue a = decl.get(section_object(preset, table.name));
      const ParamValue b = decl.get(section_object(config, table.name));
      EXPECT_EQ(a.integer, b.integer) << table.name << "." << decl.name;
      EXPECT_EQ(a.real, b.real) << table.name << "." << decl.name;
      EXPECT_EQ(a.text, b.text) << table.name << "." << decl.name;
    }
  }
}

TEST(Ns3Parity, ASingleFlowIsExactToTheNanosecond) {
  for (const std::int64_t gbps : {100, 400}) {
    const std::string rate = std::to_string(gbps) + "g";
    const auto flows = ns3_file("single_" + rate + "_fct.csv", read_ns3_flows);
    for (const Ns3Flow& flow : flows) {
      const auto rig = replay(gbps == 100 ? "topo_star3_100g.csv" : "topo_star9_400g.csv",
                              test::params_of("ns3-hpcc"), {flow});
      rig->run();
      const FlowRecord done = rig->flows().at(0);
      EXPECT_EQ((done.acked - done.start).ps, flow.fct.ps) << rate << " " << flow.bytes.count;
    }
  }
}

struct Incast {
  std::string_view name;
  std::string run;  ///< begin of the file names
  std::string topology;
  std::string series;
  Rate rate;
};

std::ostream& operator<<(std::ostream& out, const Incast& incast) { return out << incast.name; }

class Ns3Incast : public ::testing::TestWithParam<Incast> {};

TEST_P(Ns3Incast, MeanCompletionWithin5PercentAndPeakQueueWithin10) {
  const Incast& incast = GetParam();
  const ModelParams params =
      test::ns3_params(ns3_file(incast.run + "_config.csv", read_ns3_config), incast.rate);
  const auto flows = ns3_file(incast.run + "_fct.csv", read_ns3_flows);
  std::int64_t reference_peak = 0;
  for (const Ns3Sample& s : ns3_file(incast.run + incast.series, read_ns3_series)) {
    reference_peak = std::max(reference_peak, s.largest_queue.count);
  }
  double fct = 0, peak = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto rig = replay(incast.topology, params, flows, seed);
    rig->run();
    EXPECT_EQ(rig->drops(), 0);
    fct += mean(fcts_of(*rig)) / kSeeds;
    const std::string receiver = ns3_name(flows[0].to);
    const std::string hub = ns3_name(static_cast<std::uint32_t>(rig->topology().nodes.size() - 1));
    peak += static_cast<double>(rig->ports_of(hub).max_queue(rig->port(hub, receiver), 0)) / kSeeds;
  }
  const double reference = mean(test::ns3_fcts(flows));
  RecordProperty("fct_us", std::to_string(fct));
  RecordProperty("peak_bytes", std::to_string(peak));
  EXPECT_NEAR(fct, reference, 0.05 * reference);
  EXPECT_NEAR(peak, static_cast<double>(reference_peak), 0.1 * static_cast<double>(reference_peak));
}

INSTANTIATE_TEST_SUITE_P(
    , Ns3Incast,
    ::testing::Values(Incast{"TwoToOne", "incast2_100g", "topo_star3_100g.csv", "_series_50us.csv",
                             Rate::from_gbps(100)},
                      Incast{"EightToOne", "incast8_100g_1MB", "topo_star9_100g.csv",
                             "_series_5us.csv", Rate::from_gbps(100)},
                      Incast{"EightToOne400G", "incast8_400g_8MB", "topo_star9_400g.csv",
                             "_series_5us.csv", Rate::from_gbps(400)},
                      Incast{"SixteenToOnePfc", "incast16_100g_1MB_pfc", "topo_star17_100g.csv",
                             "_series_5us.csv", Rate::from_gbps(100)}),
    [](const ::testing::TestParamInfo<Incast>& incast) { return std::string(incast.param.name); });

/// Pause frames received by hosts, those of the other classes not counted.
std::int64_t pauses_received(Rig& rig) {
  std::int64_t pauses = 0;
  for (std::size_t h = 0; h < rig.fabric().hosts.size(); ++h) {
    pauses += rig.host(h).ports().class_counters(0, 0).pauses_received;
  }
  return pauses;
}

TEST(Ns3Parity, PauseFramesOf16To1Within20Percent) {
  const std::string run = "incast16_100g_1MB_pfc";
  const ModelParams params =
      test::ns3_params(ns3_file(run + "_config.csv", read_ns3_config), Rate::from_gbps(100));
  const auto flows = ns3_file(run + "_fct.csv", read_ns3_flows);
  std::int64_t reference = 0;
  Time first = Time::max();
  for (const Ns3PauseEvent& event : ns3_file(run + "_events.csv", read_ns3_pauses)) {
    reference += event.pause ? 1 : 0;
    first = std::min(first, event.at);
  }
  double pauses = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto rig = replay("topo_star17_100g.csv", params, flows, seed);
    // No pause until shortly before the reference's first one, one for each sender soon after.
    rig->at(first - Time::from_ns(100),
            [&](Time) { EXPECT_EQ(pauses_received(*rig), 0) << "seed " << seed; });
    rig->at(first + Time::from_ns(200),
            [&](Time) { EXPECT_EQ(pauses_received(*rig), 16) << "seed " << seed; });
    rig->run();
    EXPECT_EQ(rig->drops(), 0);
    pauses += static_cast<double>(pauses_received(*rig)) / kSeeds;
  }
  RecordProperty("pauses", std::to_string(pauses));
  EXPECT_NEAR(pauses, static_cast<double>(reference), 0.2 * static_cast<double>(reference));
}

TEST(Ns3Parity, SteadyGoodputOf2To1Within1Percent) {
  const std::string run = "incast2_100g";
  const ModelParams params =
      test::ns3_params(ns3_file(run + "_config.csv", read_ns3_config), Rate::from_gbps(100));
  const auto flows = ns3_file(run + "_fct.csv", read_ns3_flows);
  const Time from = Time::from_ms(10), to = Time::from_ms(20);
  double reference = 0;
  for (const Ns3Sample& s : ns3_file(run + "_series_50us.csv", read_ns3_series)) {
    if (s.at < from || s.at >= to) continue;
    for (const double gbps : s.goodput_gbps) reference += gbps * 50e-6 / (to - from).seconds();
  }
  double goodput = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto rig = replay("topo_star3_100g.csv", params, flows, seed);
    std::int64_t before = 0, after = 0;
    rig->at(from, [&](Time) { before = rig->host(2).counters().packets_delivered; });
    rig->at(to, [&](Time) { after = rig->host(2).counters().packets_delivered; });
    rig->run();
    goodput += static_cast<double>(after - before) * 8e-6 / (to - from).seconds() / kSeeds;
  }
  RecordProperty("goodput_gbps", std::to_string(goodput));
  EXPECT_NEAR(goodput, reference, 0.01 * reference);
}

TEST(Ns3Parity, OtherTimersAndNoRateControlOn8To1) {
  const auto flows = ns3_file("incast8_100g_1MB_variants_fct.csv", read_ns3_flows);
  for (const std::string variant : {"paper", "nocc"}) {
    ModelParams params = test::params_of("ns3-hpcc");
    if (variant == "nocc") {
      params.transport.congestion_control = CongestionControlKind::None;
    } else {
      params.dcqcn.alpha_timer = params.dcqcn.rate_reduce_monitor_period = Time::from_us(50);
      params.dcqcn.rpg_time_reset = Time::from_us(55);
    }
    std::vector<Ns3Flow> wanted;
    for (const Ns3Flow& flow : flows) {
      if (flow.variant == variant) wanted.push_back(flow);
    }
    ASSERT_EQ(wanted.size(), 8U);
    const auto rig = replay("topo_star9_100g.csv", params, wanted);
    rig->run();
    const double reference = mean(test::ns3_fcts(wanted));
    EXPECT_NEAR(mean(fcts_of(*rig)), reference, (variant == "nocc" ? 0.001 : 0.05) * reference);
  }
}

// The paths in the file are those of the data; the same hash of the same fields gives the ACKs'
// own.
TEST(Ns3Parity, TheHashGivesEveryPathOfTheFile) {
  for (const Ns3Flow& flow : ns3_file("fattree16_100g_random64_fct.csv", read_ns3_flows)) {
    for (std::size_t hop = 0; hop + 1 < flow.path.size(); ++hop) {
      if (flow.path[hop + 1] < flow.path[hop]) continue;  // down: no choice
      EXPECT_EQ(
          flow.path[hop + 1] % 2 == 1,
          test::ns3_goes_high(flow.from, flow.to, static_cast<std::uint32_t>(flow.source_port), 100,
                              flow.path[hop]));
    }
  }
}

TEST(Ns3Parity, FatTreeOf16HostsMedianWithin5PercentAndTailWithin10) {
  const std::string run = "fattree16_100g_random64";
  const ModelParams params =
      test::ns3_params(ns3_file(run + "_config.csv", read_ns3_config), Rate::from_gbps(100));
  const auto flows = ns3_file(run + "_fct.csv", read_ns3_flows);
  const std::vector<double> reference = test::ns3_fcts(flows);
  double median = 0, tail = 0, off = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto rig = replay("topo_fattree16_100g.csv", params, flows, seed);
    rig->run();
    EXPECT_EQ(rig->drops(), 0);
    median += test::quantile(fcts_of(*rig), 0.5) / kSeeds;
    tail += test::quantile(fcts_of(*rig), 0.99) / kSeeds;
    for (std::size_t i = 0; i < reference.size(); ++i) {
      off += std::abs(std::log(fcts_of(*rig)[i] / reference[i])) /
             static_cast<double>(kSeeds * reference.size());
    }
  }
  RecordProperty("median_us", std::to_string(median));
  RecordProperty("p99_us", std::to_string(tail));
  RecordProperty("mean_deviation", std::to_string(off));
  EXPECT_LT(off, 0.1) << "flow by flow, in the mean of |ln ratio|";
  EXPECT_NEAR(median, test::quantile(reference, 0.5), 0.05 * test::quantile(reference, 0.5));
  EXPECT_NEAR(tail, test::quantile(reference, 0.99), 0.1 * test::quantile(reference, 0.99));
}

// ECMP decides who shares: the distribution is compared, that of our hash with that of theirs.
TEST(Ns3Parity, FatTreeOf128HostsHasTheSameDistribution) {
  const auto flows = ns3_file("fattree128_100g_perm1MB_fct.csv", read_ns3_flows);
  ASSERT_EQ(flows.size(), 128U);
  std::vector<FlowEntry> entries;
  for (const Ns3Flow& f : flows) {
    entries.push_back(test::flow("host" + std::to_string(f.from), "host" + std::to_string(f.to),
                                 f.bytes.count, f.start));
  }
  const Topology topology = test::topology_of(build_topology("fat_tree", {{"hosts", 128},
                                                                          {"tiers", 3},
                                                                          {"radix", 8},
                                                                          {"speed", 100e9},
                                                                          {"host_latency", 1e6},
                                                                          {"spine_latency", 1e6},
                                                                          {"core_latency", 1e6}}));
  const std::vector<double> reference = test::ns3_fcts(flows);
  double median = 0, most = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rig rig(topology, test::params_of("ns3-hpcc"), entries, seed);
    rig.run();
    median += test::quantile(fcts_of(rig), 0.5) / kSeeds;
    most += test::quantile(fcts_of(rig), 0.95) / kSeeds;
  }
  RecordProperty("median_us", std::to_string(median));
  RecordProperty("p95_us", std::to_string(most));
  EXPECT_NEAR(median, test::quantile(reference, 0.5), 0.1 * test::quantile(reference, 0.5));
  EXPECT_NEAR(most, test::quantile(reference, 0.95), 0.1 * test::quantile(reference, 0.95));
}

}  // namespace
}  // namespace spineleaf::ns3_parity
