#pragma once
// The scenario format as JSON Schema (draft 2020-12), for editors and other programs.

#include <nlohmann/json.hpp>
#include <string>

namespace spineleaf {

/// Built from the parameter tables. Checks shape, units and choices; ranges of quantities with
/// units and checks between keys are the reader's.
nlohmann::ordered_json schema_object();

/// Indented by two, with a newline at the end.
std::string schema_text();

}  // namespace spineleaf
