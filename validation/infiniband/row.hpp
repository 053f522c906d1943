#pragma once
// The rows of `spineleaf validate infiniband`.

#include <string>
#include <vector>

#include "validation/row.hpp"

namespace spineleaf {

struct InfinibandOptions {
  int seeds = 10;      ///< of deadlock cases
  bool quick = false;  ///< shorter windows, fewer seeds where means are taken, no large fabrics
};

std::vector<ValidationRow> rate_rows(const InfinibandOptions& options);
std::vector<ValidationRow> ceiling_rows(const InfinibandOptions& options);
std::vector<ValidationRow> credit_loop_rows(const InfinibandOptions& options);
std::vector<ValidationRow> lifetime_rows(const InfinibandOptions& options);
std::vector<ValidationRow> victim_rows(const InfinibandOptions& options);
std::vector<ValidationRow> arbitration_rows(const InfinibandOptions& options);
std::vector<ValidationRow> routing_rows(const InfinibandOptions& options);
std::vector<ValidationRow> latency_rows(const InfinibandOptions& options);
std::vector<ValidationRow> incast_rows(const InfinibandOptions& options);

/// All of them; `group` = "latency", "rate", "ceiling", "incast", "deadlock", "lifetime", "victim",
/// "arbitration", "routing", or "" for all.
std::vector<ValidationRow> infiniband_rows(const std::string& group,
                                           const InfinibandOptions& options);

}  // namespace spineleaf
