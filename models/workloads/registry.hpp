#pragma once
// Kinds of workload: one file and one line in registry.cpp each.

#include <memory>
#include <span>
#include <string_view>

#include "models/host/app.hpp"
#include "models/params.hpp"

namespace spineleaf {

/// What a workload may look at while it is compiled into connections and apps.
struct WorkloadContext {
  const Topology& topology;
  const ModelParams& params;
  std::uint64_t seed = 1;
  std::uint32_t job = 0;
  /// First sender row free on each host (indexed by host node), after the jobs before this one.
  /// A workload takes rows from here in the order in which it lists connections and leaves the
  /// new first free row behind.
  std::vector<std::uint32_t>& next_sender_row;
};

struct WorkloadKind {
  std::string_view name;
  ParamTable table;
  std::shared_ptr<void> (*make_params)();  ///< a parameter struct filled with defaults
  Workload (*build)(const WorkloadContext& context, const void* params);
};

std::span<const WorkloadKind> workload_kinds();

}  // namespace spineleaf
