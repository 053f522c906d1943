#pragma once
// What stands in the place of an option's value or of a positional.

#include <string>

#include "bindings/cli/command_tree.hpp"

namespace spineleaf::cli {

/// Which of the lists of `spineleaf completion` a positional takes words from; "": none.
inline std::string completion_words(const Command& command, const CommandOption& option) {
  if (option.positional == "scenario" || option.positional == "fabric") return "scenarios";
  if (command.name == "new" && option.positional == "kind") return "kinds";
  if (command.name == "completion") return "shells";
  return {};
}

inline bool takes_directory(const CommandOption& option) { return option.value == "DIR"; }

inline bool takes_file(const CommandOption& option) {
  return option.value == "FILE" || takes_directory(option);
}

}  // namespace spineleaf::cli
