// OpenSM's own tables: all 27 runs on the five fabrics are read, and loads, path lengths and the
// verdict on credit loops are those of ibdmchk and of a walk that is independent of this project.

#include "topologies/subnet/tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/topologies/fabrics.hpp"
#include "topologies/channel_graph.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/subnet/loads.hpp"

namespace spineleaf {
namespace {

using test::all_problems;
using ::testing::HasSubstr;

/// Host LIDs that a switch has no entry for.
std::size_t holes_in(const Subnet& subnet, const ForwardingTables& tables) {
  const LidOwners owners = lid_owners(subnet);
  std::size_t holes = 0;
  for (std::size_t row = 0; row < tables.switches(); ++row) {
    for (std::uint32_t lid = 0; lid < tables.lids(); ++lid) {
      const bool used = owners.owner[lid] != LidOwners::kNobody && owners.is_endpoint(lid);
      holes += used && tables.at(row, lid) == ForwardingTables::kNone ? 1U : 0U;
    }
  }
  return holes;
}

/// How many switch ports (not to hosts) have how many destinations behind them, over all pairs.
/// Ports without any are left out: ibdmchk counts only some of them.
std::map<unsigned, std::uint64_t> ports_by_lids(const RouteWalker& walker) {
  std::map<std::uint32_t, std::set<std::uint32_t>> lids;
  const auto& at = walker.attachments();
  for (std::uint32_t to = 0; to < at.size(); ++to) {
    for (std::uint32_t from = 0; from < at.size(); ++from) {
      if (from == to) continue;
      walker.follow(at[from].row, walker.subnet().endpoints[to].lid, to,
                    [&](std::uint32_t channel) { lids[channel].insert(to); });
    }
  }
  std::map<unsigned, std::uint64_t> histogram;
  for (std::uint32_t c = 0; c < walker.channels(); ++c) {
    if (!lids[c].empty()) ++histogram[static_cast<unsigned>(lids[c].size())];
  }
  return histogram;
}

class OpenSmTables : public ::testing::TestWithParam<std::string> {};

TEST_P(OpenSmTables, GiveTheSameLoadsAndTheSameVerdict) {
  const Subnet subnet = test::read_fabric(GetParam());
  const test::ExpectedFabric expected = test::expected_fabric(GetParam());
  for (const test::ExpectedRun& run : expected.runs) {
    SCOPED_TRACE(run.engine);
    const TablesRead read =
        read_lfts(test::fabric_text(GetParam(), run.tables), run.tables, subnet);
    ASSERT_TRUE(read.ok()) << all_problems(read.problems);
    EXPECT_TRUE(read.problems.empty()) << all_problems(read.problems);
    EXPECT_EQ(holes_in(subnet, read.tables), run.holes);

    const RouteWalker walker(subnet, read.tables);
    const AllPairsLoads loads = all_pairs(walker);
    EXPECT_EQ(loads.least, run.least);
    EXPECT_EQ(loads.most, run.most);
    EXPECT_EQ(loads.used, run.used);
    EXPECT_EQ(loads.pairs, expected.hosts * (expected.hosts - 1));
    EXPECT_EQ(loads.lost, 0U) << loads.lost_example;
    EXPECT_EQ(loads.pairs_by_links, run.pairs_by_links);
    if (expected.hosts < 100) {
      auto ports = run.ports_by_lids;
      ports.erase(0);
      EXPECT_EQ(ports_by_lids(walker), ports);
    }

    const TableRoutes routes = to_routes(subnet, read.tables);
    const ChannelGraph graph = channel_dependencies(subnet.topology, &routes.routes);
    EXPECT_EQ(find_cycles(subnet.topology, graph).has_cycle, run.loop);
  }
}

INSTANTIATE_TEST_SUITE_P(, OpenSmTables, ::testing::ValuesIn(test::fabric_names()),
                         [](const auto& fabric) {
                           std::string name = fabric.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The loop that ibdmchk prints for the ring, and the routes that close it.
TEST(CreditLoop, IsNamedWithTheRoutesThatMakeIt) {
  const Subnet subnet = test::read_fabric("ring-5");
  const TablesRead read =
      read_lfts(test::fabric_text("ring-5", "lfts.dfsssp.dump"), "lfts", subnet);
  ASSERT_TRUE(read.ok());
  const TableRoutes routes = to_routes(subnet, read.tables);
  TrafficClass traffic;
  traffic.routes = &routes.routes;
  const ChannelGraph graph = channel_dependencies(subnet.topology, {&traffic, 1});
  const CycleReport report = find_cycles(subnet.topology, graph);
  ASSERT_EQ(report.cycles.size(), 2U);  // one each way round
  for (const auto& cycle : report.cycles) {
    ASSERT_EQ(cycle.size(), 5U);
    const std::vector<Witness> witnesses =
        witnesses_of(subnet.topology, {&traffic, 1}, graph, cycle);
    ASSERT_EQ(witnesses.size(), 5U);
    const RouteWalker walker(subnet, read.tables);
    for (std::size_t i = 0; i < 5; ++i) {
      // The witness is a route of the tables, from its host to its host, over both channels.
      const Witness& witness = witnesses[i];
      std::vector<std::uint32_t> route;
      const auto end = walker.follow(walker.attachments()[index(witness.from)].row,
                                     subnet.endpoints[index(witness.to)].lid, index(witness.to),
                                     [&](std::uint32_t channel) { route.push_back(channel); });
      EXPECT_EQ(end, RouteWalker::End::Arrived);
      EXPECT_EQ(route, std::vector<std::uint32_t>(witness.channels.begin() + 1,
                                                  witness.channels.end() - 1));
      const auto held = std::find(route.begin(), route.end(), cycle[i]);
      ASSERT_NE(held, route.end());
      ASSERT_NE(held + 1, route.end());
      EXPECT_EQ(*(held + 1), cycle[(i + 1) % 5]);
    }
  }
}

// Traffic of two lanes closes no cycle when neither lane does alone.
TEST(CreditLoop, LanesAreJudgedApart) {
  const Subnet subnet = test::read_fabric("ring-5");
  const TablesRead read =
      read_lfts(test::fabric_text("ring-5", "lfts.dfsssp.dump"), "lfts", subnet);
  const TableRoutes routes = to_routes(subnet, read.tables);
  const auto cycles = [&](auto second_lane) {
    std::vector<TrafficClass> classes(2);
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
      classes[lane].routes = &routes.routes;
      classes[lane].lane = lane;
      classes[lane].sends = [=](std::uint32_t source, std::uint32_t group) {
        return second_lane(source, group) == (lane == 1);
      };
    }
    const ChannelGraph graph = channel_dependencies(subnet.topology, classes);
    return find_cycles(subnet.topology, graph).cycles.size();
  };
  // Endpoints and their groups are in the order of the switches. Two neighbours' traffic on its
  // own lane leaves both directions open; one's alone does not always.
  EXPECT_EQ(cycles([](std::uint32_t, std::uint32_t) { return false; }), 2U);
  EXPECT_EQ(cycles([](std::uint32_t source, std::uint32_t) { return source < 2; }), 0U);
}

TEST(Lfts, ADumpOfAnotherFabricIsRefused) {
  const Subnet tree = test::read_fabric("fat-tree-64");
  const TablesRead fewer = read_lfts(test::fabric_text("mesh-3x3", "lfts.dor.dump"), "lfts", tree);
  EXPECT_FALSE(fewer.ok());
  EXPECT_THAT(all_problems(fewer.problems), HasSubstr("lfts: 4 of 12 switches have no table"));
  EXPECT_EQ(fewer.tables.switches(), 0U);
  // The same fabric after its LIDs were given anew.
  Subnet ring = test::read_fabric("ring-5");
  std::swap(ring.endpoints[0].lid, ring.endpoints[1].lid);
  const TablesRead other = read_lfts(test::fabric_text("ring-5", "lfts.dfsssp.dump"), "lfts", ring);
  EXPECT_FALSE(other.ok());
  EXPECT_THAT(all_problems(other.problems), HasSubstr("is another device in this fabric"));
}

TEST(Lfts, MistakesAreNamedWithTheirPlace) {
  const Subnet subnet = test::read_fabric("ring-5");
  const std::string good = test::fabric_text("ring-5", "lfts.dfsssp.dump");
  const auto problems_with = [&](const std::string& piece, const std::string& by) {
    std::string text = good;
    text.replace(text.find(piece), piece.size(), by);
    return all_problems(read_lfts(text, "lfts", subnet).problems);
  };
  EXPECT_THAT(problems_with("0x0001 ", "0xzzzz "), HasSubstr("is no table entry"));
  EXPECT_THAT(problems_with("0x0001 001", "0x0001 004"),
              HasSubstr("1 entries lead over ports without a cable; this is the first"));
  EXPECT_THAT(problems_with("0x0001 001", "0x0001 300"), HasSubstr("lfts:2:1: is no table entry"));
  EXPECT_THAT(problems_with("Unicast lids", "Multicast"), HasSubstr("lfts:1:1: is no line of"));
  EXPECT_THAT(problems_with("0x0001 001", "0x0101 001"),
              HasSubstr("1 entries are for LIDs of no host or switch"));
}

// A hole is allowed, a route into it is counted and named.
TEST(Loads, RoutesThatDoNotArriveAreCounted) {
  const Subnet subnet = test::read_fabric("ring-5");
  TablesRead read = read_lfts(test::fabric_text("ring-5", "lfts.updn-roots.dump"), "lfts", subnet);
  const std::uint32_t lid = subnet.endpoints[1].lid;
  read.tables.set(0, lid, ForwardingTables::kNone);
  const AllPairsLoads loads = all_pairs(RouteWalker(subnet, read.tables));
  EXPECT_GE(loads.lost, 1U);
  EXPECT_EQ(loads.pairs + loads.lost, 20U);
  EXPECT_THAT(loads.lost_example, HasSubstr("to host2 mlx5_0: there is no entry on the way"));
}

}  // namespace
}  // namespace spineleaf
