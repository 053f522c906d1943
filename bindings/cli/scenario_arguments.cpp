#include "bindings/cli/scenario_arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/data_dir.hpp"

namespace spineleaf::cli {

namespace fs = std::filesystem;

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data_file("scenarios/library"), ignored)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string find_scenario(const std::string& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored) || name.find('/') != std::string::npos) return name;
  const std::string stem = name.ends_with(".json") ? name : name + ".json";
  std::string shipped = data_file("scenarios/library/" + stem);
  return fs::exists(shipped, ignored) ? shipped : name;
}

void print_shipped(const std::string& name) {
  std::error_code ignored;
  if (fs::exists(find_scenario(name), ignored)) return;
  const std::vector<std::string> names = shipped_scenarios();
  if (names.empty()) return;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string hint = did_you_mean(name, views);
  std::fprintf(stderr, "%s%sShipped scenarios:", hint.c_str(), hint.empty() ? "" : "\n");
  constexpr std::size_t kColumns = 80;
  std::size_t column = kColumns;
  for (const std::string& shipped : names) {
    if (column + 1 + shipped.size() > kColumns) column = 0;
    std::fprintf(stderr, "%s%s", column == 0 ? "\n  " : " ", shipped.c_str());
    column += (column == 0 ? 2 : 1) + shipped.size();
  }
  std::fprintf(stderr, "\n");
}

void ScenarioArguments::add_to(CLI::App& verb) {
  verb.add_option("scenario", scenario, "Scenario file, or the name of a shipped scenario")
      ->required()
      ->type_name("FILE");
  verb.add_option("--set", sets, "Set a key over the file, for example fabric.mtu=4KiB; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

std::vector<Override> read_overrides(const std::vector<std::string>& sets,
                                     std::vector<InputProblem>& problems) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    const std::size_t equal = set.find('=');
    if (equal == std::string::npos) {
      problems.push_back({Severity::Error,
                          "--set",
                          {},
                          {},
                          in_quotes(set) + " has no '='",
                          "a key and a value such as fabric.mtu=4KiB",
                          {},
                          false});
      continue;
    }
    overrides.push_back({set.substr(0, equal), set.substr(equal + 1)});
  }
  return overrides;
}

std::optional<ValidSpec> load(const ScenarioArguments& arguments, bool workload_required,
                              int& exit_code) {
  ReadOptions options;
  options.workload_required = workload_required;
  std::vector<InputProblem> problems;
  options.overrides = read_overrides(arguments.sets, problems);
  const std::string file = find_scenario(arguments.scenario);
  ValidateResult result = read_scenario_file(file, options);
  problems.insert(problems.end(), result.problems.begin(), result.problems.end());
  print_problems(problems);
  print_shipped(arguments.scenario);
  if (has_errors(problems) || !result.spec) {
    exit_code = only_budget_errors(problems) ? kOverBudget : kBadInput;
    return std::nullopt;
  }
  return std::move(result.spec);
}

void print_problems(std::span<const InputProblem> problems) {
  std::size_t errors = 0;
  for (const InputProblem& problem : problems) {
    const bool error = problem.severity == Severity::Error;
    errors += error ? 1 : 0;
    const Colour colour = error ? Colour::Red : Colour::Yellow;
    std::fprintf(stderr, "%s\n", coloured(stderr, colour, to_string(problem)).c_str());
  }
  if (errors > 1) std::fprintf(stderr, "%zu errors\n", errors);
}

}  // namespace spineleaf::cli
