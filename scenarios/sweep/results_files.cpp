// The files of a sweep: written so that a kill at any moment costs no row that was complete, read
// whatever is in them.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/output/csv_writer.hpp"
#include "scenarios/output/write.hpp"
#include "scenarios/sweep/metrics.hpp"
#include "scenarios/sweep/results.hpp"
#include "scenarios/version.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of results.csv
constexpr const char* kSchema = "spineleaf.sweep/1";

std::string error_text() { return std::generic_category().message(errno); }

std::vector<std::string> header_of(const std::vector<SweepColumn>& columns) {
  std::vector<std::string> header{"hash", "seed"};
  for (const SweepColumn& column : columns) header.push_back(column.column);
  for (const char* name : {"verdict", "message", "fingerprint", "wall_s"})
    header.emplace_back(name);
  for (const Metric& metric : metrics()) header.emplace_back(metric.name);
  return header;
}

std::vector<SweepColumn> columns_of(const SweepPlan& plan) {
  std::vector<SweepColumn> columns;
  for (const SweepAxis& axis : plan.axes) columns.push_back(column_of(axis));
  return columns;
}

std::string joined(const std::vector<std::string>& cells) {
  CsvWriter csv;
  for (const std::string& cell : cells) csv.cell(cell);
  csv.end_row();
  return csv.take();
}

std::string row_text(const SweepRow& row) {
  CsvWriter csv;
  csv.cell(row.hash).cell(std::to_string(row.seed));
  for (const std::string& cell : row.cells) csv.cell(cell);
  csv.cell(row.verdict).cell(row.message).cell(row.fingerprint).cell(row.wall_seconds);
  for (const double value : row.values) csv.cell(value);
  csv.end_row();
  return csv.take();
}

std::string sweep_json(const SweepPlan& plan) {
  nlohmann::ordered_json root;
  root["schema"] = kSchema;
  root["version"] = program_version();
  root["name"] = plan.name;
  root["file"] = plan.input.file;
  root["seeds"] = plan.input.seeds;
  root["points"] = plan.points.size();
  root["set"] = nlohmann::ordered_json::array();
  for (const Override& set : plan.input.overrides) {
    root["set"].push_back({{"key", set.path}, {"value", set.value}});
  }
  root["grid"] = plan.input.grid;
  root["axes"] = nlohmann::ordered_json::array();
  for (const SweepColumn& column : columns_of(plan)) {
    root["axes"].push_back(
        {{"key", column.key}, {"column", column.column}, {"suffix", column.suffix}});
  }
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

CsvLimits limits() {
  CsvLimits out;
  out.bytes = kMostBytes;
  return out;
}

SweepRow read_row(CsvTable& table, std::size_t r, std::size_t axes) {
  SweepRow row;
  int at = 0;
  row.hash = table.text(r, at++);
  row.seed = static_cast<std::uint64_t>(table.integer(r, at++, 0, std::int64_t{1} << 54));
  for (std::size_t i = 0; i < axes; ++i) row.cells.push_back(table.text(r, at++));
  row.verdict = table.text(r, at++);
  row.message = table.text(r, at++);
  row.fingerprint = table.text(r, at++);
  row.wall_seconds = table.number(r, at++, 0, 1e15);
  for (std::size_t m = 0; m < metrics().size(); ++m, ++at) {
    const bool none = table.text(r, at).empty();
    row.values.push_back(none ? std::numeric_limits<double>::quiet_NaN()
                              : table.number(r, at, -1e300, 1e300));
  }
  return row;
}

/// Up to and with the last line's end: a kill may have torn what comes after.
std::size_t whole_lines(const std::string& text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? 0 : end + 1;
}

/// Reads results.csv with the columns of `data` into its rows, of each hash the last.
void read_rows(const std::string& path, std::string_view text, SweepData& data) {
  CsvTable table(path, text, limits());
  if (table.problems().empty() && table.header() != header_of(data.columns)) {
    InputProblem problem;
    problem.file = path;
    problem.place = {1, 1};
    problem.what = "the columns are those of another sweep or version";
    problem.expected = joined(header_of(data.columns));
    problem.expected.pop_back();
    append(data.problems, std::move(problem));
    return;
  }
  std::map<std::string, SweepRow> rows;
  for (std::size_t r = 0; r < table.rows() && !has_errors(table.problems()); ++r) {
    SweepRow row = read_row(table, r, data.columns.size());
    rows[row.hash] = std::move(row);
  }
  data.problems.insert(data.problems.end(), table.problems().begin(), table.problems().end());
  for (auto& [hash, row] : rows) data.rows.push_back(std::move(row));
}

std::string first_problem(const std::vector<InputProblem>& problems) {
  return problems.empty() ? "" : to_string(problems.front());
}

/// What the sweep was asked for.
void read_description(const std::string& path, std::string text, SweepData& data) {
  const JsonSource source(path, std::move(text), data.problems);
  const JsonNode* root = source.root();
  if (root == nullptr) return;
  const auto text_at = [](const JsonNode& node, std::string_view key) {
    const JsonNode* child = node.kind == JsonNode::Kind::Object ? node.find(key) : nullptr;
    return child != nullptr ? std::string(child->text) : std::string();
  };
  if (text_at(*root, "schema") != kSchema) {
    InputProblem problem;
    problem.file = path;
    problem.place = root->place;
    problem.what = "this describes no sweep";
    problem.expected =
        std::string("\"schema\": \"") + kSchema + "\", as `spineleaf sweep` writes it";
    return append(data.problems, std::move(problem));
  }
  data.name = text_at(*root, "name");
  if (const JsonNode* axes = root->find("axes")) {
    for (const JsonNode& axis : axes->children) {
      data.columns.push_back(
          {text_at(axis, "key"), text_at(axis, "column"), text_at(axis, "suffix")});
    }
  }
  if (const JsonNode* sets = root->find("set")) {
    for (const JsonNode& set : sets->children) {
      data.overrides.push_back({text_at(set, "key"), text_at(set, "value")});
    }
  }
}

}  // namespace

