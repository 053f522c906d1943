#pragma once
// Prefetcher: asks for the rows of coming visits while the current one runs.
//
// Visits go through actors in ascending order, so which rows come next is known. All of them asked
// for at once would fill the processor's queue of misses and stall it; so each event of a visit
// asks for a few lines. Where rows stay in cache by themselves, nothing is asked for.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spineleaf {

class Simulation;
struct Lane;

/// Memory to be asked for, line by line.
class Requests {
 public:
  void want(std::span<const std::byte> range) {
    const auto address = reinterpret_cast<std::uintptr_t>(range.data());
    const std::size_t lines = (address % kLine + range.size() + kLine - 1) / kLine;
    if (lines == 0) return;
    const std::byte* const line = range.data() - address % kLine;
    ranges_.push_back({line, line + lines * kLine});
    lines_ += lines;
  }
  /// Spreads what is wanted over about so many calls of ask(); false: nothing is.
  bool spread_over(std::size_t events) {
    if (ranges_.empty()) return false;
    share_ = static_cast<std::uint32_t>(lines_ / (events + 1) + 1);
    at_ = ranges_[0].first;
    return true;
  }
  void ask() {
    for (std::uint32_t n = share_; n > 0; --n) {
      __builtin_prefetch(at_);
      at_ += kLine;
      if (at_ == ranges_[range_].end && !next_range()) return;
    }
  }
  /// Asks for the rest; then nothing is wanted.
  void finish() {
    while (share_ != 0) ask();
  }
  /// The line that is asked for next; null = nothing is wanted.
  const std::byte* next() const { return share_ == 0 ? nullptr : at_; }

 private:
  static constexpr std::size_t kLine = 64;
  struct Range {
    const std::byte* first;
    const std::byte* end;
  };
  bool next_range() {
    if (++range_ < ranges_.size()) {
      at_ = ranges_[range_].first;
      return true;
    }
    ranges_.clear();
    range_ = 0;
    lines_ = 0;
    share_ = 0;
    return false;
  }

  std::vector<Range> ranges_;
  std::size_t range_ = 0;
  std::size_t lines_ = 0;
  const std::byte* at_ = nullptr;
  std::uint32_t share_ = 0;  ///< lines per call; 0 = nothing is wanted
};

class Prefetcher {
 public:
  explicit Prefetcher(const Simulation& simulation);
  /// Wants what a visit soon after the i-th of `ids` will need: rows and newest records.
  void look_ahead(Lane& lane, std::span<const std::uint32_t> ids, std::size_t i) const;

 private:
  bool pays_ = false;                             ///< rows do not stay in cache by themselves
  std::vector<std::span<const std::byte>> rows_;  ///< of all actors, one after the other
  std::vector<std::uint32_t> first_;              ///< per actor; one more at the end
};

}  // namespace spineleaf
