#pragma once
// Dice: the draws of one random case. The same seed gives the same case on every platform.

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "sim/hash.hpp"
#include "sim/units.hpp"

namespace spineleaf::property {

class Dice {
 public:
  /// With a quantum above zero every drawn delay is a multiple of it, so that instants coincide.
  Dice(std::uint64_t seed, Time quantum) : seed_(mix64(seed, 0xd1ce)), quantum_(quantum) {}

  std::uint64_t bits() { return mix64(seed_, ++count_); }
  /// Uniform in [0, n).
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n));
  }
  /// Uniform in [low, high].
  std::int64_t within(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  /// True once in `n` draws.
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::int64_t>(values.size()))];
  }
  /// A delay between two bounds; short ones are as likely as long ones.
  Time delay(Time low, Time high) {
    Time top = high;
    while (top > low * 2 && top > Time{2} && one_in(2)) top = Time{top.ps / 2};
    const Time drawn{within(low.ps, top.ps)};
    if (quantum_ == Time{0}) return drawn;
    return quantum_ * ((drawn.ps + quantum_.ps - 1) / quantum_.ps);
  }
  Time quantum() const { return quantum_; }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
  Time quantum_;
};

}  // namespace spineleaf::property
