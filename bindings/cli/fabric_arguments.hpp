#pragma once
// What verbs that take a fabric have in common: it comes from a scenario or from a dump of the
// field's tools.

#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/scenario_arguments.hpp"
#include "topologies/subnet/subnet.hpp"

namespace spineleaf::cli {

struct FabricArguments {
  ScenarioArguments scenario;  ///< its name is that of the dump, where it is one
  bool adapters_apart = false;

  void add_to(CLI::App& verb);
};

struct LoadedFabric {
  Subnet subnet;
  std::string title;               ///< name of the scenario or of the file
  std::vector<Problem> no_lids{};  ///< why the ports have none, if so
};

/// Reads the fabric and prints all problems to stderr. Nothing, and `exit_code` set, if it can't be
/// used. The fabric of a scenario gets made-up GUIDs, and LIDs if it fits into one subnet.
std::optional<LoadedFabric> load_fabric(const FabricArguments& arguments, int& exit_code);

/// A text file, or nothing, said, and `exit_code` set.
std::optional<std::string> load_text(const std::string& path, int& exit_code);

/// One problem a line to `stream`; returns how many are errors.
int print_problems(std::FILE* stream, const std::vector<Problem>& problems);

}  // namespace spineleaf::cli
