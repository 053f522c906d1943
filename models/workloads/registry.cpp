#include "models/workloads/registry.hpp"

#include <array>

#include "models/workloads/kinds.hpp"

namespace spineleaf {

std::span<const WorkloadKind> workload_kinds() {
  static const std::array kinds{
      flows_workload(),        // explicit list
      permutation_workload(),  // one to one
      incast_workload(),       // many to one
      all_to_all_workload(),   // all to all
      send_recv_workload(),    // streams between pairs
      poisson_workload(),      // random arrivals
      collective_workload(),   // NCCL rings
      sharp_workload(),        // aggregation in switches
  };
  return kinds;
}

}  // namespace spineleaf
