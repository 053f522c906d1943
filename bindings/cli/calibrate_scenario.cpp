// spineleaf calibrate --scenario: measurements put into a scenario, which must run before it is
// written.

#include <cstdio>

#include "bindings/cli/measurement_verbs.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/output/write.hpp"
#include "validation/calibration/scenario_costs.hpp"

namespace spineleaf::cli {

namespace {

/// The text with what was fixed; "" and said where it does not fit together.
std::string checked_scenario(const ScenarioCalibration& arguments, const ScenarioCosts& costs) {
  const FileText file = read_file(find_scenario(arguments.scenario));
  if (!file.problems.empty()) {
    print_problems(file.problems);
    return {};
  }
  std::string text = calibrated_scenario(file.text, costs);
  ReadOptions options;
  options.workload_required = false;
  const ValidateResult read =
      read_scenario(text, arguments.out.empty() ? "calibrated" : arguments.out, options);
  if (read.spec) return text;
  print_problems(read.problems);
  std::fprintf(stderr,
               "the calibrated scenario would not run; files that it names are looked for beside "
               "it, so write it beside %s\n",
               arguments.scenario.c_str());
  return {};
}

}  // namespace

void calibrate_scenario(const ScenarioCalibration& arguments, int& exit_code) {
  ScenarioArguments scenario;
  scenario.scenario = arguments.scenario;
  const auto spec = load(scenario, false, exit_code);
  if (!spec) return;
  const Collection collection = read_collection(arguments.measurements);
  print_problems(collection.problems);
  if (collection.files.empty()) {
    exit_code = kBadInput;
    return;
  }
  if (has_errors(collection.problems)) exit_code = kBadInput;
  const ScenarioCosts costs = scenario_costs(collection, *spec, arguments.expect);
  if (!costs.problem.empty()) {
    std::fprintf(stderr, "%s\n", costs.problem.c_str());
    exit_code = kBadInput;
    return;
  }
  std::fputs(scenario_costs_text(costs).c_str(), stdout);
  if (arguments.out.empty()) return;
  if (costs.fixed.empty()) {
    std::fprintf(stderr, "%s is not written: nothing was fixed\n", arguments.out.c_str());
    exit_code = kBadInput;
    return;
  }
  const std::string text = checked_scenario(arguments, costs);
  if (text.empty()) {
    exit_code = kBadInput;
  } else if (const std::string problem = write_text_file(arguments.out, text); !problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    exit_code = 1;
  }
}

}  // namespace spineleaf::cli
