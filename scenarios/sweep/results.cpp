#include "scenarios/sweep/results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "scenarios/output/csv_writer.hpp"
#include "scenarios/sweep/metrics.hpp"

namespace spineleaf {
namespace {

std::string one_line(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text.substr(0, 1000);
}

SweepRow row_of(const SweepPoint& point, std::size_t seed) {
  SweepRow row;
  row.hash = point.hashes[seed];
  row.seed = static_cast<std::uint64_t>(point.first_seed) + seed;
  row.cells = point.cells;
  return row;
}

bool read_number(const std::string& text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && at == end;
}

/// Cells by number where both are numbers.
bool cells_before(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i]) continue;
    double x = 0, y = 0;
    if (read_number(a[i], x) && read_number(b[i], y) && x != y) return x < y;
    return a[i] < b[i];
  }
  return a.size() < b.size();
}

}  // namespace

bool has_figures(const SweepRow& row) {
  return row.verdict != "failed" && row.verdict != "invalid";
}

SweepRow make_row(const Result& result, const SweepPoint& point, std::size_t seed) {
  SweepRow row = row_of(point, seed);
  row.verdict = to_text(result.verdict);
  const bool well = result.verdict == Verdict::Ok;
  row.message = well ? "" : one_line(result.verdict_text);
  row.fingerprint = fingerprint_text(result.fingerprint);
  row.wall_seconds = result.wall_seconds;
  row.values = metric_values(result);
  return row;
}

SweepRow failed_row(const std::string& message, const SweepPoint& point, std::size_t seed) {
  SweepRow row = row_of(point, seed);
  row.verdict = "failed";
  row.message = one_line(message);
  row.values.assign(metrics().size(), kNone);
  return row;
}

std::vector<PointSummary> summarise(const std::vector<SweepRow>& rows) {
  std::vector<const SweepRow*> sorted;
  for (const SweepRow& row : rows) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const SweepRow* a, const SweepRow* b) {
    if (a->cells != b->cells) return cells_before(a->cells, b->cells);
    return a->seed < b->seed;
  });
  std::vector<PointSummary> points;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && sorted[end]->cells == sorted[begin]->cells) ++end;
    PointSummary point;
    point.cells = sorted[begin]->cells;
    point.hash = sorted[begin]->hash;
    for (std::size_t i = begin; i < end; ++i)
      ++(has_figures(*sorted[i]) ? point.runs : point.failed);
    for (std::size_t m = 0; m < metrics().size(); ++m) {
      std::vector<double> values;
      for (std::size_t i = begin; i < end; ++i) {
        const double value = sorted[i]->values[m];
        if (has_figures(*sorted[i]) && std::isfinite(value)) values.push_back(value);
      }
      point.mean.push_back(values.empty() ? kNone : mean(std::span<const double>(values)));
      point.interval.push_back(values.size() < 2 ? kNone : confidence_95(values));
    }
    points.push_back(std::move(point));
    begin = end;
  }
  return points;
}

std::string points_csv(const std::vector<SweepColumn>& columns,
                       const std::vector<PointSummary>& points) {
  std::string header = "point,hash";
  for (const SweepColumn& column : columns) header += "," + column.column;
  header += ",runs,failed";
  for (const Metric& metric : metrics()) {
    header += "," + std::string(metric.name) + "," + std::string(metric.name) + "_ci95";
  }
  CsvWriter csv(header);
  std::int64_t number = 0;
  for (const PointSummary& point : points) {
    csv.cell(number++).cell(point.hash);
    for (const std::string& cell : point.cells) csv.cell(cell);
    csv.cell(point.runs).cell(point.failed);
    for (std::size_t m = 0; m < point.mean.size(); ++m) {
      csv.cell(point.mean[m]).cell(point.interval[m]);
    }
    csv.end_row();
  }
  return csv.take();
}

}  // namespace spineleaf
