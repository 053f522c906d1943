#include "bindings/cli/seed_table.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "scenarios/statistics.hpp"

namespace spineleaf::cli {

namespace {

struct Column {
  const char* name;    ///< in CSV
  const char* header;  ///< in text
};
constexpr std::array<Column, 7> kColumns{{{"simulated_us", "time us"},
                                          {"fct_p50_us", "FCT p50"},
                                          {"fct_p99_us", "FCT p99"},
                                          {"fct_max_us", "FCT max"},
                                          {"goodput_gbps", "Gb/s"},
                                          {"collective_us", "coll us"},
                                          {"drops", "drops"}}};

/// Two-sided 95 % quantiles of Student's t, by degrees of freedom from 1.
constexpr std::array<double, 30> kStudent{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                          2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                          2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                          2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

double time_or_none(Time time) { return time.ps < 0 ? -1 : to_us(time); }

std::string format(const char* pattern, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return buffer.data();
}

std::string cell(double value) {
  const std::string text = value < 0 ? "-" : format(value < 100 ? "%.3f" : "%.1f", value);
  return std::string(text.size() < 12 ? 12 - text.size() : 1, ' ') + text;
}

const char* verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Ok: return "ok";
    case Verdict::AsExpected: return "as expected";
    case Verdict::PhysicsAlarm: return "alarm";
    case Verdict::BudgetExceeded: return "budget";
    case Verdict::Incomplete: return "incomplete";
    case Verdict::Invalid: return "invalid";
  }
  return "";
}

}  // namespace

double confidence_95(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double centre = mean(std::span<const double>(values));
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto n = static_cast<double>(values.size());
  const std::size_t freedom = values.size() - 1;
  const double t = freedom <= kStudent.size() ? kStudent[freedom - 1] : 1.96;
  return t * std::sqrt(squares / (n - 1) / n);
}

void SeedTable::add(const Result& result) {
  const FctStatistics fct = fct_statistics(result.flows);
  std::vector<Time> times;
  for (const CollectiveRecord& record : result.collectives) {
    if (record.end.ps >= 0) times.push_back(record.end - record.start);
  }
  Row row;
  row.seed = result.seed;
  row.verdict = result.verdict;
  row.fingerprint = result.fingerprint;
  row.values = {to_us(result.simulated),
                time_or_none(fct.p50),
                time_or_none(fct.p99),
                time_or_none(fct.max),
                goodput_gbps(result),
                times.empty() ? -1 : to_us(mean(std::span<const Time>(times))),
                static_cast<double>(result.totals.drops_total)};
  rows_.push_back(std::move(row));
}

std::string SeedTable::text() const {
  std::string out = "seed      verdict    ";
  for (const Column& column : kColumns) {
    const std::string header = column.header;
    out += std::string(12 - header.size(), ' ') + header;
  }
  out += "\n";
  for (const Row& row : rows_) {
    std::array<char, 64> begin{};
    std::snprintf(begin.data(), begin.size(), "%-9llu %-11s",
                  static_cast<unsigned long long>(row.seed), verdict_word(row.verdict));
    out += begin.data();
    for (const double value : row.values) out += cell(value);
    out += "\n";
  }
  std::string means = "mean                 ";
  std::string intervals = "+- (95 %)            ";
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    std::vector<double> values;
    for (const Row& row : rows_) {
      if (counts(row) && row.values[c] >= 0) values.push_back(row.values[c]);
    }
    means += cell(values.empty() ? -1 : mean(std::span<const double>(values)));
    intervals += cell(values.size() < 2 ? -1 : confidence_95(values));
  }
  return out + means + "\n" + intervals + "\n" + left_out();
}

std::string SeedTable::left_out() const {
  std::string seeds;
  for (const Row& row : rows_) {
    if (counts(row)) continue;
    seeds += (seeds.empty() ? "seed " : ", seed ") + std::to_string(row.seed) + " (" +
             verdict_word(row.verdict) + ")";
  }
  return seeds.empty() ? "" : "left out of mean and interval: " + seeds + "\n";
}

std::string SeedTable::csv() const {
  std::string out = "seed,verdict,fingerprint";
  for (const Column& column : kColumns) out += std::string(",") + column.name;
  out += "\n";
  for (const Row& row : rows_) {
    std::array<char, 32> fingerprint{};
    std::snprintf(fingerprint.data(), fingerprint.size(), "%016llx",
                  static_cast<unsigned long long>(row.fingerprint));
    out += std::to_string(row.seed) + "," + verdict_word(row.verdict) + "," + fingerprint.data();
    for (const double value : row.values) out += "," + (value < 0 ? "" : format("%.9g", value));
    out += "\n";
  }
  return out;
}

}  // namespace spineleaf::cli
