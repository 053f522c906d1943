// The readers of InfiniBand fabrics: every format of a fabric gives the same graph, what only looks
// like a host is none, and mistakes are named with their place.

#include "topologies/readers/subnet_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/topologies/fabrics.hpp"
#include "topologies/audit.hpp"
#include "topologies/readers/text.hpp"

namespace spineleaf {
namespace {

using test::all_problems;
using test::fabric_text;
using test::read_fabric;
using ::testing::HasSubstr;

/// Cables as "leaf1:9 spine1:1 200Gb/s", whatever their order.
std::multiset<std::string> cables_of(const Subnet& subnet, bool rates = true) {
  std::multiset<std::string> cables;
  for (const Cable& cable : subnet.topology.cables) {
    std::string a = port_text(subnet, cable.a);
    std::string b = port_text(subnet, cable.b);
    if (b < a) std::swap(a, b);
    cables.insert(a + " - " + b + (rates ? " " + std::to_string(cable.rate.gbps()) : ""));
  }
  return cables;
}

std::map<std::string, std::uint32_t> lids_of(const Subnet& subnet) {
  std::map<std::string, std::uint32_t> lids;
  for (const AdapterPort& port : subnet.endpoints) lids[port.name] = port.lid;
  for (std::size_t row = 0; row < subnet.switches.size(); ++row) {
    lids[subnet.topology.nodes[subnet.topology.host_count + row].name] = subnet.switches[row].lid;
  }
  return lids;
}

class Fabrics : public ::testing::TestWithParam<std::string> {};

TEST_P(Fabrics, IsReadWhole) {
  const test::ExpectedFabric expected = test::expected_fabric(GetParam());
  const Subnet subnet = read_fabric(GetParam());
  EXPECT_EQ(subnet.endpoints.size(), expected.hosts);
  EXPECT_EQ(subnet.topology.endpoints.size(), expected.hosts);
  EXPECT_EQ(subnet.switches.size(), expected.switches);
  EXPECT_EQ(subnet.topology.cables.size(), expected.links);
  std::size_t between = 0;
  for (const Cable& cable : subnet.topology.cables) {
    between += subnet.topology.is_host(cable.a.node) ? 0U : 1U;
  }
  EXPECT_EQ(between, expected.between_switches);
  EXPECT_TRUE(subnet.bystanders.empty());
  const AuditReport report = audit(subnet.topology);
  EXPECT_TRUE(report.connected);
  EXPECT_FALSE(has_errors(report.problems)) << all_problems(report.problems);
}

/// topoconfig.conf of a fabric, each cable once: OpenSM writes both directions, either will do.
std::string topoconfig_of(const Subnet& subnet) {
  std::string text;
  const auto end = [&](PortRef port) {
    const Topology& topology = subnet.topology;
    if (!topology.is_host(port.node)) {
      const SwitchDevice& box = subnet.switches[index(port.node) - topology.host_count];
      return hex_text(box.guid) + "," + std::to_string(box.numbers[port.port]);
    }
    for (std::size_t e = 0; e < topology.endpoints.size(); ++e) {
      const Endpoint& endpoint = topology.endpoints[e];
      if (endpoint.host == port.node && endpoint.port == port.port) {
        return hex_text(subnet.endpoints[e].port_guid) + ",1";
      }
    }
    return std::string{};
  };
  for (const Cable& cable : subnet.topology.cables) {
    text += end(cable.a) + "," + end(cable.b) + ",Any,Active\n";
  }
  return text;
}

TEST_P(Fabrics, HaveTheSameShapeInTopoconfig) {
  const Subnet plain = read_fabric(GetParam());
  const SubnetRead read = read_subnet(topoconfig_of(plain), "topoconfig.conf");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.switches.size(), plain.switches.size());
  EXPECT_EQ(read.subnet.endpoints.size(), plain.endpoints.size());
  EXPECT_EQ(read.subnet.topology.cables.size(), plain.topology.cables.size());
  std::multiset<std::uint64_t> guids;
  std::multiset<std::uint64_t> wanted;
  for (const SwitchDevice& box : read.subnet.switches) guids.insert(box.guid);
  for (const SwitchDevice& box : plain.switches) wanted.insert(box.guid);
  EXPECT_EQ(guids, wanted);
}

TEST(Topoconfig, LinksThatAreNotActiveAreLeftOut) {
  const SubnetRead read = read_subnet(
      "0xa,1,0x1,1,Any,Active\n0xa,2,0x2,1,Any,Active\n0xa,3,0x3,1,Any,Active\n"
      "0xa,4,0x4,1,Any,NoDiscover\n",
      "t.conf");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.endpoints.size(), 3U);
  const SubnetRead bad = read_subnet("0xa,1,0x1,1,Any,Active\n0xa,x,0x2,1\n", "t.conf");
  EXPECT_THAT(all_problems(bad.problems), HasSubstr("t.conf:2:1: is no end of a link"));
}

