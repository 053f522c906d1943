// What the checks of several workload kinds share.

#include <algorithm>

#include "models/workloads/kinds.hpp"

namespace spineleaf {

std::uint8_t WorkloadCheck::traffic_class(std::int64_t wanted, const std::string& where) const {
  const FabricParams& fabric = models.fabric;
  const std::int64_t number = wanted < 0 ? fabric.data_class : wanted;
  if (number < fabric.classes) return static_cast<std::uint8_t>(number);
  problems.push_back(make_error(where, "class " + std::to_string(number) + " does not exist", "",
                                "-1 to " + std::to_string(fabric.classes - 1),
                                "fabric.classes is " + std::to_string(fabric.classes)));
  return 0;
}

void WorkloadCheck::plans(double connections, double messages, double bytes) const {
  size = {connections, messages, bytes};
  constexpr double kMost = 1 << 27;  // 3 GiB of plans; beyond it a run has no end in sight
  if (messages <= kMost) return;
  const double millions = std::min(messages, 9e18) / 1e6;
  error("", "about " + std::to_string(static_cast<std::int64_t>(millions)) + " million messages",
        "", "at most 134 million");
}

Workload refused_workload(std::string_view name, std::span<const Problem> problems) {
  Workload workload;
  workload.name = name;
  for (const Problem& problem : problems) workload.problems.push_back(to_string(problem));
  return workload;
}

}  // namespace spineleaf
