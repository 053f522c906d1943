#pragma once
// From text to a scenario that can run: parse, then validate. Each returns all problems at once.
//
// Precedence: declared defaults < presets in the order given < the file < `--set`.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "scenarios/spec.hpp"

namespace spineleaf {

/// One `--set path=value`.
struct Override {
  std::string path;
  std::string value;
};

struct ReadOptions {
  std::vector<Override> overrides;
  bool workload_required = true;  ///< false: for commands that look at the fabric only
  /// Further workloads after those of the text: lists of flows that never were text.
  std::vector<WorkloadSpec> workloads;
};

struct ParseResult {
  std::optional<Spec> spec;  ///< present even with problems, where anything could be read
  std::vector<InputProblem> problems;
};

/// Text of a scenario, key by key. Unknown keys, wrong units and values out of range are problems
/// with a place and, where one is near, the name that was meant.
ParseResult parse_scenario(std::string text, std::string file, const ReadOptions& options = {});

struct ValidateOptions {
  bool build_topology = true;    ///< false: checks that need no graph
  double hops_per_second = 5e6;  ///< speed assumed by the estimate
};

struct ValidateResult {
  std::optional<ValidSpec> spec;  ///< present where no problem is an error
  std::vector<InputProblem> problems;
};

/// Checks of keys against each other and against the fabric that they make.
ValidateResult validate(const Spec& spec, const ValidateOptions& options = {});

/// Both steps, so that a user sees all problems of both. Sections that could not be read are not
/// complained about a second time; hosts and cables are looked up only in a topology without
/// errors.
ValidateResult read_scenario(std::string text, std::string file, const ReadOptions& options = {},
                             const ValidateOptions& validation = {});

/// The same from a file; one that can't be read is a problem like any other.
ValidateResult read_scenario_file(const std::string& path, const ReadOptions& options = {},
                                  const ValidateOptions& validation = {});

/// Where `path` stands in the source, or the nearest thing around it.
struct PathPlace {
  Place place;
  bool exact = false;
  bool from_command_line = false;
};
PathPlace find_place(const JsonSource& source, std::string_view path);

}  // namespace spineleaf
