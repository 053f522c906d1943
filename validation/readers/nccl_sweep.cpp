#include "validation/readers/nccl_sweep.hpp"

#include <cmath>
#include <filesystem>
#include <map>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr double kMostTime = 1e12;
constexpr double kMostBandwidth = 1e9;
constexpr double kTolerance = 0.01;

class SweepReader {
 public:
  SweepReader(const std::string& file, std::string_view text) : table_(file, text) {
    sweep_.id = std::filesystem::path(file).stem().string();
    collective_ = table_.required("collective");
    nodes_ = table_.required("nodes");
    gpus_ = table_.required("gpus_per_node");
    place_ = table_.required("place");
    bytes_ = table_.required("bytes");
    time_ = table_.required("time_us");
    algbw_ = table_.required("algbw_GBps");
    busbw_ = table_.required("busbw_GBps");
    table_.require_rows();
  }

  MeasuredSweepResult read() {
    if (!has_errors(table_.problems())) {
      for (std::size_t row = 0; row < table_.rows(); ++row) {
        if (row == 0) {
          read_set();
        } else {
          check_same_set(row);
        }
        read_point(row);
      }
    }
    return {std::move(sweep_), table_.problems()};
  }

 private:
  void read_set() {
    sweep_.collective = table_.text(0, collective_);
    sweep_.nodes = table_.integer(0, nodes_, 1, 1'000'000);
    sweep_.gpus_per_node = table_.integer(0, gpus_, 1, 1'000);
    if (busbw_factor(sweep_.collective, sweep_.ranks()) == 0 && sweep_.ranks() > 1) {
      table_.problem(0, collective_, in_quotes(sweep_.collective) + " is no known collective",
                     "a name of nccl-tests, such as all_reduce");
    }
    const auto optional = [&](const char* name) { return table_.text(0, table_.column(name)); };
    sweep_.gpu = optional("gpu");
    sweep_.nic = optional("nic");
    sweep_.fabric = optional("fabric");
    sweep_.nccl_version = optional("nccl_version");
    sweep_.flags = optional("flags");
    sweep_.source = optional("source");
    const auto count = [&](const char* name) -> std::int64_t {
      const int column = table_.column(name);
      return table_.text(0, column).empty() ? 0 : table_.integer(0, column, 0, 100'000);
    };
    sweep_.nic_gbps = count("nic_gbps");
    sweep_.nics_per_node = count("nics_per_node");
  }

  void check_same_set(std::size_t row) {
    for (const int column : {collective_, nodes_, gpus_, table_.column("flags")}) {
      if (table_.text(row, column) == table_.text(0, column)) continue;
      table_.problem(row, column,
                     in_quotes(table_.text(row, column)) +
                         " is another set than that of the "
                         "first row, " +
                         in_quotes(table_.text(0, column)),
                     "one sweep per file");
    }
  }

  void read_point(std::size_t row) {
    MeasuredPoint point;
    const std::string& place = table_.text(row, place_);
    if (place != "in" && place != "out") {
      table_.problem(row, place_, in_quotes(place) + " is no place", "\"in\" or \"out\"");
    }
    point.in_place = place == "in";
    point.bytes = table_.integer(row, bytes_, 0, kMostBytes);
    point.time_us = table_.number(row, time_, 0, kMostTime);
    point.algbw = table_.number(row, algbw_, 0, kMostBandwidth);
    point.busbw = table_.number(row, busbw_, 0, kMostBandwidth);
    check_bandwidth(row, point);
    sweep_.points.push_back(point);
  }

  /// Two digits behind the point are all that nccl-tests prints: small values are not held to 1 %.
  void check_bandwidth(std::size_t row, const MeasuredPoint& point) {
    const double algbw = algbw_gbytes(Bytes{point.bytes}, point.time_us);
    const double busbw = point.algbw * busbw_factor(sweep_.collective, sweep_.ranks());
    const auto far = [](double value, double expected) {
      return std::fabs(value - expected) > kTolerance * expected + 0.011;
    };
    if (far(point.algbw, algbw)) {
      table_.problem(row, algbw_, table_.text(row, algbw_) + " does not follow from size and time",
                     fixed_text(algbw, 4), Severity::Warning);
    }
    if (far(point.busbw, busbw)) {
      table_.problem(row, busbw_, table_.text(row, busbw_) + " does not follow from algbw",
                     fixed_text(busbw, 4), Severity::Warning);
    }
  }

  CsvTable table_;
  MeasuredSweep sweep_;
  int collective_, nodes_, gpus_, place_, bytes_, time_, algbw_, busbw_;
};

}  // namespace

MeasuredSweepResult read_nccl_sweep(std::string_view text, const std::string& file) {
  return SweepReader(file, text).read();
}

MeasuredSweepResult read_nccl_sweep_file(const std::string& path) {
  FileText file = read_file(path);
  if (!file.problems.empty()) return {{}, std::move(file.problems)};
  return read_nccl_sweep(file.text, path);
}

std::vector<MeasuredPoint> best_per_size(const MeasuredSweep& sweep) {
  std::map<std::int64_t, MeasuredPoint> best;
  for (const MeasuredPoint& point : sweep.points) {
    if (point.time_us <= 0) continue;
    const auto [it, fresh] = best.try_emplace(point.bytes, point);
    if (!fresh && point.time_us < it->second.time_us) it->second = point;
  }
  std::vector<MeasuredPoint> points;
  for (const auto& [bytes, point] : best) points.push_back(point);
  return points;
}

Curve to_curve(const MeasuredSweep& sweep, std::string label) {
  Curve curve;
  curve.label = std::move(label);
  curve.measured = true;
  curve.note = sweep.source;
  for (const MeasuredPoint& point : best_per_size(sweep)) {
    curve.points.push_back({point.bytes, point.time_us});
  }
  return curve;
}

}  // namespace spineleaf
