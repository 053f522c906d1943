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

/// Reads the scenario and prints all problems to stderr. Nothing, and `exit_code` set, if it can't
/// be used.
std::optional<ValidSpec> load(const ScenarioArguments& arguments, bool workload_required,
                              int& exit_code);

/// One problem a line, with colour where stderr is a terminal.
void print_problems(std::span<const InputProblem> problems);

}  // namespace spineleaf::cli
