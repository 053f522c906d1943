// Leaf and spine kinds against closed forms and against published fabrics.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/topologies/walk.hpp"
#include "topologies/audit.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {
namespace {

using test::cables_of_tier;
using test::make;
using test::switches_of_tier;

struct Counts {
  std::size_t leaves, spines, cores, host_cables, spine_cables, core_cables;
  bool operator==(const Counts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& c) {
  return out << c.leaves << "/" << c.spines << "/" << c.cores << " switches, " << c.host_cables
             << "/" << c.spine_cables << "/" << c.core_cables << " cables";
}

Counts count(const Topology& t) {
  return {switches_of_tier(t, 1), switches_of_tier(t, 2), switches_of_tier(t, 3),
          cables_of_tier(t, 0),   cables_of_tier(t, 1),   cables_of_tier(t, 2)};
}

TEST(FatTree, ThreeFullTiersAreTheKaryFatTree) {
  for (const std::size_t k : {4U, 8U, 16U}) {
    const std::size_t hosts = k * k * k / 4;
    const Topology t = make(
        "fat_tree",
        {{"hosts", static_cast<double>(hosts)}, {"radix", static_cast<double>(k)}, {"tiers", 3}});
    EXPECT_EQ(count(t), (Counts{k * k / 2, k * k / 2, k * k / 4, hosts, hosts, hosts}));
    EXPECT_EQ(t.host_count, hosts);
    EXPECT_EQ(t.endpoints.size(), hosts);
    const PortMap ports(t);
    for (std::uint32_t h = 0; h < hosts; ++h) {
      const NodeId leaf = ports.far({NodeId{h}, 0}).port.node;
      EXPECT_EQ(t.node(leaf).name, "leaf" + std::to_string(h / (k / 2)));
      EXPECT_EQ(t.node(leaf).group, h / (k * k / 4));
    }
    for (const Node& node : t.nodes) {
      if (node.kind == NodeKind::Switch) {
        EXPECT_EQ(node.ports, k) << node.name;
      }
    }
  }
}

TEST(FatTree, AggregationSwitchAReachesCoresLTimesAggsPlusA) {
  const Topology t = make("fat_tree", {{"hosts", 128}, {"radix", 8}, {"tiers", 3}});
  for (const Cable& cable : t.cables) {
    if (cable.tier != 2) continue;
    const auto agg = index(cable.a.node) - index(test::node_named(t, "agg0"));
    const auto core = index(cable.b.node) - index(test::node_named(t, "core0"));
    EXPECT_EQ(core % 4, agg % 4);
  }
}

TEST(FatTree, HpcFabricOf256HostsHasEightLeavesAndFourSpines) {
  const Topology t = make("fat_tree", {{"hosts", 256}, {"radix", 64}});
  EXPECT_EQ(count(t), (Counts{8, 4, 0, 256, 256, 0}));
}

TEST(FatTree, PartlyFilledFabricsHaveNoMoreLeavesThanNeeded) {
  const Topology t = make("fat_tree", {{"hosts", 100}, {"radix", 64}});
  EXPECT_EQ(switches_of_tier(t, 1), 4U);
  EXPECT_EQ(test::node_named(t, "leaf3"), NodeId{103});
  EXPECT_EQ(t.node(NodeId{103}).ports, 4 + 32);
  EXPECT_EQ(t.node(NodeId{102}).ports, 32 + 32);
}

TEST(FatTree, OversubscriptionAndSpeedsSetTheUplinks) {
  // 42 x 400G down, 21 x 400G up on 64 ports at 2:1.
  const Topology two = make("fat_tree", {{"hosts", 84}, {"oversubscription", 2}});
  EXPECT_EQ(cables_of_tier(two, 1), 2U * 21U);
  // 200G hosts under 400G uplinks at 1:1: half as many uplinks.
  const Topology fast = make("fat_tree", {{"hosts", 84}, {"host_speed", 200e9}});
  EXPECT_EQ(cables_of_tier(fast, 1), 2U * 21U);
  EXPECT_EQ(fast.cables.front().rate, Rate::from_gbps(200));
  EXPECT_EQ(fast.cables.back().rate, Rate::from_gbps(400));
  // 1:7 above the pods, as in a large RoCE cluster with an oversubscribed top tier.
  const Topology pods = make("fat_tree", {{"hosts", 6144},
                                          {"tiers", 3},
                                          {"radix", 128},
                                          {"leaf_ports_down", 16},
                                          {"leaves_per_pod", 96},
                                          {"spine_oversubscription", 7}});
  EXPECT_EQ(switches_of_tier(pods, 1), 384U);
  EXPECT_EQ(cables_of_tier(pods, 2), 4U * 16U * 14U);
}

TEST(FatTree, ParallelCablesAreConsecutivePortsOfALeaf) {
  const Topology t = make("fat_tree", {{"hosts", 64}, {"parallel", 8}});
  EXPECT_EQ(switches_of_tier(t, 2), 4U);
  const PortMap ports(t);
  const NodeId leaf = test::node_named(t, "leaf0");
  for (std::uint16_t up = 0; up < 32; ++up) {
    const auto far = ports.far({leaf, static_cast<std::uint16_t>(32 + up)});
    EXPECT_EQ(t.node(far.port.node).name, "spine" + std::to_string(up / 8));
  }
}

TEST(FatTree, CagesNumberTheSplitPortsOfTheUpperSwitch) {
  const Topology t = make("fat_tree", {{"hosts", 64}, {"links_per_cage", 2}});
  std::map<std::pair<NodeId, int>, int> links;
  for (const Cable& cable : t.cables) ++links[{cable.b.node, cable.cage}];
  for (const auto& [cage, n] : links) {
    EXPECT_GT(cage.second, 0);
    EXPECT_EQ(n, 2);
  }
}

TEST(FatTree, CableLengthsAndLatenciesPerTier) {
  const Topology t = make("fat_tree", {{"hosts", 128},
                                       {"radix", 8},
                                       {"tiers", 3},
                                       {"host_cable", 2.5},
                                       {"spine_latency", 123'000}});
  for (const Cable& cable : t.cables) {
    const std::int64_t expected[] = {12'500, 123'000, 250'000};
    EXPECT_EQ(cable.propagation.ps, expected[cable.tier]);
  }
}

struct PublishedFabric {
  double nodes, radix;
  int tiers;
  Counts counts;
};

class Published : public testing::TestWithParam<PublishedFabric> {};

// Tables of NVIDIA's DGX SuperPOD reference architectures: H100 and B200 with 64-port switches,
// B300 with 144-port switches; eight rails, one leaf for each rail of a group.
TEST_P(Published, RailOptimisedCountsMatch) {
  const auto& [nodes, radix, tiers, counts] = GetParam();
  const Topology t = make(
      "rail_optimised",
      {{"hosts", nodes}, {"rails", 8}, {"radix", radix}, {"tiers", static_cast<double>(tiers)}});
  EXPECT_EQ(count(t), counts);
}

INSTANTIATE_TEST_SUITE_P(
    SuperPod, Published,
    testing::Values(PublishedFabric{32, 64, 2, {8, 4, 0, 256, 256, 0}},
                    PublishedFabric{63, 64, 2, {16, 8, 0, 504, 512, 0}},
                    PublishedFabric{95, 64, 2, {24, 16, 0, 760, 768, 0}},
                    PublishedFabric{127, 64, 2, {32, 16, 0, 1016, 1024, 0}},
                    PublishedFabric{256, 64, 2, {64, 32, 0, 2048, 2048, 0}},
                    PublishedFabric{512, 64, 3, {128, 128, 64, 4096, 4096, 4096}},
                    PublishedFabric{1024, 64, 3, {256, 256, 128, 8192, 8192, 8192}},
                    PublishedFabric{2048, 64, 3, {512, 512, 256, 16384, 16384, 16384}},
                    PublishedFabric{72, 144, 2, {8, 4, 0, 576, 576, 0}},
                    PublishedFabric{288, 144, 2, {32, 18, 0, 2304, 2304, 0}},
                    PublishedFabric{576, 144, 2, {64, 36, 0, 4608, 4608, 0}},
                    PublishedFabric{1296, 144, 2, {144, 72, 0, 10368, 10368, 0}}));

TEST(RailOptimised, NicIOfEveryHostIsOnALeafOfRailI) {
  const Topology t = make("rail_optimised", {{"hosts", 16}, {"rails", 8}, {"radix", 16}});
  EXPECT_EQ(switches_of_tier(t, 1), 16U);
  const PortMap ports(t);
  for (const Endpoint& endpoint : t.endpoints) {
    const NodeId leaf = ports.far({endpoint.host, endpoint.port}).port.node;
    EXPECT_EQ(endpoint.nic, endpoint.port);
    EXPECT_EQ(t.node(leaf).plane, endpoint.nic);
    EXPECT_EQ(t.node(leaf).group, index(endpoint.host) / 8);
    EXPECT_EQ(t.node(leaf).name, "rail" + std::to_string(endpoint.nic) + "-leaf" +
                                     std::to_string(index(endpoint.host) / 8));
  }
}

TEST(RailOptimised, RailsWithoutSpinesAreSeparateButHostsShareThem) {
  const Topology t = make("rail_optimised", {{"hosts", 32}, {"tiers", 1}});
  EXPECT_EQ(count(t), (Counts{8, 0, 0, 256, 0, 0}));
  EXPECT_TRUE(audit(t).connected);
}

// The twin-plane B300 table: per unit of 64 nodes 16 leaves and 8 spines over both planes.
TEST(MultiPlane, TwinPlaneCountsMatch) {
  for (const double units : {1, 2, 4, 8, 16}) {
    const Topology t =
        make("multi_plane",
             {{"hosts", 64 * units}, {"nics_per_host", 8}, {"rail_leaves", 1}, {"radix", 128}});
    const auto n = static_cast<std::size_t>(units);
    EXPECT_EQ(count(t), (Counts{16 * n, 8 * n, 0, 1024 * n, 1024 * n, 0}));
  }
}

TEST(MultiPlane, ANicHasOnePortInEachPlaneAndNoCableJoinsPlanes) {
  const Topology t =
      make("multi_plane", {{"hosts", 32}, {"planes", 4}, {"nics_per_host", 2}, {"radix", 16}});
  EXPECT_EQ(t.endpoints.size(), 32U * 2 * 4);
  const PortMap ports(t);
  for (const Endpoint& endpoint : t.endpoints) {
    const NodeId leaf = ports.far({endpoint.host, endpoint.port}).port.node;
    EXPECT_EQ(endpoint.nic, endpoint.port / 4);
    EXPECT_EQ(t.node(leaf).plane, endpoint.port % 4);
  }
  for (const Cable& cable : t.cables) {
    if (cable.tier > 0) {
      EXPECT_EQ(t.node(cable.a.node).plane, t.node(cable.b.node).plane);
    }
  }
}

TEST(DualTor, TheTwoPortsOfANicHangOnAPairOfLeavesOfOneFabric) {
  const Topology t = make("dual_tor", {{"hosts", 64}, {"radix", 32}});
  EXPECT_EQ(count(t), (Counts{8, 4, 0, 128, 128, 0}));
  const PortMap ports(t);
  for (const Endpoint& endpoint : t.endpoints) {
    const Node& leaf = t.node(ports.far({endpoint.host, endpoint.port}).port.node);
    const char side = endpoint.port == 0 ? 'a' : 'b';
    EXPECT_EQ(endpoint.nic, 0);
    EXPECT_EQ(leaf.name, "leaf" + std::to_string(index(endpoint.host) / 16) + side);
  }
  // A leaf's loss leaves every host on its other port.
  Topology broken = t;
  const NodeId lost = test::node_named(t, "leaf0a");
  for (Cable& cable : broken.cables) {
    if (cable.a.node == lost || cable.b.node == lost) cable.up = false;
  }
  EXPECT_TRUE(audit(broken).connected);
}

TEST(Clos, NamesAreUniqueInEveryKind) {
  for (const std::string_view kind : {"fat_tree", "rail_optimised", "multi_plane", "dual_tor"}) {
    std::set<std::string> names;
    const Topology t = make(kind, {{"hosts", 64}, {"radix", 16}, {"tiers", 3}});
    for (const Node& node : t.nodes) EXPECT_TRUE(names.insert(node.name).second) << node.name;
  }
}

TEST(Clos, TypedCallersUseThePlainStruct) {
  ClosParams params;
  params.hosts = 16;
  params.radix = 8;
  const BuildResult result = build_fat_tree(params);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(count(result.topology), (Counts{4, 2, 0, 16, 16, 0}));
}

}  // namespace
}  // namespace spineleaf
