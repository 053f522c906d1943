#pragma once
// Kinds of workload: one file and one line in registry.cpp each.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "models/host/app.hpp"
#include "models/params.hpp"
#include "models/workloads/host_table.hpp"

namespace spineleaf {

class AggregationManager;

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
  /// Gives out trees of aggregation nodes, to all jobs of a fabric in their order; null = none.
  AggregationManager* aggregation = nullptr;
};

/// How much a workload is, for the estimate of a run. Counts are doubles: they may be absurd.
struct WorkloadSize {
  double connections = 0;
  double messages = 0;
  double bytes = 0;  ///< payload of all messages that cross the fabric
};

struct WorkloadFindings {
  std::vector<Problem> problems;
  WorkloadSize size;
};

struct WorkloadKind {
  std::string_view name;
  ParamTable table;
  std::shared_ptr<void> (*make_params)();  ///< a parameter struct filled with defaults
  /// What stands against building it on these hosts: unknown names, too few hosts, ... Each problem
  /// says which parameter (`where`; empty = the workload). And its size. Nothing is planned yet.
  WorkloadFindings (*check)(const HostTable& hosts, const ModelParams& models, const void* params);
  /// Checks, then builds; a workload that is refused has the problems and nothing else.
  Workload (*build)(const WorkloadContext& context, const void* params);
};

std::span<const WorkloadKind> workload_kinds();

}  // namespace spineleaf
