// Section "subnet" and dumps as topologies: what is asked for is what runs, and what can't be had
// is said with its place and a way out.

#include <gtest/gtest.h>

#include "scenarios/deadlock_check.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/lock.hpp"
#include "scenarios/run.hpp"
#include "scenarios/subnet_plan.hpp"
#include "tests/scenarios/reading.hpp"
#include "topologies/subnet/engine.hpp"

namespace spineleaf {
namespace {

const std::string kFabrics = std::string{SPINELEAF_SOURCE_DIR} + "/tests/topologies/fabrics/";

std::string dump_of(const std::string& fabric, const std::string& subnet,
                    const std::string& more = "") {
  return R"({"preset": "ib-ndr", "topology": {"kind": "dump", "file": ")" + kFabrics + fabric +
         R"(/ibnetdiscover.txt"}, "subnet": {)" + subnet +
         R"(}, "workload": {"kind": "permutation", "bytes": "32KiB"})" + more + "}";
}

ValidSpec accepted(const std::string& text) {
  ValidateResult result = read(text);
  EXPECT_TRUE(result.spec.has_value()) << joined(messages_of(result.problems));
  return result.spec ? *std::move(result.spec) : ValidSpec{};
}

TEST(Subnet, EnginesAreThoseOfTheRegistry) {
  const ParamDecl& decl = *find_param(subnet_table(), "engine");
  std::vector<std::string_view> words(decl.choices.begin() + 1, decl.choices.end());
  std::vector<std::string_view> engines;
  for (const RoutingEngine& engine : routing_engines()) engines.push_back(engine.name);
  EXPECT_EQ(words, engines);
  EXPECT_EQ(decl.choices.front(), "none");
}

TEST(Subnet, TablesOfADumpAreWhatSwitchesRead) {
  const ValidSpec spec = accepted(
      dump_of("fat-tree-64", R"("lfts": ")" + kFabrics + R"(fat-tree-64/lfts.ftree.dump")"));
  ASSERT_NE(spec.subnet, nullptr);
  const Routes routes = routes_of(spec);
  const Topology& graph = *spec.graph;
  std::size_t looked_at = 0;
  for (std::uint32_t row = 0; row < spec.subnet->subnet.switches.size(); ++row) {
    for (std::uint32_t e = 0; e < graph.endpoints.size(); ++e) {
      const auto ports = routes.candidates(NodeId{graph.host_count + row}, EndpointId{e});
      ASSERT_EQ(ports.size(), 1U);
      EXPECT_EQ(ports[0], spec.subnet->given.at(row, spec.subnet->subnet.endpoints[e].lid));
      ++looked_at;
    }
  }
  EXPECT_EQ(looked_at, 12U * 64U);
  const Result result = run_world(spec, {});
  EXPECT_EQ(result.verdict, Verdict::Ok) << result.verdict_text;
}

TEST(Subnet, GroupsWidenTheTables) {
  const auto widths = [](const char* adaptive) {
    const ValidSpec spec = accepted(dump_of(
        "fat-tree-64", R"("engine": "ftree", "adaptive": ")" + std::string{adaptive} + "\""));
    const Routes routes = routes_of(spec);
    std::map<std::size_t, std::size_t> count;
    for (std::uint32_t n = spec.graph->host_count; n < spec.graph->nodes.size(); ++n) {
      for (std::uint32_t e = 0; e < spec.graph->endpoints.size(); ++e) {
        ++count[routes.candidates(NodeId{n}, EndpointId{e}).size()];
      }
    }
    return count;
  };
  // 8 leaves x 8 hosts, 4 spines, two cables each: own hosts over one port, others up over 1, 2 or
  // 8, and down over 1 or 2.
  using Count = std::map<std::size_t, std::size_t>;
  EXPECT_EQ(widths("none"), (Count{{1, 12 * 64}}));
  EXPECT_EQ(widths("lag"), (Count{{1, 64}, {2, 8 * 56 + 4 * 64}}));
  EXPECT_EQ(widths("tree"), (Count{{1, 64}, {2, 4 * 64}, {8, 8 * 56}}));
}

TEST(Subnet, LanesOpenTheLoopThatMinhopCloses) {
  const auto can = [](const std::string& subnet, const std::string& more = "") {
    return check_deadlock(accepted(dump_of("ring-5", subnet, more))).can_deadlock();
  };
  EXPECT_TRUE(can(R"("engine": "minhop")"));
  EXPECT_FALSE(can(R"("engine": "updn", "roots": "ring1")"));
  const std::string two = R"(, "fabric": {"classes": 2})";
  EXPECT_FALSE(can(R"("engine": "dfsssp")", two));
  EXPECT_TRUE(can(R"("engine": "sssp")", two)) << "lanes alone open nothing";
}

