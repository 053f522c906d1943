// htsim's files: read as expected, refused as expected, and run.

#include "scenarios/import/htsim.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf::htsim {
namespace {

using ::testing::HasSubstr;

const std::string kSamples = SPINELEAF_SOURCE_DIR "/scenarios/samples/htsim/";

NamedText file(const std::string& name) {
  std::ifstream stream(kSamples + name, std::ios::binary);
  return {name, {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}};
}

/// A message with its words' quotes taken out, as the expectations have them.
std::string plain(std::string text) {
  std::erase(text, '"');
  return text;
}

/// The first half of an expectation "unknown word sise, nearest size".
std::string first_part(const std::string& text) { return text.substr(0, text.find(", nearest")); }

void check_matrix(const HtsimMatrix& matrix, const nlohmann::json& expected) {
  const auto number = [&](const char* key) { return expected.at(key).get<std::int64_t>(); };
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  std::int64_t bytes = 0;
  std::map<std::int64_t, std::int64_t> fan_in;
  for (const HtsimFlow& flow : matrix.flows) {
    bytes += flow.bytes;
    ++fan_in[flow.to];
  }
  std::int64_t widest = 0;
  for (const auto& [host, flows] : fan_in) widest = std::max(widest, flows);
  if (expected.contains("nodes")) {
    EXPECT_EQ(matrix.nodes, number("nodes"));
  }
  if (expected.contains("connections")) {
    EXPECT_EQ(count(matrix.flows), number("connections"));
  }
  if (expected.contains("triggers")) {
    EXPECT_EQ(count(matrix.triggers), number("triggers"));
  }
  if (expected.contains("failures")) {
    EXPECT_EQ(count(matrix.failures), number("failures"));
  }
  if (expected.contains("bytes_total")) {
    EXPECT_EQ(bytes, number("bytes_total"));
  }
  if (expected.contains("max_fan_in")) {
    EXPECT_EQ(widest, number("max_fan_in"));
  }
  if (expected.contains("dependency_depth")) {
    EXPECT_EQ(htsim_depth(matrix), number("dependency_depth"));
  }
  if (expected.contains("barrier_count")) {
    EXPECT_EQ(matrix.triggers.at(1).count, number("barrier_count"));
    EXPECT_EQ(matrix.triggers.at(1).kind, HtsimTriggerKind::Barrier);
  }
}

void check_tree(const HtsimTree& tree, const nlohmann::json& expected) {
  for (const auto& [key, value] : std::map<std::string, std::int64_t>{{"hosts", tree.hosts},
                                                                      {"tiers", tree.tiers},
                                                                      {"pods", tree.pods},
                                                                      {"tor", tree.tors},
                                                                      {"agg", tree.aggs},
                                                                      {"core", tree.cores}}) {
    if (expected.contains(key)) {
      EXPECT_EQ(value, expected.at(key).get<std::int64_t>()) << key;
    }
  }
  if (!expected.contains("links")) return;
  const auto& links = expected.at("links");
  EXPECT_EQ(tree.hosts, links.at("host_tor").get<std::int64_t>());
  EXPECT_EQ(tree.tors * tree.aggs_per_pod() * tree.tor_agg_cables,
            links.at("tor_agg").get<std::int64_t>());
  if (links.contains("agg_core")) {
    EXPECT_EQ(tree.aggs * tree.tier[1].up, links.at("agg_core").get<std::int64_t>());
  }
}

TEST(Htsim, SamplesAreReadAsExpected) {
  const auto all = nlohmann::json::parse(file("expected.json").text);
  for (const auto& [name, expected] : all.items()) {
    std::vector<InputProblem> problems;
    const bool is_tree = name.ends_with(".topo");
    HtsimTree tree;
    HtsimMatrix matrix;
    if (is_tree) {
      tree = read_htsim_tree(file(name), problems);
    } else {
      matrix = read_htsim_matrix(file(name), problems);
    }
    const std::string messages = joined(messages_of(problems));
    if (!expected.at("ok").get<bool>()) {
      EXPECT_THAT(plain(messages), HasSubstr(first_part(expected.at("message_says")))) << name;
      continue;
    }
    EXPECT_EQ(messages, "") << name;
    SCOPED_TRACE(name);
    if (is_tree) {
      check_tree(tree, expected);
    } else {
      check_matrix(matrix, expected);
    }
  }
}

ValidateResult scenario_of(const std::string& topo, const std::string& cm,
                           const ReadOptions& options = {}) {
  std::vector<InputProblem> problems;
  const HtsimTree tree = read_htsim_tree(file("topo/" + topo), problems);
  const HtsimMatrix matrix = read_htsim_matrix(file("cm/" + cm), problems);
  EXPECT_FALSE(has_errors(problems)) << joined(messages_of(problems));
  return read_scenario(htsim_scenario(tree, matrix, cm, problems), "made.json", options);
}

TEST(Htsim, TreesBecomeTheirFabrics) {
  const std::string lone = "edge-crlf-and-tabs.cm";
  const ValidateResult k4 = scenario_of("k4-16hosts-3tier-400g.topo", lone);
  ASSERT_TRUE(k4.spec) << joined(messages_of(k4.problems));
  EXPECT_EQ(k4.spec->graph->host_count, 16U);
  EXPECT_EQ(k4.spec->graph->nodes.size(), 16U + 8 + 8 + 4);
  EXPECT_EQ(k4.spec->graph->cables.size(), 48U);
  const ValidateResult lower = scenario_of("edge-lower-case-keys.topo", lone);
  ASSERT_TRUE(lower.spec);
  EXPECT_EQ(lower.spec->graph->cables.size(), 48U);
  const ValidateResult bundle = scenario_of("leaf-spine-32hosts-bundle2.topo", lone);
  ASSERT_TRUE(bundle.spec) << joined(messages_of(bundle.problems));
  EXPECT_EQ(bundle.spec->graph->cables.size(), 64U);
  EXPECT_EQ(bundle.spec->graph->cables.back().rate, Rate::from_gbps(200));
}

// Ten bytes to the next host: two cables of 500 ns and a switch of 300 ns, and what the wire takes.
TEST(Htsim, AnIdlePathTakesWhatTheFileSays) {
  const ValidateResult read = scenario_of("k4-16hosts-3tier-400g.topo", "edge-crlf-and-tabs.cm");
  ASSERT_TRUE(read.spec);
  const Result result = run_world(*read.spec, {});
  ASSERT_EQ(result.flows.size(), 1U);
  const Time fct = result.flows[0].received - result.flows[0].start;
  EXPECT_GT(fct, Time::from_ns(1300));
  EXPECT_LT(fct, Time::from_ns(1310));
}

TEST(Htsim, AnIncastRunsAtTheReceiversRate) {
  ReadOptions pauses_alone;
  pauses_alone.overrides.push_back({"transport.congestion_control", "none"});
  const ValidateResult read =
      scenario_of("k4-16hosts-3tier-400g.topo", "incast-8to1-of-16.cm", pauses_alone);
  ASSERT_TRUE(read.spec);
  const Result result = run_world(*read.spec, {});
  EXPECT_EQ(result.verdict, Verdict::Ok);
  ASSERT_EQ(result.flows.size(), 8U);
  Time last;
  for (const FlowRecord& flow : result.flows) last = std::max(last, flow.received);
  // 16 MB over one 400G link are 320 us; no program finishes sooner.
  EXPECT_GT(last, Time::from_us(320));
  EXPECT_LT(last, Time::from_us(340));
}

TEST(Htsim, AFailedCableIsDownFromTheBeginning) {
  const ValidateResult read = scenario_of("k4-16hosts-3tier-400g.topo", "failures-and-prio.cm");
  ASSERT_TRUE(read.spec) << joined(messages_of(read.problems));
  const auto down = [](const Cable& cable) { return !cable.up; };
  const auto& cables = read.spec->graph->cables;
  ASSERT_EQ(std::count_if(cables.begin(), cables.end(), down), 1);
  const Cable& failed = *std::find_if(cables.begin(), cables.end(), down);
  EXPECT_EQ(read.spec->graph->node(failed.a.node).name, "tor0");
  EXPECT_EQ(read.spec->graph->node(failed.b.node).name, "agg1");
  EXPECT_EQ(run_world(*read.spec, {}).flows.size(), 2U);
}

TEST(Htsim, TriggersAreReadButNotRun) {
  std::vector<InputProblem> problems;
  const HtsimTree tree = read_htsim_tree(file("topo/k4-16hosts-3tier-400g.topo"), problems);
  const HtsimMatrix matrix = read_htsim_matrix(file("cm/barrier-two-phases.cm"), problems);
  ASSERT_TRUE(problems.empty());
  htsim_scenario(tree, matrix, "x.cm", problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(to_string(problems[0]), HasSubstr("3 flows wait for triggers, which can't be run"));
}

// The leaf-spine of csg-htsim's examples.
TEST(Htsim, ATinyLeafSpine) {
  std::vector<InputProblem> problems;
  const HtsimTree tree = read_htsim_tree(
      {"tiny.topo",
       "Nodes 32\nTiers 2\nPodsize 32\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 2\n"
       "Oversubscribed 4\nDownlink_Latency_ns 1000\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n"
       "Downlink_Latency_ns 1000\n"},
      problems);
  EXPECT_EQ(joined(messages_of(problems)), "");
  EXPECT_EQ(tree.tors, 4);
  EXPECT_EQ(tree.aggs, 2);
  EXPECT_EQ(tree.tier[0].link_ns, 1000);
}

// One flow of 2 MB over 100G with a round trip of 12 us: 160 us of payload, the headers and a way.
TEST(Htsim, OneFlowTakesItsWireAndItsRoundTrip) {
  std::vector<InputProblem> problems;
  const HtsimTree tree = read_htsim_tree(
      {"one.topo",
       "Nodes 16\nTiers 2\nPodsize 16\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 4\n"
       "Downlink_Latency_ns 1500\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\n"
       "Downlink_Latency_ns 1500\n"},
      problems);
  const HtsimMatrix matrix = read_htsim_matrix(
      {"one.cm", "Nodes 16\nConnections 1\n0->13 id 1 start 0 size 2000000\n"}, problems);
  const auto spec = read_scenario(htsim_scenario(tree, matrix, "one.cm", problems), "m.json").spec;
  ASSERT_TRUE(spec) << joined(messages_of(problems));
  const Result result = run_world(*spec, {});
  ASSERT_EQ(result.flows.size(), 1U);
  EXPECT_NEAR(static_cast<double>((result.flows[0].acked - result.flows[0].start).ps) / 1e6, 176.2,
              0.03 * 176.2);
}

}  // namespace
}  // namespace spineleaf::htsim
