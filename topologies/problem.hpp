#pragma once
// Problem: one finding about a description or a graph. Set-up returns all of them as a list.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

/// Error: refused. Warning: accepted, but the numbers are probably not what was meant.
/// Note: worth knowing (a choice made for the user).
enum class Severity : std::uint8_t { Note, Warning, Error };

struct Problem {
  Severity severity = Severity::Error;
  std::string what;      ///< one sentence without the place: "is cabled twice"
  std::string where;     ///< the parameter or part: "links[12].rate", "leaf3", "hosts"
  std::string found;     ///< the offending value, as a user would write it; may be empty
  std::string expected;  ///< the values that would do; may be empty
  std::string hint;      ///< what to change; may be empty
};

Problem make_error(std::string where, std::string what, std::string found = {},
                   std::string expected = {}, std::string hint = {});
Problem make_warning(std::string where, std::string what, std::string found = {},
                     std::string expected = {}, std::string hint = {});
Problem make_note(std::string where, std::string what, std::string found = {},
                  std::string expected = {}, std::string hint = {});

/// "leaf3: is cabled twice (found 7, expected a free port). Give another port."
std::string to_string(const Problem& problem);

/// `text` in double quotes, cut short and with control characters and broken UTF-8 made harmless.
std::string in_quotes(std::string_view text);

bool has_errors(std::span<const Problem> problems);

}  // namespace spineleaf
