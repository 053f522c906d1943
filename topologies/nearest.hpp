#pragma once
// The candidate that a misspelt name was probably meant to be.

#include <span>
#include <string>
#include <string_view>

namespace spineleaf {

/// The candidate with the fewest slips (a letter too many, missing or wrong, or two neighbours
/// swapped), or "" if none is within a third of the length.
std::string nearest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace spineleaf