TEST(Subnet, ConnectionsAndTheirAnswersTakeTheLanesOfTheirRoutes) {
  const ValidSpec spec =
      accepted(dump_of("ring-5", R"("engine": "dfsssp")", R"(, "fabric": {"classes": 2})"));
  ASSERT_EQ(spec.subnet->routes.lanes.lanes, 2U);
  const World world = build_world(spec, 1);
  for (const ConnectionSpec& c : world.workloads.at(0).connections) {
    EXPECT_EQ(c.traffic_class, spec.subnet->lane(c.from, c.to));
    EXPECT_EQ(c.ack_class, static_cast<int>(spec.subnet->lane(c.to, c.from)));
  }
  unsigned on_second = 0;
  for (std::uint32_t from = 0; from < 5; ++from) {
    for (std::uint32_t to = 0; to < 5; ++to) {
      on_second += from == to ? 0 : spec.subnet->lane(EndpointId{from}, EndpointId{to});
    }
  }
  EXPECT_GT(on_second, 0U);
  EXPECT_LT(on_second, 20U);
  EXPECT_EQ(run_world(spec, {}).verdict, Verdict::Ok);
}

TEST(Subnet, BuiltFabricsAreRoutedToo) {
  const ValidSpec spec = accepted(R"({"preset": "ib-ndr",
      "topology": {"kind": "fat_tree", "hosts": 32, "radix": 16}, "subnet": {"engine": "updn"},
      "switch": {"forwarding": "static"}, "workload": {"kind": "permutation", "bytes": "64KiB"}})");
  ASSERT_NE(spec.subnet, nullptr);
  EXPECT_EQ(run_world(spec, {}).verdict, Verdict::Ok);
}

TEST(Subnet, TheLockRunsAlike) {
  const ValidSpec spec = accepted(dump_of("mesh-3x3", R"("engine": "dor", "adaptive": "lag")"));
  const ValidSpec again = accepted(lock_text(spec));
  EXPECT_EQ(lock_text(again), lock_text(spec));
  EXPECT_EQ(run_world(again, {}).fingerprint, run_world(spec, {}).fingerprint);
}

TEST(Subnet, WhatAnEngineCannotDoIsSaidWithAWayOut) {
  expect_refused(dump_of("ring-5", R"("engine": "updn")"),
                 {"subnet.engine", "updn", "no root switch is found", "subnet.roots"});
  expect_refused(dump_of("ring-5", R"("engine": "ftree")"),
                 {"subnet.engine", "the fabric is no fat tree", "Use another engine"});
  expect_refused(dump_of("ring-5", R"("engine": "dfsssp")"),
                 {"subnet.engine", "more virtual lanes", "fabric.classes"});
  expect_refused(dump_of("ring-5", R"("engine": "file")"), {"subnet.engine", "subnet.lfts"});
  expect_refused(dump_of("ring-5", R"("engine": "updn", "roots": "rign1")"),
                 {"subnet.roots", "\"rign1\"", "Did you mean \"ring1\"?"});
  expect_refused(dump_of("ring-5", R"("engine": "minhop", "roots": "ring1")"),
                 {"subnet.roots", "minhop", "Only updn"});
  expect_refused(dump_of("ring-5", R"("engine": "minhop", "lfts": "x")"),
                 {"subnet.lfts", "makes its own tables"});
  expect_refused(dump_of("ring-5", R"("lfts": "nowhere.dump")"), {"subnet.lfts", "nowhere.dump"});
  expect_refused(dump_of("ring-5", R"("roots": "ring1")"), {"subnet.roots", "without"});
  expect_refused(dump_of("ring-5", R"("adaptive": "tree")"), {"subnet.adaptive", "without"});
  expect_refused(dump_of("no-fabric", ""), {"topology.file", "there is no such file"});
  expect_refused(R"({"topology": {"kind": "dump"}, "workload": {"kind": "permutation"}})",
                 {"topology.file", "no file is named"});
  expect_message(read(dump_of("fat-tree-64", R"("engine": "minhop")")),
                 {"subnet.adaptive", "nothing to choose among"});
}

TEST(Subnet, AFileLiesBesideTheScenarioThatNamesIt) {
  const std::string text = R"({"topology": {"kind": "dump", "file": "ibnetdiscover.txt"},
      "workload": {"kind": "permutation"}})";
  const ValidateResult beside = read_scenario(text, kFabrics + "ring-5/scenario.json");
  EXPECT_TRUE(beside.spec.has_value()) << joined(messages_of(beside.problems));
  EXPECT_FALSE(read_scenario(text, kFabrics + "scenario.json").spec.has_value());
}

TEST(VlArbitration, TablesThatServeNothingAreRefused) {
  const auto with = [](const std::string& credit) {
    return R"({"preset": "ib-ndr", "fabric": {"classes": 2}, "credit": {)" + credit +
           R"(}, "topology": {"kind": "single_switch"}, "workload": {"kind": "permutation"}})";
  };
  EXPECT_TRUE(read(with(R"("vlarb_low": "0:65,1:195")")).spec.has_value());
  expect_refused(with(R"("vlarb_low": "0:65")"), {"credit.vlarb_low", "VL 1 has no weight"});
  expect_refused(with(R"("vlarb_high": "0:4,1")"), {"credit.vlarb_high", "\"1\" is no VL:weight"});
  expect_refused(with(R"("vlarb_low": "0:256,1:1")"), {"credit.vlarb_low", "\"0:256\""});
}

}  // namespace
}  // namespace spineleaf