TEST_P(Fabrics, IsTheSameInEveryFormat) {
  const Subnet plain = read_fabric(GetParam());
  std::size_t formats = 0;
  for (const char* file : {"ibnetdiscover-p.txt", "opensm-subnet.lst", "iblinkinfo-l.txt"}) {
    if (!test::has_fabric_file(GetParam(), file)) continue;
    SCOPED_TRACE(file);
    ++formats;
    const Subnet other = read_fabric(GetParam(), file);
    EXPECT_EQ(cables_of(other), cables_of(plain));
    // OpenSM's own dump is of another run, which may have given other LIDs.
    if (std::string{file} != "opensm-subnet.lst") {
      EXPECT_EQ(lids_of(other), lids_of(plain));
    }
  }
  EXPECT_TRUE(formats > 0 || GetParam() == "rail-1024");
}

INSTANTIATE_TEST_SUITE_P(, Fabrics, ::testing::ValuesIn(test::fabric_names()),
                         [](const auto& fabric) {
                           std::string name = fabric.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Ports without a cable in the input of ibsim are those of a host that is switched off.
TEST(SubnetReader, TheInputOfIbsimIsReadToo) {
  EXPECT_EQ(cables_of(read_fabric("mesh-3x3", "ibsim-input.txt")),
            cables_of(read_fabric("mesh-3x3")));
  EXPECT_EQ(cables_of(read_fabric("fat-tree-64", "ibsim-input.txt")),
            cables_of(read_fabric("fat-tree-64")));
}

TEST(SubnetReader, EightAdaptersOfANodeAreOneHost) {
  const Subnet subnet = read_fabric("rail-1024");
  EXPECT_EQ(subnet.topology.host_count, 128U);
  EXPECT_EQ(subnet.topology.nodes[0].name, "node001");
  EXPECT_EQ(subnet.topology.nodes[127].name, "node128");
  EXPECT_EQ(subnet.topology.nodes[128].name, "spine01");
  EXPECT_EQ(subnet.topology.nodes[0].ports, 8);
  EXPECT_EQ(subnet.endpoints[3].name, "node001 mlx5_3");
  EXPECT_EQ(subnet.topology.endpoints[3].nic, 3);
  ImportOptions apart;
  apart.group_adapters = false;
  EXPECT_EQ(read_fabric("rail-1024", "ibnetdiscover.txt", apart).topology.host_count, 1024U);
}

constexpr const char* kSmall = R"(#
# Topology file: generated on Mon Jan  1 00:00:00 2024
#
# Max of 3 hops discovered
# Initiated from node 00000000000000b1 port 00000000000000b1

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xa001
switchguid=0xa001(a001)
Switch	41 "S-000000000000a001"		# "leaf1" enhanced port 0 lid 2 lmc 0
[1]	"H-00000000000000b1"[1](b1) 		# "node1 mlx5_0" lid 1 4xNDR
[2]	"H-00000000000000b2"[1](b2) 		# "node2 mlx5_0" lid 3 2xNDR
[3]	"H-00000000000000b2"[2](b3) 		# "node2 mlx5_0" lid 4 4xNDR s=512 w=2 v=0
[41]	"H-00000000000000c1"[1](c1) 		# "Mellanox Technologies Aggregation Node" lid 9 4xHDR

vendid=0x2c9
caguid=0xb1
Ca	1 "H-00000000000000b1"		# "node1 mlx5_0"
[1](b1) 	"S-000000000000a001"[1]		# lid 1 lmc 0 "leaf1" lid 2 4xNDR

vendid=0x2c9
caguid=0xb2
Ca	2 "H-00000000000000b2"		# "node2 mlx5_0"
[1](b2) 	"S-000000000000a001"[2]		# lid 3 lmc 0 "leaf1" lid 2 4xHDR
[2](b3) 	"S-000000000000a001"[3]		# lid 4 lmc 0 "leaf1" lid 2 4xNDR

vendid=0x2c9
caguid=0xc1
Ca	1 "H-00000000000000c1"		# "Mellanox Technologies Aggregation Node"
[1](c1) 	"S-000000000000a001"[41]		# lid 9 lmc 0 "leaf1" lid 2 4xHDR
)";

TEST(SubnetReader, AnAggregationNodeIsNoHost) {
  const SubnetRead read = read_subnet(kSmall, "small.txt");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  const Subnet& subnet = read.subnet;
  EXPECT_EQ(subnet.topology.host_count, 2U);
  EXPECT_EQ(subnet.topology.cables.size(), 3U);
  ASSERT_EQ(subnet.bystanders.size(), 1U);
  EXPECT_EQ(subnet.bystanders[0].kind, Bystander::Kind::AggregationNode);
  EXPECT_EQ(subnet.bystanders[0].number, 41);
  EXPECT_EQ(subnet.bystanders[0].lid, 9);
  EXPECT_EQ(subnet.topology.node(subnet.bystanders[0].at).name, "leaf1");
}

TEST(SubnetReader, ACardOfTwoPortsIsOneAdapter) {
  const Subnet subnet = read_subnet(kSmall, "small.txt").subnet;
  ASSERT_EQ(subnet.endpoints.size(), 3U);
  EXPECT_EQ(subnet.topology.node(subnet.topology.endpoints[1].host).name, "node2");
  EXPECT_EQ(subnet.endpoints[1].number, 1);
  EXPECT_EQ(subnet.endpoints[2].number, 2);
  EXPECT_EQ(subnet.endpoints[2].port_guid, 0xb3U);
  EXPECT_EQ(subnet.topology.endpoints[1].nic, 0);
  EXPECT_EQ(subnet.topology.endpoints[2].nic, 0);
}

TEST(SubnetReader, EndsThatDisagreeGiveTheLowerWidthAndSpeed) {
  const SubnetRead read = read_subnet(kSmall, "small.txt");
  EXPECT_EQ(all_problems(read.problems),
            "small.txt:13:1: the ends of a cable disagree on its width (found 2xNDR, and 4xHDR in "
            "line 25). The lower is used: 2xHDR\n");
  std::map<std::string, double> rate;
  for (const Cable& cable : read.subnet.topology.cables) {
    rate[port_text(read.subnet, cable.b)] = cable.rate.gbps();
  }
  EXPECT_EQ(rate,
            (std::map<std::string, double>{{"leaf1:1", 400}, {"leaf1:2", 100}, {"leaf1:3", 400}}));
}

// The man page's sample, in short: a fabric whose two 1x links are 4x at the other end.
TEST(SubnetReader, LinksAtReducedWidthAreFoundWhereverTheyAre) {
  std::string text = fabric_text("ring-5", "ibnetdiscover.txt");
  const auto narrow = [&](const std::string& line) {
    const std::size_t at = text.find(line);
    ASSERT_NE(at, std::string::npos) << line;
    text.replace(text.find("4xHDR", at), 5, "1xHDR");
  };
  narrow("[2]\t\"S-0200c0de00100010\"[3]");
  narrow("[1]\t\"H-0200c0de00400000\"[1]");
  const SubnetRead read = read_subnet(text, "ring.txt");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.problems.size(), 2U) << all_problems(read.problems);
  for (const Problem& problem : read.problems) {
    EXPECT_EQ(problem.severity, Severity::Warning);
    EXPECT_THAT(to_string(problem), HasSubstr("The lower is used: 1xHDR"));
  }
  std::size_t slow = 0;
  for (const Cable& cable : read.subnet.topology.cables) slow += cable.rate.gbps() == 50 ? 1U : 0U;
  EXPECT_EQ(slow, 2U);
}

