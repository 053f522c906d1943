#pragma once
// Checker: collects what validation finds, each problem with the place of the key it is about.

#include <string>
#include <string_view>
#include <vector>

#include "models/workloads/registry.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/read.hpp"
#include "scenarios/spec.hpp"
#include "topologies/problem.hpp"

namespace spineleaf {

struct Subnet;

class Checker {
 public:
  Checker(const Spec& spec, std::vector<InputProblem>& problems)
      : spec_(spec), problems_(problems) {}

  void error(std::string path, std::string what, std::string expected = {}, std::string hint = {});
  void warn(std::string path, std::string what, std::string expected = {}, std::string hint = {});
  /// Over the memory or time allowed.
  void over_budget(std::string path, std::string what, std::string expected, std::string hint);
  /// A finding of a builder, an audit or a workload's check about `path`.
  void from_problem(const Problem& problem, std::string path);

  bool full() const { return problems_.size() > kMaxProblems; }

  /// "workload" for an only one given without a list, else "workload[2]".
  std::string workload_path(std::size_t number) const;

 private:
  void add(Severity severity, std::string path, std::string what, std::string expected,
           std::string hint, bool budget = false);

  const Spec& spec_;
  std::vector<InputProblem>& problems_;
};

/// Checks of parameters against each other.
void check_models(const Spec& spec, Checker& checker);
/// Workload names, run limits.
void check_run(const Spec& spec, Checker& checker);
/// Parameters against the cables of the fabric: headroom, credit buffers, the deadline.
void check_cables(const Spec& spec, const Topology& graph, Checker& checker);
/// The forwarding tables that section "subnet" asks for; null if it asks for none, or in vain.
/// `subnet`: what the topology's file says beside the graph, or null.
std::shared_ptr<const SubnetPlan> plan_subnet(const Spec& spec, const Topology& graph,
                                              const Subnet* subnet, Checker& checker);
/// Finds the cables of faults; a degrade of a link that is up becomes down, degrade, up.
std::vector<FaultSpec> resolve_faults(const Spec& spec, const Topology& graph, Checker& checker);
/// Checks workloads against the hosts, and the pinned paths of explicit flows, each of which gets
/// its number in `valid.paths`. Gives the size of all together.
WorkloadSize resolve_workloads(const Spec& spec, const Topology& graph, Checker& checker,
                               ValidSpec& valid);

}  // namespace spineleaf
