// What is written is read back the same; a drawing names every node and cable.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/topologies/fabrics.hpp"
#include "tests/topologies/walk.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/subnet/engine.hpp"
#include "topologies/writers/dot_text.hpp"
#include "topologies/writers/ibnetdiscover_text.hpp"
#include "topologies/writers/lfts_text.hpp"

namespace spineleaf {
namespace {

using test::all_problems;
using test::make;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Subnet> subnets() {
  std::vector<Subnet> list;
  for (const std::string& name : test::fabric_names()) list.push_back(test::read_fabric(name));
  for (const char* kind :
       {"fat_tree", "rail_optimised", "dual_tor", "switch_ring", "dragonfly_plus"}) {
    list.push_back(make_subnet(make(kind, {}), 1).subnet);
  }
  return list;
}

std::multiset<std::string> cables_of(const Subnet& subnet) {
  std::multiset<std::string> cables;
  for (std::size_t c = 0; c < subnet.topology.cables.size(); ++c) {
    const Cable& cable = subnet.topology.cables[c];
    std::string a = port_text(subnet, cable.a);
    std::string b = port_text(subnet, cable.b);
    if (b < a) std::swap(a, b);
    cables.insert(a + " - " + b + " " + to_string(subnet.forms[c]));
  }
  return cables;
}

std::map<std::string, std::pair<unsigned, unsigned>> lids_of(const Subnet& subnet) {
  std::map<std::string, std::pair<unsigned, unsigned>> lids;
  for (const AdapterPort& port : subnet.endpoints) lids[port.name] = {port.lid, port.lmc};
  for (std::size_t row = 0; row < subnet.switches.size(); ++row) {
    lids[subnet.topology.nodes[subnet.topology.host_count + row].name] = {subnet.switches[row].lid,
                                                                          0};
  }
  return lids;
}

TEST(IbnetdiscoverText, IsReadBackTheSame) {
  for (const Subnet& subnet : subnets()) {
    SCOPED_TRACE(subnet.topology.name);
    const SubnetRead read = read_subnet(ibnetdiscover_text(subnet), "written");
    ASSERT_TRUE(read.ok()) << all_problems(read.problems);
    EXPECT_TRUE(read.problems.empty()) << all_problems(read.problems);
    EXPECT_EQ(cables_of(read.subnet), cables_of(subnet));
    EXPECT_EQ(lids_of(read.subnet), lids_of(subnet));
    EXPECT_EQ(read.subnet.topology.host_count, subnet.topology.host_count);
  }
}

TEST(IbnetdiscoverText, LeavesOutWhatIsDownAndSpeedsThatAReaderDoesNotKnow) {
  Topology tree = make("fat_tree", {{"hosts", 32}, {"radix", 16}});
  tree.cables.back().up = false;
  const Subnet subnet = make_subnet(std::move(tree)).subnet;
  const std::string text = ibnetdiscover_text(subnet, LinkSpeed::Hdr);
  const SubnetRead read = read_subnet(text, "written");
  ASSERT_TRUE(read.ok()) << all_problems(read.problems);
  EXPECT_EQ(read.subnet.topology.cables.size() + 1, subnet.topology.cables.size());
  EXPECT_THAT(text, HasSubstr("4xHDR"));
  EXPECT_THAT(text, Not(HasSubstr("NDR")));
}

TEST(LftsText, IsReadBackTheSame) {
  for (const Subnet& subnet : subnets()) {
    SCOPED_TRACE(subnet.topology.name);
    const EngineResult result = find_routing_engine("minhop")->route(subnet, {});
    const ForwardingTables& tables = result.routes.tables;
    const TablesRead read = read_lfts(lfts_text(subnet, tables), "written", subnet);
    ASSERT_TRUE(read.problems.empty()) << all_problems(read.problems);
    ASSERT_EQ(read.tables.lids(), tables.lids());
    for (std::size_t row = 0; row < tables.switches(); ++row) {
      const auto a = tables.row(row);
      EXPECT_TRUE(std::equal(a.begin(), a.end(), read.tables.row(row).begin())) << row;
    }
  }
}

TEST(DotText, HasEveryNodeAndCable) {
  Topology tree = make("fat_tree", {{"hosts", 32}, {"radix", 16}});
  tree.nodes[0].name = "a \"host\"";
  for (Cable& cable : tree.cables) {
    if (index(cable.a.node) == 1) cable.up = false;
  }
  const std::string text = dot_text(tree);
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    EXPECT_THAT(text, HasSubstr("\"" + tree.nodes[n].name + "\";"));
  }
  EXPECT_THAT(text, HasSubstr("\"a \\\"host\\\"\" -- \"leaf0\" [label=\"400G\"];"));
  EXPECT_THAT(text, HasSubstr("\"host1\" -- \"leaf0\" [label=\"400G\", style=dashed];"));
  EXPECT_THAT(text, HasSubstr("\"leaf0\" -- \"spine0\" [label=\"4 x 400G\"];"));
}

}  // namespace
}  // namespace spineleaf
