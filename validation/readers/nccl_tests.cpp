#include "validation/readers/nccl_tests.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "validation/readers/nccl_tests_json.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::string_view kTypes[] = {"int8",   "char",   "uint8",    "int32",   "int",
                                       "uint32", "int64",  "uint64",   "half",    "float16",
                                       "float",  "double", "bfloat16", "float32", "float64",
                                       "f8e4m3", "f8e5m2", "fp8_e4m3", "fp8_e5m2"};
constexpr std::size_t kMostPrefixWords = 6;
constexpr std::size_t kMostRuns = 1000;
constexpr std::size_t kMostRows = 1'000'000;

/// A word without a launcher's prefix that sticks to it: "[1,0]<stdout>:8" is "8".
std::string_view without_prefix(std::string_view word) {
  const std::size_t at = word.find_last_of(":>");
  return at == std::string_view::npos ? word : word.substr(at + 1);
}

bool is_type(std::string_view word) {
  return std::find(std::begin(kTypes), std::end(kTypes), word) != std::end(kTypes);
}

/// "all_reduce" in "# Collective test starting: all_reduce_perf", or in a command line.
std::string collective_in(std::string_view line) {
  const std::size_t end = line.find("_perf");
  if (end == std::string_view::npos) return {};
  std::size_t begin = end;
  while (begin > 0 &&
         (line[begin - 1] == '_' || (line[begin - 1] >= 'a' && line[begin - 1] <= 'z')))
    --begin;
  return std::string(line.substr(begin, end - begin));
}

/// The version in "NCCL version 2.26.2+cuda12.8" or in "... nccl-library=22602".
std::string nccl_version_in(std::string_view line) {
  if (const auto code = between(line, "nccl-library=", " ")) {
    if (const auto number = to_integer(trimmed(*code))) return nccl_version_text(*number);
  }
  const auto text = between(line, "NCCL version ", "+");
  if (!text) return {};
  const auto words = words_of(*text, 1);
  return words.empty() ? std::string() : std::string(words[0].substr(0, 20));
}

class TextReader {
 public:
  explicit TextReader(const std::string& file) : file_(file) {}

  NcclTestsResult read(std::string_view text) {
    for_each_line(text, [this](std::string_view line, int number) { take(line, number); });
    if (result_.runs.empty()) {
      problem(0, "holds no results of nccl-tests",
              "rows such as \"1048576 262144 float sum -1 154.1 6.80 12.76 0 ...\"");
    }
    finish();
    return std::move(result_);
  }

 private:
  void take(std::string_view line, int number) {
    if (line.find('#') != std::string_view::npos && take_comment(line, number)) return;
    if (const std::string name = collective_in(line); !name.empty()) {
      (stale_ ? announced_ : next_.collective) = name;
    }
    if (const std::string version = nccl_version_in(line); !version.empty()) {
      version_ = version;
      if (!result_.runs.empty() && !ended_) result_.runs.back().nccl_version = version;
    }
    take_row(line, number);
  }

  bool take_comment(std::string_view line, int number) {
    const std::string_view comment = trimmed(line.substr(line.find('#') + 1));
    if (comment.starts_with("Rank")) {
      take_device(comment, number);
    } else if (comment.starts_with("size") && comment.find("busbw") != std::string_view::npos) {
      columns_ = words_of(comment, 64);
    } else if (comment.starts_with("nccl-tests version")) {
      begin_next();
      const auto words = words_of(comment, 3);
      next_.version = words.size() > 2 ? std::string(words[2]) : "";
      if (std::string version = nccl_version_in(comment); !version.empty()) version_ = version;
    } else if (comment.starts_with("Collective test starting")) {
      begin_next();
      next_.collective = collective_in(comment);
    } else if (comment.starts_with("nThread")) {
      begin_next();
    } else if (comment.starts_with("Out of bounds values")) {
      take_sum(comment, [](NcclTestsRun& run, double value) {
        run.out_of_bounds = static_cast<std::int64_t>(std::min(value, 1e15));
      });
    } else if (comment.starts_with("Avg bus bandwidth")) {
      take_sum(comment, [](NcclTestsRun& run, double value) { run.average_busbw = value; });
      ended_ = true;
    } else {
      return false;
    }
    return true;
  }

