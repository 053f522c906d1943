#pragma once
// The folder of a sweep: what was asked (scenario.json, sweep.json), a row per run (results.csv),
// a row per point (points.csv).
//
// results.csv grows by whole rows, each written at once; a process that is killed leaves at most a
// torn last line, which the next one cuts off. Rows stand in the order in which runs ended; a run
// is known by the hash of its resolved scenario. Where a hash occurs twice the last row counts.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/result.hpp"
#include "scenarios/sweep/plan.hpp"

namespace spineleaf {

struct SweepRow {
  std::string hash;
  std::uint64_t seed = 0;
  std::vector<std::string> cells;  ///< of the axes
  std::string verdict;             ///< a word of the schema, or "failed": no result
  std::string message;             ///< why, on one line; empty where all is well
  std::string fingerprint;
  double wall_seconds = 0;
  std::vector<double> values;  ///< of metrics(); not a number = none
};

/// Whether a row's figures count: its run came to an end of its own.
bool has_figures(const SweepRow& row);

SweepRow make_row(const Result& result, const SweepPoint& point, std::size_t seed);
SweepRow failed_row(const std::string& message, const SweepPoint& point, std::size_t seed);

/// results.csv, open for appending; nobody else can have it open this way at the same time.
class SweepLog {
 public:
  SweepLog() = default;
  ~SweepLog();
  SweepLog(const SweepLog&) = delete;
  SweepLog& operator=(const SweepLog&) = delete;

  /// Makes the folder and the files of `plan` that tell what is swept, or with `resume` goes on
  /// with what lies there, of the same axes. Returns "" or why not.
  std::string open(const std::filesystem::path& folder, const SweepPlan& plan, bool resume);

  /// The rows that were there, by hash.
  const std::map<std::string, SweepRow>& known() const { return known_; }

  /// Returns "" or why the row could not be written. From any thread.
  std::string append(const SweepRow& row);

 private:
  std::string try_open(const std::filesystem::path& folder, const SweepPlan& plan, bool resume);

  std::mutex mutex_;
  int file_ = -1;
  std::filesystem::path path_;
  std::map<std::string, SweepRow> known_;
};

/// All runs of a point together.
struct PointSummary {
  std::vector<std::string> cells;
  std::string hash;              ///< of its first run
  std::int64_t runs = 0;         ///< with figures
  std::int64_t failed = 0;       ///< without
  std::vector<double> mean;      ///< of metrics()
  std::vector<double> interval;  ///< half width of the 95 % interval; not a number below two runs
};

/// A sweep as it lies in its folder.
struct SweepData {
  std::string name;
  std::vector<SweepColumn> columns;
  std::vector<Override> overrides;
  std::vector<SweepRow> rows;  ///< one per hash
  std::vector<InputProblem> problems;
};
/// From the texts of sweep.json and results.csv, whatever they hold; `folder` is for messages.
SweepData parse_sweep(const std::string& folder, std::string description, std::string results);
SweepData read_sweep(const std::filesystem::path& folder);

/// The scenario of a point of a sweep that lies in `folder`.
ValidateResult sweep_scenario(const std::filesystem::path& folder, const SweepData& data,
                              const PointSummary& point);

/// In the order of the axes' cells, numbers by size.
std::vector<PointSummary> summarise(const std::vector<SweepRow>& rows);

/// points.csv. Column "point" counts from 0 and is what `--point` of `spineleaf export` means.
std::string points_csv(const std::vector<SweepColumn>& columns,
                       const std::vector<PointSummary>& points);

}  // namespace spineleaf
