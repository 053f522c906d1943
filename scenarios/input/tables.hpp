#pragma once
// Parameter tables of what scenarios themselves own: the run, faults, and the entries of lists.

#include <span>
#include <string_view>

#include "models/workloads/kinds.hpp"
#include "scenarios/spec.hpp"
#include "sim/param.hpp"
#include "topologies/custom.hpp"

namespace spineleaf {

/// Section "run", a RunParams.
const ParamTable& run_table();

/// Section "subnet", a SubnetParams.
const ParamTable& subnet_table();

/// The top-level word "expect" and its choices.
const ParamDecl& expect_decl();

/// Entries of a list, each an object; some keys must be given.
struct EntryTable {
  ParamTable table;
  std::span<const std::string_view> required;
};

const EntryTable& node_entries();   ///< topology.nodes, CustomNode
const EntryTable& link_entries();   ///< topology.links, CustomLink
const EntryTable& flow_entries();   ///< workload.flows, FlowEntry (its path is read apart)
const EntryTable& fault_entries();  ///< faults, FaultSpec

/// All top-level keys of a scenario.
std::span<const std::string_view> scenario_keys();

/// A declaration by name; null if the table has none.
const ParamDecl* find_param(const ParamTable& table, std::string_view name);

const WorkloadKind* find_workload_kind(std::string_view name);

}  // namespace spineleaf
