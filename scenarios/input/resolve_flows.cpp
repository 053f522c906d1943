// Explicit flows: their endpoints, classes and pinned paths against the topology.

#include <memory>
#include <utility>

#include "models/workloads/host_table.hpp"
#include "models/workloads/kinds.hpp"
#include "scenarios/input/checker.hpp"

namespace spineleaf {

namespace {

class FlowResolver {
 public:
  FlowResolver(const Spec& spec, const Topology& graph, Checker& checker,
               std::vector<PathSpec>& paths)
      : spec_(spec), graph_(graph), checker_(checker), paths_(paths), hosts_(graph) {}

  std::vector<WorkloadSpec> run() {
    std::vector<WorkloadSpec> workloads = spec_.workloads;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      if (workloads[i].kind != "flows") continue;
      auto params = std::make_shared<FlowsParams>(
          *static_cast<const FlowsParams*>(workloads[i].params.get()));
      const std::string base = checker_.workload_path(i) + ".flows[";
      for (std::size_t f = 0; f < params->flows.size() && !checker_.full(); ++f) {
        check_flow(params->flows[f], base + std::to_string(f) + "]");
      }
      workloads[i].params = std::move(params);
    }
    check_paths();
    return workloads;
  }

 private:
  bool find(const std::string& name, const std::string& path, EndpointId& endpoint) {
    found_.clear();
    if (name.size() <= 256 && hosts_.find_endpoint(name, endpoint, found_)) return true;
    // An empty name was reported as missing.
    if (name.empty()) return false;
    if (!found_.empty() && !found_.front().starts_with("no host is named")) {
      checker_.error(path, found_.front());
      return false;
    }
    std::vector<std::string_view> names;
    for (std::uint32_t h = 0; h < graph_.host_count; ++h) names.push_back(graph_.nodes[h].name);
    const std::string expected =
        "\"" + graph_.nodes[0].name + "\" to \"" + graph_.nodes[graph_.host_count - 1].name + "\"";
    checker_.error(path, in_quotes(name) + " is no host of the topology", expected,
                   did_you_mean(name, names));
    return false;
  }

  void check_flow(FlowEntry& flow, const std::string& path) {
    EndpointId from{};
    EndpointId to{};
    const bool from_known = find(flow.from, path + ".from", from);
    const bool to_known = find(flow.to, path + ".to", to);
    const bool known = from_known && to_known;
    if (known && hosts_.host_of(from) == hosts_.host_of(to)) {
      checker_.error(path + ".to", in_quotes(flow.to) + " is the sending host itself",
                     "another host");
    }
    if (flow.traffic_class >= spec_.models.fabric.classes) {
      checker_.error(path + ".class",
                     "class " + std::to_string(flow.traffic_class) + " does not exist",
                     "-1 to " + std::to_string(spec_.models.fabric.classes - 1));
    }
    if (flow.path.empty() || !known) return;
    check_ends(flow, path, from, to);
    flow.path_id = static_cast<std::int32_t>(paths_.size());
    PathSpec& pinned = paths_.emplace_back();
    for (const std::string& node : flow.path) pinned.steps.push_back({node});
    owners_.push_back(path);
  }

  void check_ends(const FlowEntry& flow, const std::string& path, EndpointId from, EndpointId to) {
    const auto check = [&](std::size_t row, EndpointId end) {
      const std::string& host = graph_.node(graph_.endpoints[index(end)].host).name;
      if (flow.path[row] == host) return;
      checker_.error(path + ".path[" + std::to_string(row) + "]",
                     in_quotes(flow.path[row]) + " is not the host of the flow",
                     "\"" + host + "\"");
    };
    check(0, from);
    check(flow.path.size() - 1, to);
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
      checker_.from_topology(problem, owners_[number] + ".path" + rest);
    }
  }

  const Spec& spec_;
  const Topology& graph_;
  Checker& checker_;
  std::vector<PathSpec>& paths_;
  HostTable hosts_;
  std::vector<std::string> owners_;  ///< per pinned path: its flow
  std::vector<std::string> found_;
};

}  // namespace

std::vector<WorkloadSpec> resolve_flows(const Spec& spec, const Topology& graph, Checker& checker,
                                        std::vector<PathSpec>& paths) {
  return FlowResolver(spec, graph, checker, paths).run();
}

}  // namespace spineleaf
