#include "topologies/problem.hpp"

#include <algorithm>
#include <utility>

namespace spineleaf {

Problem make_error(std::string where, std::string what, std::string found, std::string expected,
                   std::string hint) {
  return {Severity::Error,  std::move(what),     std::move(where),
          std::move(found), std::move(expected), std::move(hint)};
}

Problem make_warning(std::string where, std::string what, std::string found, std::string expected,
                     std::string hint) {
  Problem problem = make_error(std::move(where), std::move(what), std::move(found),
                               std::move(expected), std::move(hint));
  problem.severity = Severity::Warning;
  return problem;
}

Problem make_note(std::string where, std::string what, std::string found, std::string expected,
                  std::string hint) {
  Problem problem = make_error(std::move(where), std::move(what), std::move(found),
                               std::move(expected), std::move(hint));
  problem.severity = Severity::Note;
  return problem;
}

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
