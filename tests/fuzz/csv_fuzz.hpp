#pragma once
// What the fuzz targets of the CSV readers share: the text of an input, and what must hold of
// problems.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
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

/// The input as `count` files, parted by 0xff bytes; the last takes what is left.
inline std::vector<std::string> parts_of(const std::uint8_t* data, std::size_t size,
                                         std::size_t count) {
  std::string rest = text_of(data, size);
  std::vector<std::string> parts;
  while (parts.size() + 1 < count) {
    const std::size_t end = std::min(rest.find('\xff'), rest.size());
    parts.push_back(rest.substr(0, end));
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  parts.push_back(std::move(rest));
  return parts;
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