SweepLog::~SweepLog() {
  if (file_ >= 0) ::close(file_);
}

std::string SweepLog::open(const fs::path& folder, const SweepPlan& plan, bool resume) {
  std::string problem = try_open(folder, plan, resume);
  if (!problem.empty() && file_ >= 0) {
    ::close(file_);
    file_ = -1;
  }
  return problem;
}

std::string SweepLog::try_open(const fs::path& folder, const SweepPlan& plan, bool resume) {
  path_ = folder / "results.csv";
  const std::vector<SweepColumn> columns = columns_of(plan);
  const std::string header = joined(header_of(columns));
  if (std::string problem = try_folder(folder); !problem.empty()) return problem;
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) return "can't open " + path_.string() + ": " + error_text();
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    return path_.string() + " is in use: another sweep is writing to it";
  }
  FileText old = read_file(path_.string(), kMostBytes);
  if (!old.problems.empty()) return first_problem(old.problems);
  if (!old.text.empty() && !resume) {
    const auto lines = std::count(old.text.begin(), old.text.end(), '\n');
    return path_.string() + " has " + std::to_string(std::max<std::ptrdiff_t>(lines - 1, 0)) +
           " rows already: --resume goes on with them; or name another folder";
  }
  const std::size_t whole = whole_lines(old.text);
  if (whole < old.text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0) {
    return "can't mend " + path_.string() + ": " + error_text();
  }
  old.text.resize(whole);
  if (!old.text.empty()) {
    SweepData data;
    data.columns = columns;
    read_rows(path_.string(), old.text, data);
    if (has_errors(data.problems)) return first_problem(data.problems) + ". Name another folder";
    for (SweepRow& row : data.rows) known_.emplace(row.hash, std::move(row));
  }
  for (const auto& [name, text] :
       {std::pair{"scenario.json", plan.input.text}, std::pair{"sweep.json", sweep_json(plan)}}) {
    if (std::string problem = write_text_file(folder / name, text); !problem.empty()) {
      return problem;
    }
  }
  if (!old.text.empty()) return {};
  const ssize_t n = ::write(file_, header.data(), header.size());
  return n == static_cast<ssize_t>(header.size()) ? "" : "can't write " + path_.string();
}

std::string SweepLog::append(const SweepRow& row) {
  const std::string text = row_text(row);
  const std::lock_guard lock(mutex_);
  errno = 0;
  const ssize_t n = ::write(file_, text.data(), text.size());
  if (n == static_cast<ssize_t>(text.size())) return {};
  return "can't write " + path_.string() + ": " + (errno == 0 ? "no room" : error_text());
}

SweepData parse_sweep(const std::string& folder, std::string description, std::string results) {
  SweepData data;
  read_description(folder + "/sweep.json", std::move(description), data);
  // The sweep may be running: a last line without its end is not there yet.
  results.resize(whole_lines(results));
  if (data.problems.empty()) read_rows(folder + "/results.csv", results, data);
  return data;
}

SweepData read_sweep(const fs::path& folder) {
  FileText description = read_file((folder / "sweep.json").string());
  FileText results = read_file((folder / "results.csv").string(), kMostBytes);
  for (const FileText* file : {&description, &results}) {
    if (file->problems.empty()) continue;
    SweepData data;
    data.problems = file->problems;
    data.problems.front().hint = "Name a folder that `spineleaf sweep` has written.";
    return data;
  }
  return parse_sweep(folder.string(), std::move(description.text), std::move(results.text));
}

ValidateResult sweep_scenario(const fs::path& folder, const SweepData& data,
                              const PointSummary& point) {
  ReadOptions options;
  options.overrides = data.overrides;
  for (std::size_t i = 0; i < data.columns.size(); ++i) {
    options.overrides.push_back({data.columns[i].key, point.cells[i] + data.columns[i].suffix});
  }
  return read_scenario_file((folder / "scenario.json").string(), options);
}

}  // namespace spineleaf
