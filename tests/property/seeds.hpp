#pragma once
// Which cases a property test runs: some hundred by default, ten times as many in a full run, or
// the one that failed.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
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

/// Command that runs this case alone; `test` = the pattern of a GoogleTest filter.
inline std::string how_to_replay(std::uint64_t seed, const std::string& program,
                                 const std::string& test) {
  return "replay: SPINELEAF_SEED=" + std::to_string(seed) + " " + program + " --gtest_filter='" +
         test + "'";
}

/// Prints how to replay a case that an exception ends: GoogleTest drops its traces then.
class RunningCase {
 public:
  explicit RunningCase(std::string replay)
      : replay_(std::move(replay)), exceptions_(std::uncaught_exceptions()) {}
  ~RunningCase() {
    if (std::uncaught_exceptions() > exceptions_) std::fprintf(stderr, "%s\n", replay_.c_str());
  }
  RunningCase(const RunningCase&) = delete;
  RunningCase& operator=(const RunningCase&) = delete;

 private:
  std::string replay_;
  int exceptions_;
};

}  // namespace spineleaf::property