  /// Headers of another run have come: rows that follow are its own.
  void begin_next() {
    ended_ = true;
    if (!stale_) return;
    stale_ = false;
    next_ = {};
    next_.collective = std::move(announced_);
    announced_.clear();
  }

  template <typename Set>
  void take_sum(std::string_view comment, Set set) {
    if (result_.runs.empty()) return;
    for (const std::string_view word : words_of(comment)) {
      if (const auto value = to_number(word)) return set(result_.runs.back(), *value);
    }
  }

  /// "Rank  0 Group  0 Pid  812 on  node-a device  0 [0000:1b:00] NVIDIA H100 80GB HBM3"
  void take_device(std::string_view comment, int number) {
    begin_next();
    const auto words = words_of(comment);
    NcclTestsDevice device;
    const auto value_after = [&](std::string_view name) -> std::optional<std::size_t> {
      const auto it = std::find(words.begin(), words.end(), name);
      if (it == words.end() || it + 1 == words.end()) return std::nullopt;
      return static_cast<std::size_t>(it - words.begin()) + 1;
    };
    const auto rank = words.size() > 1 ? to_integer(words[1]) : std::nullopt;
    const auto host = value_after("on");
    const auto index = value_after("device");
    if (!rank || !host || !index || next_.devices.size() >= kMostRows) {
      return problem(number, "a line of a rank can't be read",
                     "\"Rank 0 Group 0 Pid 812 on HOST device 0 [0000:1b:00] NAME\"",
                     Severity::Warning);
    }
    device.rank = *rank;
    device.host = hosts_.token(words[*host]);
    device.device = to_integer(words[*index]).value_or(0);
    for (std::size_t i = *index + 2; i < words.size(); ++i) {
      if (!device.name.empty()) device.name += ' ';
      device.name += words[i];
    }
    next_.devices.push_back(std::move(device));
  }

  void take_row(std::string_view line, int number) {
    const auto words = words_of(line, 64);
    for (std::size_t i = 0; i + 2 < words.size() && i < kMostPrefixWords; ++i) {
      const auto bytes = to_integer(i == 0 ? without_prefix(words[0]) : words[i]);
      const auto count = to_integer(words[i + 1]);
      if (!bytes || !count || !is_type(words[i + 2])) continue;
      NcclTestsRow row;
      row.bytes = *bytes;
      row.count = *count;
      row.type = words[i + 2];
      if (*bytes < 0 ||
          !take_cells(row, {words.begin() + static_cast<std::ptrdiff_t>(i) + 3, words.end()})) {
        return problem(number, "a row of results can't be read: its cells don't fit the header",
                       std::to_string(columns_.size()) + " columns", Severity::Warning);
      }
      add(std::move(row));
      return;
    }
  }

  void add(NcclTestsRow row) {
    if (ended_) {
      if (result_.runs.size() >= kMostRuns) return;
      next_.nccl_version = version_;
      result_.runs.push_back(next_);
      ended_ = false;
      stale_ = true;
    }
    if (rows_ < kMostRows) result_.runs.back().rows.push_back(std::move(row));
    ++rows_;
  }