// Two switches joined by two cables, in ibsim's short dialect: free names, no comments.
TEST(SubnetReader, FreeNamesAndNoCommentsWillDo) {
  const SubnetRead read = read_subnet(R"(Switch 8 "sw one"
[1] "h1"[1]
[2] "h2"[1]
[3] "sw two"[3]
[4] "sw two"[4]

Switch 8 "sw two"
[1] "h3"[1]
[2] "h4"[1]
[3] "sw one"[3]
[4] "sw one"[4]

Hca 2 "h1"
[1] "sw one"[1]
Hca 2 "h2"
[1] "sw one"[2]
Hca 2 "h3"
[1] "sw two"[1]
Hca 2 "h4"
[1] "sw two"[2]
)",
                                      "net");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.topology.host_count, 4U);
  EXPECT_EQ(read.subnet.switches.size(), 2U);
  EXPECT_EQ(bisection(read.subnet.topology).gbps, 800);  // two cables of the assumed 400 Gb/s
  EXPECT_THAT(all_problems(read.problems),
              HasSubstr("6 cables without a width or speed are taken as 4xNDR"));
  EXPECT_THAT(all_problems(read.problems), HasSubstr("not every device has a LID"));
}

TEST(SubnetReader, GroupedOutputHasHeadingsAndExternalPorts) {
  const SubnetRead read = read_subnet(R"(Chassis 1 (guid 0x2c90000000a00)
# Spine Nodes
switchguid=0xa001(a001)
Switch	36 "S-000000000000a001"		# "leaf 1" base port 0 lid 2 lmc 0
[1][ext 19]	"H-00000000000000b1"[1](b1) 		# "n1 HCA-1" lid 1 4xEDR
[2][ext 20]	"H-00000000000000b2"[1](b2) 		# "n2 HCA-1" lid 3 4x???

Non-Chassis Nodes
caguid=0xb1
Ca	1 "H-00000000000000b1"		# "n1 HCA-1"
[1](b1) 	"S-000000000000a001"[1][ext 19]		# lid 1 lmc 0 "leaf 1" lid 2 4xEDR

caguid=0xb2
Ca	1 "H-00000000000000b2"		# "n2 HCA-1"
[1](b2) 	"S-000000000000a001"[2][ext 20]		# lid 3 lmc 0 "leaf 1" lid 2 4xEDR
)",
                                      "grouped");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.problems.size(), 0U) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.forms[1], (LinkForm{4, LinkSpeed::Edr}));
}

