#include "models/workloads/registry.hpp"

#include <array>

#include "models/workloads/kinds.hpp"

namespace spineleaf {

std::span<const WorkloadKind> workload_kinds() {
  static const std::array kinds{
      flows_workload(),
      permutation_workload(),
      incast_workload(),
      collective_workload(),
  };
  return kinds;
}

}  // namespace spineleaf
