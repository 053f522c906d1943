// Custom graphs: what is given is what comes out, and all that is wrong is said at once.

#include "topologies/custom.hpp"

#include <gtest/gtest.h>

#include "tests/topologies/walk.hpp"

namespace spineleaf {
namespace {

CustomNode host(std::string name) { return {std::move(name), NodeKind::Host}; }
CustomNode device(std::string name) { return {std::move(name), NodeKind::Switch}; }

CustomLink link(std::string a, std::string b) {
  CustomLink result;
  result.a = std::move(a);
  result.b = std::move(b);
  result.rate = Rate::from_gbps(100);
  result.length = 2;
  return result;
}

/// Two leaves under one spine, a host each; switches are named before hosts on purpose.
CustomSpec small() {
  CustomSpec spec;
  spec.nodes = {device("S"), device("L1"), device("L2"), host("A"), host("B")};
  spec.links = {link("A", "L1"), link("L2", "B"), link("S", "L1"), link("S", "L2")};
  return spec;
}

std::string errors(const CustomSpec& spec) {
  const BuildResult result = build_custom(spec);
  EXPECT_FALSE(result.ok());
  std::string text;
  for (const Problem& problem : result.problems) text += to_string(problem) + "\n";
  return text;
}

TEST(Custom, HostsComeFirstAndTiersFollowFromTheDistance) {
  const BuildResult result = build_custom(small());
  ASSERT_TRUE(result.ok());
  const Topology& t = result.topology;
  EXPECT_EQ(t.host_count, 2U);
  EXPECT_EQ(t.nodes[0].name, "A");
  EXPECT_EQ(t.node(test::node_named(t, "L2")).tier, 1);
  EXPECT_EQ(t.node(test::node_named(t, "S")).tier, 2);
  for (const Cable& cable : t.cables) {
    EXPECT_LT(t.node(cable.a.node).tier, t.node(cable.b.node).tier);
    EXPECT_EQ(cable.tier, t.node(cable.a.node).tier);
    EXPECT_EQ(cable.propagation, Time::from_ns(10));
  }
}

TEST(Custom, StatedPortsFixTheOrderAndTheOthersFillTheGaps) {
  CustomSpec spec = small();
  spec.links[2].port_a = 33;
  spec.links[2].count = 3;
  spec.links[3].port_a = 7;
  const BuildResult result = build_custom(spec);
  ASSERT_TRUE(result.ok());
  const Topology& t = result.topology;
  const PortMap ports(t);
  const NodeId spine = test::node_named(t, "S");
  EXPECT_EQ(t.node(spine).ports, 4);
  EXPECT_EQ(t.node(ports.far({spine, 0}).port.node).name, "L2");
  for (std::uint16_t p = 1; p < 4; ++p) {
    EXPECT_EQ(t.node(ports.far({spine, p}).port.node).name, "L1");
  }
}

TEST(Custom, NicNumbersGroupThePortsOfAHost) {
  CustomSpec spec = small();
  CustomLink second = link("L2", "A");
  second.nic_b = 0;
  spec.links[0].nic_a = 0;
  spec.links.push_back(second);
  const BuildResult result = build_custom(spec);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result.topology.endpoints.size(), 3U);
  EXPECT_EQ(result.topology.endpoints[0].nic, 0);
  EXPECT_EQ(result.topology.endpoints[1].nic, 0);
  EXPECT_EQ(result.topology.endpoints[1].port, 1);
}

TEST(Custom, AllMistakesAreReportedAtOnce) {
  CustomSpec spec = small();
  spec.nodes.push_back(host("A"));
  spec.links[0].b = "L3";
  spec.links[1].rate = Rate{};
  spec.links[2].length = 0;
  spec.links[3].a = "L2";
  EXPECT_EQ(errors(spec),
            "nodes[5].name: is used twice (found \"A\", expected a new name)\n"
            "links[0].b: names no node (found \"L3\"). Did you mean \"L1\"?\n"
            "links[1].rate: is out of range (found 0bps, expected 1Mbps to 100Tbps)\n"
            "links[2].length: a cable must take some time (found 0 m with 0 ns, expected a length "
            "or a latency above zero)\n"
            "links[3]: joins a node to itself (found \"L2\")\n");
}

TEST(Custom, APortUsedTwiceIsNamedWithBothLinks) {
  CustomSpec spec = small();
  spec.links[2].port_a = 4;
  spec.links[3].port_a = 4;
  EXPECT_EQ(errors(spec),
            "links[3].port_a: this port of S is already used by links[2] (found 4, expected a "
            "free port)\n");
}

TEST(Custom, AHostWithoutALinkIsRefused) {
  CustomSpec spec = small();
  spec.nodes.push_back(host("C"));
  EXPECT_EQ(errors(spec), "nodes[5]: host \"C\" has no link\n");
}

TEST(Custom, NothingAtAllIsRefused) {
  EXPECT_EQ(errors({}), "nodes: hold no host (found 0 hosts, expected at least one)\n");
}

TEST(Custom, ExtremeNumbersAreRefusedNotComputed) {
  CustomSpec spec = small();
  spec.links[0].count = INT64_MAX;
  spec.links[1].port_a = INT64_MAX;
  spec.links[2].latency = Time{INT64_MAX};
  spec.links[3].length = 1e300;
  spec.nodes[0].radix = -5;
  spec.nodes[1].tier = 1000;
  const BuildResult result = build_custom(spec);
  EXPECT_EQ(result.problems.size(), 6U);
}

}  // namespace
}  // namespace spineleaf
