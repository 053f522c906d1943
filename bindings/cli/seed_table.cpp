#include "bindings/cli/seed_table.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

#include "scenarios/output/csv_writer.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "scenarios/sweep/metrics.hpp"

namespace spineleaf::cli {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string format(const char* pattern, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return buffer.data();
}

std::string cell(double value) {
  const bool none = !std::isfinite(value);
  const std::string text = none ? "-" : format(value < 100 ? "%.3f" : "%.1f", value);
  return std::string(text.size() < 12 ? 12 - text.size() : 1, ' ') + text;
}

/// Metrics that a line of a terminal has room for.
std::vector<std::size_t> shown_metrics() {
  std::vector<std::size_t> shown;
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    if (!metrics()[m].header.empty()) shown.push_back(m);
  }
  return shown;
}

}  // namespace

void SeedTable::add(const Result& result) {
  rows_.push_back({result.seed, result.verdict, result.fingerprint, metric_values(result)});
}

std::string SeedTable::text() const {
  std::string out = "seed      verdict         ";
  const std::vector<std::size_t> shown = shown_metrics();
  for (const std::size_t m : shown) {
    const std::string header{metrics()[m].header};
    out += std::string(12 - header.size(), ' ') + header;
  }
  out += "\n";
  for (const Row& row : rows_) {
    std::array<char, 64> begin{};
    std::snprintf(begin.data(), begin.size(), "%-9llu %-16s",
                  static_cast<unsigned long long>(row.seed),
                  plain_words(to_text(row.verdict)).c_str());
    out += begin.data();
    for (const std::size_t m : shown) out += cell(row.values[m]);
    out += "\n";
  }
  std::string means = "mean                      ";
  std::string intervals = "+- (95 %)                 ";
  for (const std::size_t m : shown) {
    std::vector<double> values;
    for (const Row& row : rows_) {
      if (counts(row) && std::isfinite(row.values[m])) values.push_back(row.values[m]);
    }
    means += cell(values.empty() ? kNone : mean(std::span<const double>(values)));
    intervals += cell(values.size() < 2 ? kNone : confidence_95(values));
  }
  return out + means + "\n" + intervals + "\n" + left_out();
}

std::string SeedTable::left_out() const {
  std::string seeds;
  for (const Row& row : rows_) {
    if (counts(row)) continue;
    seeds += (seeds.empty() ? "seed " : ", seed ") + std::to_string(row.seed) + " (" +
             plain_words(to_text(row.verdict)) + ")";
  }
  return seeds.empty() ? "" : "left out of mean and interval: " + seeds + "\n";
}

std::string SeedTable::csv() const {
  std::string header = "seed,verdict,fingerprint";
  for (const Metric& metric : metrics()) header += "," + std::string(metric.name);
  CsvWriter csv(header);
  for (const Row& row : rows_) {
    csv.cell(std::to_string(row.seed)).cell(to_text(row.verdict));
    csv.cell(fingerprint_text(row.fingerprint));
    for (const double value : row.values) csv.cell(value);
    csv.end_row();
  }
  return csv.take();
}

}  // namespace spineleaf::cli
