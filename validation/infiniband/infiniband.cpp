#include <algorithm>
#include <iterator>

#include "validation/infiniband/row.hpp"

namespace spineleaf {

std::vector<ValidationRow> infiniband_rows(const std::string& group,
                                           const InfinibandOptions& options) {
  std::vector<ValidationRow> rows;
  const auto add = [&](const char* name, auto make) {
    if (!group.empty() && group != name) return;
    std::vector<ValidationRow> more = make(options);
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  };
  add("latency", latency_rows);
  add("rate", rate_rows);
  add("ceiling", ceiling_rows);
  add("incast", incast_rows);
  add("deadlock", credit_loop_rows);
  add("lifetime", lifetime_rows);
  add("victim", victim_rows);
  add("arbitration", arbitration_rows);
  add("routing", routing_rows);
  return rows;
}

}  // namespace spineleaf
