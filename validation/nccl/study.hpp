#pragma once
// Calibration on one half of the measured sets, prediction of the other: errors per size, bands,
// and the baselines beside them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validation/nccl/calibrate.hpp"
#include "validation/nccl/sets.hpp"

namespace spineleaf {

struct StudyOptions {
  bool multinode = false;  ///< also fit the sets "calibrate-multinode": a column of its own
  int starts = 1;
  bool shipped_fit = false;  ///< take the costs that were fitted before (shipped_calibration)
};

struct StudyRow {
  std::size_t set = 0;  ///< index in Study::sets
  std::int64_t bytes = 0;
  double measured_us = 0;
  double predicted_us = 0;
  double line_rate_us = 0;   ///< payload over the NICs' or NVLink's rate
  double alpha_beta_us = 0;  ///< best fit of a + S/b on this very set
  double nccl_us = -1;       ///< NCCL's own estimate; -1 for sends and receives
  std::string choice;        ///< "NVLSTree/Simple"
  std::int64_t channels = 0;
  std::string bound;  ///< what binds, by the model
};

struct StudySet {
  NcclSet set;
  Platform platform;
  EndpointCosts costs;
  bool fitted = false;  ///< its points were in the fit
  std::vector<std::string> remarks;
};

/// Error statistics of a band of sizes, percent.
struct ErrorBand {
  std::size_t n = 0;
  double median_abs = 0;
  double p90_abs = 0;  ///< nearest rank
  double bias = 0;     ///< mean of the signed errors
};
/// All sizes, below 1 MiB, 1 to 64 MiB, from 64 MiB on.
inline constexpr std::string_view kBandNames[] = {"all", "lt_1MiB", "1_64MiB", "ge_64MiB"};
using ErrorBands = std::array<ErrorBand, 4>;

enum class Predictor : std::uint8_t { Model, LineRate, AlphaBeta, NcclCostModel };
inline constexpr std::string_view kPredictorNames[] = {"model", "line_rate", "alpha_beta",
                                                       "nccl_cost_model"};

struct Study {
  Calibration calibration;
  std::vector<StudySet> sets;
  std::vector<StudyRow> rows;
  std::vector<InputProblem> problems;

  /// Over the sets for which `take` says so; rows without that estimate don't count.
  template <typename Take>
  ErrorBands bands(Predictor predictor, Take take) const;
  ErrorBands bands_of(Predictor predictor, const std::vector<bool>& sets_taken) const;

  /// The sets to predict: neither fitted nor meant to be explained.
  std::vector<bool> to_predict() const;
};

template <typename Take>
ErrorBands Study::bands(Predictor predictor, Take take) const {
  std::vector<bool> taken;
  for (const StudySet& set : sets) taken.push_back(take(set));
  return bands_of(predictor, taken);
}

/// Fits on the calibrate sets of `known` (and of `data`, where that is another folder), then
/// predicts every set of `data`.
Study run_study(const NcclCatalog& catalog, const std::vector<NcclSet>& known,
                const std::vector<NcclSet>& data, const StudyOptions& options);

/// The same from folders; `known_folder` is the shipped one. Problems are in the study.
Study run_study(const std::string& data_folder, const StudyOptions& options);

/// {"summary": ..., "baselines": ..., "by_set": ..., "rows": ...} as docs/measurements.md tells.
std::string study_json(const Study& study);
/// The same as tables for a terminal.
std::string study_text(const Study& study);

/// The fit on the shipped sets "calibrate" as `spineleaf calibrate -o` writes it, read back. A test
/// compares it with a fresh one.
struct CalibrationResult {
  Calibration calibration;  ///< costs, points and warnings
  std::vector<InputProblem> problems;
};
CalibrationResult read_calibration(const std::string& file, std::string text);
CalibrationResult shipped_calibration();

/// Costs with intervals, correlated pairs and warnings.
std::string calibration_json(const Calibration& calibration);
std::string calibration_text(const Calibration& calibration);

}  // namespace spineleaf
