#pragma once
// A drawing of the wait-for graph.

#include <string>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf {

/// Queues on a cycle of waits stand on a ring, in order; what waits for them stands outside. Of
/// more than some thirty queues the farthest are left out. "" if there is nothing to draw.
std::string waits_picture(const std::vector<WaitsFor>& waits);

}  // namespace spineleaf
