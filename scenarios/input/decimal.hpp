#pragma once
// Decimal: a number as it is written, scaled exactly to an integer unit.

#include <cstdint>
#include <string_view>

namespace spineleaf {

/// `mantissa * 10^exponent`, from text such as "-12.50e3".
struct Decimal {
  __int128 mantissa = 0;
  int exponent = 0;
  bool valid = false;      ///< a number stands at the beginning of the text
  bool precise = true;     ///< false: more digits than can matter were cut off
  std::size_t length = 0;  ///< characters that belong to the number
};

/// Reads the longest number at the beginning of `text`: sign, digits, fraction, exponent.
Decimal parse_decimal(std::string_view text);

struct ScaledInteger {
  enum class State : std::uint8_t { Exact, Rounded, TooFine, Overflow };
  std::int64_t value = 0;
  State state = State::Exact;  ///< TooFine: not zero, but rounds to zero
};

/// `number * scale` to the nearest integer; `scale` in [1, 2^50].
ScaledInteger scale_decimal(const Decimal& number, std::int64_t scale);

}  // namespace spineleaf
