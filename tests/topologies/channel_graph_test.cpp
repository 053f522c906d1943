// Buffer-dependency cycles: where theory says there is one it is found and named, and nowhere else.

#include "topologies/channel_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/topologies/walk.hpp"

namespace spineleaf {
namespace {

using test::make;

CycleReport cycles_of(const Topology& topology, RoutingRule rule) {
  const Routes routes = compute_routes(topology, rule);
  return find_cycles(topology, channel_dependencies(topology, &routes));
}

// OpenSM on the same ring: ibdmchk finds a credit loop of five channels with minhop, none with
// updn.
TEST(ChannelGraph, FiveSwitchesInARingCloseACycleEachWayRound) {
  const Topology ring = make("switch_ring", {});
  const CycleReport report = cycles_of(ring, RoutingRule::ShortestPath);
  EXPECT_TRUE(report.has_cycle);
  EXPECT_EQ(report.channels_in_cycles, 10U);
  ASSERT_EQ(report.cycles.size(), 2U);
  for (const auto& cycle : report.cycles) EXPECT_EQ(cycle.size(), 5U);
  EXPECT_EQ(report.problems.front().found,
            "sw0:1 > sw1:1, sw1:2 > sw2:1, sw2:2 > sw3:1, sw3:2 > sw4:1, sw4:2 > sw0:2");
  EXPECT_FALSE(cycles_of(ring, RoutingRule::UpDown).has_cycle);
}

// Paths of at most one hop between switches never wait in the ring.
TEST(ChannelGraph, ThreeSwitchesInARingHaveNoCycle) {
  EXPECT_FALSE(
      cycles_of(make("switch_ring", {{"switches", 3}}), RoutingRule::ShortestPath).has_cycle);
  // Four: the two shortest paths to the opposite switch are both used.
  EXPECT_TRUE(
      cycles_of(make("switch_ring", {{"switches", 4}}), RoutingRule::ShortestPath).has_cycle);
}

TEST(ChannelGraph, FatTreesHaveNoneUnderEitherRule) {
  for (const RoutingRule rule : {RoutingRule::ShortestPath, RoutingRule::UpDown}) {
    EXPECT_FALSE(
        cycles_of(make("fat_tree", {{"hosts", 128}, {"radix", 8}, {"tiers", 3}}), rule).has_cycle);
    EXPECT_FALSE(cycles_of(make("rail_optimised", {{"hosts", 64}, {"radix", 32}}), rule).has_cycle);
    EXPECT_FALSE(cycles_of(make("dual_tor", {{"hosts", 64}, {"radix", 32}}), rule).has_cycle);
  }
}

TEST(ChannelGraph, DragonfliesNeedMoreThanShortestPaths) {
  const Topology t =
      make("dragonfly", {{"hosts_per_switch", 1}, {"switches_per_group", 4}, {"global_links", 2}});
  EXPECT_TRUE(cycles_of(t, RoutingRule::ShortestPath).has_cycle);
  EXPECT_FALSE(cycles_of(t, RoutingRule::UpDown).has_cycle);
}

/// Two leaves that each lost a spine: shortest paths bounce through a third leaf.
TEST(ChannelGraph, FailuresMakeShortestPathsBounceAndUpDownDoesNot) {
  Topology t = make("fat_tree", {{"hosts", 16}, {"radix", 8}});
  const auto cut = [&](const char* leaf, const char* spine) {
    for (Cable& cable : t.cables) {
      if (t.node(cable.a.node).name == leaf && t.node(cable.b.node).name == spine) {
        cable.up = false;
      }
    }
  };
  cut("leaf0", "spine0");
  cut("leaf1", "spine1");
  EXPECT_TRUE(cycles_of(t, RoutingRule::ShortestPath).has_cycle);
  EXPECT_FALSE(cycles_of(t, RoutingRule::UpDown).has_cycle);
}

PathSpec path(std::initializer_list<const char*> nodes) {
  PathSpec spec;
  for (const char* node : nodes) spec.steps.push_back({node});
  return spec;
}

TEST(ChannelGraph, PinnedPathsRoundAThreeRingCloseACycle) {
  const Topology ring = make("switch_ring", {{"switches", 3}});
  const std::vector<PathSpec> clockwise{path({"host0", "sw0", "sw1", "sw2", "host2"}),
                                        path({"host1", "sw1", "sw2", "sw0", "host0"}),
                                        path({"host2", "sw2", "sw0", "sw1", "host1"})};
  const PathsResult all = make_paths(ring, clockwise);
  ASSERT_TRUE(all.problems.empty());
  const CycleReport report = find_cycles(ring, channel_dependencies(ring, nullptr, &all.table));
  ASSERT_EQ(report.cycles.size(), 1U);
  EXPECT_EQ(report.cycles.front().size(), 3U);

  const PathsResult two = make_paths(ring, std::span(clockwise).first(2));
  EXPECT_FALSE(find_cycles(ring, channel_dependencies(ring, nullptr, &two.table)).has_cycle);
  // Routed traffic and pinned paths are judged together.
  const Routes routes = compute_routes(ring, RoutingRule::ShortestPath);
  EXPECT_FALSE(find_cycles(ring, channel_dependencies(ring, &routes, &two.table)).has_cycle);
  EXPECT_TRUE(find_cycles(ring, channel_dependencies(ring, &routes, &all.table)).has_cycle);
}

TEST(ChannelGraph, DependenciesAreThoseOfWalksAndNoOthers) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Topology t = make("fat_tree", {{"hosts", 24}, {"radix", 6}, {"tiers", 3}});
    std::bernoulli_distribution down(0.1);
    for (Cable& cable : t.cables) cable.up = t.is_host(cable.a.node) || !down(random);
    const RoutingRule rule = seed % 2 == 0 ? RoutingRule::UpDown : RoutingRule::ShortestPath;
    const Routes routes = compute_routes(t, rule);
    const PortMap ports(t);
    std::set<std::pair<std::uint32_t, std::uint32_t>> walked;
    const auto channel = [&](NodeId from, CableId cable) {
      return 2 * index(cable) + (t.cables[index(cable)].a.node == from ? 0U : 1U);
    };
    // All walks towards each endpoint: every (switch reached, port) pair with its successors.
    for (std::uint32_t to = 0; to < t.endpoints.size(); ++to) {
      std::set<NodeId> reached;
      std::vector<NodeId> stack;
      for (const Endpoint& source : t.endpoints) {
        stack.push_back(ports.far({source.host, source.port}).port.node);
      }
      while (!stack.empty()) {
        const NodeId at = stack.back();
        stack.pop_back();
        if (!reached.insert(at).second) continue;
        for (const std::uint16_t port : routes.candidates(at, EndpointId{to})) {
          const auto far = ports.far({at, port});
          if (t.is_host(far.port.node)) continue;
          stack.push_back(far.port.node);
          for (const std::uint16_t next : routes.candidates(far.port.node, EndpointId{to})) {
            const auto further = ports.far({far.port.node, next});
            if (t.is_host(further.port.node)) continue;
            walked.emplace(channel(at, far.cable), channel(far.port.node, further.cable));
          }
        }
      }
    }
    const ChannelGraph graph = channel_dependencies(t, &routes);
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (std::uint32_t c = 0; c + 1 < graph.from.size(); ++c) {
      for (const std::uint32_t next : graph.waits_for(c)) found.emplace(c, next);
    }
    EXPECT_EQ(found, walked);
  }
}

}  // namespace
}  // namespace spineleaf
