// Canonical values as text.

#include <array>
#include <charconv>

#include "scenarios/input/unit_suffixes.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

ParamValue bound(double limit) {
  ParamValue value;
  value.real = limit;
  const bool beyond = limit >= static_cast<double>(INT64_MAX);
  value.integer = beyond ? INT64_MAX : static_cast<std::int64_t>(limit);
  return value;
}

}  // namespace

std::string shortest_digits(double value) {
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string format_value(const ParamDecl& decl, const ParamValue& value) {
  switch (decl.unit) {
    case Unit::Count: return std::to_string(value.integer);
    case Unit::Ratio: return shortest_digits(value.real);
    case Unit::Length: return shortest_digits(value.real) + "m";
    case Unit::Flag: return value.integer != 0 ? "true" : "false";
    case Unit::Text: return value.text;
    case Unit::Choice: {
      const auto row = static_cast<std::size_t>(value.integer);
      return row < decl.choices.size() ? std::string{decl.choices[row]} : "";
    }
    default: break;
  }
  if (value.integer == 0) {
    return decl.unit == Unit::Time ? "0ns" : decl.unit == Unit::Bytes ? "0B" : "0Gbps";
  }
  UnitSuffix best{"", 0};
  for (const UnitSuffix& s : unit_suffixes(decl.unit)) {
    if (s.written && s.scale > best.scale && value.integer % s.scale == 0) best = s;
  }
  return std::to_string(value.integer / best.scale) + std::string{best.text};
}

namespace {

std::string integer_text(Unit unit, std::int64_t integer) {
  ParamDecl decl;
  decl.unit = unit;
  return format_value(decl, {integer, 0, {}});
}

}  // namespace

std::string to_text(Time time) { return integer_text(Unit::Time, time.ps); }
std::string to_text(Bytes bytes) { return integer_text(Unit::Bytes, bytes.count); }
std::string to_text(Rate rate) { return integer_text(Unit::Rate, rate.bits_per_second); }

std::string format_json(const ParamDecl& decl, const ParamValue& value) {
  std::string text = format_value(decl, value);
  if (decl.unit == Unit::Count || decl.unit == Unit::Ratio || decl.unit == Unit::Flag) return text;
  std::string token = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      token += "\\u00";
      token += kHex[static_cast<unsigned char>(c) >> 4];
      token += kHex[static_cast<unsigned char>(c) & 15];
      continue;
    }
    if (c == '"' || c == '\\') token += '\\';
    token += c;
  }
  return token + "\"";
}

std::string format_range(const ParamDecl& decl) {
  const bool endless = decl.unit == Unit::Flag || decl.unit == Unit::Choice;
  if (endless || decl.unit == Unit::Text) return {};
  return format_value(decl, bound(decl.min)) + " to " + format_value(decl, bound(decl.max));
}

std::string unit_pattern(Unit unit) {
  std::string words;
  for (const UnitSuffix& s : unit_suffixes(unit)) {
    words += (words.empty() ? "" : "|") + std::string{s.text};
  }
  if (words.empty()) return {};
  return "^[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)? ?(" + words + ")$";
}

std::string expectation(const ParamDecl& decl) {
  switch (decl.unit) {
    case Unit::Time: return "a time such as \"1.5us\"";
    case Unit::Bytes: return "a size such as \"4KiB\"";
    case Unit::Rate: return "a rate such as \"400Gbps\"";
    case Unit::Length: return "a length such as \"5m\"";
    case Unit::Count: return "a whole number, " + format_range(decl);
    case Unit::Ratio: return "a number such as 0.2, \"20%\" or \"1/5\"";
    case Unit::Flag: return "true or false";
    case Unit::Text: return "text in quotes";
    case Unit::Choice: break;
  }
  return one_of(decl.choices);
}

}  // namespace spineleaf
