#pragma once
// Files of a run. Each is written beside its place and renamed, so that a reader never sees a half.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf {

/// Writes `text` to `path`, making its folder if needed. Returns "" or "can't write PATH: reason".
std::string write_text_file(const std::filesystem::path& path, std::string_view text);

/// Makes the folder if needed and tries a file in it, which goes away again. Returns "" or "can't
/// write PATH: reason".
std::string try_folder(const std::filesystem::path& directory);

/// Writes scenario.lock.json (unless `lock_text` is empty), flows.csv, collectives.csv, links.csv,
/// port_classes.csv, series.csv, waits.csv, report.html and, last, summary.json: where that one
/// lies the set is whole. `topology_svg` goes into the report. Returns all problems; empty =
/// written.
std::vector<std::string> write_outputs(const Result& result, const std::string& lock_text,
                                       const std::filesystem::path& directory,
                                       const std::string& topology_svg = {});

}  // namespace spineleaf
