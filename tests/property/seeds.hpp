#pragma once
// Which cases a property test runs: some hundred by default, ten times as many in a full run, or
// the one that failed.

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace spineleaf::property {

inline constexpr std::uint64_t kDefaultCases = 308;  // 44 of each family
inline constexpr std::uint64_t kFullCases = 3003;

/// The case asked for with SPINELEAF_SEED.
inline std::optional<std::uint64_t> seed_asked_for() {
  const char* text = std::getenv("SPINELEAF_SEED");
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

inline std::uint64_t case_count() {
  return std::getenv("SPINELEAF_FULL") != nullptr ? kFullCases : kDefaultCases;
}

inline std::string how_to_replay(std::uint64_t seed, const std::string& test) {
  return "replay: SPINELEAF_SEED=" + std::to_string(seed) +
         " property_tests --gtest_filter=" + test;
}

}  // namespace spineleaf::property
