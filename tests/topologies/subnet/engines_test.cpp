// Routing engines: every pair of hosts is joined, what is promised about credit loops holds, loads
// are no worse than OpenSM's, and what does not fit an engine is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/topologies/fabrics.hpp"
#include "tests/topologies/walk.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/readers/roots.hpp"
#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/loads.hpp"
#include "topologies/subnet/verdict.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {
namespace {

using test::all_problems;
using test::make;
using ::testing::HasSubstr;

Subnet subnet_of(Topology topology, unsigned lmc = 0) {
  MadeSubnet made = make_subnet(std::move(topology), lmc);
  EXPECT_TRUE(made.problems.empty()) << all_problems(made.problems);
  return std::move(made.subnet);
}

SubnetRoutes routes_by(const char* engine, const Subnet& subnet,
                       const EngineOptions& options = {}) {
  EngineResult result = find_routing_engine(engine)->route(subnet, options);
  EXPECT_TRUE(result.ok()) << engine << ": " << all_problems(result.problems);
  return std::move(result.routes);
}

std::string refusal_of(const char* engine, const Subnet& subnet,
                       const EngineOptions& options = {}) {
  const EngineResult result = find_routing_engine(engine)->route(subnet, options);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.routes.tables.switches(), 0U);
  return all_problems(result.problems);
}

/// Fewest cables between switches `from` and `to`, by a search that knows nothing of engines.
std::vector<std::vector<unsigned>> distances(const Subnet& subnet) {
  const SwitchGraph graph(subnet.topology);
  std::vector<std::vector<unsigned>> hops(graph.rows(),
                                          std::vector<unsigned>(graph.rows(), UINT32_MAX));
  for (std::uint32_t from = 0; from < graph.rows(); ++from) {
    std::vector<std::uint32_t> queue{from};
    hops[from][from] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const std::uint32_t next : graph.neighbours(queue[head])) {
        if (hops[from][next] != UINT32_MAX) continue;
        hops[from][next] = hops[from][queue[head]] + 1;
        queue.push_back(next);
      }
    }
  }
  return hops;
}

/// All LIDs of all hosts are reached from every switch with hosts; `shortest`: from every switch,
/// by shortest paths. (A spine that lost its cable to a leaf has no legal way down to it.)
void expect_whole(const Subnet& subnet, const ForwardingTables& tables, bool shortest) {
  const RouteWalker walker(subnet, tables);
  const auto hops = distances(subnet);
  const auto& at = walker.attachments();
  std::vector<bool> enters(subnet.switches.size(), shortest);
  for (const Attachment& place : at) enters[place.row] = true;
  std::size_t wrong = 0;
  for (std::uint32_t to = 0; to < at.size(); ++to) {
    for (std::uint32_t k = 0; k < 1U << subnet.endpoints[to].lmc; ++k) {
      for (std::uint32_t row = 0; row < subnet.switches.size(); ++row) {
        if (!enters[row]) continue;
        unsigned length = 0;
        const auto end =
            walker.follow(row, subnet.endpoints[to].lid + k, to, [&](std::uint32_t) { ++length; });
        const bool fine =
            end == RouteWalker::End::Arrived && (!shortest || length == hops[row][at[to].row]);
        wrong += fine ? 0U : 1U;
      }
    }
  }
  EXPECT_EQ(wrong, 0U);
}

struct Case {
  const char* name;
  Topology (*topology)();
  bool tree = false;  ///< ftree routes it
  bool roots = true;  ///< updn finds roots
};

Topology cut(Topology topology, std::size_t every) {
  for (std::size_t c = 0; c < topology.cables.size(); ++c) {
    Cable& cable = topology.cables[c];
    if (!topology.is_host(cable.a.node) && c % every == 0) cable.up = false;
  }
  return topology;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {"single",
       [] {
         return make("single_switch", {{"hosts", 8}});
       },
       true},
      {"tree2",
       [] {
         return make("fat_tree", {{"hosts", 128}, {"radix", 32}});
       },
       true},
      {"tree3",
       [] {
         return make("fat_tree", {{"hosts", 128}, {"radix", 8}, {"tiers", 3}});
       },
       true},
      {"ragged",
       [] {
         return make("fat_tree", {{"hosts", 50}, {"radix", 16}});
       },
       true},
      {"rails",
       [] {
         return make("rail_optimised", {{"hosts", 32}, {"radix", 32}});
       },
       true},
      {"dual_tor",
       [] {
         return make("dual_tor", {{"hosts", 64}, {"radix", 32}});
       },
       true},
      {"ring",
       [] {
         return make("switch_ring", {{"switches", 6}});
       },
       false, false},
      {"dragonfly",
       [] {
         return make("dragonfly",
                     {{"hosts_per_switch", 1}, {"switches_per_group", 4}, {"global_links", 2}});
       },
       false, false},
      {"dragonfly_plus", [] { return make("dragonfly_plus", {}); }, false},
      {"damaged",
       [] {
         return cut(make("fat_tree", {{"hosts", 128}, {"radix", 8}, {"tiers", 3}}), 17);
       }},
  };
  return list;
}

