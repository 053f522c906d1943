#pragma once
// Sections of the report about the fabric: links, pauses and losses, time series, waits.
// Each returns markup, or "" when there is nothing to show.

#include <string>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf {

/// Runs with the names under which the report shows them.
struct LabelledRuns {
  std::vector<const Result*> runs;
  std::vector<std::string> labels;
};

/// A run's name above its part of a section, where there are several.
std::string run_heading(const LabelledRuns& runs, std::size_t i);

std::string links_section(const LabelledRuns& runs);
std::string losses_section(const LabelledRuns& runs);
std::string series_section(const LabelledRuns& runs);
std::string waits_section(const LabelledRuns& runs);

}  // namespace spineleaf
