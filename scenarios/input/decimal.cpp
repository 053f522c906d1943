#include "scenarios/input/decimal.hpp"

#include <algorithm>

namespace spineleaf {

namespace {

constexpr int kMaxDigits = 22;         // times 2^50 stays below 2^127
constexpr int kMaxExponent = 100'000;  // far beyond every 64-bit value

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const bool negative = at == 1 && text[0] == '-';
  int digits = 0;
  bool fraction = false;
  for (;; ++at) {
    if (at < text.size() && text[at] == '.' && !fraction && is_digit(text, at + 1)) {
      fraction = true;
      continue;
    }
    if (!is_digit(text, at)) break;
    number.valid = true;
    if (digits < kMaxDigits) {
      number.mantissa = number.mantissa * 10 + (text[at] - '0');
      if (number.mantissa != 0) ++digits;
      if (fraction) --number.exponent;
    } else {
      number.precise = number.precise && text[at] == '0';
      if (!fraction) ++number.exponent;
    }
  }
  if (number.valid && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t e = at + 1;
    const bool down = e < text.size() && text[e] == '-';
    if (e < text.size() && (text[e] == '-' || text[e] == '+')) ++e;
    if (is_digit(text, e)) {
      int power = 0;
      for (; is_digit(text, e); ++e) power = std::min(power * 10 + (text[e] - '0'), kMaxExponent);
      number.exponent += down ? -power : power;
      at = e;
    }
  }
  if (negative) number.mantissa = -number.mantissa;
  number.length = number.valid ? at : 0;
  return number;
}

ScaledInteger scale_decimal(const Decimal& number, std::int64_t scale) {
  using State = ScaledInteger::State;
  const bool negative = number.mantissa < 0;
  __int128 value = (negative ? -number.mantissa : number.mantissa) * scale;
  State state = number.precise ? State::Exact : State::Rounded;
  if (value == 0) return {0, State::Exact};
  for (int e = 0; e < number.exponent; ++e) {
    value *= 10;
    if (value > INT64_MAX) return {0, State::Overflow};
  }
  bool up = false;  // the part cut off so far is at least a half
  for (int e = number.exponent; e < 0 && (value != 0 || up); ++e) {
    const int digit = static_cast<int>(value % 10);
    if (digit != 0 || up) state = State::Rounded;
    up = digit >= 5;
    value /= 10;
  }
  if (up) ++value;
  if (value > INT64_MAX) return {0, State::Overflow};
  if (value == 0) return {0, State::TooFine};
  const auto magnitude = static_cast<std::int64_t>(value);
  return {negative ? -magnitude : magnitude, state};
}

}  // namespace spineleaf
