// Audits: each flaw is planted, and the report must name it and nothing else.

#include "topologies/audit.hpp"

#include <gtest/gtest.h>

#include "tests/topologies/walk.hpp"

namespace spineleaf {
namespace {

using test::make;
using test::node_named;

std::string text(std::span<const Problem> problems) {
  std::string all;
  for (const Problem& problem : problems) all += to_string(problem) + "\n";
  return all;
}

Topology small_tree() { return make("fat_tree", {{"hosts", 16}, {"radix", 8}}); }

/// Takes down every cable between a node and switches.
void isolate(Topology& t, NodeId node) {
  for (Cable& cable : t.cables) {
    const bool touches = cable.a.node == node || cable.b.node == node;
    if (touches && !t.is_host(cable.a.node)) cable.up = false;
  }
}

TEST(Audit, SoundFabricsHaveNothingToReport) {
  const AuditReport report = audit(small_tree());
  EXPECT_EQ(text(report.problems), "");
  EXPECT_TRUE(report.connected);
  EXPECT_EQ(report.hosts, 16U);
  EXPECT_EQ(report.switches, 6U);
  EXPECT_EQ(report.cables, 32U);
  EXPECT_EQ(report.cables_off, 0U);
}

TEST(Audit, TheCutIsNamedWithItsHostsAndCables) {
  Topology t = small_tree();
  isolate(t, node_named(t, "leaf1"));
  const AuditReport report = audit(t);
  EXPECT_FALSE(report.connected);
  EXPECT_EQ(report.cables_off, 4U);
  EXPECT_EQ(to_string(report.problems.front()),
            "host4 .. host7: 4 hosts cannot reach 12 others (host0 .. host15) of this fabric "
            "(found cables down at the cut: leaf1:4 - spine0:2, leaf1:5 - spine0:3, leaf1:6 - "
            "spine1:2, leaf1:7 - spine1:3)");
  EXPECT_EQ(report.problems.front().severity, Severity::Error);
}

TEST(Audit, ASplitPlaneIsAWarningWhereHostsKeepAnother) {
  Topology t = make("multi_plane", {{"hosts", 16}, {"radix", 8}});
  isolate(t, node_named(t, "plane1-leaf0"));
  const AuditReport report = audit(t);
  EXPECT_TRUE(report.connected);
  ASSERT_FALSE(report.problems.empty());
  EXPECT_EQ(report.problems.front().severity, Severity::Warning);
  EXPECT_EQ(report.problems.front().where, "host0 .. host3");
}

TEST(Audit, AHostWhoseCablesAreDownIsCutOff) {
  Topology t = small_tree();
  t.cables[7].up = false;
  const AuditReport report = audit(t);
  EXPECT_FALSE(report.connected);
  EXPECT_EQ(text(report.problems),
            "host7: cut off: every cable of the host is down (found 1 hosts)\n");
}

TEST(Audit, FabricsThatNoCableJoinsAreUnreachable) {
  Topology t = small_tree();
  std::erase_if(t.cables, [](const Cable& cable) { return cable.tier == 1; });
  for (Node& node : t.nodes) {
    if (node.tier == 1) node.ports = 4;
    if (node.tier == 2) node.ports = 0;
  }
  const AuditReport report = audit(t);
  EXPECT_FALSE(report.connected);
  EXPECT_NE(text(report.problems)
                .find("host0 .. host3 and host4 .. host7: unreachable pair: no "
                      "cable joins their switches"),
            std::string::npos)
      << text(report.problems);
}

TEST(Audit, APortUsedTwiceIsNamedWithBothCables) {
  Topology t = small_tree();
  t.cables[1].b.port = 0;
  EXPECT_EQ(text(check_structure(t)),
            "leaf0:0: port used twice (found host0:0 - leaf0:0 and host1:0 - leaf0:0, expected "
            "one cable a port)\n"
            "leaf0:1: port in use without a cable\n");
}

TEST(Audit, RadixExceeded) {
  Topology t = small_tree();
  t.nodes[index(node_named(t, "spine1"))].radix = 7;
  EXPECT_EQ(text(check_structure(t)),
            "spine1: radix exceeded (found 8 ports, expected at most 7). Use a larger switch or "
            "fewer cables\n");
}

TEST(Audit, HostWithoutLink) {
  Topology t = small_tree();
  t.nodes.insert(t.nodes.begin() + t.host_count, {"idle", NodeKind::Host});
  for (Cable& cable : t.cables) {
    cable.b.node = NodeId{index(cable.b.node) + 1};
    if (cable.tier > 0) cable.a.node = NodeId{index(cable.a.node) + 1};
  }
  ++t.host_count;
  EXPECT_EQ(text(check_structure(t)), "idle: host without link\n");
}

TEST(Audit, RateMismatchBetweenParallelCables) {
  Topology t = small_tree();
  t.cables[17].rate = Rate::from_gbps(200);
  EXPECT_EQ(text(check_structure(t)),
            "leaf0:5 - spine0:1: rate mismatch between parallel cables (found 200 Gb/s, expected "
            "400 Gb/s as leaf0:4 - spine0:0)\n");
}

TEST(Audit, AThinnerLeafIsUnbalanced) {
  Topology t = small_tree();
  t.cables[16].up = false;
  EXPECT_EQ(text(audit(t).problems),
            "leaf0: unbalanced: less capacity upwards than others of its tier (found 1200 Gb/s, "
            "expected 1600 Gb/s)\n"
            "leaf0: uplinks are not spread evenly (found 1 to 2 cables a neighbour, expected "
            "equal numbers)\n");
}

TEST(Audit, NodesThatDoNotExistEndTheAuditThere) {
  Topology t = small_tree();
  t.cables[0].b.node = NodeId{4000};
  const AuditReport report = audit(t);
  EXPECT_EQ(report.problems.size(), 1U);
  EXPECT_TRUE(report.tiers.empty());
}

TEST(Audit, LongListsAreCutWithTheirLength) {
  Topology t = small_tree();
  for (Cable& cable : t.cables) cable.rate = Rate{};
  const std::vector<Problem> problems = check_structure(t);
  ASSERT_EQ(problems.size(), 9U);
  EXPECT_EQ(problems.back().what, "24 more like this");
}

TEST(Audit, OversubscriptionPerTier) {
  const Topology t = make("fat_tree", {{"hosts", 108},
                                       {"radix", 8},
                                       {"tiers", 3},
                                       {"oversubscription", 3},
                                       {"spine_oversubscription", 3}});
  const std::vector<TierCapacity> tiers = tier_capacities(t);
  ASSERT_EQ(tiers.size(), 3U);
  EXPECT_DOUBLE_EQ(tiers[0].oversubscription, 3);
  EXPECT_DOUBLE_EQ(tiers[0].worst, 3);
  EXPECT_DOUBLE_EQ(tiers[1].oversubscription, 3);
  EXPECT_DOUBLE_EQ(tiers[2].oversubscription, 0);
  EXPECT_EQ(tiers[0].cables_down, 108U);
  EXPECT_EQ(tiers[0].cables_up, 36U);
  EXPECT_DOUBLE_EQ(tiers[0].down_gbps, 108 * 400);
}

TEST(Audit, TheWorstSwitchOfATierIsNamed) {
  Topology t = small_tree();
  t.cables[16].up = false;
  const TierCapacity leaf = tier_capacities(t).front();
  EXPECT_DOUBLE_EQ(leaf.worst, 4.0 / 3.0);
  EXPECT_EQ(leaf.worst_switch, node_named(t, "leaf0"));
}

TEST(Audit, RingLinksLieAcrossTheTier) {
  const TierCapacity ring = tier_capacities(make("switch_ring", {})).front();
  EXPECT_EQ(ring.cables_across, 5U);
  EXPECT_DOUBLE_EQ(ring.across_gbps, 2000);
  EXPECT_DOUBLE_EQ(ring.oversubscription, 0);
}

TEST(Bisection, FullFatTreesCarryHalfOfAllHosts) {
  for (const double tiers : {2, 3}) {
    const Bisection b =
        bisection(make("fat_tree", {{"hosts", 32}, {"radix", 8}, {"tiers", tiers}}));
    EXPECT_EQ(b.method, BisectionMethod::MaxFlow);
    EXPECT_DOUBLE_EQ(b.gbps, 16 * 400);
    EXPECT_DOUBLE_EQ(b.ratio(), 1);
  }
}

TEST(Bisection, IsTheInverseOfTheOversubscription) {
  const Bisection b =
      bisection(make("fat_tree", {{"hosts", 24}, {"radix", 8}, {"oversubscription", 3}}));
  EXPECT_DOUBLE_EQ(b.ratio(), 1.0 / 3.0);
}

TEST(Bisection, ARingHasTwoCutsAndADirectCableOne) {
  EXPECT_DOUBLE_EQ(bisection(make("switch_ring", {{"switches", 6}, {"hosts_per_switch", 4}})).gbps,
                   2 * 400);
  EXPECT_DOUBLE_EQ(bisection(make("direct", {{"parallel", 3}})).gbps, 3 * 400);
  EXPECT_DOUBLE_EQ(bisection(make("single_switch", {{"hosts", 1}})).gbps, 0);
}

TEST(CheckRoutes, ReportsLeavesThatTheRuleCannotReach) {
  // Spine 0 keeps only leaf0, spine 1 only the others: joined by nothing that goes up then down.
  Topology t = make("fat_tree", {{"hosts", 16}, {"radix", 8}});
  const NodeId leaf0 = node_named(t, "leaf0");
  const NodeId spine0 = node_named(t, "spine0");
  for (Cable& cable : t.cables) {
    if (cable.tier == 1) cable.up = (cable.a.node == leaf0) == (cable.b.node == spine0);
  }
  const std::vector<Problem> problems = check_routes(t, compute_routes(t, RoutingRule::UpDown));
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_EQ(to_string(problems.front()),
            "leaf0: no route from 3 other switches with hosts (found none from leaf1)");
  EXPECT_TRUE(
      check_routes(small_tree(), compute_routes(small_tree(), RoutingRule::UpDown)).empty());
}

}  // namespace
}  // namespace spineleaf
