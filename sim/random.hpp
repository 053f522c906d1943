#pragma once
// Counter-based random numbers: a draw is a pure function of what it is for.
//
// No generator has state, so a draw does not depend on which draws came before, on the thread or on
// the order of events. The function is the SplitMix64 finaliser over the seed, the purpose and the
// counters (see sim/hash.hpp for the source). Nothing here calls libm or a std:: distribution:
// exponentials come from an integer table, so every platform draws the same numbers.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/hash.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// What a draw is for: keeps draws of different subjects independent under equal counters.
enum class Purpose : std::uint64_t {
  Entropy = 1,  ///< UDP source port of a connection
  Permutation,  ///< who sends to whom
  SenderChoice,
  StartJitter,
  ArrivalTime,
  FlowSize,
  Destination,
  HostNoise,
  BitError,
};

/// 64 random bits for (seed, purpose, counters...).
template <class... Counters>
constexpr std::uint64_t draw(std::uint64_t seed, Purpose purpose, Counters... counters) {
  std::uint64_t state = mix64(seed, static_cast<std::uint64_t>(purpose));
  ((state = mix64(state ^ static_cast<std::uint64_t>(counters))), ...);
  return state;
}

/// Uniform in [0, n), n >= 1. The bias of the multiply-shift is below n / 2^64.
constexpr std::uint64_t uniform_below(std::uint64_t bits, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64);
}

/// Uniform in [0, 1) with 53 bits, exact in a double.
constexpr double unit_fraction(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

namespace detail {
inline constexpr int kLogSteps = 512;

/// ln(1 + i/512) in units of 2^-40, by the series of atanh in plain IEEE arithmetic.
constexpr std::array<std::int64_t, kLogSteps + 1> make_log_table() {
  std::array<std::int64_t, kLogSteps + 1> table{};
  for (int i = 0; i <= kLogSteps; ++i) {
    const double x = static_cast<double>(i) / kLogSteps;
    const double y = x / (2.0 + x);
    double power = y, sum = 0;
    for (int k = 1; k < 60; k += 2) {
      sum += power / k;
      power *= y * y;
    }
    table[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(2.0 * sum * 0x1p40 + 0.5);
  }
  return table;
}
inline constexpr auto kLogTable = make_log_table();
}  // namespace detail

/// -ln(U) in units of 2^-40 for U = (bits + 1) / 2^64 in (0, 1]. Linear between table entries:
/// absolute error below 5e-7.
constexpr std::int64_t minus_log(std::uint64_t bits) {
  if (bits == UINT64_MAX) return 0;
  std::uint64_t scaled = bits + 1;
  std::int64_t halvings = 0;  // U = m / 2^(halvings + 1) with m in [1, 2)
  for (int shift = 32; shift > 0; shift /= 2) {
    if ((scaled >> (64 - shift)) == 0) {
      scaled <<= shift;
      halvings += shift;
    }
  }
  const std::uint64_t fraction = scaled << 1;  // the 63 bits below the leading one, left-aligned
  const auto slot = static_cast<std::size_t>(fraction >> 55);
  const auto within = static_cast<std::int64_t>((fraction >> 25) & 0x3fffffffU);  // 30 bits
  const std::int64_t low = detail::kLogTable[slot];
  const std::int64_t log_m = low + (((detail::kLogTable[slot + 1] - low) * within) >> 30);
  return (halvings + 1) * detail::kLogTable[detail::kLogSteps] - log_m;
}

/// Exponentially distributed time with the given mean (>= 0).
constexpr Time exponential(Time mean, std::uint64_t bits) {
  __extension__ using Wide = __int128;
  return {static_cast<std::int64_t>((static_cast<Wide>(mean.ps) * minus_log(bits)) >> 40)};
}

}  // namespace spineleaf
