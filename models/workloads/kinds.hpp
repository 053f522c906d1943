#pragma once
// The workload kinds in this folder, one source file each, and make_workload_kind.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/workloads/registry.hpp"

namespace spineleaf {

/// One explicit flow: one message on a connection of its own.
struct FlowEntry {
  std::string from{};  ///< "host3", or "host3:1" for its NIC 1
  std::string to{};
  Bytes bytes{1};
  Time start{};
  int traffic_class = -1;           ///< -1 = the fabric's data class
  Rate rate{};                      ///< injection limit; 0 = line rate
  std::vector<std::string> path{};  ///< node names to pin it to; resolved outside into path_id
  std::int32_t path_id = -1;        ///< number of the pinned path; -1 = routed
};

/// Parameters of kind "flows". The list has no ParamDecl: scenario readers fill it directly.
struct FlowsParams {
  std::vector<FlowEntry> flows;
};

/// Ties a parameter struct, its table and a typed build function into a WorkloadKind. Defaults
/// come from the table, so that they stand in one place.
template <class Params, Workload (*Build)(const WorkloadContext&, const Params&),
          const ParamTable& Table>
WorkloadKind make_workload_kind(std::string_view name) {
  return {name, Table,
          []() -> std::shared_ptr<void> {
            auto params = std::make_shared<Params>();
            for (const ParamDecl& decl : Table.params) {
              decl.set(params.get(), parse_declared(decl, decl.default_text));
            }
            return params;
          },
          [](const WorkloadContext& context, const void* params) {
            return Build(context, *static_cast<const Params*>(params));
          }};
}

WorkloadKind flows_workload();
WorkloadKind permutation_workload();
WorkloadKind incast_workload();
WorkloadKind all_to_all_workload();
WorkloadKind poisson_workload();
WorkloadKind send_recv_workload();
WorkloadKind collective_workload();

}  // namespace spineleaf
