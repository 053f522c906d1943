#pragma once
// Text files of tools, line by line: the common part of the readers of logs and tables.
//
// Input of any size and content is safe: a file is cut at a limit, lines may have any length, and
// problems are bounded. Carriage returns and escape sequences of terminals are taken away.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

/// Calls `take(text, number)` for each line, numbers from 1, without its end.
template <typename Take>
void for_each_line(std::string_view text, Take take) {
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, ++number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

/// Words between blanks. At most `most`; what follows is left out.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 4096);

/// `text` without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// `text` without escape sequences of a terminal ("\x1b[4m").
std::string without_escapes(std::string_view text);

/// The whole of `text` as a number; nothing where it is none, or not finite.
std::optional<double> to_number(std::string_view text);
std::optional<std::int64_t> to_integer(std::string_view text);

/// What stands between `before` and `after` (to the end, where `after` does not follow); nothing
/// where `before` does not occur.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after);

/// Names of machines, as "host1", "host2", ... in the order in which they are first met: what a
/// site calls its machines is nobody else's business.
class HostTokens {
 public:
  const std::string& token(std::string_view name);
  std::size_t count() const { return tokens_.size(); }

 private:
  std::map<std::string, std::string, std::less<>> tokens_;
};

/// A problem about a whole line.
InputProblem line_problem(const std::string& file, int line, std::string what,
                          std::string expected = {}, Severity severity = Severity::Error);

/// Whether `part` stands anywhere in `text`.
inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace spineleaf
