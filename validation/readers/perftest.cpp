#include "validation/readers/perftest.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "scenarios/input/json_source.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostPerftestRuns = 1000;
constexpr std::size_t kMostPerftestRows = 100'000;
/// What perftest calls MB/sec: 2^20 bytes a second, in Gb/s.
constexpr double kMebibytes = 1048576.0 * 8 / 1e9;

/// "t_typical" of "t_typical[usec]", "BW average" as "bw_average".
std::string plain_name(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, name.find('['))) {
    out += c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

void set_value(PerftestRow& row, std::string_view name, double value, double to_gbps) {
  if (name == "bw_peak") row.peak_gbps = value * to_gbps;
  if (name == "bw_average") row.average_gbps = value * to_gbps;
  if (name == "msgrate") row.rate_mpps = value;
  if (name == "t_min") row.t_min_us = value;
  if (name == "t_max") row.t_max_us = value;
  if (name == "t_typical") row.t_typical_us = value;
  if (name == "t_avg") row.t_average_us = value;
  if (name == "t_stdev") row.t_stdev_us = value;
  if (name == "99%_percentile" || name == "99%") row.t_99_us = value;
  if (name == "99.9%_percentile" || name == "99.9%") row.t_999_us = value;
}

/// One of the facts that stand above the table or in test_info.
void set_fact(PerftestRun& run, std::string_view name, std::string_view value) {
  const std::string key = plain_name(name);
  const auto count = [&] {
    std::size_t digits = 0;
    while (digits < value.size() && value[digits] >= '0' && value[digits] <= '9') ++digits;
    return to_integer(value.substr(0, digits)).value_or(0);
  };
  if (key == "device") run.device = value.substr(0, 64);
  if (key == "link_type") run.link = value.substr(0, 32);
  if (key == "connection_type") run.transport = value.substr(0, 32);
  if (key == "number_of_qps") run.qps = std::max<std::int64_t>(count(), 1);
  if (key == "tx_depth") run.tx_depth = count();
  if (key == "mtu") run.mtu = count();
  if (key == "cuda_device" || key == "use_cuda") run.gpu_memory = true;
}

class PerftestText {
 public:
  explicit PerftestText(const std::string& file) : file_(file) {}

  PerftestResult read(std::string_view text) {
    for_each_line(text, [this](std::string_view line, int number) { take(line, number); });
    if (result_.runs.empty()) {
      append(result_.problems,
             line_problem(file_, 0, "holds no results of perftest",
                          "a header \"#bytes #iterations ...\" and rows below it"));
    }
    return std::move(result_);
  }

 private:
  void take(std::string_view line, int number) {
    const std::string_view text = trimmed(line);
    if (text.ends_with("Test") && text.find(':') == std::string_view::npos) {
      next_ = {};
      next_.test = text.substr(0, 64);
      columns_.clear();
    } else if (text.starts_with("#bytes")) {
      take_header(text);
    } else if (!columns_.empty() && !text.empty() && text[0] >= '0' && text[0] <= '9') {
      take_row(text, number);
    } else {
      if (text.find("CUDA") != std::string_view::npos) next_.gpu_memory = true;
      take_facts(line);
    }
  }

  /// Two facts may stand on one line, with a tab between them: "Dual-port : OFF\tDevice : mlx5_0".
  void take_facts(std::string_view line) {
    while (!line.empty()) {
      const std::string_view part = line.substr(0, line.find('\t'));
      line.remove_prefix(std::min(line.size(), part.size() + 1));
      const std::size_t colon = part.find(':');
      if (colon == std::string_view::npos) continue;
      set_fact(next_, trimmed(part.substr(0, colon)), trimmed(part.substr(colon + 1)));
    }
  }

  /// Names may hold one blank ("BW peak[Gb/sec]", "99% percentile[usec]").
  void take_header(std::string_view header) {
    columns_.clear();
    to_gbps_ = header.find("Gb/sec") != std::string_view::npos ? 1 : kMebibytes;
    const auto words = words_of(header, 64);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string name(words[i]);
      if ((name == "BW" || name == "99%" || name == "99.9%") && i + 1 < words.size()) {
        name += " " + std::string(words[++i]);
      }
      columns_.push_back(plain_name(name));
    }
    fresh_ = true;
  }

  void take_row(std::string_view line, int number) {
    const auto cells = words_of(line, 64);
    PerftestRow row;
    bool good = cells.size() >= columns_.size() && columns_.size() >= 3;
    for (std::size_t i = 0; good && i < columns_.size(); ++i) {
      const auto value = to_number(cells[i]);
      good = value.has_value() && *value >= 0 && *value < 1e15;
      if (!good) break;
      if (i == 0) row.bytes = static_cast<std::int64_t>(*value);
      if (i == 1) row.iterations = static_cast<std::int64_t>(*value);
      if (i > 1) set_value(row, columns_[i], *value, to_gbps_);
    }
    if (!good) {
      append(result_.problems,
             line_problem(file_, number, "a row of results can't be read",
                          std::to_string(columns_.size()) + " numbers", Severity::Warning));
      return;
    }
    if (fresh_) {
      if (result_.runs.size() >= kMostPerftestRuns) return;
      result_.runs.push_back(next_);
      fresh_ = false;
    }
    if (rows_++ < kMostPerftestRows) result_.runs.back().rows.push_back(row);
  }

  const std::string& file_;
  PerftestResult result_;
  PerftestRun next_;
  std::vector<std::string> columns_;
  double to_gbps_ = 1;
  bool fresh_ = true;
  std::size_t rows_ = 0;
};

