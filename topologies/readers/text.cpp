#include "topologies/readers/text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace spineleaf {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

Lines::Lines(std::string_view text) : rest_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

void Cursor::skip_blanks() {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool Cursor::take(char c) {
  if (at_ == line_.size() || line_[at_] != c) return false;
  ++at_;
  return true;
}

bool Cursor::take(std::string_view text) {
  if (!rest().starts_with(text)) return false;
  at_ += text.size();
  return true;
}

std::optional<std::uint64_t> Cursor::number(int base, std::uint64_t most) {
  std::string_view digits = rest();
  std::size_t prefix = 0;
  if (base == 16 && (digits.starts_with("0x") || digits.starts_with("0X"))) prefix = 2;
  digits.remove_prefix(prefix);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || value > most) return std::nullopt;
  at_ += prefix + static_cast<std::size_t>(end - digits.data());
  return value;
}

std::optional<std::string_view> Cursor::quoted(char mark) {
  const std::string_view left = rest();
  if (left.empty() || left[0] != mark) return std::nullopt;
  const std::size_t end = left.find(mark, 1);
  if (end == std::string_view::npos) return std::nullopt;
  at_ += end + 1;
  return left.substr(1, end - 1);
}

std::optional<std::string_view> Cursor::until(std::string_view mark) {
  const std::string_view left = rest();
  const std::size_t end = left.find(mark);
  if (end == std::string_view::npos) return std::nullopt;
  at_ += end + mark.size();
  return left.substr(0, end);
}

std::string_view Cursor::word() {
  const std::string_view left = rest();
  const std::size_t end = std::min(left.find_first_of(" \t"), left.size());
  at_ += end;
  return left.substr(0, end);
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  const auto digits_from = [](std::string_view text, std::size_t& at) {
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    std::string_view digits = text.substr(first, at - first);
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return digits;
  };
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view x = digits_from(a, i);
      const std::string_view y = digits_from(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[i] != b[j]) {
      return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
    } else {
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return i == a.size();
  return a < b;  // "a01" and "a1"
}

std::string lowered(std::string_view text) {
  std::string lower{text};
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string hex_text(std::uint64_t number) {
  std::string digits(16, '0');
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + 16, number, 16);
  digits.resize(static_cast<std::size_t>(end - digits.data()));
  return "0x" + digits;
}

std::string FileProblems::at(int line, int column) const {
  std::string place = file_;
  if (line > 0) place += ":" + std::to_string(line);
  if (line > 0 && column > 0) place += ":" + std::to_string(column);
  return place;
}

void FileProblems::add_error(int line, const Cursor& where, std::string what, std::string expected,
                             std::string hint) {
  add(make_error(at(line, where.column()), std::move(what),
                 where.at_end() ? "the end of the line" : in_quotes(where.rest()),
                 std::move(expected), std::move(hint)));
}

void FileProblems::add(Problem problem) {
  has_errors_ = has_errors_ || problem.severity == Severity::Error;
  if (problems_.size() < kMostListed) {
    problems_.push_back(std::move(problem));
  } else if (problems_.size() == kMostListed) {
    problems_.push_back(make_note(file_, "more problems follow that are not listed"));
  }
  // An error after the list has closed must still refuse the file.
  if (has_errors_ && problems_.size() > kMostListed) problems_.back().severity = Severity::Error;
}

}  // namespace spineleaf
