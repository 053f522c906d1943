#pragma once
// `spineleaf validate sharp`: aggregation in switches against its closed forms, and its bytes.

#include <vector>

#include "validation/roce/row.hpp"

namespace spineleaf {

/// `quick`: fewer trees and sizes.
std::vector<RoceRow> sharp_rows(bool quick);

}  // namespace spineleaf
