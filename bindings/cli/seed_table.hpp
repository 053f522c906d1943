#pragma once
// SeedTable: the same scenario with several seeds, as mean and 95 % confidence interval.

#include <string>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf::cli {

class SeedTable {
 public:
  void add(const Result& result);

  /// For a terminal: a row per seed, then mean and interval of each column. A run that was
  /// interrupted or is invalid has a row but no part in those, which is said.
  std::string text() const;
  /// A row per seed. RFC 4180.
  std::string csv() const;

 private:
  struct Row {
    std::uint64_t seed = 0;
    Verdict verdict = Verdict::Ok;
    std::uint64_t fingerprint = 0;
    std::vector<double> values;  ///< in the order of metrics(); not a number = none
  };
  static bool counts(const Row& row) {
    return row.verdict != Verdict::Incomplete && row.verdict != Verdict::Invalid;
  }
  /// "seed 6 (incomplete)" for each row that does not count, or "".
  std::string left_out() const;

  std::vector<Row> rows_;
};

}  // namespace spineleaf::cli
