#pragma once
// WorkBitmap: which actors have work in an epoch. Two levels, so that an idle fabric costs nothing.

#include <bit>
#include <cstdint>
#include <vector>

namespace spineleaf {

class WorkBitmap {
 public:
  explicit WorkBitmap(std::size_t bits = 0)
      : words_((bits + 63) / 64), summary_((words_.size() + 63) / 64) {}

  void set(std::uint32_t i) {
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
    summary_[i / 4096] |= std::uint64_t{1} << (i / 64 % 64);
    any_ = true;
  }
  bool any() const { return any_; }
  std::uint64_t word(std::size_t w) const { return words_[w]; }
  std::uint64_t summary(std::size_t s) const { return summary_[s]; }
  std::size_t summary_size() const { return summary_.size(); }

  void clear() {
    if (!any_) return;
    for (std::size_t s = 0; s < summary_.size(); ++s) {
      for (std::uint64_t m = summary_[s]; m != 0; m &= m - 1) {
        words_[s * 64 + static_cast<std::size_t>(std::countr_zero(m))] = 0;
      }
      summary_[s] = 0;
    }
    any_ = false;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
  bool any_ = false;
};

/// Set of ports, up to 512, with cheap "any" and ascending visits.
class PortSet {
 public:
  void set(std::uint32_t port) {
    words_[port / 64] |= std::uint64_t{1} << (port % 64);
    nonzero_ |= static_cast<std::uint8_t>(1U << (port / 64));
  }
  void clear(std::uint32_t port) {
    words_[port / 64] &= ~(std::uint64_t{1} << (port % 64));
    if (words_[port / 64] == 0) nonzero_ &= static_cast<std::uint8_t>(~(1U << (port / 64)));
  }
  bool test(std::uint32_t port) const { return (words_[port / 64] >> (port % 64)) & 1U; }
  bool any() const { return nonzero_ != 0; }
  /// The least member above `port`, or else the least of all; the set must not be empty.
  std::uint32_t next_after(std::uint32_t port) const {
    const std::uint32_t from = port + 1;
    for (std::uint32_t w = from / 64; w < 8; ++w) {
      const std::uint64_t skip = w == from / 64 ? (std::uint64_t{1} << (from % 64)) - 1 : 0;
      const std::uint64_t word = words_[w] & ~skip;
      if (word != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    const auto w = static_cast<std::uint32_t>(std::countr_zero(nonzero_));
    return w * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[w]));
  }
  /// Removes and returns the least member; the set must not be empty.
  std::uint32_t pop_first() {
    const auto w = static_cast<std::uint32_t>(std::countr_zero(nonzero_));
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(words_[w]));
    words_[w] &= words_[w] - 1;
    if (words_[w] == 0) nonzero_ &= static_cast<std::uint8_t>(nonzero_ - 1);
    return w * 64 + bit;
  }

 private:
  std::uint8_t nonzero_ = 0;  ///< which words are
  std::uint64_t words_[8] = {};
};
inline constexpr std::uint32_t kMaxPorts = 512;

}  // namespace spineleaf