  /// The cells behind the type, by the names of the header. An empty redop has no cell.
  bool take_cells(NcclTestsRow& row, const std::vector<std::string_view>& cells) {
    std::vector<std::string_view> names = columns_;
    if (names.size() < 4) names = default_columns(cells);
    names.erase(names.begin(), names.begin() + 3);
    const bool has_redop = !names.empty() && names[0] == "redop";
    if (has_redop && (cells.empty() || to_number(cells[0]))) names.erase(names.begin());
    if (cells.size() < names.size()) return false;
    int block = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "redop") row.redop = cells[i];
      if (names[i] == "time") ++block;
      if (block > 0 && !take_cell(block == 1 ? row.out_of_place : row.in_place, names[i], cells[i]))
        return false;
    }
    return block > 0;
  }

  static bool take_cell(NcclTestsTiming& timing, std::string_view name, std::string_view cell) {
    const auto value = to_number(cell);
    if (name == "time") {
      if (cell == "N/A") return true;
      if (!value || *value < 0) return false;
      timing.present = true;
      timing.time_us = *value;
    } else if (name == "algbw") {
      timing.algbw = value.value_or(0);
    } else if (name == "busbw") {
      timing.busbw = value.value_or(0);
    } else if (name == "#wrong" && value && *value >= 0 && *value < 1e15) {
      timing.wrong = static_cast<std::int64_t>(*value);
    }
    return true;
  }

  /// Rows without a header above them: 2.13 and newer have a root.
  static std::vector<std::string_view> default_columns(const std::vector<std::string_view>& cells) {
    std::vector<std::string_view> names{"size", "count", "type", "redop"};
    const std::size_t numbers = cells.size() - (cells.empty() || to_number(cells[0]) ? 0 : 1);
    if (numbers != 8) names.push_back("root");
    for (int block = 0; block < 2; ++block) {
      for (const std::string_view name : {"time", "algbw", "busbw", "#wrong"}) {
        names.push_back(name);
      }
    }
    return names;
  }

  void finish() {
    for (NcclTestsRun& run : result_.runs) {
      if (run.collective.empty()) {
        problem(0, "does not tell which collective ran",
                "a line with \"all_reduce_perf\" or another program of nccl-tests",
                Severity::Warning);
      }
      if (run.out_of_bounds > 0) {
        problem(0, std::to_string(run.out_of_bounds) + " values were wrong: the data are corrupt",
                "", Severity::Warning);
      }
    }
  }

  void problem(int line, std::string what, std::string expected,
               Severity severity = Severity::Error) {
    append(result_.problems,
           line_problem(file_, line, std::move(what), std::move(expected), severity));
  }

  const std::string& file_;
  NcclTestsResult result_;
  NcclTestsRun next_;  ///< headers of the run whose rows will follow
  std::string version_;
  std::vector<std::string_view> columns_;
  HostTokens hosts_;
  std::size_t rows_ = 0;
  std::string announced_;  ///< collective named between two runs, as by an echoed command
  bool ended_ = true;      ///< rows that follow are another run's
  bool stale_ = false;     ///< next_ still holds the headers of the run whose rows were read
};

}  // namespace

std::string nccl_version_text(std::int64_t code) {
  if (code <= 0 || code > 10'000'000) return {};
  const std::int64_t major = code < 10'000 ? code / 1000 : code / 10'000;
  const std::int64_t rest = code < 10'000 ? code % 1000 : code % 10'000;
  return std::to_string(major) + "." + std::to_string(rest / 100) + "." +
         std::to_string(rest % 100);
}

std::int64_t NcclTestsRun::hosts() const {
  std::set<std::string_view> names;
  for (const NcclTestsDevice& device : devices) names.insert(device.host);
  return static_cast<std::int64_t>(names.size());
}

NcclTestsResult read_nccl_tests(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    return read_nccl_tests_json(text, file);
  }
  return TextReader(file).read(text);
}

MeasuredSweep to_sweep(const NcclTestsRun& run, std::string id) {
  MeasuredSweep sweep;
  sweep.id = std::move(id);
  sweep.collective = run.collective;
  sweep.nccl_version = run.nccl_version;
  sweep.nodes = run.hosts();
  if (sweep.nodes > 0) {
    sweep.gpus_per_node = static_cast<std::int64_t>(run.devices.size()) / sweep.nodes;
    sweep.gpu = run.devices.front().name;
  }
  for (const NcclTestsRow& row : run.rows) {
    if (row.bytes == 0) continue;
    for (const NcclTestsTiming* timing : {&row.out_of_place, &row.in_place}) {
      if (!timing->present || timing->time_us <= 0) continue;
      sweep.points.push_back(
          {row.bytes, timing->time_us, timing->algbw, timing->busbw, timing == &row.in_place});
    }
  }
  return sweep;
}

}  // namespace spineleaf
