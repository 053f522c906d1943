#include "scenarios/input/presets.hpp"

#include "scenarios/input/tables.hpp"

namespace spineleaf {

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : model_presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

void apply_preset(const Preset& preset, std::string_view section, const ParamTable& table,
                  void* object) {
  for (const PresetEntry& entry : preset.entries) {
    const std::size_t dot = entry.key.find('.');
    if (entry.key.substr(0, dot) != section) continue;
    if (const ParamDecl* decl = find_param(table, entry.key.substr(dot + 1))) {
      decl->set(object, parse_declared(*decl, entry.value));
    }
  }
}

}  // namespace spineleaf
