#pragma once
// What a run will need, before it starts.

#include "models/workloads/registry.hpp"
#include "scenarios/spec.hpp"

namespace spineleaf {

/// Packets, processor time and memory of a scenario whose workloads together are `sum`, on its
/// topology.
RunEstimate estimate_run(const ScenarioData& scenario, const Topology& graph,
                         const WorkloadSize& sum, double hops_per_second);

/// Memory of this machine in bytes; 0 where it can't be told.
double machine_memory();

/// "340 MiB", "2.3 h", "12 thousand packet-hops": for messages.
std::string memory_text(double bytes);
std::string duration_text(double seconds);
std::string hops_text(double hops);

}  // namespace spineleaf
