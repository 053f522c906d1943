#pragma once
// What is wrong with an input, and where: the form of every message about a scenario.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"

namespace spineleaf {

/// Line and column count from 1, columns in bytes. Line 0: no place in a file, as on the command
/// line.
struct Place {
  int line = 0;
  int column = 0;
};

struct InputProblem {
  Severity severity = Severity::Error;
  std::string file;  ///< "--set" for the command line
  Place place;
  std::string path;      ///< "links[12].rate"; empty where the text itself is broken
  std::string what;      ///< "\"400\" has no unit": what was found, without a full stop
  std::string expected;  ///< "a rate such as \"400Gbps\""; may be empty
  std::string hint;      ///< whole sentences: "Did you mean \"400Gbps\"?"; may be empty
  bool budget = false;   ///< valid, but over the memory or time allowed
};

/// `scenario.json:41:17: links[12].rate: "400" has no unit; expected a rate such as "400Gbps".
/// Did you mean "400Gbps"?` on one line. Warnings and notes say so after the place.
std::string to_string(const InputProblem& problem);

/// No list of problems grows beyond this: nobody reads on, and input may be wrong a million times.
inline constexpr std::size_t kMaxProblems = 100;

/// Adds a problem; at the limit says once that there are more.
void append(std::vector<InputProblem>& problems, InputProblem problem);

bool has_errors(std::span<const InputProblem> problems);

/// Only the budget is exceeded: the input as such is fine.
bool only_budget_errors(std::span<const InputProblem> problems);

/// By place in the file; problems from the command line come last.
void sort_by_place(std::vector<InputProblem>& problems);

/// "Did you mean \"fabric\"?" for the nearest candidate, or "".
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

/// "one of "a", "b"", for what was expected.
std::string one_of(std::span<const std::string_view> names);

}  // namespace spineleaf
