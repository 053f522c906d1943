#pragma once
// Every parameter of a scenario with the value that a run will use and where it comes from.

#include <vector>

#include "scenarios/spec.hpp"

namespace spineleaf {

std::vector<ResolvedValue> resolved_values(const Spec& spec);

}  // namespace spineleaf
