#pragma once
// From a schedule to connections and apps: the second half of kind "collective".

#include <memory>
#include <vector>

#include "models/workloads/collective.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {

/// The hosts in order, and what their GPUs do.
struct CollectivePlan {
  std::vector<std::uint32_t> hosts;
  std::uint8_t traffic_class = 0;
  std::shared_ptr<const Schedule> schedule;
};

/// Calls see(place) for each machine, in the order in which connections are listed: node by node,
/// channel by channel.
template <typename See>
void each_machine(const Schedule& schedule, std::uint32_t node, See see) {
  const std::uint32_t gpus = schedule.communicator().gpus;
  for (std::uint32_t channel = 0; channel < schedule.channels(); ++channel) {
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      for (std::uint32_t role = 0; role < schedule.roles(); ++role) {
        see(MachineId{node * gpus + gpu, channel, role});
      }
    }
  }
}

Workload build_collective(const WorkloadContext& context, const HostTable& table,
                          const CollectiveParams& params, const CollectivePlan& plan);

}  // namespace spineleaf
