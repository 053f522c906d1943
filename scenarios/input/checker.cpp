#include "scenarios/input/checker.hpp"

#include <utility>

namespace spineleaf {

void Checker::error(std::string path, std::string what, std::string expected, std::string hint) {
  add(Severity::Error, std::move(path), std::move(what), std::move(expected), std::move(hint));
}

void Checker::warn(std::string path, std::string what, std::string expected, std::string hint) {
  add(Severity::Warning, std::move(path), std::move(what), std::move(expected), std::move(hint));
}

void Checker::over_budget(std::string path, std::string what, std::string expected,
                          std::string hint) {
  add(Severity::Error, std::move(path), std::move(what), std::move(expected), std::move(hint),
      true);
}

void Checker::from_problem(const Problem& problem, std::string path) {
  // "is out of range" reads on from the value; other sentences stand alone and name it behind.
  const bool reads_on = problem.what.starts_with("is ") || problem.what.starts_with("names ") ||
                        problem.what.starts_with("joins ");
  std::string what = problem.what;
  if (!problem.found.empty()) {
    what = reads_on ? problem.found + " " + what : what + " (" + problem.found + ")";
  }
  std::string hint = problem.hint;
  if (!hint.empty() && hint.back() != '.' && hint.back() != '?') hint += '.';
  add(problem.severity, std::move(path), std::move(what), problem.expected, std::move(hint));
}

std::string Checker::workload_path(std::size_t number) const {
  const JsonNode* root = spec_.source ? spec_.source->root() : nullptr;
  const JsonNode* node = root != nullptr ? root->find("workload") : nullptr;
  if (node != nullptr && node->kind == JsonNode::Kind::Object) return "workload";
  return "workload[" + std::to_string(number) + "]";
}

void Checker::add(Severity severity, std::string path, std::string what, std::string expected,
                  std::string hint, bool budget) {
  PathPlace at{{1, 1}, false, false};
  if (spec_.source) at = find_place(*spec_.source, path);
  append(problems_,
         {severity, at.from_command_line ? "--set" : spec_.file, at.place, std::move(path),
          std::move(what), std::move(expected), std::move(hint), budget});
}

}  // namespace spineleaf