class EveryEngine : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryEngine, JoinEveryPairAndKeepTheirWord) {
  const Case& c = cases()[GetParam()];
  const Subnet subnet = subnet_of(c.topology());
  for (const char* engine : {"minhop", "sssp", "dfsssp", "dor"}) {
    SCOPED_TRACE(engine);
    const SubnetRoutes routes = routes_by(engine, subnet);
    expect_whole(subnet, routes.tables, true);
    if (engine == std::string{"dfsssp"}) {
      EXPECT_FALSE(credit_loops(subnet, routes).cycles.has_cycle);
    }
  }
  EngineOptions options;
  if (!c.roots) {
    EXPECT_THAT(refusal_of("updn", subnet), HasSubstr("no root switch is found"));
    options.roots = {0};
  }
  const SubnetRoutes updn = routes_by("updn", subnet, options);
  expect_whole(subnet, updn.tables, false);
  EXPECT_FALSE(credit_loops(subnet, updn).cycles.has_cycle);
  if (c.tree) {
    const SubnetRoutes ftree = routes_by("ftree", subnet);
    expect_whole(subnet, ftree.tables, true);
    EXPECT_FALSE(credit_loops(subnet, ftree).cycles.has_cycle);
  } else {
    EXPECT_THAT(refusal_of("ftree", subnet), HasSubstr("the fabric is no fat tree"));
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryEngine, ::testing::Range<std::size_t>(0, 10),
                         [](const auto& row) { return cases()[row.param].name; });

// On the fixtures the worst cable carries as many routes as with OpenSM's engine of that name. The
// damaged tree is the exception: there both share out unequal candidates greedily but in another
// way, and the worst cable differs by an eighth (minhop and updn 140 to 124, dfsssp 128 to 112), or
// is better (updn without roots given 140 to 220: OpenSM takes wrong switches for roots).
TEST(Engines, AreNoWorseThanOpenSm) {
  for (const std::string& fabric : test::fabric_names()) {
    const Subnet subnet = test::read_fabric(fabric);
    for (const test::ExpectedRun& run : test::expected_fabric(fabric).runs) {
      if (run.engine == "lash") continue;  // not an engine here
      SCOPED_TRACE(fabric + " " + run.engine);
      const std::string name = run.engine.substr(0, run.engine.find('-'));
      EngineOptions options;
      if (run.engine == "updn-roots") {
        const RootsRead roots =
            read_roots(test::fabric_text(fabric, "updn-roots.txt"), "updn-roots.txt", subnet);
        ASSERT_TRUE(roots.problems.empty()) << all_problems(roots.problems);
        options.roots = roots.rows;
      }
      const EngineResult result = find_routing_engine(name)->route(subnet, options);
      // Where OpenSM hands over to minhop in silence, we refuse.
      ASSERT_EQ(result.ok(), name == run.ran) << all_problems(result.problems);
      if (!result.ok()) continue;
      const AllPairsLoads loads = all_pairs(RouteWalker(subnet, result.routes.tables));
      EXPECT_EQ(loads.lost, 0U) << loads.lost_example;
      if (fabric == "fat-tree-64-degraded") {
        EXPECT_LE(loads.most, run.most * 8 / 7);
      } else {
        EXPECT_EQ(loads.most, run.most);
        EXPECT_EQ(loads.least, run.least);
      }
      const bool lanes = result.routes.lanes.lanes > 1;
      // ibdmchk looks at one lane only.
      EXPECT_EQ(credit_loops(subnet, result.routes).cycles.has_cycle, run.loop && !lanes);
    }
  }
}

/// 8 leaves of 32 hosts with 4 spines, 32 leaves with 16 spines; switches of 64 ports.
TEST(Engines, ShiftsLoadNoCableTwiceAndRandomPermutationsDo) {
  for (const auto& [hosts, expected] : {std::pair{256.0, 3.80}, std::pair{1024.0, 5.30}}) {
    const Subnet subnet = subnet_of(make("fat_tree", {{"hosts", hosts}, {"radix", 64}}));
    ASSERT_EQ(subnet.switches.size(), hosts < 300 ? 12U : 48U);
    for (const char* engine : {"minhop", "updn", "ftree", "sssp", "dfsssp"}) {
      SCOPED_TRACE(std::string{engine} + " " + std::to_string(hosts));
      const SubnetRoutes routes = routes_by(engine, subnet);
      EXPECT_EQ(routes.lanes.lanes, 1U);
      const RouteWalker walker(subnet, routes.tables);
      const PermutationLoads shifts = shift_permutations(walker, SIZE_MAX, 1);
      EXPECT_EQ(shifts.permutations, static_cast<std::size_t>(hosts) - 1);
      EXPECT_EQ(shifts.worst, 1U);
      const PermutationLoads random = random_permutations(walker, 400, 1);
      EXPECT_NEAR(random.mean_of_worst, expected, 0.08 * expected);
    }
  }
}

// A host with four LIDs has up to four routes, and the first are those without further LIDs.
TEST(Engines, FurtherLidsTakeOtherPaths) {
  const Subnet one = subnet_of(make("fat_tree", {{"hosts", 64}, {"radix", 16}}));
  const Subnet four = subnet_of(make("fat_tree", {{"hosts", 64}, {"radix", 16}}), 2);
  EXPECT_EQ(four.endpoints[1].lid % 4, 0);
  for (const char* engine : {"minhop", "updn", "sssp", "dfsssp", "dor"}) {
    SCOPED_TRACE(engine);
    const SubnetRoutes routes = routes_by(engine, four);
    expect_whole(four, routes.tables, true);
    EXPECT_FALSE(credit_loops(four, routes).cycles.has_cycle);
    std::set<std::uint16_t> ports;
    for (std::uint32_t k = 0; k < 4; ++k) {
      ports.insert(routes.tables.at(0, four.endpoints.back().lid + k));
    }
    // Dimension order leaves the parallel cables only, which are two.
    EXPECT_EQ(ports.size(), engine == std::string{"dor"} ? 2U : 4U);
  }
  const SubnetRoutes few = routes_by("minhop", one);
  const SubnetRoutes many = routes_by("minhop", four);
  EXPECT_EQ(all_pairs(RouteWalker(one, few.tables)).load,
            all_pairs(RouteWalker(four, many.tables)).load);
  EXPECT_THAT(refusal_of("ftree", four), HasSubstr("has one LID a port"));
  MadeSubnet too_many = make_subnet(make("fat_tree", {{"hosts", 512}, {"radix", 64}}), 7);
  EXPECT_THAT(all_problems(too_many.problems), HasSubstr("needs more LIDs than there are"));
}

// A ring needs two lanes: its shortest paths close a loop in each direction. With one it fails.
TEST(Engines, LanesOpenTheLoopsOfARing) {
  for (const double switches : {5.0, 8.0}) {
    const Subnet ring = subnet_of(make("switch_ring", {{"switches", switches}}));
    EXPECT_TRUE(credit_loops(ring, routes_by("sssp", ring)).cycles.has_cycle);
    const SubnetRoutes routes = routes_by("dfsssp", ring);
    EXPECT_EQ(routes.lanes.lanes, 2U);
    EXPECT_FALSE(credit_loops(ring, routes).cycles.has_cycle);
    SubnetRoutes merged = routes;
    merged.lanes = {};
    EXPECT_TRUE(credit_loops(ring, merged).cycles.has_cycle);
    EngineOptions one;
    one.most_lanes = 1;
    EXPECT_THAT(refusal_of("dfsssp", ring, one), HasSubstr("than there are (found 1)"));
  }
}

TEST(Engines, ATreeThatIsNoneIsNamed) {
  Topology tree = make("fat_tree", {{"hosts", 64}, {"radix", 16}});
  for (Cable& cable : tree.cables) {
    if (tree.node(cable.a.node).name == "leaf3" && tree.node(cable.b.node).name == "spine1") {
      cable.up = false;
    }
  }
  EXPECT_THAT(refusal_of("ftree", subnet_of(tree)),
              HasSubstr("leaf3: the fabric is no fat tree: switches of one level have different "
                        "numbers of parents (found 3, expected 4 as at leaf0)"));
  EXPECT_THAT(refusal_of("ftree", subnet_of(make("switch_ring", {}))),
              HasSubstr("sw0: the fabric is no fat tree: two switches of one level are joined"));
}

TEST(Engines, TablesOfAFileAreHandedThrough) {
  const Subnet subnet = test::read_fabric("mesh-3x3");
  EXPECT_THAT(refusal_of("file", subnet), HasSubstr("no tables are given"));
  const TablesRead read =
      read_lfts(test::fabric_text("mesh-3x3", "lfts.dor.dump"), "dor.dump", subnet);
  EngineOptions options;
  options.tables = &read.tables;
  const SubnetRoutes routes = routes_by("file", subnet, options);
  EXPECT_EQ(all_pairs(RouteWalker(subnet, routes.tables)).most, 6U);
  // Our own dor goes the same way on this mesh: x before y.
  const SubnetRoutes own = routes_by("dor", subnet);
  for (std::uint32_t row = 0; row < subnet.switches.size(); ++row) {
    for (const AdapterPort& port : subnet.endpoints) {
      EXPECT_EQ(own.tables.at(row, port.lid), read.tables.at(row, port.lid));
    }
  }
}

TEST(Engines, RootsAreGuidsOrNames) {
  const Subnet subnet = test::read_fabric("fat-tree-64");
  const RootsRead read =
      read_roots("0x200c0de00200000\n# spare\nspine02\n\n0x200c0de00200000\n", "roots", subnet);
  EXPECT_TRUE(read.problems.empty()) << all_problems(read.problems);
  EXPECT_EQ(read.rows, (std::vector<std::uint32_t>{8, 9}));
  EXPECT_THAT(all_problems(read_roots("spine2\n", "roots", subnet).problems),
              HasSubstr("roots:1: is no switch of this fabric (found \"spine2\", expected a GUID "
                        "or a name). Did you mean \"spine02\"?"));
  EXPECT_THAT(all_problems(read_roots("", "roots", subnet).problems), HasSubstr("names no root"));
}

}  // namespace
}  // namespace spineleaf