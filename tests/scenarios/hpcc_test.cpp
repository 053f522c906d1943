// Sets of HPCC ns-3: read as expected, refused as expected, and run as the original ran them.

#include "scenarios/import/hpcc.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf::hpcc {
namespace {

using ::testing::HasSubstr;

const std::string kSamples = SPINELEAF_SOURCE_DIR "/scenarios/samples/hpcc/";

NamedText file(const std::string& name) {
  std::ifstream stream(kSamples + name, std::ios::binary);
  return {name.substr(name.find('/') + 1),
          {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}};
}

struct Read {
  HpccSet set;
  std::string messages;
};

Read read(const NamedText& topology, const NamedText& flow, const NamedText& config = {},
          const NamedText& trace = {}) {
  std::vector<InputProblem> problems;
  Read out;
  out.set = read_hpcc(topology, flow, config, trace, problems);
  out.messages = joined(messages_of(problems));
  return out;
}

Read read_sample(const std::string& folder) {
  return read(file(folder + "/topology.txt"), file(folder + "/flow.txt"),
              file(folder + "/config.txt"), file(folder + "/trace.txt"));
}

TEST(Hpcc, SamplesAreReadAsExpected) {
  const auto all = nlohmann::json::parse(file("expected.json").text);
  for (const auto& [folder, expected] : all.items()) {
    const Read found = read_sample(folder);
    if (!expected.at("ok").get<bool>()) {
      std::string says = expected.at("message_says");
      // The value stands in quotes.
      if (folder == "bad-rate-unit") says = "\"100\" has no unit";
      EXPECT_THAT(found.messages, HasSubstr(says)) << folder;
      EXPECT_EQ(std::count(found.messages.begin(), found.messages.end(), '\n'), 1) << folder;
      continue;
    }
    EXPECT_EQ(found.messages, "") << folder;
    if (expected.contains("switches")) {
      EXPECT_EQ(std::vector<std::int64_t>(found.set.switches.begin(), found.set.switches.end()),
                expected.at("switches").get<std::vector<std::int64_t>>());
    }
    for (const HpccLink& link : found.set.links) {
      if (!expected.contains("link_bps")) break;
      EXPECT_EQ(static_cast<double>(link.rate.bits_per_second),
                expected.at("link_bps").get<double>());
      EXPECT_EQ(link.delay, Time::from_ns(expected.at("link_delay_ns").get<std::int64_t>()));
    }
    if (!expected.at("flows").is_array()) continue;
    ASSERT_EQ(found.set.flows.size(), expected.at("flows").size()) << folder;
    for (std::size_t i = 0; i < found.set.flows.size(); ++i) {
      const HpccFlow& flow = found.set.flows[i];
      const auto& want = expected.at("flows").at(i);
      EXPECT_EQ(flow.from, want.at("src").get<std::int64_t>());
      EXPECT_EQ(flow.to, want.at("dst").get<std::int64_t>());
      EXPECT_EQ(flow.bytes, want.at("bytes").get<std::int64_t>());
      EXPECT_EQ(flow.start, Time::from_ns(want.at("start_ns").get<std::int64_t>()));
    }
  }
  EXPECT_TRUE(read_sample("conweave-flow").set.conweave);
  EXPECT_EQ(read_sample("star5").set.traced, std::vector<std::int64_t>{4});
}

/// Completion times at the sender's last ACK, in ns, ascending.
std::vector<std::int64_t> run_set(const std::string& folder) {
  std::vector<InputProblem> problems;
  const HpccSet set = read_hpcc(file(folder + "/topology.txt"), file(folder + "/flow.txt"),
                                file("star5/config.txt"), {}, problems);
  const std::string text = hpcc_scenario(set, "config.txt", problems);
  EXPECT_FALSE(has_errors(problems)) << joined(messages_of(problems));
  const ValidateResult scenario = read_scenario(text, "made.json");
  EXPECT_TRUE(scenario.spec) << joined(messages_of(scenario.problems));
  std::vector<std::int64_t> times;
  if (!scenario.spec) return times;
  for (const FlowRecord& flow : run_world(*scenario.spec, {}).flows) {
    times.push_back((flow.acked - flow.start).ps / 1000);
  }
  std::sort(times.begin(), times.end());
  return times;
}

// Every flow within 2 ns of the original; its window of one BDP included.
TEST(Hpcc, AStarRunsAsInTheOriginal) {
  CsvTable reference("ns3-fct.csv", file("ns3-fct.csv").text);
  std::vector<std::int64_t> expected;
  for (std::size_t row = 0; row < reference.rows(); ++row) {
    if (reference.text(row, reference.column("folder")) != "star5") continue;
    expected.push_back(reference.integer(row, reference.column("fct_ns"), 0, 1'000'000'000));
  }
  std::sort(expected.begin(), expected.end());
  const std::vector<std::int64_t> times = run_set("star5");
  ASSERT_EQ(times.size(), 3U);
  ASSERT_EQ(expected.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(std::abs(times[i] - expected[i]), 2);
}

// Which flows share a spine is each program's own hash; that nobody beats an idle path is not.
TEST(Hpcc, ALeafSpineRunsNoFasterThanAlone) {
  const std::vector<std::int64_t> times = run_set("leafspine8");
  ASSERT_EQ(times.size(), 8U);
  EXPECT_GE(times.front(), 87'920);
  EXPECT_LT(times.back(), 4 * 87'920 + 10'000) << "four flows over one of two spines at the worst";
}

TEST(Hpcc, ConfigBecomesParameters) {
  std::vector<InputProblem> problems;
  const HpccSet set = read_hpcc(file("star5/topology.txt"), file("star5/flow.txt"),
                                file("star5/config.txt"), {}, problems);
  EXPECT_EQ(set.config.size(), 44U);
  EXPECT_TRUE(set.unknown_keys.empty());
  const std::string text = hpcc_scenario(set, "config.txt", problems);
  EXPECT_THAT(joined(messages_of(problems)), HasSubstr("VAR_WIN: the window stays at 52000B"));
  const auto spec = read_scenario(text, "made.json").spec;
  ASSERT_TRUE(spec);
  const ModelParams& models = spec->models;
  EXPECT_EQ(models.fabric.mtu.count, 1000);
  EXPECT_EQ(models.pfc.buffer.count, 33'554'432);
  EXPECT_EQ(models.ecn.kmin.count, 400'000);
  EXPECT_EQ(models.ecn.kmax.count, 1'600'000);
  EXPECT_DOUBLE_EQ(models.ecn.pmax, 0.2);
  EXPECT_DOUBLE_EQ(models.dcqcn.g, 0.00390625);
  EXPECT_EQ(models.dcqcn.rpg_time_reset, Time::from_us(300));
  EXPECT_EQ(models.dcqcn.rpg_ai_rate.bits_per_second, 50'000'000);
  EXPECT_EQ(models.dcqcn.rpg_min_rate.bits_per_second, 100'000'000);
  // 4 us of cable and two payloads on the wire of 100 Gb/s, there and back.
  EXPECT_EQ(models.transport.window.count, hpcc_window(set, 1000));
  EXPECT_EQ(hpcc_window(set, 1000), 52'000);
  EXPECT_EQ(spec->run.deadline, Time::from_us(2'000'000));
}

TEST(Hpcc, WhatIsNotModelledIsSaid) {
  const auto messages = [](const std::string& config) {
    std::vector<InputProblem> problems;
    const HpccSet set = read_hpcc(file("star5/topology.txt"), file("star5/flow.txt"),
                                  {"config.txt", config}, {}, problems);
    hpcc_scenario(set, "config.txt", problems);
    return joined(messages_of(problems));
  };
  EXPECT_THAT(messages("CC_MODE 10\n"), HasSubstr("congestion control 10 is not modelled"));
  EXPECT_THAT(messages("L2_BACK_TO_ZERO 1\n"), HasSubstr("go-back-0 is not modelled"));
  EXPECT_THAT(messages("ERROR_RATE_PER_LINK 0.001\n"), HasSubstr("link errors are not modelled"));
  EXPECT_THAT(messages("RP_TIMERS 3\n"),
              HasSubstr("config.txt:1:1: warning: RP_TIMERS: the key is unknown. Did you mean "
                        "\"RP_TIMER\"?"));
  EXPECT_THAT(messages("KMIN_MAP 1 25000000000 100\n"), HasSubstr("no entry for links of 100Gbps"));
  EXPECT_THAT(messages("RATE_AI 50\n"), HasSubstr("has no unit"));
  EXPECT_EQ(messages("LINK_DOWN 100 0 4\nACK_HIGH_PRIO 1\n"), "");
}

// The star under each control: four flows end, nobody faster than alone, and the keys are taken.
TEST(Hpcc, ControlsByNumberBecomeThoseOfTheModels) {
  struct Mode {
    const char* config;
    CongestionControlKind kind;
  };
  for (const Mode& mode :
       {Mode{
            "CC_MODE 3\nU_TARGET 0.9\nMI_THRESH 5\nFAST_REACT 1\nRATE_AI 20Mb/s\nMIN_RATE 50Mb/s\n",
            CongestionControlKind::Hpcc},
        Mode{"CC_MODE 7\nRATE_AI 20Mb/s\nMIN_RATE 50Mb/s\n", CongestionControlKind::Timely},
        Mode{"CC_MODE 8\nEWMA_GAIN 0.125\n", CongestionControlKind::Dctcp}}) {
    std::vector<InputProblem> problems;
    const HpccSet set = read_hpcc(file("star5/topology.txt"), file("star5/flow.txt"),
                                  {"config.txt", mode.config}, {}, problems);
    const std::string text = hpcc_scenario(set, "config.txt", problems);
    EXPECT_TRUE(problems.empty()) << joined(messages_of(problems));
    ValidateResult made = read_scenario(text, "made.json");
    ASSERT_TRUE(made.spec) << joined(messages_of(made.problems));
    const ModelParams& models = made.spec->models;
    EXPECT_EQ(models.transport.congestion_control, mode.kind);
    if (mode.kind == CongestionControlKind::Hpcc) {
      EXPECT_DOUBLE_EQ(models.hpcc.eta, 0.9);
      EXPECT_EQ(models.hpcc.max_stage, 5);
      EXPECT_EQ(models.hpcc.rate_ai.bits_per_second, 20'000'000);
    }
    if (mode.kind == CongestionControlKind::Timely) {
      EXPECT_EQ(models.timely.delta.bits_per_second, 20'000'000);
      EXPECT_EQ(models.timely.min_rate.bits_per_second, 50'000'000);
    }
    if (mode.kind == CongestionControlKind::Dctcp) {
      EXPECT_DOUBLE_EQ(models.dctcp.g, 0.125);
    }
    const Result result = run_world(*made.spec, {});
    EXPECT_EQ(result.stop, StopReason::Finished) << mode.config;
    EXPECT_EQ(result.totals.drops_total, 0);
  }
}

// simulation/mix of the original: 65 hosts around switch 0, and a flow file with a row too many.
TEST(Hpcc, TheOriginalsOwnFilesHaveTheirShape) {
  std::string topology = "66 1 65\n0\n";
  for (int host = 1; host <= 65; ++host) {
    topology += "0 " + std::to_string(host) + " 100Gbps 0.001ms 0\n";
  }
  const Read found =
      read({"topology.txt", topology},
           {"flow.txt", "2\n2 1 3 100 200000000 2\n3 1 3 100 200000000 2\n4 1 3 100 9 2.5\n"});
  EXPECT_THAT(found.messages, HasSubstr("warning: flows: flow.txt says 2 flows, has 3"));
  EXPECT_EQ(found.set.nodes, 66);
  EXPECT_EQ(found.set.switches, std::set<std::int64_t>{0});
  EXPECT_EQ(found.set.links.size(), 65U);
  EXPECT_EQ(found.set.links[0].delay, Time::from_ns(1000));
  ASSERT_EQ(found.set.flows.size(), 2U);
  EXPECT_EQ(found.set.flows[0].priority_group, 3);
  EXPECT_EQ(found.set.flows[0].bytes, 200'000'000);
  EXPECT_EQ(found.set.flows[0].start, Time::from_us(2'000'000));
}

TEST(Hpcc, BrokenFilesAreRefusedWithTheirPlace) {
  const NamedText star = file("star5/topology.txt");
  const NamedText flow{"flow.txt", "1\n0 3 3 100 1000 2.0\n"};
  EXPECT_THAT(read({"topology.txt", ""}, flow).messages, HasSubstr("the first line is missing"));
  EXPECT_THAT(read({"topology.txt", "3 1 1\n7\n0 1 1Gbps 1ns 0\n"}, flow).messages,
              HasSubstr("topology.txt:2:1: switches: \"7\" is no number in range"));
  EXPECT_THAT(read({"topology.txt", "2 0 1\n0 1 1Gbps 1ns\n"}, flow).messages,
              HasSubstr("a link of 4 fields"));
  EXPECT_THAT(read(star, {"flow.txt", "1\n0 3 3\n"}).messages, HasSubstr("a flow of 3 fields"));
  EXPECT_THAT(read(star, {"flow.txt", "1\n0 0 3 1 1 2\n"}).messages,
              HasSubstr("source equals destination"));
  EXPECT_THAT(read(star, {"flow.txt", "1\n0 9 3 1 1 2\n"}).messages,
              HasSubstr("flow.txt:2:3: flows: \"9\" is no number in range; expected 0 to 4"));
  EXPECT_THAT(read(star, flow, {"config.txt", "RP_TIMER\n"}).messages, HasSubstr("has no value"));
  EXPECT_THAT(read(star, flow, {}, {"trace.txt", "2\n1\n"}).messages,
              HasSubstr("2 nodes announced, 1 found"));
}

}  // namespace
}  // namespace spineleaf::hpcc
