#pragma once
// The rows of `spineleaf validate roce`.

#include <string>
#include <vector>

#include "validation/row.hpp"

namespace spineleaf {

struct RoceOptions {
  int seeds = 10;      ///< of deadlock cases
  bool quick = false;  ///< shorter horizons and one seed where means are taken
};

std::vector<ValidationRow> headroom_rows(const RoceOptions& options);
std::vector<ValidationRow> fairness_rows(const RoceOptions& options);
std::vector<ValidationRow> deadlock_rows(const RoceOptions& options);
std::vector<ValidationRow> dcqcn_rows(const RoceOptions& options);
std::vector<ValidationRow> control_rows(const RoceOptions& options);
std::vector<ValidationRow> loss_rows(const RoceOptions& options);
std::vector<ValidationRow> ecn_rows(const RoceOptions& options);
std::vector<ValidationRow> ecmp_rows(const RoceOptions& options);

/// All of them; `group` = "headroom", "fairness", "deadlock", "dcqcn", "control", "loss", "ecn",
/// "ecmp", or "" for all.
std::vector<ValidationRow> roce_rows(const std::string& group, const RoceOptions& options);

}  // namespace spineleaf
