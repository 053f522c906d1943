#pragma once
// Two results of one world, field by field.

#include <string>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf::property {

/// What differs, one line each: "links[3].packets: 17, not 18". At most ten lines. What a run costs
/// (epochs, seconds) is not compared.
std::vector<std::string> differences(const Result& reference, const Result& other);

/// The lines as one text.
std::string joined(const std::vector<std::string>& lines);

}  // namespace spineleaf::property
