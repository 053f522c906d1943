#include "validation/readers/text_lines.hpp"

#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace spineleaf {
namespace {

constexpr std::string_view kBlanks = " \t\f\v";

template <typename Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBlanks);
       at != std::string_view::npos && words.size() < most;) {
    const std::size_t end = line.find_first_of(kBlanks, at);
    words.push_back(line.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string without_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      out += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '[') {
      // Parameters up to the letter that ends the sequence, all on this line.
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~') && text[i] != '\n') ++i;
      if (i < text.size() && text[i] == '\n') out += '\n';
    }
  }
  return out;
}

std::optional<double> to_number(std::string_view text) {
  const auto value = whole<double>(text);
  if (value && !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> to_integer(std::string_view text) { return whole<std::int64_t>(text); }

std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + before.size());
  if (after.empty()) return text;
  return text.substr(0, text.find(after));
}

const std::string& HostTokens::token(std::string_view name) {
  const auto it = tokens_.find(name);
  if (it != tokens_.end()) return it->second;
  return tokens_.emplace(std::string(name), "host" + std::to_string(tokens_.size() + 1))
      .first->second;
}

InputProblem line_problem(const std::string& file, int line, std::string what, std::string expected,
                          Severity severity) {
  InputProblem problem;
  problem.severity = severity;
  problem.file = file;
  problem.place = {line, 1};
  problem.what = std::move(what);
  problem.expected = std::move(expected);
  return problem;
}

}  // namespace spineleaf
