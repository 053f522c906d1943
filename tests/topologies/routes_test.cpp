// Candidate sets: closed forms, walks against an independent search, failures, up-down legality
// and the load of destination-modulo routing.

#include "topologies/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/topologies/walk.hpp"
#include "topologies/custom.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {
namespace {

using test::make;
using test::node_named;
using test::walk;

std::vector<std::uint16_t> list(std::span<const std::uint16_t> ports) {
  return {ports.begin(), ports.end()};
}

std::vector<std::uint16_t> sequence(std::uint16_t first, std::size_t count) {
  std::vector<std::uint16_t> ports(count);
  std::iota(ports.begin(), ports.end(), first);
  return ports;
}

TEST(Routes, ThreeTiersHaveTheClosedFormSets) {
  const Topology t = make("fat_tree", {{"hosts", 128}, {"radix", 8}, {"tiers", 3}});
  for (const RoutingRule rule : {RoutingRule::ShortestPath, RoutingRule::UpDown}) {
    const Routes routes = compute_routes(t, rule);
    EXPECT_EQ(routes.group_count, 32U);
    const EndpointId near{5};   // leaf1, pod 0
    const EndpointId far{127};  // leaf31, pod 7
    EXPECT_EQ(list(routes.candidates(node_named(t, "leaf1"), near)), sequence(1, 1));
    EXPECT_EQ(list(routes.candidates(node_named(t, "leaf0"), near)), sequence(4, 4));
    EXPECT_EQ(list(routes.candidates(node_named(t, "leaf0"), far)), sequence(4, 4));
    EXPECT_EQ(list(routes.candidates(node_named(t, "agg0"), near)), sequence(1, 1));
    EXPECT_EQ(list(routes.candidates(node_named(t, "agg0"), far)), sequence(4, 4));
    EXPECT_EQ(list(routes.candidates(node_named(t, "core0"), far)), sequence(7, 1));
    // Sets are shared: a leaf has none, and up; an aggregation switch has one a leaf, and up.
    EXPECT_EQ(routes.sets.size(), 32U * 2 + 32 * (1 + 4 + 1) + 16 * (1 + 8));
  }
}

TEST(Routes, ParallelCablesAreSeparateCandidates) {
  const Topology t = make("fat_tree", {{"hosts", 64}, {"parallel", 8}});
  const Routes routes = compute_routes(t, RoutingRule::ShortestPath);
  EXPECT_EQ(routes.candidates(node_named(t, "leaf0"), EndpointId{63}).size(), 32U);
  EXPECT_EQ(list(routes.candidates(node_named(t, "spine1"), EndpointId{63})), sequence(8, 8));
}

TEST(Routes, PlanesDoNotReachEachOther) {
  const Topology t = make("multi_plane", {{"hosts", 16}, {"radix", 8}});
  const Routes routes = compute_routes(t, RoutingRule::UpDown);
  const NodeId leaf = node_named(t, "plane0-leaf0");
  EXPECT_EQ(routes.candidates(leaf, EndpointId{30}).size(), 4U);
  EXPECT_TRUE(routes.candidates(leaf, EndpointId{31}).empty());
}

TEST(Routes, ManyPortsAreHandledInBlocks) {
  const Topology t = make("fat_tree", {{"hosts", 600}, {"radix", 300}, {"parallel", 1}});
  const Routes routes = compute_routes(t, RoutingRule::ShortestPath);
  EXPECT_EQ(list(routes.candidates(node_named(t, "leaf0"), EndpointId{599})), sequence(150, 150));
  EXPECT_EQ(list(routes.candidates(node_named(t, "spine149"), EndpointId{599})), sequence(3, 1));
}

TEST(Routes, ACableThatIsDownLeavesTheSets) {
  Topology t = make("fat_tree", {{"hosts", 16}, {"radix", 8}});
  const PortMap ports(t);
  const NodeId leaf = node_named(t, "leaf0");
  t.cables[index(ports.far({leaf, 5}).cable)].up = false;
  Routes routes = compute_routes(t, RoutingRule::UpDown);
  EXPECT_EQ(list(routes.candidates(leaf, EndpointId{15})), (std::vector<std::uint16_t>{4, 6, 7}));
  // A spine that has lost its last cable to a leaf is no candidate for that leaf anywhere.
  t.cables[index(ports.far({leaf, 4}).cable)].up = false;
  routes = compute_routes(t, RoutingRule::UpDown);
  EXPECT_EQ(list(routes.candidates(node_named(t, "leaf3"), EndpointId{0})), sequence(6, 2));
  EXPECT_TRUE(routes.candidates(node_named(t, "spine0"), EndpointId{0}).empty());
}

TEST(Routes, AnEndpointWhoseCableIsDownHasNoCandidateAnywhere) {
  Topology t = make("fat_tree", {{"hosts", 16}, {"radix", 8}});
  t.cables[3].up = false;  // host3's
  const Routes routes = compute_routes(t, RoutingRule::ShortestPath);
  for (std::uint32_t n = t.host_count; n < t.nodes.size(); ++n) {
    EXPECT_TRUE(routes.candidates(NodeId{n}, EndpointId{3}).empty());
  }
  EXPECT_FALSE(routes.candidates(node_named(t, "leaf0"), EndpointId{2}).empty());
}

TEST(Routes, HostsCabledToEachOtherHaveNoGroup) {
  const Topology t = make("direct", {});
  const Routes routes = compute_routes(t, RoutingRule::ShortestPath);
  EXPECT_EQ(routes.group_count, 0U);
  EXPECT_EQ(routes.group_of, (std::vector<std::uint32_t>(2, Routes::kNoGroup)));
}

/// A fabric of random kind and size, small enough to walk between all endpoints.
Topology random_topology(std::mt19937_64& random) {
  const auto pick = [&](int low, int high) {
    return static_cast<double>(std::uniform_int_distribution<int>(low, high)(random));
  };
  switch (std::uniform_int_distribution<int>(0, 6)(random)) {
    case 0: return make("single_switch", {{"hosts", pick(1, 12)}});
    case 1:
      return make(
          "switch_ring",
          {{"switches", pick(2, 9)}, {"hosts_per_switch", pick(1, 3)}, {"parallel", pick(1, 3)}});
    case 2:
      return make(
          "fat_tree",
          {{"hosts", pick(2, 40)}, {"radix", 8}, {"tiers", 3}, {"oversubscription", pick(1, 3)}});
    case 3:
      return make("rail_optimised", {{"hosts", pick(2, 20)}, {"rails", pick(1, 3)}, {"radix", 16}});
    case 4:
      return make("dual_tor", {{"hosts", pick(2, 20)},
                               {"radix", 16},
                               {"rail_leaves", pick(0, 1)},
                               {"nics_per_host", pick(1, 2)}});
    case 5:
      return make("dragonfly", {{"hosts_per_switch", pick(1, 2)},
                                {"switches_per_group", pick(1, 4)},
                                {"global_links", pick(1, 2)}});
    default:
      return make("dragonfly_plus", {{"hosts_per_switch", pick(1, 2)},
                                     {"leaves_per_group", pick(1, 3)},
                                     {"spines_per_group", pick(1, 3)},
                                     {"global_links", pick(1, 2)}});
  }
}

void break_cables(Topology& t, std::mt19937_64& random, double probability) {
  std::bernoulli_distribution down(probability);
  for (Cable& cable : t.cables) cable.up = !down(random);
}

TEST(RoutesProperty, ShortestPathWalksReachEveryEndpointInTheFewestHops) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Topology t = random_topology(random);
    if (seed % 3 == 0) break_cables(t, random, 0.15);
    const PortMap ports(t);
    const Routes routes = compute_routes(t, RoutingRule::ShortestPath);
    const auto choose = [&](std::span<const std::uint16_t> candidates) {
      EXPECT_TRUE(std::is_sorted(candidates.begin(), candidates.end()));
      return candidates[random() % candidates.size()];
    };
    for (std::uint32_t from = 0; from < t.endpoints.size(); ++from) {
      for (std::uint32_t to = 0; to < t.endpoints.size(); ++to) {
        if (from == to ||
            !t.cables[index(ports.far({t.endpoints[from].host, t.endpoints[from].port}).cable)]
                 .up) {
          continue;
        }
        const auto cables = walk(t, ports, routes, EndpointId{from}, EndpointId{to}, choose);
        ASSERT_EQ(cables.size(), test::fewest_cables(t, ports, EndpointId{from}, EndpointId{to}))
            << t.name << " " << from << " -> " << to;
        for (const CableId cable : cables) ASSERT_TRUE(t.cables[index(cable)].up);
      }
    }
  }
}

