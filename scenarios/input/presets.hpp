#pragma once
// Presets as a scenario applies them.

#include <string_view>

#include "models/params.hpp"

namespace spineleaf {

/// Null where there is none of that name.
const Preset* find_preset(std::string_view name);

/// Sets in `object` what the preset says of `section`, a section with that table. Keys that the
/// table lacks are left out: kinds of topologies differ in theirs.
void apply_preset(const Preset& preset, std::string_view section, const ParamTable& table,
                  void* object);

}  // namespace spineleaf
