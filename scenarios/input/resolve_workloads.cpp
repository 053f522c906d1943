// Workloads against the topology: their hosts, their classes, and the pinned paths of flows.

#include <algorithm>
#include <memory>
#include <utility>

#include "models/workloads/kinds.hpp"
#include "scenarios/input/checker.hpp"
#include "scenarios/input/tables.hpp"

namespace spineleaf {

namespace {

class WorkloadResolver {
 public:
  WorkloadResolver(const Spec& spec, const Topology& graph, Checker& checker, ValidSpec& valid)
      : spec_(spec), graph_(graph), checker_(checker), paths_(valid.paths), hosts_(graph) {}

  /// Their size, all together.
  WorkloadSize run(std::vector<WorkloadSpec>& workloads) {
    for (std::size_t i = 0; i < workloads.size() && !checker_.full(); ++i) {
      const WorkloadKind* kind = find_workload_kind(workloads[i].kind);
      if (kind == nullptr) continue;
      const bool sound = check(*kind, workloads[i], checker_.workload_path(i));
      if (sound && kind->name == "flows") pin_flows(workloads[i], checker_.workload_path(i));
    }
    check_paths();
    return size_;
  }

 private:
  bool check(const WorkloadKind& kind, const WorkloadSpec& workload, const std::string& path) {
    const auto [problems, size] = kind.check(hosts_, spec_.models, workload.params.get());
    size_.connections += size.connections;
    size_.messages += size.messages;
    size_.bytes += size.bytes;
    for (const Problem& problem : problems) {
      checker_.from_problem(problem, problem.where.empty() ? path : path + "." + problem.where);
    }
    return problems.empty();
  }

  /// Gives each path of the flows its number.
  void pin_flows(WorkloadSpec& workload, const std::string& path) {
    auto params =
        std::make_shared<FlowsParams>(*static_cast<const FlowsParams*>(workload.params.get()));
    for (std::size_t f = 0; f < params->flows.size() && !checker_.full(); ++f) {
      FlowEntry& flow = params->flows[f];
      if (!flow.path.empty()) pin(flow, path + ".flows[" + std::to_string(f) + "]");
    }
    workload.params = std::move(params);
  }

  void pin(FlowEntry& flow, std::string path) {
    check_end(flow.path.front(), flow.from, path + ".path[0]");
    const bool loop =
        std::find(flow.path.begin(), flow.path.end() - 1, flow.path.back()) != flow.path.end() - 1;
    if (!loop)
      check_end(flow.path.back(), flow.to,
                path + ".path[" + std::to_string(flow.path.size() - 1) + "]");
    flow.path_id = static_cast<std::int32_t>(paths_.size());
    PathSpec& pinned = paths_.emplace_back();
    for (const std::string& node : flow.path) pinned.steps.push_back({node});
    owners_.push_back(std::move(path));
  }

  void check_end(const std::string& node, const std::string& end, std::string path) {
    EndpointId endpoint{};
    std::vector<Problem> none;  // its name was checked
    hosts_.find_endpoint(end, "", endpoint, none);
    const std::string& host = graph_.nodes[hosts_.host_of(endpoint)].name;
    if (node == host) return;
    checker_.error(std::move(path), in_quotes(node) + " is not the host of the flow",
                   in_quotes(host));
  }

  void check_paths() {
    if (paths_.empty() || checker_.full()) return;
    for (const Problem& problem : make_paths(graph_, paths_).problems) {
      // "paths[3].nodes[2]" is "workload.flows[17].path[2]" of the user's text.
      const std::size_t digits = problem.where.find('[') + 1;
      const auto number = static_cast<std::size_t>(std::atoll(problem.where.c_str() + digits));
      if (number >= owners_.size()) continue;
      const std::size_t node = problem.where.find(".nodes");
      const std::string rest = node == std::string::npos ? "" : problem.where.substr(node + 6);
      checker_.from_problem(problem, owners_[number] + ".path" + rest);
    }
  }

  const Spec& spec_;
  const Topology& graph_;
  Checker& checker_;
  std::vector<PathSpec>& paths_;
  HostTable hosts_;
  WorkloadSize size_;
  std::vector<std::string> owners_;  ///< per pinned path: its flow
};

}  // namespace

WorkloadSize resolve_workloads(const Spec& spec, const Topology& graph, Checker& checker,
                               ValidSpec& valid) {
  return WorkloadResolver(spec, graph, checker, valid).run(valid.workloads);
}

}  // namespace spineleaf
