#pragma once
// Verbs over folders of measurements.

#include <CLI/CLI.hpp>
#include <string>

namespace spineleaf::cli {

/// `spineleaf import measurements`, below `import`.
void add_import_measurements(CLI::App& import, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);

/// `spineleaf calibrate --scenario`: what the measurements fix of a scenario, written to `out`.
struct ScenarioCalibration {
  std::string measurements, scenario, expect, out;
};
void calibrate_scenario(const ScenarioCalibration& arguments, int& exit_code);

}  // namespace spineleaf::cli
