#include <algorithm>
#include <iterator>

#include "validation/roce/row.hpp"

namespace spineleaf {

std::vector<ValidationRow> roce_rows(const std::string& group, const RoceOptions& options) {
  std::vector<ValidationRow> rows;
  const auto add = [&](const char* name, auto make) {
    if (!group.empty() && group != name) return;
    std::vector<ValidationRow> more = make(options);
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  };
  add("headroom", headroom_rows);
  add("fairness", fairness_rows);
  add("deadlock", deadlock_rows);
  add("dcqcn", dcqcn_rows);
  add("control", control_rows);
  add("loss", loss_rows);
  add("ecn", ecn_rows);
  add("ecmp", ecmp_rows);
  return rows;
}

}  // namespace spineleaf