/// What a site's own output looks like: blanks in names, an aggregation node, ports without cable.
TEST(SubnetReader, PortListsMayHaveBlanksInNamesAndPortsWithoutACable) {
  const SubnetRead read = read_subnet(
      "SW    51 81 0x946dae0300630bf6 4x HDR - CA    78  1 0x946dae0300630bfe ( 'leaf-01 ' - "
      "'Mellanox Technologies Aggregation Node' )\n"
      "SW    51 79 0x946dae0300630bf6 4x HDR - CA    88  1 0xb83fd20300da1138 ( 'leaf-01 ' - "
      "'worker20 mlx5_3' )\n"
      "SW    51 80 0x946dae0300630bf6 4x SDR                                    ' leaf-01 '\n"
      "SW    51 78 0x946dae0300630bf6 4x ???                                    leaf-01\n"
      "CA    78  1 0x946dae0300630bfe 4x HDR - SW    51 81 0x946dae0300630bf6 ( 'Mellanox "
      "Technologies Aggregation Node' - 'leaf-01 ' )\n"
      "CA    88  1 0xb83fd20300da1138 4x HDR - SW    51 79 0x946dae0300630bf6 ( 'worker20 mlx5_3' "
      "- 'leaf-01 ' )\n",
      "ports");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.topology.nodes[1].name, "leaf-01");
  EXPECT_EQ(read.subnet.topology.nodes[0].name, "worker20");
  EXPECT_EQ(read.subnet.bystanders.size(), 1U);
}

/// Descriptions that nobody set are the same on every server: they must not make one host.
TEST(SubnetReader, AdaptersOfOneDescriptionStayApart) {
  std::string text = kSmall;
  for (std::size_t at = 0; (at = text.find("node2 mlx5_0", at)) != std::string::npos;) {
    text.replace(at, 12, "node1 mlx5_0");
  }
  const SubnetRead read = read_subnet(text, "same.txt");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.topology.host_count, 2U);
  EXPECT_EQ(read.subnet.topology.nodes[0].name, "node1 mlx5_0");
  EXPECT_EQ(read.subnet.topology.nodes[1].name, "node1 mlx5_0 (H-00000000000000b2)");
}

/// kSmall with one piece replaced; the problems that this gives.
std::string problems_with(const std::string& piece, const std::string& by) {
  std::string text = kSmall;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  text.replace(at, piece.size(), by);
  const SubnetRead read = read_subnet(text, "bad.txt");
  EXPECT_FALSE(read.ok());
  EXPECT_TRUE(read.subnet.topology.nodes.empty());
  return all_problems(read.problems);
}

