#include "validation/readers/osu.hpp"

#include <utility>

#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {
constexpr std::size_t kMostOsuRuns = 1000;
constexpr std::size_t kMostOsuRows = 100'000;
}  // namespace

OsuResult read_osu(std::string_view text, const std::string& file) {
  OsuResult result;
  std::size_t rows = 0;
  for_each_line(text, [&](std::string_view line, int number) {
    const std::string_view all = trimmed(line);
    if (all.starts_with('#')) {
      const std::string_view comment = trimmed(all.substr(1));
      if (comment.starts_with("OSU") && result.runs.size() < kMostOsuRuns) {
        result.runs.push_back({std::string(comment.substr(0, 128)), false, {}});
      } else if (comment.starts_with("Size") && !result.runs.empty()) {
        result.runs.back().bandwidth = comment.find("MB/s") != std::string_view::npos;
      }
      return;
    }
    if (result.runs.empty() || all.empty() || all[0] < '0' || all[0] > '9') return;
    const auto cells = words_of(all, 16);
    const auto bytes = to_integer(cells[0]);
    const double value = cells.size() > 1 ? to_number(cells[1]).value_or(-1) : -1;
    if (!bytes || *bytes < 0 || value < 0) {
      append(result.problems, line_problem(file, number, "a row of results can't be read",
                                           "a size in bytes and a value", Severity::Warning));
    } else if (rows++ < kMostOsuRows) {
      result.runs.back().rows.push_back({*bytes, value});
    }
  });
  if (rows == 0) {
    append(result.problems, line_problem(file, 0, "holds no results of the OSU micro-benchmarks",
                                         "\"# OSU ... Test\", \"# Size ...\" and rows below"));
  }
  return result;
}

}  // namespace spineleaf
