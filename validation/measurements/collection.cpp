#include "validation/measurements/collection.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "validation/readers/nccl_tests.hpp"
#include "validation/readers/osu.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 1 << 16;
constexpr std::size_t kLongestLine = 1 << 16;
constexpr std::size_t kMostFiles = 2000;
constexpr std::uintmax_t kWhole = std::uintmax_t{32} << 20;  ///< read as it is up to this size
constexpr std::size_t kMostKept = std::size_t{48} << 20;     ///< of a larger one

/// Line by line through a file of any size. Long lines are cut.
void for_each_line_of(const fs::path& path,
                      const std::function<void(std::string_view, int)>& take) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(1 << 20);
  std::string line;
  int number = 0;
  const auto end_line = [&] {
    if (line.ends_with('\r')) line.pop_back();
    take(line, ++number);
    line.clear();
  };
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    std::string_view rest(block.data(), static_cast<std::size_t>(file.gcount()));
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view part = rest.substr(0, end);
      if (line.size() < kLongestLine) line += part.substr(0, kLongestLine - line.size());
      if (end == std::string_view::npos) break;
      end_line();
      rest.remove_prefix(end + 1);
    }
  }
  if (!line.empty()) end_line();
}

std::string head_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(file.gcount() > 0 ? static_cast<std::size_t>(file.gcount()) : 0);
  return head;
}

/// Whether a line of a large log may tell something. Lines of every single call do not.
bool is_worth(std::string_view line) {
  if (line.size() > 4096) return has(line, "Channel ") || has(line, "Trees [");
  if (!has(line, "NCCL ")) return true;  // a row of nccl-tests, a head, a device
  for (const char* part : {" via ", "Using", " nRanks ", "Channel ", "Trees [", " channels,",
                           "set by environment", "NCCL WARN", "Bytes -> Algo", "NCCL version"}) {
    if (has(line, part)) return true;
  }
  return false;
}

/// The text of a file, or of a large one what is worth reading, each line in its place.
std::string text_of(const fs::path& path, std::uintmax_t size, bool& shortened) {
  std::string text;
  if (size <= kWhole) {
    std::ifstream file(path, std::ios::binary);
    text.resize(static_cast<std::size_t>(size));
    file.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(file.gcount() > 0 ? static_cast<std::size_t>(file.gcount()) : 0);
    return text;
  }
  for_each_line_of(path, [&](std::string_view line, int) {
    if (text.size() + line.size() < kMostKept && is_worth(line)) {
      text += line;
    } else if (!line.empty()) {
      shortened = true;
    }
    if (text.size() < kMostKept + kMostKept / 2) text += '\n';
  });
  return text;
}

