#pragma once
// The workload kinds in this folder, one source file each, and make_workload_kind.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/workloads/registry.hpp"

namespace spineleaf {

/// One explicit flow: one message on a connection of its own.
struct FlowEntry {
  std::string from{};  ///< "host3", or "host3:1" for its NIC 1
  std::string to{};
  Bytes bytes{1};
  Time start{};
  Time start_jitter{};              ///< up to this much later, by seed
  int traffic_class = -1;           ///< -1 = the fabric's data class
  Rate rate{};                      ///< injection limit; 0 = line rate
  std::vector<std::string> path{};  ///< node names to pin it to; resolved outside into path_id
  std::int32_t path_id = -1;        ///< number of the pinned path; -1 = routed
};

/// Parameters of kind "flows". The list has no ParamDecl: scenario readers fill it directly.
struct FlowsParams {
  std::vector<FlowEntry> flows;
};

/// Where a parameter struct is checked: the hosts, the models, and where problems and the size go.
/// What a check finds out on its way (who takes part) it hands on to the builder.
struct WorkloadCheck {
  const HostTable& hosts;
  const ModelParams& models;
  std::vector<Problem>& problems;
  WorkloadSize& size;

  void error(std::string where, std::string what, std::string found = {},
             std::string expected = {}) const {
    problems.push_back(
        make_error(std::move(where), std::move(what), std::move(found), std::move(expected)));
  }
  /// Class number of a workload: -1 means the fabric's data class.
  std::uint8_t traffic_class(std::int64_t wanted, const std::string& where = "class") const;
  /// States the size of what will be planned message by message; so many may be too many.
  void plans(double connections, double messages, double bytes) const;
};

namespace detail {
template <class>
struct CheckedBy;
template <class Checked, class P>
struct CheckedBy<Checked (*)(const WorkloadCheck&, const P&)> {
  using Params = P;
};
}  // namespace detail

/// The workload of that name that can't be built, and why.
Workload refused_workload(std::string_view name, std::span<const Problem> problems);

/// Ties a parameter struct, its table, a typed check and a typed build function into a
/// WorkloadKind. Defaults come from the table, so that they stand in one place. Check hands what it
/// found, a struct of its own, to Build, which is only called when there are no problems.
template <const ParamTable& Table, auto Check, auto Build>
WorkloadKind make_workload_kind() {
  using Params = typename detail::CheckedBy<decltype(Check)>::Params;
  return {Table.name, Table,
          []() -> std::shared_ptr<void> {
            auto params = std::make_shared<Params>();
            for (const ParamDecl& decl : Table.params) {
              decl.set(params.get(), parse_declared(decl, decl.default_text));
            }
            return params;
          },
          [](const HostTable& hosts, const ModelParams& models, const void* params) {
            WorkloadFindings found;
            Check({hosts, models, found.problems, found.size}, *static_cast<const Params*>(params));
            return found;
          },
          [](const WorkloadContext& context, const void* object) {
            const auto& params = *static_cast<const Params*>(object);
            const HostTable hosts(context.topology);
            WorkloadFindings found;
            auto checked = Check({hosts, context.params, found.problems, found.size}, params);
            if (!found.problems.empty()) return refused_workload(Table.name, found.problems);
            return Build(context, hosts, params, checked);
          }};
}

WorkloadKind flows_workload();
WorkloadKind permutation_workload();
WorkloadKind incast_workload();
WorkloadKind all_to_all_workload();
WorkloadKind poisson_workload();
WorkloadKind send_recv_workload();
WorkloadKind collective_workload();
WorkloadKind sharp_workload();

}  // namespace spineleaf
