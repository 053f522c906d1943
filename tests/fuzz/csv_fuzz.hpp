#pragma once
// What the fuzz targets of the CSV readers share: the text of an input, and what must hold of
// problems.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf::fuzz {

/// The program stops here, and the fuzzer keeps the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

inline constexpr std::size_t kMostBytes = 1 << 16;

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Few, each in a line or so, and with a place in the file.
inline void check_problems(const std::vector<InputProblem>& problems) {
  require(problems.size() <= kMaxProblems + 1);
  for (const InputProblem& problem : problems) {
    require(!problem.what.empty() && problem.place.line >= 0 && problem.place.column >= 0);
    require(to_string(problem).size() <= 20'000);
  }
}

}  // namespace spineleaf::fuzz
