// Single switch, ring of switches, dragonflies and direct cables against closed forms.

#include <gtest/gtest.h>

#include <map>

#include "tests/topologies/walk.hpp"

namespace spineleaf {
namespace {

using test::cables_of_tier;
using test::make;
using test::switches_of_tier;

TEST(SingleSwitch, EveryNicOnConsecutivePorts) {
  const Topology t = make("single_switch", {{"hosts", 8}, {"nics_per_host", 4}});
  EXPECT_EQ(t.cables.size(), 32U);
  EXPECT_EQ(t.nodes.size(), 9U);
  for (std::uint32_t c = 0; c < 32; ++c) {
    EXPECT_EQ(t.cables[c].a.node, NodeId{c / 4});
    EXPECT_EQ(t.cables[c].b.port, c);
    EXPECT_EQ(t.endpoints[c].nic, c % 4);
  }
}

TEST(SwitchRing, OneBundleBetweenNeighbours) {
  const Topology t =
      make("switch_ring", {{"switches", 5}, {"hosts_per_switch", 3}, {"parallel", 2}});
  EXPECT_EQ(t.host_count, 15U);
  EXPECT_EQ(cables_of_tier(t, 0), 15U);
  EXPECT_EQ(cables_of_tier(t, 1), 10U);
  const Topology pair = make("switch_ring", {{"switches", 2}});
  EXPECT_EQ(cables_of_tier(pair, 1), 1U);
}

TEST(Dragonfly, BalancedCounts) {
  const Topology t = make("dragonfly", {});
  EXPECT_EQ(t.host_count, 33U * 32U);
  EXPECT_EQ(switches_of_tier(t, 1), 33U * 8U);
  EXPECT_EQ(cables_of_tier(t, 1), 33U * 28U);
  EXPECT_EQ(cables_of_tier(t, 2), 33U * 32U / 2U);
  for (const Node& node : t.nodes) {
    if (node.kind == NodeKind::Switch) {
      EXPECT_EQ(node.ports, 4 + 7 + 4) << node.name;
    }
  }
}

TEST(Dragonfly, EveryTwoGroupsHaveTheSameNumberOfLinks) {
  for (const double groups : {2, 5, 9, 17}) {
    const Topology t = make("dragonfly", {{"groups", groups}});
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> links;
    for (const Cable& cable : t.cables) {
      if (cable.tier == 2) ++links[{t.node(cable.a.node).group, t.node(cable.b.node).group}];
    }
    EXPECT_EQ(links.size(), static_cast<std::size_t>(groups * (groups - 1) / 2));
    for (const auto& [pair, n] : links) EXPECT_EQ(n, 32 / static_cast<int>(groups - 1));
  }
}

TEST(DragonflyPlus, BalancedCounts) {
  const Topology t = make("dragonfly_plus", {});
  EXPECT_EQ(t.host_count, 33U * 32U);
  EXPECT_EQ(switches_of_tier(t, 1), 33U * 8U);
  EXPECT_EQ(switches_of_tier(t, 2), 33U * 8U);
  EXPECT_EQ(cables_of_tier(t, 1), 33U * 64U);
  EXPECT_EQ(cables_of_tier(t, 2), 33U * 32U / 2U);
}

TEST(Direct, TwoHostsBackToBack) {
  const Topology t = make("direct", {{"parallel", 4}});
  EXPECT_EQ(t.cables.size(), 4U);
  EXPECT_EQ(t.endpoints.size(), 8U);
  for (const Cable& cable : t.cables) EXPECT_EQ(cable.a.port, cable.b.port);
}

TEST(Direct, ARingOfHostsFacesForwardThenBack) {
  const Topology t = make("direct", {{"hosts", 4}, {"parallel", 2}});
  EXPECT_EQ(t.cables.size(), 8U);
  const PortMap ports(t);
  for (std::uint32_t h = 0; h < 4; ++h) {
    for (std::uint16_t p = 0; p < 4; ++p) {
      const std::uint32_t expected = p < 2 ? (h + 1) % 4 : (h + 3) % 4;
      EXPECT_EQ(ports.far({NodeId{h}, p}).port.node, NodeId{expected});
    }
  }
  for (const Endpoint& endpoint : t.endpoints) EXPECT_EQ(endpoint.nic, endpoint.port);
}

}  // namespace
}  // namespace spineleaf
