#pragma once
// The figures by which runs are compared: one number each, from a Result.

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf {

/// What stands where a run has no such figure.
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

enum class Better { Lower, Higher };

struct Metric {
  std::string_view name;    ///< column of tables, with its unit: "fct_p99_us"
  std::string_view header;  ///< where room is short; "" = left out there
  std::string_view text;    ///< one line for help
  Better better = Better::Lower;
};

/// All metrics, in the order of columns.
std::span<const Metric> metrics();

/// Their values for one run, in that order; kNone where the run has none.
std::vector<double> metric_values(const Result& result);

/// Number of the metric of that name, or of the only one whose name begins so ("goodput").
std::optional<std::size_t> find_metric(std::string_view name);

/// "simulated_us, fct_p50_us, ...": for messages and help.
std::string metric_names();

}  // namespace spineleaf
