#include "topologies/readers/nccl_xml.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace spineleaf {
namespace {

std::string example(const std::string& name) {
  std::ifstream in(SPINELEAF_SOURCE_DIR "/validation/data/examples/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

class NcclXmlFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_xml_reader()) GTEST_SKIP() << "built without pugixml";
  }
};

TEST_F(NcclXmlFiles, ReadsTheTopology) {
  const NcclXml read = read_nccl_xml(example("nccl-topo.xml"));
  for (const Problem& problem : read.problems) ADD_FAILURE() << to_string(problem);
  const NcclTopology& topology = read.topology;
  ASSERT_EQ(topology.cpus.size(), 1u);
  EXPECT_EQ(topology.cpus[0].vendor, "GenuineIntel");
  ASSERT_EQ(topology.gpus.size(), 2u);
  EXPECT_EQ(topology.gpus[1].sm, 90);
  EXPECT_EQ(topology.gpus[1].nvlinks, 18);
  ASSERT_EQ(topology.nets.size(), 2u);
  EXPECT_EQ(topology.nets[1].name, "mlx5_1");
  EXPECT_DOUBLE_EQ(topology.nets[1].gbps, 400);
  EXPECT_TRUE(topology.nets[0].gdr);
  EXPECT_FALSE(topology.nets[1].gdr);
  EXPECT_DOUBLE_EQ(topology.pcis[0].gbytes, 48) << "x16 Gen5 as NCCL counts it";
  EXPECT_EQ(pci_distance(topology, topology.gpus[0].pci, topology.nets[0].pci), 1);
  EXPECT_EQ(pci_distance(topology, topology.gpus[0].pci, topology.nets[1].pci), 3);
  EXPECT_EQ(pci_distance(topology, -1, topology.nets[1].pci), 4);
}

TEST_F(NcclXmlFiles, ReadsTheGraphs) {
  const NcclXml read = read_nccl_xml(example("nccl-graph.xml"));
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.graphs.size(), 2u);
  EXPECT_EQ(read.graphs[0].name(), "ring");
  EXPECT_DOUBLE_EQ(read.graphs[0].speed_inter, 48);
  ASSERT_EQ(read.graphs[0].channels.size(), 2u);
  EXPECT_EQ(read.graphs[0].channels[1].net_in, 1);
  EXPECT_EQ(read.graphs[0].channels[1].net_out, 1);
  EXPECT_EQ(read.graphs[0].channels[1].gpus, (std::vector<std::int64_t>{1, 0}));
}

std::string first_problem(const std::string& text) {
  const NcclXml read = read_nccl_xml(text);
  return read.problems.empty() ? "" : to_string(read.problems[0]);
}

TEST_F(NcclXmlFiles, MistakesHaveAPlace) {
  EXPECT_EQ(first_problem("<system>\n <cpu>\n</system>\n"),
            "line 3, column 3: is no XML: Start-end tags mismatch");
  EXPECT_EQ(first_problem("<html/>"),
            "line 1, column 2: is no file of NCCL (found <html>, expected <system> "
            "(NCCL_TOPO_DUMP_FILE) or <graphs> (NCCL_GRAPH_DUMP_FILE))");
  EXPECT_EQ(first_problem("<graphs>\n<graph id=\"0\" nchannels=\"2\"/>\n</graphs>"),
            "line 2, column 2: the graph says another number of channels than it has (found 2, "
            "expected 0)");
  EXPECT_EQ(first_problem("<system><cpu><gpu dev=\"zero\"/></cpu></system>"),
            "line 1, column 15: dev of <gpu> is no number (found \"zero\")");
}

TEST_F(NcclXmlFiles, DeepNestingIsRefused) {
  std::string text = "<system><cpu>";
  for (int i = 0; i < 100'000; ++i) text += "<pci>";
  for (int i = 0; i < 100'000; ++i) text += "</pci>";
  EXPECT_NE(first_problem(text + "</cpu></system>").find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace spineleaf
