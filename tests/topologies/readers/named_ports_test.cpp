// Files that name systems and ports, UFM's table and .topo of ibutils: every fabric has its cables
// in them, and mistakes are named with their place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/topologies/fabrics.hpp"
#include "topologies/readers/subnet_reader.hpp"

namespace spineleaf::named_ports {
namespace {

using test::all_problems;
using test::read_fabric;
using ::testing::HasSubstr;

class NamedPorts : public ::testing::TestWithParam<std::string> {};

/// A port as tables with names have it: name of the node (of the adapter, where a host has
/// several), number.
std::pair<std::string, std::string> named_end(const Subnet& subnet, PortRef port) {
  const Topology& topology = subnet.topology;
  const std::string& name = topology.node(port.node).name;
  if (topology.is_host(port.node)) {
    const bool several = topology.node(port.node).ports > 1;
    return {several ? name + "-" + std::to_string(port.port) : name, "1"};
  }
  const SwitchDevice& box = subnet.switches[index(port.node) - topology.host_count];
  return {name, std::to_string(box.numbers[port.port])};
}

void expect_same_shape(const SubnetRead& read, const Subnet& plain) {
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.endpoints.size(), plain.endpoints.size());
  const auto cables = [](const Subnet& subnet) {
    std::multiset<std::string> ends;
    for (const Cable& cable : subnet.topology.cables) {
      const auto a = named_end(subnet, cable.a), b = named_end(subnet, cable.b);
      ends.insert(a < b ? a.first + ":" + a.second + " " + b.first + ":" + b.second
                        : b.first + ":" + b.second + " " + a.first + ":" + a.second);
    }
    return ends;
  };
  EXPECT_EQ(cables(read.subnet), cables(plain));
}

TEST_P(NamedPorts, HaveTheSameCablesInUfmsTableOfPorts) {
  const Subnet plain = read_fabric(GetParam());
  std::string text = "\xEF\xBB\xBFState,Peer Port,System,Port,\"Peer Node\"\r\n";
  for (const Cable& cable : plain.topology.cables) {
    const auto a = named_end(plain, cable.a), b = named_end(plain, cable.b);
    text += "Active," + b.second + ",\"" + a.first + "\"," + a.second + "," + b.first + "\r\n";
    text += "Active," + a.second + "," + b.first + "," + b.second + ",\"" + a.first + "\"\r\n";
  }
  ImportOptions apart;
  apart.group_adapters = false;
  expect_same_shape(read_subnet(text, "ports.csv", apart), plain);
}

TEST_P(NamedPorts, HaveTheSameCablesAsTopo) {
  const Subnet plain = read_fabric(GetParam());
  std::string text = "# planned\n";
  for (const Cable& cable : plain.topology.cables) {
    const auto type = [&](PortRef port) {
      return plain.topology.is_host(port.node) ? "HCA_1 " : "MQM9700 ";
    };
    const auto a = named_end(plain, cable.a), b = named_end(plain, cable.b);
    text += type(cable.a) + a.first + " CFG: main\n\tP" + a.second + " -4X-50G-> ";
    text += type(cable.b) + b.first + " P" + b.second + "\n\n";
  }
  ImportOptions apart;
  apart.group_adapters = false;
  const SubnetRead read = read_subnet(text, "plan.topo", apart);
  expect_same_shape(read, plain);
  for (const Cable& cable : read.subnet.topology.cables) EXPECT_EQ(cable.rate.gbps(), 200);
}

TEST(UfmPorts, EmptyPeersAreFreePortsAndAdaptersAreOfOneHost) {
  const SubnetRead read = read_subnet(
      "System,Port,Peer Node,Peer Port\nleaf,3,,\nleaf,1,node1,HCA-1/1\nleaf,2,node1,HCA-2/1\n"
      "leaf,4,node2,1\n\n",
      "ports.csv");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.topology.host_count, 2U);
  EXPECT_EQ(read.subnet.endpoints.size(), 3U);
}

TEST(UfmPorts, MistakesAreNamedWithTheirPlace) {
  const auto problems = [](const std::string& row) {
    return all_problems(
        read_subnet("System,Port,Peer Node,Peer Port\n" + row + "\n", "p.csv").problems);
  };
  EXPECT_THAT(problems("leaf,0,node1,1"), HasSubstr("p.csv:2:6: is no port"));
  EXPECT_THAT(problems("leaf,1,node1,x"), HasSubstr("p.csv:2:14: is no port"));
  EXPECT_THAT(problems("leaf,1,node1"), HasSubstr("p.csv:2:8: is a peer without a port"));
  EXPECT_THAT(problems("leaf"), HasSubstr("p.csv:2:1: names no port"));
  EXPECT_THAT(problems("leaf,1,\"node1,1"), HasSubstr("p.csv:2:8: is no cell of a table"));
}

// The examples of ibdm-topo-file, of ibutils.
TEST(IbdmTopo, TypesOfSwitchesAreSeenByTheirPorts) {
  const SubnetRead read = read_subnet(
      "MTS2400 S-1\n   P1 -> MT23108 H-1 P1\n   P2 -> MT23108 H-1 P2\n   P24 -> MT23108 H-2 P1\n"
      "   P23 -1X-2.5G-> MTS2400 S-2 P1\n\nMTS2400 S-2\n   P2 -> MT23108 H-3 U1/P1\n",
      "small.topo");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.switches.size(), 2U);
  EXPECT_EQ(read.subnet.topology.host_count, 3U);
  EXPECT_EQ(read.subnet.endpoints.size(), 4U);
}

TEST(IbdmTopo, MistakesAreNamedWithTheirPlace) {
  const auto problems = [](const std::string& lines) {
    return all_problems(read_subnet("A s1\n" + lines, "t.topo").problems);
  };
  EXPECT_THAT(problems(" L1/P3 -> H h1 P1\n"), HasSubstr("t.topo:2:2: is no port of one chip"));
  EXPECT_THAT(problems(" P3 -4X-11G-> H h1 P1\n"), HasSubstr("t.topo:2:5: is no cable"));
  EXPECT_THAT(problems(" P3 -> H\n"), HasSubstr("t.topo:2:8: is no system"));
  EXPECT_THAT(problems(" P3 -> H h1 P1\nB s1\n"),
              HasSubstr("t.topo:3:1: gives \"s1\" another type than line 1"));
}

INSTANTIATE_TEST_SUITE_P(, NamedPorts, ::testing::ValuesIn(test::fabric_names()),
                         [](const auto& fabric) {
                           std::string name = fabric.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace spineleaf::named_ports
