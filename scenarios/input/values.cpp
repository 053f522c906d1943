#include "scenarios/input/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "scenarios/input/decimal.hpp"
#include "scenarios/input/unit_suffixes.hpp"

namespace spineleaf {

namespace {

std::string_view noun(Unit unit) {
  switch (unit) {
    case Unit::Time: return "a time";
    case Unit::Bytes: return "a size";
    case Unit::Rate: return "a rate";
    case Unit::Length: return "a length";
    case Unit::Count: return "a whole number";
    case Unit::Ratio: return "a number";
    case Unit::Flag: return "true or false";
    case Unit::Choice: return "a word";
    case Unit::Text: return "text";
  }
  return "";
}

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// "Did you mean "400Gbps"?": a bare number with the unit its owner most likely had in mind.
std::string with_likely_unit(const ParamDecl& decl, std::string_view number) {
  double size = 0;
  std::from_chars(number.data(), number.data() + number.size(), size);
  std::string_view unit = "m";
  if (decl.unit == Unit::Bytes) unit = "B";
  if (decl.unit == Unit::Rate) unit = size < 1e5 ? "Gbps" : "bps";
  if (decl.unit == Unit::Time) {
    unit = "us";
    for (const UnitSuffix& s : kTimeSuffixes) {
      const std::string_view text = decl.default_text;
      const Decimal stated = parse_decimal(text);
      if (stated.valid && text.substr(stated.length) == s.text) unit = s.text;
    }
  }
  return "Did you mean \"" + std::string{number} + std::string{unit} + "\"?";
}

ValueError unknown_suffix(const ParamDecl& decl, std::string_view text, std::string_view number,
                          std::string_view suffix) {
  ValueError error{in_quotes(text) + " has no known unit", expectation(decl), {}};
  std::string units;
  for (const UnitSuffix& s : unit_suffixes(decl.unit)) {
    if (s.written) units += (units.empty() ? " (" : ", ") + std::string{s.text};
  }
  if (!units.empty()) error.expected += units + ")";
  for (const UnitSuffix& s : unit_suffixes(decl.unit)) {
    if (s.written && lower(s.text) == lower(suffix)) {
      error.hint = "Did you mean \"" + std::string{number} + std::string{s.text} + "\"?";
      return error;
    }
  }
  // Bandwidth in bytes is common around collectives; 50GB/s is 400Gbps.
  const std::string bytes = lower(suffix);
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  if (decl.unit == Unit::Rate && bytes == "gb/s" && suffix.find('B') != std::string_view::npos) {
    error.hint = "Did you mean \"" + shortest_digits(value * 8) + "Gbps\"?";
    return error;
  }
  for (const Unit other : {Unit::Time, Unit::Bytes, Unit::Rate, Unit::Length}) {
    const auto known = unit_suffixes(other);
    const auto named = [&](const UnitSuffix& s) { return s.text == suffix; };
    if (std::any_of(known.begin(), known.end(), named)) {
      error.what = in_quotes(text) + " is " + std::string{noun(other)};
    }
  }
  return error;
}

ValueError not_a_value(const ParamDecl& decl, std::string_view text) {
  std::string word = lower(text);
  if (word.starts_with("-") || word.starts_with("+")) word.erase(0, 1);
  const bool endless = word.starts_with("nan") || word.starts_with("inf");
  const std::string kind = endless ? "a finite number" : std::string{noun(decl.unit)};
  return {in_quotes(text) + " is not " + kind, expectation(decl), {}};
}

ValueError out_of_range(const ParamDecl& decl, const std::string& found) {
  return {found + " is out of range", format_range(decl), {}};
}

bool in_range(const ParamDecl& decl, const ParamValue& value) {
  if (decl.unit == Unit::Ratio || decl.unit == Unit::Length) {
    return value.real >= decl.min && value.real <= decl.max;
  }
  // Compared in 80 bits, which hold every 64-bit integer.
  const auto number = static_cast<long double>(value.integer);
  return number >= static_cast<long double>(decl.min) &&
         number <= static_cast<long double>(decl.max);
}

/// Splits "400 Gbps" into number and suffix and scales it; `found` is how to name it in messages.
std::optional<ValueError> read_united(const ParamDecl& decl, std::string_view text,
                                      const std::string& found, ParamValue& value) {
  const Decimal number = parse_decimal(text);
  if (!number.valid) return not_a_value(decl, text);
  const std::string_view digits = text.substr(0, number.length);
  std::string_view suffix = text.substr(number.length);
  while (suffix.starts_with(' ')) suffix.remove_prefix(1);
  if (suffix.empty()) {
    return ValueError{found + " has no unit", expectation(decl),
                      digits.size() <= 20 ? with_likely_unit(decl, digits) : ""};
  }
  const auto known = unit_suffixes(decl.unit);
  const auto unit = std::find_if(known.begin(), known.end(),
                                 [&](const UnitSuffix& s) { return s.text == suffix; });
  if (unit == known.end()) return unknown_suffix(decl, text, digits, suffix);
  if (decl.unit == Unit::Length) {
    const std::string_view unsigned_digits = digits.substr(digits.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(
        unsigned_digits.data(), unsigned_digits.data() + unsigned_digits.size(), value.real);
    if (error != std::errc{}) return out_of_range(decl, found);
    value.real *= static_cast<double>(unit->scale);
    return std::nullopt;
  }
  using State = ScaledInteger::State;
  const ScaledInteger scaled = scale_decimal(number, unit->scale);
  value.integer = scaled.value;
  if (scaled.state == State::Overflow) {
    return ValueError{found + " does not fit 64 bits", format_range(decl), {}};
  }
  if (decl.unit == Unit::Bytes && scaled.state != State::Exact) {
    return ValueError{found + " is not a whole number of bytes", expectation(decl), {}};
  }
  if (scaled.state == State::TooFine) {
    return ValueError{found + (decl.unit == Unit::Time ? " is finer than 1 ps" : " is below 1 bps"),
                      expectation(decl),
                      {}};
  }
  return std::nullopt;
}

std::optional<ValueError> read_count(const ParamDecl& decl, const JsonNode& node,
                                     ParamValue& value) {
  if (node.kind != JsonNode::Kind::Number) {
    ValueError error = not_a_value(decl, node.text);
    error.what = shown(node) + " is not a whole number";
    const Decimal number = parse_decimal(node.text);
    if (node.kind == JsonNode::Kind::String && number.valid && number.length == node.text.size()) {
      error.hint = "Remove the quotes.";
    }
    return error;
  }
  const ScaledInteger scaled = scale_decimal(parse_decimal(node.text), 1);
  if (scaled.state == ScaledInteger::State::Overflow) {
    return ValueError{shown(node) + " does not fit 64 bits", format_range(decl), {}};
  }
  if (scaled.state != ScaledInteger::State::Exact) {
    return ValueError{shown(node) + " is not a whole number", expectation(decl), {}};
  }
  value.integer = scaled.value;
  return std::nullopt;
}

/// The whole of `text` as a double; false otherwise. Refuses "nan" and "inf", which from_chars
/// would take.
bool read_double(std::string_view text, double& value) {
  if (const Decimal number = parse_decimal(text); number.length != text.size() || text.empty()) {
    return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// A JSON number, or as text a percentage "20%" or a fraction "1/16".
std::optional<ValueError> read_ratio(const ParamDecl& decl, const JsonNode& node,
                                     ParamValue& value) {
  const std::string_view text = node.text;
  if (node.kind == JsonNode::Kind::Number) {
    if (read_double(text, value.real)) return std::nullopt;
    return ValueError{shown(node) + " does not fit a double", format_range(decl), {}};
  }
  if (node.kind == JsonNode::Kind::String) {
    double below = 100;
    if (text.ends_with('%') && read_double(text.substr(0, text.size() - 1), value.real)) {
      value.real /= below;
      return std::nullopt;
    }
    const std::size_t bar = text.find('/');
    if (bar != std::string_view::npos && read_double(text.substr(0, bar), value.real) &&
        read_double(text.substr(bar + 1), below) && below > 0) {
      value.real /= below;
      return std::nullopt;
    }
  }
  ValueError error = not_a_value(decl, text);
  if (node.kind != JsonNode::Kind::String) error.what = shown(node) + " is not a number";
  double plain = 0;
  if (node.kind == JsonNode::Kind::String && read_double(text, plain)) {
    error.what = shown(node) + " is text";
    error.hint = "Did you mean " + std::string{text} + " without quotes?";
  }
  return error;
}

std::optional<ValueError> read_choice(const ParamDecl& decl, const JsonNode& node,
                                      ParamValue& value) {
  const auto choice = std::find(decl.choices.begin(), decl.choices.end(), node.text);
  if (node.kind != JsonNode::Kind::String || choice == decl.choices.end()) {
    return ValueError{shown(node) + " is not a choice", expectation(decl),
                      did_you_mean(node.text, decl.choices)};
  }
  value.integer = choice - decl.choices.begin();
  return std::nullopt;
}

std::optional<ValueError> read_text(const ParamDecl& decl, const JsonNode& node,
                                    ParamValue& value) {
  // On the command line `a.b=0` can't say that it is text; what was typed is taken.
  const bool typed = node.kind == JsonNode::Kind::Number && node.place.line == 0;
  if (node.kind != JsonNode::Kind::String && !typed) {
    ValueError error{shown(node) + " is not text", expectation(decl), {}};
    if (node.kind == JsonNode::Kind::Number) {
      error.hint = "Did you mean " + in_quotes(node.text) + "?";
    }
    return error;
  }
  constexpr std::size_t kLongest = 4096;
  if (node.text.size() > kLongest) {
    return ValueError{shown(node) + " is too long", "at most 4096 bytes", {}};
  }
  value.text = node.text;
  return std::nullopt;
}

std::optional<ValueError> read_flag(const ParamDecl& decl, const JsonNode& node,
                                    ParamValue& value) {
  if (node.kind == JsonNode::Kind::Boolean) {
    value.integer = node.text == "true" ? 1 : 0;
    return std::nullopt;
  }
  const bool quoted = node.text == "true" || node.text == "false";
  return ValueError{shown(node) + " is not true or false", expectation(decl),
                    quoted ? "Remove the quotes." : ""};
}

std::optional<ValueError> read_unchecked(const ParamDecl& decl, const JsonNode& node,
                                         ParamValue& value) {
  switch (decl.unit) {
    case Unit::Count: return read_count(decl, node, value);
    case Unit::Ratio: return read_ratio(decl, node, value);
    case Unit::Flag: return read_flag(decl, node, value);
    case Unit::Choice: return read_choice(decl, node, value);
    case Unit::Text: return read_text(decl, node, value);
    default: break;
  }
  if (node.kind == JsonNode::Kind::String || node.kind == JsonNode::Kind::Number) {
    return read_united(decl, node.text, shown(node), value);
  }
  return ValueError{shown(node) + " is not " + std::string{noun(decl.unit)}, expectation(decl), {}};
}

bool has_range(Unit unit) {
  return unit != Unit::Flag && unit != Unit::Choice && unit != Unit::Text;
}

}  // namespace

std::optional<ValueError> read_value(const ParamDecl& decl, const JsonNode& node,
                                     ParamValue& value) {
  ParamValue read;
  if (auto error = read_unchecked(decl, node, read)) return error;
  if (has_range(decl.unit) && !in_range(decl, read)) return out_of_range(decl, shown(node));
  value = std::move(read);
  return std::nullopt;
}

ParamValue default_value(const ParamDecl& decl) {
  JsonNode node;
  node.text = decl.default_text;
  node.kind = JsonNode::Kind::String;
  if (decl.unit == Unit::Count || decl.unit == Unit::Ratio) node.kind = JsonNode::Kind::Number;
  if (decl.unit == Unit::Flag) node.kind = JsonNode::Kind::Boolean;
  ParamValue value;
  if (const auto error = read_unchecked(decl, node, value)) {
    throw std::logic_error("default of " + std::string{decl.name} + ": " + error->what);
  }
  return value;
}

}  // namespace spineleaf
