#include "topologies/problem.hpp"

#include <algorithm>

namespace spineleaf {

std::string to_string(const Problem& problem) {
  std::string text = problem.where.empty() ? "" : problem.where + ": ";
  text += problem.what;
  if (!problem.found.empty() || !problem.expected.empty()) {
    text += " (";
    if (!problem.found.empty()) text += "found " + problem.found;
    if (!problem.found.empty() && !problem.expected.empty()) text += ", ";
    if (!problem.expected.empty()) text += "expected " + problem.expected;
    text += ")";
  }
  if (!problem.hint.empty()) text += ". " + problem.hint;
  return text;
}

bool has_errors(std::span<const Problem> problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.severity == Severity::Error; });
}

}  // namespace spineleaf