TEST(RoutesProperty, UpDownWalksReachEveryEndpointAndNeverTurnUpAfterDown) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const bool broken = seed % 3 == 0;
    Topology t = random_topology(random);
    if (broken) break_cables(t, random, 0.15);
    const PortMap ports(t);
    const Routes routes = compute_routes(t, RoutingRule::UpDown);
    const std::vector<std::uint32_t> rank = up_down_ranks(SwitchGraph(t));
    for (std::uint32_t from = 0; from < t.endpoints.size(); ++from) {
      for (std::uint32_t to = 0; to < t.endpoints.size(); ++to) {
        const Endpoint& source = t.endpoints[from];
        if (from == to) continue;
        NodeId at = ports.far({source.host, source.port}).port.node;
        bool down = false;
        std::size_t hops = 0;
        while (!t.is_host(at)) {
          const auto candidates = routes.candidates(at, EndpointId{to});
          if (candidates.empty()) break;
          ASSERT_LE(++hops, t.nodes.size());
          const auto far = ports.far({at, candidates[random() % candidates.size()]});
          if (!t.is_host(far.port.node)) {
            const bool up =
                rank[index(far.port.node) - t.host_count] < rank[index(at) - t.host_count];
            ASSERT_FALSE(up && down) << t.name << " " << from << " -> " << to;
            down = down || !up;
          }
          at = far.port.node;
        }
        // Whole fabrics are reached everywhere; a walk that started may not get stuck half-way.
        if (!broken || hops > 0) {
          ASSERT_EQ(at, t.endpoints[to].host) << from << " -> " << to;
        }
      }
    }
  }
}

