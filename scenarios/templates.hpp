#pragma once
// Commented scenarios to begin with: the files of scenarios/templates/, one per kind of question.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

struct ScenarioTemplate {
  std::string kind;     ///< the file's name without .json
  std::string purpose;  ///< the file's first line
  std::string text;     ///< a scenario; @DATA@ stands for the folder of the shipped measurements
};

/// All of them, by name; empty where the shipped files are missing.
std::vector<ScenarioTemplate> scenario_templates();

/// The text to be kept as `file`: commands in its comments name that file and the shipped
/// measurements as they lie here. A name that a shell would not take as one word is left out.
std::string scenario_from(const ScenarioTemplate& from, std::string_view file);

}  // namespace spineleaf
