// Spec -> ValidSpec: keys against each other and against the fabric that they make.

#include <algorithm>
#include <memory>
#include <utility>

#include "scenarios/input/checker.hpp"
#include "scenarios/input/estimate.hpp"
#include "scenarios/input/read.hpp"
#include "scenarios/input/resolve.hpp"
#include "scenarios/input/values.hpp"
#include "topologies/audit.hpp"
#include "topologies/limits.hpp"
#include "topologies/registry.hpp"

namespace spineleaf {

namespace {

/// Audits speak of nodes; in a scenario the place is the topology.
void add_findings(std::vector<Problem>&& findings, std::vector<Problem>& problems) {
  for (Problem& finding : findings) {
    if (!finding.where.empty()) finding.what = finding.where + ": " + finding.what;
    finding.where = "topology";
    // An audit may meet the same cut from both sides.
    const auto same = [&](const Problem& p) { return p.what == finding.what; };
    if (std::any_of(problems.begin(), problems.end(), same)) continue;
    problems.push_back(std::move(finding));
  }
}

/// Builders that derive ports from several keys meet the limit here.
void check_ports(const Topology& graph, std::vector<Problem>& problems) {
  for (const Node& node : graph.nodes) {
    if (node.ports <= kMostPorts) continue;
    problems.push_back(make_error("topology", node.name + " has too many ports",
                                  std::to_string(node.ports),
                                  "at most " + std::to_string(kMostPorts)));
    return;
  }
}

/// Builds the topology and, where nodes and links were given one by one, audits it: the other
/// builders keep their promises. Null where it has errors.
std::shared_ptr<const Topology> build_graph(const Spec& spec, Checker& checker,
                                            std::shared_ptr<const Subnet>& subnet) {
  const TopologyKind* kind = find_topology_kind(spec.topology.kind);
  if (kind == nullptr) return nullptr;
  BuildResult built = kind->build(spec.topology.params.get());
  std::vector<Problem> problems = std::move(built.problems);
  if (!has_errors(problems)) check_ports(built.topology, problems);
  if ((kind->name == "custom" || kind->name == "dump") && !has_errors(problems)) {
    add_findings(check_structure(built.topology), problems);
    std::vector<Problem> cuts;
    if (!has_errors(problems)) check_connectivity(built.topology, cuts);
    add_findings(std::move(cuts), problems);
  }
  for (const Problem& problem : problems) {
    const bool whole = problem.where.empty() || problem.where == "topology";
    checker.from_problem(problem, whole ? "topology" : "topology." + problem.where);
  }
  if (has_errors(problems)) return nullptr;
  subnet = std::move(built.subnet);
  return std::make_shared<const Topology>(std::move(built.topology));
}

void check_budget(const ValidSpec& valid, Checker& checker) {
  const RunEstimate& estimate = valid.estimate;
  const double own = 0.75 * machine_memory();
  const bool stated = valid.run.memory_budget.count > 0;
  const double memory = stated ? static_cast<double>(valid.run.memory_budget.count) : own;
  const std::string size = std::to_string(valid.graph->host_count) + " hosts";
  if (memory > 0 && estimate.memory_bytes > memory) {
    checker.over_budget(
        "run.memory_budget",
        size + " and their traffic need about " + memory_text(estimate.memory_bytes),
        "at most " + memory_text(memory),
        stated ? "Raise run.memory_budget or make the run smaller."
               : "Make the run smaller; run.memory_budget overrides the limit.");
  }
  const double seconds = estimate.cpu_seconds;
  const std::string work = "about " + duration_text(seconds) + " of processor time for " +
                           hops_text(estimate.packet_hops);
  const double limit = valid.run.time_budget.seconds();
  if (limit > 0 && seconds > limit) {
    checker.over_budget("run.time_budget", work, "at most " + duration_text(limit),
                        "Lower bytes or iterations, or set run.event_budget.");
  } else if (limit <= 0 && seconds > 600) {
    checker.warn("run.time_budget", work, {}, "Set run.time_budget to refuse such runs.");
  }
}

}  // namespace

ValidateResult validate(const Spec& spec, const ValidateOptions& options) {
  ValidateResult result;
  Checker checker(spec, result.problems);
  check_models(spec, checker);
  check_run(spec, checker);
  ValidSpec valid;
  static_cast<ScenarioData&>(valid) = spec;
  if (options.build_topology) {
    std::shared_ptr<const Subnet> subnet;
    valid.graph = build_graph(spec, checker, subnet);
    if (valid.graph) {
      valid.subnet = plan_subnet(spec, *valid.graph, subnet.get(), checker);
      check_cables(spec, *valid.graph, checker);
      valid.faults = resolve_faults(spec, *valid.graph, checker);
      const WorkloadSize size = resolve_workloads(spec, *valid.graph, checker, valid);
      valid.estimate = estimate_run(valid, *valid.graph, size, options.hops_per_second);
      check_budget(valid, checker);
    }
  }
  sort_by_place(result.problems);
  const bool buildable = !options.build_topology || valid.graph != nullptr;
  if (has_errors(result.problems) || !buildable) return result;
  valid.resolved = resolved_values(spec);
  for (const InputProblem& problem : result.problems) valid.warnings.push_back(problem);
  result.spec = std::move(valid);
  return result;
}

}  // namespace spineleaf
