// The table of switch memories in docs/real-configurations.md is that of the presets.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/presets_asic.hpp"

namespace spineleaf::asic_presets_table {
namespace {

TEST(AsicPresets, TheDocumentHasTheirTable) {
  std::string table = "| preset | pool | cell | source |\n|---|---|---|---|\n";
  for (const Preset& preset : asic_presets()) {
    table += "| `" + std::string(preset.name) + "`";
    for (const PresetEntry& entry : preset.entries) table += " | " + std::string(entry.value);
    table += " | " + std::string(preset.source) + " |\n";
  }
  std::ifstream file(std::string(SPINELEAF_SOURCE_DIR) + "/docs/real-configurations.md");
  std::stringstream document;
  document << file.rdbuf();
  EXPECT_NE(document.str().find(table), std::string::npos)
      << "docs/real-configurations.md should have:\n"
      << table;
}

}  // namespace
}  // namespace spineleaf::asic_presets_table