TEST(SubnetReader, MistakesAreNamedWithTheirPlace) {
  EXPECT_THAT(problems_with("[41]\t", "[0]\t"), HasSubstr("bad.txt:15:1: is no port number"));
  EXPECT_THAT(problems_with("[41]\t", "[1]\t"),
              HasSubstr("bad.txt:15:1: port 1 of \"S-000000000000a001\" is cabled twice"));
  EXPECT_THAT(problems_with("[1]\t\"H-00000000000000b1\"[1]", "[1]\t\"H-00000000000000b1\""),
              HasSubstr("bad.txt:12:25: a port number in brackets is missing"));
  EXPECT_THAT(problems_with("\"S-000000000000a001\"[2]", "\"S-000000000000a001\"[3]"),
              HasSubstr("the two ends of a cable disagree"));
  EXPECT_THAT(problems_with("vendid=0x2c9\ncaguid=0xb1", "hello\ncaguid=0xb1"),
              HasSubstr("bad.txt:17:1: is no line of an ibnetdiscover file (found \"hello\""));
  EXPECT_THAT(problems_with("enhanced port 0 lid 2", "enhanced port 0 lid 1"),
              HasSubstr("two devices have LID 1"));
  EXPECT_THAT(problems_with("Ca\t2 \"H-00000000000000b2\"", "Ca\t2 \"H-00000000000000b1\""),
              HasSubstr("bad.txt:24:6: the device has a record already, in line 19"));
  EXPECT_THAT(problems_with("vendid=0x2c9", "include other.txt"),
              HasSubstr("bad.txt:7:1: other files are not read"));
  EXPECT_THAT(
      all_problems(read_subnet("Switch 8 \"a\"\n[1] \"bb\"[1]\nCa 1 \"bbb\"\n", "x").problems),
      HasSubstr("x:2: names a device that has no record of its own (found \"bb\"). Did you "
                "mean \"bbb\"?"));
  EXPECT_THAT(
      all_problems(read_subnet("Switch 8 \"a\"\n[1] \"b\"[1]\nSwitch 8 \"b\"\n", "x").problems),
      HasSubstr("x: holds no host that is cabled"));
  EXPECT_THAT(
      all_problems(read_subnet("what is this?\n", "x").problems),
      HasSubstr("x: is in no format that is known here (found \"what is this?\", expected "));
  EXPECT_THAT(all_problems(read_subnet("", "x").problems), HasSubstr("an empty file"));
}

TEST(SubnetReader, AFileThatWasCutOffIsUsedWithAWarning) {
  const std::string text{kSmall};
  const SubnetRead read =
      read_subnet(text.substr(0, text.find("vendid=0x2c9\ncaguid=0xb2")), "cut");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.endpoints.size(), 3U);
  EXPECT_THAT(all_problems(read.problems), HasSubstr("2 devices have no record of their own"));
}

TEST(LinkForm, RatesAreThoseAfterCoding) {
  const auto gbps = [](const char* speed) {
    return data_rate({4, parse_speed(speed).value_or(LinkSpeed::Unknown)}).gbps();
  };
  EXPECT_EQ(gbps("SDR"), 8);
  EXPECT_EQ(gbps("QDR"), 32);
  EXPECT_NEAR(gbps("FDR"), 54.5, 0.05);
  EXPECT_EQ(gbps("EDR"), 100);
  EXPECT_EQ(gbps("HDR"), 200);
  EXPECT_EQ(gbps("NDR"), 400);
  EXPECT_EQ(gbps("XDR"), 800);
  EXPECT_EQ(data_rate({2, LinkSpeed::Ndr}).gbps(), 200);
  EXPECT_EQ(to_string(LinkForm{12, LinkSpeed::Fdr10}), "12xFDR10");
}

TEST(NaturalOrder, NumbersCompareAsNumbers) {
  EXPECT_TRUE(natural_less("leaf2", "leaf10"));
  EXPECT_FALSE(natural_less("leaf10", "leaf2"));
  EXPECT_TRUE(natural_less("leaf02", "leaf10"));
  EXPECT_TRUE(natural_less("a1b2", "a1b10"));
  EXPECT_FALSE(natural_less("leaf2", "leaf2"));
  EXPECT_TRUE(natural_less("leaf01", "leaf1") != natural_less("leaf1", "leaf01"));
}

}  // namespace
}  // namespace spineleaf
