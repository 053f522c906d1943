#include "validation/readers/ns3_reference.hpp"

#include <gtest/gtest.h>

#include <set>

namespace spineleaf {
namespace {

const std::string kReference = SPINELEAF_SOURCE_DIR "/validation/data/ns3/";

template <typename Value>
Value read_good(const std::string& name,
                Ns3Read<Value> (*read)(std::string_view, const std::string&)) {
  Ns3Read<Value> result = read_ns3_file(kReference + name, read);
  for (const InputProblem& problem : result.problems) ADD_FAILURE() << to_string(problem);
  return result.value;
}

TEST(Ns3Reference, Config) {
  const Ns3Config c = read_good("incast16_100g_1MB_pfc_config.csv", read_ns3_config);
  EXPECT_EQ(c.payload.count, 1000);
  EXPECT_EQ(c.congestion_control, 1);
  EXPECT_TRUE(c.dynamic_pfc);
  EXPECT_EQ(c.alpha_timer, Time::from_us(1));
  EXPECT_EQ(c.rate_decrease, Time::from_us(4));
  EXPECT_EQ(c.rate_increase, Time::from_us(300));
  EXPECT_EQ(c.g, 1.0 / 256);
  EXPECT_EQ(c.threshold, 1);
  EXPECT_EQ(c.ai_rate.bits_per_second, 20'000'000);
  EXPECT_EQ(c.hai_rate.bits_per_second, 200'000'000);
  EXPECT_EQ(c.min_rate, Rate::from_gbps(1));
  EXPECT_FALSE(c.window);
  EXPECT_TRUE(c.ack_high_priority);
  EXPECT_EQ(c.buffer.count, 2 << 20);
  ASSERT_EQ(c.marking.size(), 2u);
  EXPECT_EQ(c.marking[0].rate, Rate::from_gbps(100));
  EXPECT_EQ(c.marking[0].kmin.count, 400'000);
  EXPECT_EQ(c.marking[0].kmax.count, 1'600'000);
  EXPECT_EQ(c.marking[0].pmax, 0.2);
  EXPECT_EQ(c.raw.at("PINT_PROB"), "1.0");
}

TEST(Ns3Reference, EveryShippedFileReads) {
  for (const char* run : {"single_100g", "incast2_100g", "incast8_100g_1MB", "incast8_400g_8MB",
                          "fattree16_100g_random64"}) {
    read_good(std::string(run) + "_config.csv", read_ns3_config);
    EXPECT_FALSE(read_good(std::string(run) + "_fct.csv", read_ns3_flows).empty());
  }
  for (const char* name : {"single_400g_fct", "fattree128_100g_perm1MB_fct"}) {
    EXPECT_FALSE(read_good(std::string(name) + ".csv", read_ns3_flows).empty());
  }
  for (const char* name : {"star3_100g", "star9_100g", "star9_400g", "star17_100g"}) {
    EXPECT_FALSE(read_good(std::string("topo_") + name + ".csv", read_ns3_topology).empty());
  }
  for (const char* name : {"incast2_100g_series_50us", "incast8_400g_8MB_series_5us"}) {
    EXPECT_FALSE(read_good(std::string(name) + ".csv", read_ns3_series).empty());
  }
}

TEST(Ns3Reference, TopologyAndPathsFitTogether) {
  const auto links = read_good("topo_fattree16_100g.csv", read_ns3_topology);
  ASSERT_EQ(links.size(), 48u);
  EXPECT_EQ(links[0].rate, Rate::from_gbps(100));
  EXPECT_EQ(links[0].delay, Time::from_us(1));
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  for (const Ns3Link& link : links) {
    joined.insert({link.a, link.b});
    joined.insert({link.b, link.a});
  }
  const auto flows = read_good("fattree16_100g_random64_fct.csv", read_ns3_flows);
  ASSERT_EQ(flows.size(), 64u);
  for (const Ns3Flow& flow : flows) {
    std::vector<std::uint32_t> nodes{flow.from};
    nodes.insert(nodes.end(), flow.path.begin(), flow.path.end());
    nodes.push_back(flow.to);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      EXPECT_TRUE(joined.count({nodes[i - 1], nodes[i]})) << nodes[i - 1] << "-" << nodes[i];
    }
  }
}

TEST(Ns3Reference, Flows) {
  const auto flows = read_good("single_100g_fct.csv", read_ns3_flows);
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[1].source_port, 10001);
  EXPECT_EQ(flows[1].bytes.count, 1'000'000);
  EXPECT_EQ(flows[1].start, Time::from_ns(9'999'999));
  EXPECT_EQ(flows[1].fct, Time::from_ns(87'091));
  EXPECT_EQ(flows[1].ideal, Time::from_ns(88'000));
  EXPECT_TRUE(flows[1].path.empty());
  const auto variants = read_good("incast8_100g_1MB_variants_fct.csv", read_ns3_flows);
  EXPECT_EQ(variants.size(), 32u);
  EXPECT_EQ(variants[0].variant, "paper");
  EXPECT_EQ(variants[0].ideal.ps, -1);
}

TEST(Ns3Reference, PausesAndSeries) {
  const auto events = read_good("incast16_100g_1MB_pfc_events.csv", read_ns3_pauses);
  std::int64_t pauses = 0;
  for (const Ns3PauseEvent& event : events) pauses += event.pause;
  EXPECT_EQ(pauses, 191);
  EXPECT_EQ(events.size(), 382u);
  EXPECT_EQ(events[0].at, Time::from_ns(7232));
  EXPECT_EQ(events[0].node, 14u);
  const auto samples = read_good("incast16_100g_1MB_pfc_series_5us.csv", read_ns3_series);
  EXPECT_EQ(samples[1].at, Time::from_us(5));
  EXPECT_EQ(samples[1].largest_queue.count, 1'396'984);
  ASSERT_EQ(samples[1].goodput_gbps.size(), 16u);
  EXPECT_EQ(samples[1].goodput_gbps[12], 4.8);
}

TEST(Ns3Reference, RatesAndDelays) {
  Rate rate;
  EXPECT_TRUE(parse_ns3_rate("20Mb/s", rate));
  EXPECT_EQ(rate.bits_per_second, 20'000'000);
  EXPECT_TRUE(parse_ns3_rate("0.5Gbps", rate));
  EXPECT_EQ(rate.bits_per_second, 500'000'000);
  for (const char* bad : {"", "100", "Gbps", "-1Gbps", "100GBps", "1e30Gbps", "200000Gbps"}) {
    EXPECT_FALSE(parse_ns3_rate(bad, rate)) << bad;
  }
  Time delay;
  EXPECT_TRUE(parse_ns3_delay("1000ns", delay));
  EXPECT_EQ(delay, Time::from_us(1));
  EXPECT_FALSE(parse_ns3_delay("1000", delay));
}

TEST(Ns3Reference, AConfigurationIsWholeOrRefused) {
  EXPECT_EQ(to_string(read_ns3_config("key,value\n", "c.csv").problems.at(0)),
            "c.csv:1:1: no row follows the header; expected at least one.");
  const std::string maps =
      "key,value\nKMIN_MAP,1 100000000000 400\nPMAX_MAP,1 100000000000 0.2\nKMAX_MAP,";
  const auto has = [&](const std::string& kmax, const std::string& part) {
    for (const InputProblem& problem : read_ns3_config(maps + kmax + "\n", "c.csv").problems) {
      if (to_string(problem).find(part) != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_FALSE(has("1 100000000000 1600", "MAP"));
  EXPECT_TRUE(has("1 400000000000 1600", "100000000000 bit/s is not in KMAX_MAP"));
  EXPECT_TRUE(has("1 100000000000 9999999999999999", "is no map of rates"));
}

TEST(Ns3Reference, ProblemsNameTheirPlace) {
  const auto flows = read_ns3_flows("src,dst,bytes,fct_ns,switch_path\n0,1,5,7,17-x\n", "f.csv");
  ASSERT_EQ(flows.problems.size(), 1u);
  EXPECT_EQ(to_string(flows.problems[0]),
            "f.csv:2:9: switch_path: \"x\" is no node; expected a path such as 18-26-32.");
  EXPECT_EQ(read_ns3_topology("node_a,node_b,rate,one_way_delay\n0,1,fast,soon\n", "t.csv")
                .problems.size(),
            2u);
  EXPECT_FALSE(read_ns3_config("key,value\nKMIN_MAP,2 5\n", "c.csv").problems.empty());
  EXPECT_EQ(read_ns3_series("t_us\n1\n", "s.csv").problems.size(), 4u);
  EXPECT_EQ(read_ns3_pauses("", "p.csv").problems.size(), 1u);
}

}  // namespace
}  // namespace spineleaf
