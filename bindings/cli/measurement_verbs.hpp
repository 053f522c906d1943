#pragma once
// Verbs over folders of measurements.

#include <CLI/CLI.hpp>

namespace spineleaf::cli {

/// `spineleaf import measurements`, below `import`.
void add_import_measurements(CLI::App& import, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);

}  // namespace spineleaf::cli
