#pragma once
// What a measurement or log of a tool says, in a few lines: for the verb `spineleaf inspect`.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct Inspection {
  std::string format;  ///< "nccl-tests output"; "" where no reader knows the file
  std::vector<std::pair<Severity, std::string>> lines;
  std::vector<InputProblem> problems;
};

/// Finds out from its content what a file is, reads it and says what is in it.
Inspection inspect(std::string_view text, const std::string& file);

}  // namespace spineleaf
