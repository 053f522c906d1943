#pragma once
// Presets of ECN thresholds alone; model_presets() has them among the others.

#include <span>

#include "models/params.hpp"

namespace spineleaf {

/// Named "ecn-...": each sets all of enabled, kmin, kmax and pmax, and nothing else.
std::span<const Preset> ecn_presets();

}  // namespace spineleaf
