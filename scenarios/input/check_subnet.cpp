// Section "subnet" against the fabric: engine, roots and tables become a plan.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "scenarios/input/checker.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/subnet_plan.hpp"
#include "topologies/readers/lfts.hpp"
#include "topologies/readers/roots.hpp"
#include "topologies/readers/subnet_reader.hpp"

namespace spineleaf {

namespace {

class SubnetPlanner {
 public:
  SubnetPlanner(const Spec& spec, Checker& checker) : spec_(spec), checker_(checker) {}

  std::shared_ptr<const SubnetPlan> plan(const Topology& graph, const Subnet* subnet) {
    const SubnetParams& wanted = spec_.subnet;
    const std::string_view word = engine_word();
    if (word == "none") {
      refuse_without_engine();
      return nullptr;
    }
    auto plan = std::make_shared<SubnetPlan>();
    plan->engine = find_routing_engine(word);
    plan->adaptive = wanted.adaptive;
    plan->options.most_lanes = static_cast<unsigned>(spec_.models.fabric.classes);
    if (subnet != nullptr) {
      plan->subnet = *subnet;
    } else {
      MadeSubnet made = make_subnet(graph);
      if (add(made.problems, "subnet.engine")) return nullptr;
      plan->subnet = std::move(made.subnet);
    }
    if (!read_roots_of(*plan) || !read_tables_of(*plan)) return nullptr;
    EngineOptions options = plan->options;
    if (!wanted.lfts.empty()) options.tables = &plan->given;
    EngineResult result = plan->engine->route(plan->subnet, options);
    if (add(result.problems, "subnet.engine")) return nullptr;
    plan->routes = std::move(result.routes);
    warn_of_nothing_to_choose();
    return plan;
  }

 private:
  std::string_view engine_word() const {
    if (!spec_.subnet.lfts.empty() && spec_.subnet.engine == SubnetEngine::None) return "file";
    const ParamDecl& decl = *find_param(subnet_table(), "engine");
    return decl.choices[static_cast<std::size_t>(spec_.subnet.engine)];
  }

  void refuse_without_engine() {
    const auto refuse = [&](bool given, const char* key, const char* hint) {
      if (given) {
        checker_.error(std::string{"subnet."} + key, "means nothing without subnet.engine",
                       "an engine", hint);
      }
    };
    refuse(!spec_.subnet.roots.empty(), "roots", "Set subnet.engine to \"updn\".");
    refuse(spec_.subnet.adaptive != AdaptiveGroups::None, "adaptive",
           "Without tables switch.forwarding chooses among all shortest paths.");
  }

  /// Whether there were errors.
  bool add(const std::vector<Problem>& problems, const char* path) {
    for (Problem problem : problems) {
      if (!problem.where.empty()) problem.what = problem.where + ": " + problem.what;
      checker_.from_problem(problem, path);
    }
    return has_errors(problems);
  }

  bool add(const std::vector<InputProblem>& problems, const char* path) {
    for (const InputProblem& problem : problems) {
      checker_.error(path, problem.file + ": " + problem.what, problem.expected, problem.hint);
    }
    return has_errors(problems);
  }

  bool read_roots_of(SubnetPlan& plan) {
    const std::string& given = spec_.subnet.roots;
    if (given.empty()) return true;
    if (plan.engine->name != "updn") {
      checker_.error("subnet.roots", "engine " + std::string{plan.engine->name} + " knows no roots",
                     "none", "Only updn takes them.");
      return false;
    }
    std::string list = given;
    std::string file = "list";
    if (given.starts_with('@')) {
      file = given.substr(1);
      FileText read = read_file(file);
      if (add(read.problems, "subnet.roots")) return false;
      list = std::move(read.text);
    } else {
      std::replace(list.begin(), list.end(), ',', '\n');
    }
    RootsRead read = read_roots(list, file, plan.subnet);
    if (add(read.problems, "subnet.roots")) return false;
    plan.options.roots = std::move(read.rows);
    return true;
  }

  bool read_tables_of(SubnetPlan& plan) {
    const std::string& file = spec_.subnet.lfts;
    const bool wants = plan.engine->name == "file";
    if (!wants && !file.empty()) {
      checker_.error("subnet.lfts",
                     "engine " + std::string{plan.engine->name} + " makes its own tables",
                     "engine \"file\"", "Leave out one of the two.");
      return false;
    }
    if (file.empty()) return true;  // the engine says what it lacks
    FileText text = read_file(file, kMostSubnetBytes);
    if (add(text.problems, "subnet.lfts")) return false;
    TablesRead read = read_lfts(text.text, file, plan.subnet);
    if (add(read.problems, "subnet.lfts")) return false;
    plan.given = std::move(read.tables);
    return true;
  }

  void warn_of_nothing_to_choose() {
    if (spec_.models.sw.forwarding != ForwardingRule::Adaptive) return;
    if (spec_.subnet.adaptive != AdaptiveGroups::None) return;
    checker_.warn("subnet.adaptive",
                  "tables give one port for a LID: switch.forwarding has nothing to choose among",
                  {}, "Set it to \"tree\" or \"lag\", or switch.forwarding to \"static\".");
  }

  const Spec& spec_;
  Checker& checker_;
};

}  // namespace

std::shared_ptr<const SubnetPlan> plan_subnet(const Spec& spec, const Topology& graph,
                                              const Subnet* subnet, Checker& checker) {
  return SubnetPlanner(spec, checker).plan(graph, subnet);
}

}  // namespace spineleaf
