// NCCL's cost model as selector, with the shipped tables: which algorithm and protocol runs.

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "scenarios/nccl_catalog.hpp"

namespace spineleaf {
namespace {

const NcclCatalog& catalog() {
  static const NcclCatalogResult read = [] {
    NcclCatalogResult result = shipped_nccl_catalog();
    for (const InputProblem& problem : result.problems) ADD_FAILURE() << to_string(problem);
    return result;
  }();
  return read.catalog;
}

struct Jump {
  std::string choice;
  std::int64_t bytes;
  bool operator==(const Jump&) const = default;
};
void PrintTo(const Jump& jump, std::ostream* out) { *out << jump.choice << "@" << jump.bytes; }

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

/// Sizes from 8 B to 16 GiB at which another pair runs.
std::vector<Jump> jumps(const NcclVersion& version, const std::string& node, std::int64_t nodes,
                        NcclFunction function = NcclFunction::AllReduce,
                        const std::string& flags = {}) {
  const NcclTuning& tuning = catalog().of_version(version).tuning;
  const NcclSetup setup = make_nccl_setup(catalog().node_named(node)->node, nodes,
                                          nccl_settings(flags), version[0] * 100 + version[1]);
  std::vector<Jump> found;
  for (std::int64_t bytes = 8; bytes <= 16 * kGiB; bytes *= 2) {
    const auto selection = nccl_select(tuning, setup.system, function, bytes, setup.forced);
    if (!selection) return found;
    const std::string choice = std::string(name_of(selection->option.algorithm)) + "/" +
                               std::string(name_of(selection->option.protocol));
    if (found.empty() || found.back().choice != choice) found.push_back({choice, bytes});
  }
  return found;
}

using Jumps = std::vector<Jump>;

TEST(NcclTuning, OneClassForEachChangeOfTheTables) {
  ASSERT_EQ(catalog().classes.size(), 4u);
  EXPECT_EQ(catalog().of_version({2, 8, 0}).tuning.versions, "2.19-2.27");
  EXPECT_EQ(catalog().of_version({2, 27, 5}).tuning.versions, "2.19-2.27");
  EXPECT_EQ(catalog().of_version({2, 28, 7}).tuning.versions, "2.28.3-2.28.7");
  EXPECT_EQ(catalog().of_version({2, 28, 9}).tuning.versions, "2.28.9-2.29");
  EXPECT_EQ(catalog().of_version({2, 30, 7}).tuning.versions, "2.30");
}

// One node, all versions: a public log shows Ring/LL to 1 MiB and NVLS from 2 MiB to 16 GiB
// (NVIDIA/nccl-tests issue 309).
TEST(NcclTuning, OneNodeOfH100) {
  for (const NcclVersion& version : {NcclVersion{2, 26, 2}, {2, 28, 3}, {2, 29, 2}, {2, 30, 7}}) {
    EXPECT_EQ(jumps(version, "hgx-h100", 1), (Jumps{{"Ring/LL", 8}, {"NVLS/Simple", 2 * kMiB}}));
  }
}

// The five jumps in measured curves of 8 x 400G Hopper servers: time more than doubles, or grows
// by half, where the table says that another algorithm begins.
//   4 nodes (site a) 1 -> 2 MiB, 4 nodes (site b) 128 -> 256 MiB, 8 nodes 512 MiB -> 1 GiB, 8 nodes
//   with 24 CTAs 4 -> 8 MiB and 512 MiB -> 1 GiB.
TEST(NcclTuning, TheFiveMeasuredJumpsAreAtTheRightSize) {
  const NcclVersion v{2, 26, 2};
  EXPECT_EQ(jumps(v, "hgx-h100", 2),
            (Jumps{{"Tree/LL", 8}, {"Tree/LL128", 256 * kKiB}, {"NVLSTree/Simple", kMiB}}));
  EXPECT_EQ(jumps(v, "hgx-h100", 4), (Jumps{{"Tree/LL", 8},
                                            {"Tree/LL128", 256 * kKiB},
                                            {"NVLSTree/Simple", 2 * kMiB},
                                            {"Ring/Simple", 256 * kMiB}}));
  const Jumps eight{{"Tree/LL", 8},
                    {"Tree/LL128", 256 * kKiB},
                    {"NVLSTree/Simple", 8 * kMiB},
                    {"Ring/Simple", kGiB}};
  EXPECT_EQ(jumps(v, "hgx-h100", 8), eight);
  EXPECT_EQ(jumps(v, "hgx-h100", 8, NcclFunction::AllReduce, "NCCL_MIN_CTAS=24"), eight);
}

TEST(NcclTuning, NewerVersionsMoveTheJumps) {
  const NcclVersion v{2, 30, 7};
  EXPECT_EQ(jumps(v, "hgx-h100", 2),
            (Jumps{{"Tree/LL", 8}, {"Tree/LL128", 256 * kKiB}, {"NVLSTree/Simple", 4 * kMiB}}));
  for (const auto& [nodes, ring] : {std::pair{4, kGiB}, {8, 4 * kGiB}}) {
    EXPECT_EQ(jumps(v, "hgx-h100", nodes), (Jumps{{"Tree/LL", 8},
                                                  {"Tree/LL128", 256 * kKiB},
                                                  {"NVLSTree/Simple", 16 * kMiB},
                                                  {"Ring/Simple", ring}}));
  }
}

TEST(NcclTuning, GatherAndScatterRunRings) {
  for (const NcclFunction function : {NcclFunction::AllGather, NcclFunction::ReduceScatter}) {
    EXPECT_EQ(jumps({2, 30, 7}, "hgx-h100", 2, function),
              (Jumps{{"Ring/LL", 8}, {"Ring/LL128", kMiB}, {"Ring/Simple", 64 * kMiB}}));
  }
}

TEST(NcclTuning, OverridesKeepWhatTheyName) {
  EXPECT_EQ(
      jumps({2, 26, 2}, "hgx-h100", 2, NcclFunction::AllReduce, "NCCL_ALGO=ring PROTO=simple"),
      (Jumps{{"Ring/Simple", 8}}));
  EXPECT_EQ(jumps({2, 26, 2}, "hgx-h100", 2, NcclFunction::AllReduce, "NCCL_ALGO=^NVLSTree,Ring")
                .back()
                .choice,
            "Tree/Simple");
  EXPECT_EQ(
      jumps({2, 26, 2}, "hgx-h100", 2, NcclFunction::AllReduce, "NVLS_ENABLE=0").back().choice,
      "Ring/Simple");
  EXPECT_EQ(NcclOverride({"Ring,Tree", "LL"}).problem(), "");
  EXPECT_NE(NcclOverride({"Rings", ""}).problem().find("\"Rings\" is none of Tree"),
            std::string::npos);
  EXPECT_TRUE(jumps({2, 26, 2}, "hgx-h100", 1, NcclFunction::AllReduce, "ALGO=NVLSTree").empty())
      << "NVLSTree needs several nodes";
}

// NCCL's estimates themselves: measured were 24.7 and 34.5 us at 8 B on 2 and 4 nodes.
TEST(NcclTuning, LatenciesAreNcclsOwn) {
  const NcclTuning& tuning = catalog().of_version({2, 26, 2}).tuning;
  for (const auto& [nodes, expected] : {std::pair{2, 25.2}, {4, 35.2}}) {
    const NcclSetup setup = make_nccl_setup(catalog().node_named("hgx-h100")->node, nodes, {}, 226);
    const auto selection = nccl_select(tuning, setup.system, NcclFunction::AllReduce, 8);
    ASSERT_TRUE(selection.has_value());
    EXPECT_NEAR(selection->estimate_us, expected, 0.01);
  }
}

TEST(NcclTuning, ChannelsFollowSettingsAndSize) {
  const NcclNode node = catalog().node_named("hgx-h100")->node;
  const NcclSetup plain = make_nccl_setup(node, 2, {}, 226);
  EXPECT_EQ(plain.system.channels, 16);
  EXPECT_EQ(plain.nvls_channels, 16);
  EXPECT_EQ(plain.channels_per_net_peer, 4);
  const NcclSetup more = make_nccl_setup(
      node, 8, nccl_settings("NCCL_MIN_CTAS=24 NCCL_IB_QPS_PER_CONNECTION=2 TC=96"), 226);
  EXPECT_EQ(more.system.channels, 24);
  EXPECT_EQ(more.nvls_channels, 24) << "up to 2.27 MIN_CTAS moves the NVLS channels too";
  EXPECT_EQ(more.unknown, std::vector<std::string>{"TC"});
  EXPECT_EQ(make_nccl_setup(node, 8, nccl_settings("MIN_CTAS=24"), 230).nvls_channels, 16);
  EXPECT_EQ(make_nccl_setup(node, 1, {}, 226).system.channels, 24);
  const NcclSystem& system = plain.system;
  const auto used = [&](NcclAlgorithm a, NcclProtocol p, std::int64_t bytes) {
    return nccl_channels(system, a, p, bytes, 16);
  };
  EXPECT_EQ(used(NcclAlgorithm::Tree, NcclProtocol::Ll, 8), 1);
  EXPECT_EQ(used(NcclAlgorithm::Tree, NcclProtocol::Ll, 32 * kKiB), 8) << "4 KiB each";
  EXPECT_EQ(used(NcclAlgorithm::Ring, NcclProtocol::Ll, 512 * kKiB), 8) << "64 KiB each";
  EXPECT_EQ(used(NcclAlgorithm::Ring, NcclProtocol::Simple, kGiB), 16);
  EXPECT_EQ(used(NcclAlgorithm::NvlsTree, NcclProtocol::Simple, kMiB), 16);
}

TEST(NcclTuning, VersionsInWords) {
  EXPECT_EQ(nccl_version_in_words("RCCL 2.27.7"), (NcclVersion{2, 27, 7}));
  EXPECT_EQ(nccl_version_in_words("~2.8-2.10 (2021)"), (NcclVersion{2, 8, 0}));
  EXPECT_FALSE(nccl_version_in_words("unknown(2025-06)").has_value());
  EXPECT_FALSE(nccl_version_in_words("").has_value());
}

TEST(NcclTuning, NodesAreFoundByTheirGpus) {
  const auto name = [](const char* gpu) {
    const NcclNodePreset* node = catalog().node_of_gpu(gpu);
    return node == nullptr ? std::string() : node->name;
  };
  EXPECT_EQ(name("NVIDIA H100 80GB HBM3"), "hgx-h100");
  EXPECT_EQ(name("GB200 NVL72"), "gb200-nvl72");
  EXPECT_EQ(name("B200-SXM"), "hgx-b200");
  EXPECT_EQ(name("RTX 6000D (PCIe, no NVLink)"), "pcie-8");
  EXPECT_EQ(name("abacus"), "");
}

TEST(NcclTuning, BrokenCatalogsAreSaid) {
  const NcclCatalogResult read = read_nccl_catalog("{\"common\": 3}", "t.json", "{}", "n.json");
  ASSERT_EQ(read.problems.size(), 4u);
  EXPECT_EQ(to_string(read.problems[0]),
            "t.json:1:12: \"common\" is a number; expected an object.");
}

}  // namespace
}  // namespace spineleaf
