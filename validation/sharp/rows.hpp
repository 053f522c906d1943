#pragma once
// `spineleaf validate sharp`: aggregation in switches against its closed forms, and its bytes.

#include <vector>

#include "validation/row.hpp"

namespace spineleaf {

/// `quick`: fewer trees and sizes.
std::vector<ValidationRow> sharp_rows(bool quick);

}  // namespace spineleaf
