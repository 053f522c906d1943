#pragma once
// Strong integer units of the simulator. Only meaningful operations compile.
//
// Time is in picoseconds, data in bytes, rate in bits per second. All are 64-bit signed integers:
// 2^63 ps is 106 days of simulated time, so sums of two valid instants never overflow in practice.

#include <compare>
#include <cstdint>

namespace spineleaf {

struct Time {
  std::int64_t ps = 0;

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Time o) { return ps += o.ps, *this; }
  constexpr Time& operator-=(Time o) { return ps -= o.ps, *this; }
  static constexpr Time max() { return {INT64_MAX}; }
  static constexpr Time from_ns(std::int64_t n) { return {n * 1000}; }
  static constexpr Time from_us(std::int64_t n) { return {n * 1000 * 1000}; }
  static constexpr Time from_ms(std::int64_t n) { return {n * 1000 * 1000 * 1000}; }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
  constexpr double microseconds() const { return static_cast<double>(ps) * 1e-6; }
};
constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
constexpr Time operator*(Time a, std::int64_t n) { return {a.ps * n}; }
constexpr Time operator*(std::int64_t n, Time a) { return {a.ps * n}; }
constexpr std::int64_t operator/(Time a, Time b) { return a.ps / b.ps; }

struct Bytes {
  std::int64_t count = 0;

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes o) { return count += o.count, *this; }
  constexpr Bytes& operator-=(Bytes o) { return count -= o.count, *this; }
};
constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
constexpr Bytes operator*(Bytes a, std::int64_t n) { return {a.count * n}; }

struct Rate {
  std::int64_t bits_per_second = 0;

  constexpr auto operator<=>(const Rate&) const = default;
  static constexpr Rate from_gbps(std::int64_t n) { return {n * 1000 * 1000 * 1000}; }
  constexpr double gbps() const { return static_cast<double>(bits_per_second) * 1e-9; }
};

/// Largest rate accepted anywhere: 100 Tb/s. Keeps `bytes * 8e12` style products inside 64 bits.
inline constexpr Rate kMaxRate{100'000'000'000'000};

/// Time to put `bytes` on a wire of `rate`, rounded up to whole picoseconds.
/// Requires rate > 0. Exact for any size below 2^63 / 1 bit (128-bit intermediate).
constexpr Time serialisation(Bytes bytes, Rate rate) {
  const auto bits_ps = static_cast<__int128>(bytes.count) * 8 * 1'000'000'000'000;
  const __int128 r = rate.bits_per_second;
  return {static_cast<std::int64_t>((bits_ps + r - 1) / r)};
}

}  // namespace spineleaf