TEST(RoutesProperty, BothRulesAgreeOnWholeFatTrees) {
  for (const double hosts : {7, 60, 128}) {
    const Topology t = make("fat_tree", {{"hosts", hosts}, {"radix", 8}, {"tiers", 3}});
    const Routes shortest = compute_routes(t, RoutingRule::ShortestPath);
    const Routes up_down = compute_routes(t, RoutingRule::UpDown);
    EXPECT_EQ(shortest.set_of, up_down.set_of);
    EXPECT_EQ(shortest.ports, up_down.ports);
  }
}

TEST(Routes, AChainOfEqualSwitchesNumberedOutOfOrderIsRoutedUpDown) {
  CustomSpec spec;
  for (const char* name : {"s0", "s1", "s2"}) spec.nodes.push_back({name, NodeKind::Switch});
  for (const char* name : {"h0", "h1", "h2"}) spec.nodes.push_back({name, NodeKind::Host});
  const auto join = [&](const char* a, const char* b) {
    CustomLink link;
    link.a = a;
    link.b = b;
    link.rate = Rate::from_gbps(100);
    link.length = 1;
    spec.links.push_back(link);
  };
  join("h0", "s0");
  join("h1", "s1");
  join("h2", "s2");
  join("s0", "s2");
  join("s2", "s1");
  const Topology t = build_custom(spec).topology;
  const Routes routes = compute_routes(t, RoutingRule::UpDown);
  EXPECT_FALSE(routes.candidates(node_named(t, "s1"), EndpointId{0}).empty());
  EXPECT_FALSE(routes.candidates(node_named(t, "s0"), EndpointId{1}).empty());
}

/// Load of the most loaded cable when host i sends to to[i] and a switch takes the candidate whose
/// index is the destination's number on its leaf.
int worst_load(const Topology& t, const PortMap& ports, const Routes& routes,
               const std::vector<std::uint32_t>& to, std::uint32_t hosts_per_leaf) {
  std::vector<int> load(2 * t.cables.size(), 0);
  int worst = 0;
  for (std::uint32_t from = 0; from < to.size(); ++from) {
    if (from == to[from]) continue;
    const auto choose = [&](std::span<const std::uint16_t> candidates) {
      return candidates[to[from] % hosts_per_leaf % candidates.size()];
    };
    NodeId at{from};
    for (const CableId c : walk(t, ports, routes, EndpointId{from}, EndpointId{to[from]}, choose)) {
      const Cable& cable = t.cables[index(c)];
      const bool forward = cable.a.node == at;
      at = forward ? cable.b.node : cable.a.node;
      worst = std::max(worst, ++load[2 * index(c) + (forward ? 0U : 1U)]);
    }
  }
  return worst;
}

TEST(DestinationModulo, EveryShiftLoadsNoCableTwice) {
  const Topology t = make("fat_tree", {{"hosts", 256}});
  const PortMap ports(t);
  const Routes routes = compute_routes(t, RoutingRule::UpDown);
  std::vector<std::uint32_t> to(256);
  for (std::uint32_t shift = 1; shift < 256; ++shift) {
    for (std::uint32_t h = 0; h < 256; ++h) to[h] = (h + shift) % 256;
    ASSERT_EQ(worst_load(t, ports, routes, to, 32), 1) << "shift " << shift;
  }
}

// OpenSM's minhop, updn, ftree, sssp and dfsssp engines all give 3.80 on this fabric (mean of the
// largest load over 20 random permutations): static routes collide, whatever computes them.
TEST(DestinationModulo, RandomPermutationsCollideAsInMeasuredStaticRouting) {
  const Topology t = make("fat_tree", {{"hosts", 256}});
  const PortMap ports(t);
  const Routes routes = compute_routes(t, RoutingRule::UpDown);
  const std::uint64_t seed = 20;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> to(256);
  std::iota(to.begin(), to.end(), 0U);
  double sum = 0;
  constexpr int kPermutations = 200;
  for (int i = 0; i < kPermutations; ++i) {
    std::shuffle(to.begin(), to.end(), random);
    sum += worst_load(t, ports, routes, to, 32);
  }
  EXPECT_NEAR(sum / kPermutations, 3.80, 0.35);
}

}  // namespace
}  // namespace spineleaf
