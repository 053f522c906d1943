#pragma once
// Presets of switch memory by chip; model_presets() has them among the others.

#include <span>

#include "models/params.hpp"

namespace spineleaf {

/// Named "asic-...": each sets pfc.buffer (shared memory of lossless classes, headroom apart) and
/// pfc.cell, and nothing else.
std::span<const Preset> asic_presets();

}  // namespace spineleaf
