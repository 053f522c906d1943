#pragma once
// SeedTable: the same scenario with several seeds, as mean and 95 % confidence interval.

#include <string>
#include <vector>

#include "scenarios/result.hpp"

namespace spineleaf::cli {

class SeedTable {
 public:
  void add(const Result& result);

  /// For a terminal: a row per seed, then mean and interval of each column.
  std::string text() const;
  /// A row per seed. RFC 4180.
  std::string csv() const;

 private:
  struct Row {
    std::uint64_t seed = 0;
    std::string verdict;
    std::uint64_t fingerprint = 0;
    std::vector<double> values;  ///< in the order of the columns; negative = none
  };
  std::vector<Row> rows_;
};

/// Half width of the 95 % confidence interval of the mean (Student's t); 0 below two values.
double confidence_95(const std::vector<double>& values);

}  // namespace spineleaf::cli
