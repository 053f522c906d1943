#pragma once
// Presets of servers; model_presets() has them among the others.

#include <span>

#include "models/params.hpp"

namespace spineleaf {

/// Named as the servers of scenarios/catalog/nccl-nodes.json. Each sets host.gpus,
/// host.nvlink_rate, nic.pcie_rate, the speed of links and the NICs of a host, and what is known of
/// the GPUs' costs.
std::span<const Preset> node_presets();

}  // namespace spineleaf
