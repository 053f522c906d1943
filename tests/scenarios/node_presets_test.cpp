// Presets of servers: one catalog for scenarios and for NCCL's choice, the document's table, and
// what they do in a scenario.

#include "models/presets_node.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "scenarios/input/read.hpp"
#include "scenarios/nccl_catalog.hpp"

namespace spineleaf::node_presets_table {
namespace {

std::string value_of(const Preset& preset, std::string_view key) {
  for (const PresetEntry& entry : preset.entries) {
    if (entry.key == key) return std::string(entry.value);
  }
  return "";
}
double gbps_of(const Preset& preset, std::string_view key) {
  return std::stod(value_of(preset, key));
}

TEST(NodePresets, AreTheCatalogsServers) {
  const NcclCatalog catalog = shipped_nccl_catalog().catalog;
  EXPECT_EQ(catalog.nodes.size(), node_presets().size());
  for (const Preset& preset : node_presets()) {
    SCOPED_TRACE(preset.name);
    const NcclNodePreset* found = catalog.node_named(preset.name);
    ASSERT_NE(found, nullptr);
    const NcclNode& node = found->node;
    EXPECT_EQ(value_of(preset, "host.gpus"), std::to_string(node.gpus));
    EXPECT_EQ(value_of(preset, "topology.rails"), std::to_string(node.nics));
    EXPECT_EQ(value_of(preset, "topology.nics_per_host"), std::to_string(node.nics));
    EXPECT_EQ(gbps_of(preset, "topology.speed"), node.nic_gbps);
    // NCCL counts a little less than what is sold.
    const double nvlink = gbps_of(preset, "host.nvlink_rate") / 8;
    const double counted = node.nvlink_gbytes > 0 ? node.nvlink_gbytes : nvlink;
    EXPECT_GE(nvlink, counted);
    EXPECT_LE(nvlink, 1.26 * counted);
  }
}

TEST(NodePresets, TheDocumentHasTheirTable) {
  std::string table =
      "| preset | GPUs | NVLink | NICs | slot | what | source |\n|---|---|---|---|---|---|---|\n";
  for (const Preset& preset : node_presets()) {
    table += "| `" + std::string(preset.name) + "` | " + value_of(preset, "host.gpus") + " | " +
             value_of(preset, "host.nvlink_rate") + " | " + value_of(preset, "topology.rails") +
             " x " + value_of(preset, "topology.speed") + " | " +
             value_of(preset, "nic.pcie_rate") + " | " + std::string(preset.text) + " | " +
             std::string(preset.source) + " |\n";
  }
  std::ifstream file(std::string(SPINELEAF_SOURCE_DIR) + "/docs/measurements.md");
  std::stringstream document;
  document << file.rdbuf();
  EXPECT_NE(document.str().find(table), std::string::npos) << "docs/measurements.md should have:\n"
                                                           << table;
}

ValidSpec spec_of(const std::string& preset, const std::string& topology) {
  ReadOptions options;
  options.workload_required = false;
  ValidateResult read =
      read_scenario(R"({"preset": ["ib-ndr", ")" + preset + R"("], "topology": )" + topology + "}",
                    "test", options);
  if (has_errors(read.problems)) throw std::runtime_error(to_string(read.problems.front()));
  return read.spec.value();
}

TEST(NodePresets, GiveTheTopologyItsNicsUnlessTheScenarioDoes) {
  const ValidSpec rails = spec_of("dgx-a100", R"({"kind": "rail_optimised", "hosts": 2})");
  EXPECT_EQ(rails.graph->endpoints.size(), 16U);
  EXPECT_EQ(rails.graph->cables[0].rate.gbps(), 200);
  EXPECT_EQ(rails.models.nic.pcie_rate.bits_per_second, 229'000'000'000);
  const ValidSpec one = spec_of("gh200-4", R"({"kind": "single_switch", "hosts": 3})");
  EXPECT_EQ(one.graph->endpoints.size(), 12U);
  EXPECT_EQ(one.models.host.gpus, 4);
  const ValidSpec own =
      spec_of("hgx-h100", R"({"kind": "fat_tree", "hosts": 4, "nics_per_host": 2})");
  EXPECT_EQ(own.graph->endpoints.size(), 8U);
  const ValidSpec rack =
      spec_of("gb200-nvl72", R"({"kind": "rail_optimised", "hosts": 2, "tiers": 1})");
  EXPECT_EQ(rack.graph->endpoints.size(), 144U);
  // A kind without such keys: direct cables.
  EXPECT_EQ(spec_of("dgx-a100", R"({"kind": "direct"})").models.host.gpus, 8);
  for (const ResolvedValue& value : rails.resolved) {
    if (value.key != "topology.rails") continue;
    EXPECT_EQ(value.origin, "preset dgx-a100");
  }
}

}  // namespace
}  // namespace spineleaf::node_presets_table
