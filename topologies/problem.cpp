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

bool has_errors(std::span<const Problem> problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& p) { return p.severity == Severity::Error; });
}

}  // namespace spineleaf
