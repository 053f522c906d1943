#include "scenarios/import/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "scenarios/input/decimal.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

std::vector<std::vector<Word>> word_lines(std::string_view text) {
  std::vector<std::vector<Word>> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    std::vector<Word> words;
    for (std::size_t at = 0;;) {
      at = line.find_first_not_of(" \t\r", at);
      if (at == std::string_view::npos) break;
      const std::size_t stop = std::min(line.find_first_of(" \t\r", at), line.size());
      words.push_back({line.substr(at, stop - at), {number, static_cast<int>(at) + 1}});
      at = stop;
    }
    if (!words.empty()) lines.push_back(std::move(words));
  }
  return lines;
}

void WordReader::refuse(const Word& word, std::string path, std::string what, std::string expected,
                        std::string hint, Severity severity) {
  append(problems_, {severity, file_, word.place, std::move(path), std::move(what),
                     std::move(expected), std::move(hint), false});
}

std::optional<std::int64_t> WordReader::count(const Word& word, const std::string& path,
                                              std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = word.text.data() + word.text.size();
  const auto [at, error] = std::from_chars(word.text.data(), end, value);
  if (error == std::errc{} && at == end && value >= least && value <= most) return value;
  refuse(word, path, in_quotes(word.text) + " is no number in range",
         std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<std::int64_t> WordReader::scaled(const Word& word, const std::string& path,
                                               std::int64_t scale) {
  const Decimal number = parse_decimal(word.text);
  if (number.valid && number.length == word.text.size() && number.mantissa >= 0) {
    const ScaledInteger value = scale_decimal(number, scale);
    if (value.state != ScaledInteger::State::Overflow) return value.value;
  }
  refuse(word, path, in_quotes(word.text) + " is no number", "a number that is not negative");
  return std::nullopt;
}

std::optional<double> WordReader::real(const Word& word, const std::string& path, double least,
                                       double most) {
  double value = 0;
  const char* const end = word.text.data() + word.text.size();
  const auto [at, error] = std::from_chars(word.text.data(), end, value);
  if (error == std::errc{} && at == end && value >= least && value <= most) return value;
  refuse(word, path, in_quotes(word.text) + " is no number in range");
  return std::nullopt;
}

std::optional<std::int64_t> WordReader::united(const Word& word, const std::string& path, Unit unit,
                                               double least, double most) {
  ParamDecl decl;
  decl.unit = unit;
  decl.min = least;
  decl.max = most;
  decl.default_text = "1ns";
  JsonNode node;
  node.kind = JsonNode::Kind::String;
  node.text = word.text;
  ParamValue value;
  const auto error = read_value(decl, node, value);
  if (!error) return value.integer;
  refuse(word, path, error->what, error->expected, error->hint);
  return std::nullopt;
}

}  // namespace spineleaf
