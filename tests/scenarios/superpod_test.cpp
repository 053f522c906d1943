// The shipped SuperPOD fabrics have the published numbers of switches and cables, and no port is
// used twice.

#include <gtest/gtest.h>

#include <array>

#include "scenarios/input/read.hpp"
#include "topologies/audit.hpp"

namespace spineleaf {
namespace {

struct Published {
  const char* name;
  std::size_t gpus;  ///< and cables of hosts
  std::array<std::size_t, 3> switches;
  std::array<std::size_t, 2> cables;  ///< leaf to spine, spine to core
  std::size_t planes = 1;             ///< a published cable carries a link of each
};

class SuperPods : public ::testing::TestWithParam<Published> {};

// NVIDIA DGX SuperPOD reference architectures, network fabrics: H100 (table 4, without the four
// cables of UFM), B200, B300 with Spectrum-X in two planes, B300 with XDR.
TEST_P(SuperPods, HaveThePublishedCounts) {
  const Published& wanted = GetParam();
  const ValidateResult read = read_scenario_file(
      std::string{SPINELEAF_SOURCE_DIR} + "/scenarios/library/superpod-" + wanted.name + ".json");
  ASSERT_TRUE(read.spec.has_value());
  const Topology& graph = *read.spec->graph;
  std::array<std::size_t, 3> switches{};
  std::array<std::size_t, 3> cables{};
  for (std::size_t n = graph.host_count; n < graph.nodes.size(); ++n) {
    ++switches.at(graph.nodes[n].tier - 1U);
  }
  for (const Cable& cable : graph.cables) ++cables.at(cable.tier);
  for (std::size_t& count : cables) {
    EXPECT_EQ(count % wanted.planes, 0U);
    count /= wanted.planes;
  }
  EXPECT_EQ(graph.endpoints.size(), wanted.gpus * wanted.planes);
  EXPECT_EQ(switches, wanted.switches);
  EXPECT_EQ(cables, (std::array{wanted.gpus, wanted.cables[0], wanted.cables[1]}));
  EXPECT_FALSE(has_errors(check_structure(graph)));
}

INSTANTIATE_TEST_SUITE_P(
    , SuperPods,
    ::testing::Values(Published{"h100-1su", 248, {8, 4, 0}, {256, 0}},
                      Published{"h100-2su", 504, {16, 8, 0}, {512, 0}},
                      Published{"h100-3su", 760, {24, 16, 0}, {768, 0}},
                      Published{"h100-4su", 1016, {32, 16, 0}, {1024, 0}},
                      Published{"b200-2su", 512, {16, 8, 0}, {512, 0}},
                      Published{"b200-4su", 1024, {32, 16, 0}, {1024, 0}},
                      Published{"b200-8su", 2048, {64, 32, 0}, {2048, 0}},
                      Published{"b200-16su", 4096, {128, 128, 64}, {4096, 4096}},
                      Published{"b200-32su", 8192, {256, 256, 128}, {8192, 8192}},
                      Published{"b200-64su", 16384, {512, 512, 256}, {16384, 16384}},
                      Published{"b300-1su", 512, {16, 8, 0}, {512, 0}, 2},
                      Published{"b300-2su", 1024, {32, 16, 0}, {1024, 0}, 2},
                      Published{"b300-4su", 2048, {64, 32, 0}, {2048, 0}, 2},
                      Published{"b300-8su", 4096, {128, 64, 0}, {4096, 0}, 2},
                      Published{"b300-16su", 8192, {256, 128, 0}, {8192, 0}, 2},
                      Published{"b300-xdr-1su", 576, {8, 4, 0}, {576, 0}},
                      Published{"b300-xdr-2su", 1152, {16, 8, 0}, {1152, 0}},
                      Published{"b300-xdr-4su", 2304, {32, 18, 0}, {2304, 0}},
                      Published{"b300-xdr-8su", 4608, {64, 36, 0}, {4608, 0}}));

}  // namespace
}  // namespace spineleaf