/// JSON does not tell the unit of a bandwidth, but the message rate does: size x rate is bytes.
double unit_of(double bandwidth, double rate_mpps, double bytes) {
  if (bandwidth <= 0 || rate_mpps <= 0 || bytes <= 0) return 1;
  const double gbps = rate_mpps * bytes * 8 / 1e3;
  const double as_gbps = std::fabs(bandwidth - gbps);
  const double as_mebibytes = std::fabs(bandwidth * kMebibytes - gbps);
  return as_gbps <= as_mebibytes ? 1 : kMebibytes;
}

void add_json_row(const JsonNode& node, PerftestRun& run) {
  PerftestRow row;
  double bandwidth = -1;
  double rate = -1;
  for (const JsonNode& member : node.children) {
    const double value = to_number(member.text).value_or(-1);
    if (value < 0 || value > 1e15) continue;
    const std::string name = plain_name(member.key);
    if (name == "msgsize") row.bytes = static_cast<std::int64_t>(value);
    if (name == "n_iterations") row.iterations = static_cast<std::int64_t>(value);
    if (name == "bw_average") bandwidth = value;
    if (name == "msgrate") rate = value;
  }
  const double unit = unit_of(bandwidth, rate, static_cast<double>(row.bytes));
  for (const JsonNode& member : node.children) {
    const double value = to_number(member.text).value_or(-1);
    if (value >= 0) set_value(row, plain_name(member.key), value, unit);
  }
  run.rows.push_back(row);
}

PerftestResult read_json(std::string_view text, const std::string& file) {
  PerftestResult result;
  const JsonSource source(file, std::string(text), result.problems);
  const JsonNode* root = source.root();
  if (root == nullptr || has_errors(result.problems)) return result;
  const JsonNode* rows = root->kind == JsonNode::Kind::Object ? root->find("results") : nullptr;
  const bool good = rows != nullptr &&
                    (rows->kind == JsonNode::Kind::Object || rows->kind == JsonNode::Kind::Array);
  if (!good) {
    append(result.problems, line_problem(file, root->place.line, "holds no results of perftest",
                                         "an object with test_info and results"));
    return result;
  }
  PerftestRun run;
  if (const JsonNode* info = root->find("test_info");
      info != nullptr && info->kind == JsonNode::Kind::Object) {
    for (const JsonNode& fact : info->children) {
      if (fact.key == "test") run.test = fact.text.substr(0, 64);
      std::string name(fact.key);
      std::replace(name.begin(), name.end(), '_', ' ');
      set_fact(run, name, fact.text);
    }
  }
  if (rows->kind == JsonNode::Kind::Object) {
    add_json_row(*rows, run);
  } else {
    for (const JsonNode& row : rows->children) {
      if (row.kind == JsonNode::Kind::Object) add_json_row(row, run);
    }
  }
  result.runs.push_back(std::move(run));
  return result;
}

}  // namespace

PerftestResult read_perftest(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return read_json(text, file);
  return PerftestText(file).read(text);
}

}  // namespace spineleaf
