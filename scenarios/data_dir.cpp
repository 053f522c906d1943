#include "scenarios/data_dir.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace spineleaf {

namespace {

/// Written once, when the package is imported; where files lie is a fact of the process.
std::string& set_folder() {
  static std::string folder;
  return folder;
}

}  // namespace

void set_data_dir(std::string folder) { set_folder() = std::move(folder); }

std::string data_dir() {
  const char* const chosen = std::getenv("SPINELEAF_DATA_DIR");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  if (!set_folder().empty()) return set_folder();
  // An error while looking (no such folder, no permission) means: not there.
  std::error_code ignored;
  if (std::filesystem::is_directory(SPINELEAF_DATA_DIR "/scenarios/library", ignored)) {
    return SPINELEAF_DATA_DIR;
  }
  return SPINELEAF_INSTALL_DATA_DIR;
}

std::string data_file(std::string_view name) { return data_dir() + "/" + std::string{name}; }

}  // namespace spineleaf
