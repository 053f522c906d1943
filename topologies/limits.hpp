#pragma once
// What a fabric can hold at most, whatever its kind.

#include <cstdint>

#include "sim/bitmap.hpp"

namespace spineleaf {

/// Ports of one node, host or switch: two fewer than the sets of ports that the models keep hold.
inline constexpr std::int64_t kMostPorts = kMaxPorts - 2;

}  // namespace spineleaf