/// Ranks and lines that the log's reader does not keep.
void scan_log(std::string_view text, FoundLog& found) {
  for_each_line(text, [&](std::string_view line, int number) {
    if (found.network_line == 0 && has(line, "Using network")) found.network_line = number;
    if (!has(line, " via ")) return;
    const bool send = has(line, "[send]");
    const bool receive = has(line, "[receive]");
    const auto pair = between(line, " : ", " via ");
    if (!pair) return;
    const std::size_t arrow = pair->find(" -> ");
    if (arrow == std::string_view::npos) return;
    const std::string_view mine =
        trimmed(receive ? pair->substr(arrow + 4) : pair->substr(0, arrow));
    const auto rank = to_integer(mine.substr(0, mine.find('[')));
    if (rank && found.ranks.size() < 100'000) found.ranks.insert(*rank);
    if (has(line, "NET/Socket") && (send || receive)) {
      if (found.socket_line == 0) found.socket_line = number;
      if (rank && found.socket_ranks.size() < 100'000) found.socket_ranks.insert(*rank);
    }
    const bool staged = has(line, "NET/IB") && !has(line, "GDRDMA");
    if (staged && found.staged_line == 0) found.staged_line = number;
  });
}

class Collector {
 public:
  explicit Collector(Collection& out) : out_(out) {}

  void take(const fs::path& path, const std::string& name) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    Collection::File file{name, "", error ? 0 : static_cast<std::int64_t>(size)};
    const std::string head = head_of(path);
    if (error || head.empty()) {
      problem(name, error ? "can't be read" : "is empty", Severity::Warning);
    } else if (trimmed(head).starts_with("# not available")) {
      file.format = "not available where it was collected";
    } else if (is_probe_json(head)) {
      take_text(path, size, name, &Collector::take_probe, file.format);
    } else if (is_collection_json(head)) {
      take_text(path, size, name, &Collector::take_collection, file.format);
    } else if (has(head, "algbw_GBps")) {
      take_text(path, size, name, &Collector::take_csv, file.format);
    } else if (has(head, "test_info") || has(head, "#bytes ")) {
      take_text(path, size, name, &Collector::take_perftest, file.format);
    } else if (has(head, "GPU0") && has(head, "CPU Affinity")) {
      take_text(path, size, name, &Collector::take_topo, file.format);
    } else if (has(head, "NCCL INFO") || has(head, "busbw") || has(head, "# nThread")) {
      take_text(path, size, name, &Collector::take_nccl, file.format);
    } else if (const FactFormat* format = fact_format_of(head); format != nullptr) {
      file.format = format->name;
      FoundFacts found{format->name, {}, {name, 0}};
      const auto reader = format->reader();
      for_each_line_of(path, [&](std::string_view line, int number) {
        reader->take(line, number, found.facts);
      });
      out_.facts.push_back(std::move(found));
    }
    out_.files.push_back(std::move(file));
  }

 private:
  using Taker = void (Collector::*)(const std::string&, const std::string&, std::string&);

  void problem(const std::string& file, const std::string& what, Severity severity) {
    append(out_.problems, line_problem(file, 0, what, "", severity));
  }

  void take_text(const fs::path& path, std::uintmax_t size, const std::string& name, Taker taker,
                 std::string& format) {
    bool shortened = false;
    const std::string text = text_of(path, size, shortened);
    if (shortened) {
      problem(name, "is large: lines that tell nothing new were passed over", Severity::Note);
    }
    (this->*taker)(text, name, format);
  }

  void keep(const std::vector<InputProblem>& problems) {
    for (const InputProblem& one : problems) append(out_.problems, one);
  }

  void take_probe(const std::string& text, const std::string& name, std::string& format) {
    FactsResult read = read_probe_json(text, name);
    format = read.format;
    keep(read.problems);
    out_.facts.push_back({read.format, std::move(read.facts), {name, 0}});
  }

  void take_collection(const std::string& text, const std::string& name, std::string& format) {
    format = "spineleaf-measurements";
    read_collection_json(text, name, out_);
  }

  void take_csv(const std::string& text, const std::string& name, std::string& format) {
    MeasuredSweepResult read = read_nccl_sweep(text, name);
    format = "sweep of nccl-tests as CSV";
    keep(read.problems);
    if (!read.sweep.points.empty()) out_.sweeps.push_back({std::move(read.sweep), {name, 0}});
  }

  void take_perftest(const std::string& text, const std::string& name, std::string& format) {
    PerftestResult read = read_perftest(text, name);
    format = "perftest";
    keep(read.problems);
    for (PerftestRun& run : read.runs) {
      if (out_.perftests.size() < kMostFiles) out_.perftests.push_back({std::move(run), {name, 0}});
    }
  }

  void take_topo(const std::string& text, const std::string& name, std::string& format) {
    GpuTopoResult read = read_gpu_topo(text, name);
    format = "nvidia-smi topo -m";
    keep(read.problems);
    if (!has_errors(read.problems)) out_.topos.push_back({std::move(read.topo), {name, 0}});
  }

  void take_nccl(const std::string& text, const std::string& name, std::string& format) {
    if (has(text, "busbw") || has(text, "# nThread")) {
      format = "nccl-tests";
      NcclTestsResult read = read_nccl_tests(text, name);
      keep(read.problems);
      std::set<std::size_t> layouts;
      for (const NcclTestsRun& run : read.runs) {
        if (!run.devices.empty()) layouts.insert(run.devices.size());
        MeasuredSweep sweep = to_sweep(run, name);
        if (!sweep.points.empty()) out_.sweeps.push_back({std::move(sweep), {name, 0}});
      }
      if (layouts.size() > 1) {
        problem(name,
                "the log has runs of " + std::to_string(*layouts.begin()) + " and " +
                    std::to_string(*layouts.rbegin()) + " ranks: each is judged by itself",
                Severity::Warning);
      }
      for_each_line(text, [&](std::string_view line, int number) {
        if (out_.average_line > 0 || !has(line, "Avg bus bandwidth")) return;
        out_.average_line = number;
        out_.average_file = name;
      });
    }
    if (!has(text, "NCCL INFO")) return;
    format += format.empty() ? "log of NCCL" : " with a log of NCCL";
    NcclLogResult read = read_nccl_log(text, name);
    keep(read.problems);
    FoundLog found;
    found.log = std::move(read.log);
    found.at.file = name;
    scan_log(text, found);
    out_.logs.push_back(std::move(found));
  }

  Collection& out_;
};

}  // namespace

Collection read_collection(const std::string& path) {
  Collection out;
  Collector collector(out);
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    collector.take(path, path);
    return out;
  }
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator entry(path, error);
  if (error) {
    append(out.problems, line_problem(path, 0, "is no folder: " + error.message(),
                                      "a folder of what tools printed"));
    return out;
  }
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error) && paths.size() < kMostFiles) paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& one : paths) {
    collector.take(one, one.lexically_relative(path).generic_string());
  }
  if (paths.empty()) append(out.problems, line_problem(path, 0, "holds no file"));
  return out;
}

}  // namespace spineleaf
