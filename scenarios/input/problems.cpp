#include "scenarios/input/problems.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "topologies/nearest.hpp"

namespace spineleaf {

std::string to_string(const InputProblem& problem) {
  std::string text = problem.file;
  if (problem.place.line > 0) {
    text += ":" + std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column);
  }
  text += ": ";
  if (problem.severity == Severity::Warning) text += "warning: ";
  if (problem.severity == Severity::Note) text += "note: ";
  if (!problem.path.empty()) text += problem.path + ": ";
  text += problem.what;
  if (!problem.expected.empty()) text += "; expected " + problem.expected;
  text += ".";
  if (!problem.hint.empty()) text += " " + problem.hint;
  return text;
}

void append(std::vector<InputProblem>& problems, InputProblem problem) {
  if (problems.size() > kMaxProblems) return;
  if (problems.size() == kMaxProblems) {
    problem.path.clear();
    problem.what = "there are more problems; these come first";
    problem.expected.clear();
    problem.hint.clear();
  }
  problems.push_back(std::move(problem));
}

bool has_errors(std::span<const InputProblem> problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const InputProblem& p) { return p.severity == Severity::Error; });
}

bool only_budget_errors(std::span<const InputProblem> problems) {
  return has_errors(problems) &&
         std::all_of(problems.begin(), problems.end(), [](const InputProblem& p) {
           return p.severity != Severity::Error || p.budget;
         });
}

void sort_by_place(std::vector<InputProblem>& problems) {
  const auto key = [](const InputProblem& p) {
    return std::tuple{p.place.line == 0, p.place.line, p.place.column};
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const InputProblem& a, const InputProblem& b) { return key(a) < key(b); });
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string near = nearest(name, candidates);
  return near.empty() ? "" : "Did you mean \"" + near + "\"?";
}

std::string one_of(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    text += (text.empty() ? "one of " : ", ") + in_quotes(name);
  }
  return text;
}

}  // namespace spineleaf
