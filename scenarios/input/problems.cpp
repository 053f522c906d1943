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
  // A name far longer than any key is no typing error, and comparing it would take long.
  if (name.size() > 128) return {};
  std::string near;
  // Two letters in the wrong order are the commonest slip and count as two changes elsewhere.
  std::string swapped{name};
  for (std::size_t i = 0; i + 1 < name.size() && near.empty(); ++i) {
    std::swap(swapped[i], swapped[i + 1]);
    if (std::find(candidates.begin(), candidates.end(), swapped) != candidates.end()) {
      near = swapped;
    }
    std::swap(swapped[i], swapped[i + 1]);
  }
  if (near.empty()) near = nearest(name, candidates);
  return near.empty() ? "" : "Did you mean \"" + near + "\"?";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    // Where text is cut, a character of several bytes could be cut too; those are shown as '?'.
    const bool plain = byte >= 0x20 && byte != 0x7f && (byte < 0x80 || text.size() <= kLongest);
    out += plain ? c : '?';
  }
  return out + (text.size() > kLongest ? "...\"" : "\"");
}

}  // namespace spineleaf
