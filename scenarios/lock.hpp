#pragma once
// The lock file: a scenario with every default resolved, so that it can be run again as it was.

#include <string>

#include "scenarios/spec.hpp"

namespace spineleaf {

/// Text of `scenario.lock.json`. Reading it gives an equal scenario, bit for bit.
std::string lock_text(const ScenarioData& scenario);

/// Whether two scenarios describe the same run: all parameters, flows, links and faults.
bool same_scenario(const ScenarioData& a, const ScenarioData& b);

}  // namespace spineleaf
