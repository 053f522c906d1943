#pragma once
// What every verb that takes a scenario has in common: naming it, changing keys, showing problems.

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/input/read.hpp"

namespace spineleaf::cli {

struct ScenarioArguments {
  std::string scenario;           ///< a file, or the name of a shipped scenario
  std::vector<std::string> sets;  ///< "a.b=c"

  void add_to(CLI::App& verb);
};

/// The overrides that `--set` asks for; a text without '=' is a problem.
std::vector<Override> read_overrides(const std::vector<std::string>& sets,
                                     std::vector<InputProblem>& problems);

/// The file that `name` means: itself, or the shipped scenario of that name.
std::string find_scenario(const std::string& name);

/// Names of the shipped scenarios, in alphabetical order.
std::vector<std::string> shipped_scenarios();

/// Where there is no such file: the nearest name of a shipped scenario, and all of them.
void print_shipped(const std::string& name);

/// Reads the scenario and prints all problems to stderr. Nothing, and `exit_code` set, if it can't
/// be used.
std::optional<ValidSpec> load(const ScenarioArguments& arguments, bool workload_required,
                              int& exit_code);

/// One problem a line, with colour where stderr is a terminal.
void print_problems(std::span<const InputProblem> problems);

}  // namespace spineleaf::cli
