#pragma once
// Which cases a property test runs: some hundred by default, ten times as many in a full run, or
// the one that failed.

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace spineleaf::property {

inline constexpr std::uint64_t kDefaultCases = 308;  // 44 of each family
inline constexpr std::uint64_t kFullCases = 3003;

/// The case asked for with SPINELEAF_SEED.
inline std::optional<std::uint64_t> seed_asked_for() {
  const char* text = std::getenv("SPINELEAF_SEED");
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

/// SPINELEAF_CASES sets any number: a night's search.
inline std::uint64_t case_count() {
  if (const char* text = std::getenv("SPINELEAF_CASES")) return std::strtoull(text, nullptr, 10);
  return std::getenv("SPINELEAF_FULL") != nullptr ? kFullCases : kDefaultCases;
}

/// All cases of this run, or the one asked for.
inline std::vector<std::uint64_t> cases_to_run() {
  if (const auto one = seed_asked_for()) return {*one};
  std::vector<std::uint64_t> cases(case_count());
  std::iota(cases.begin(), cases.end(), std::uint64_t{0});
  return cases;
}

inline std::string how_to_replay(std::uint64_t seed, const std::string& test) {
  return "replay: SPINELEAF_SEED=" + std::to_string(seed) +
         " property_tests --gtest_filter=" + test;
}

}  // namespace spineleaf::property
