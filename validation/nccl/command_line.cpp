#include "validation/nccl/command_line.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "models/collectives/ring_plan.hpp"
#include "topologies/problem.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
constexpr std::int64_t kMostRanks = 1 << 20;
constexpr std::size_t kMostSizes = 1000;
constexpr std::string_view kPerf = "_perf";

/// "8", "128K", "8G", "1MB", "4GiB": nccl-tests counts in powers of 1024.
std::optional<std::int64_t> to_size(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const auto number = to_integer(text.substr(0, digits));
  if (!number || *number < 0) return std::nullopt;
  const std::string_view unit = text.substr(digits);
  if (unit.empty() || unit == "B") return *number;
  const std::size_t power = std::string_view("KMGTkmgt").find(unit[0]) % 4;
  const bool known = std::string_view("KMGTkmgt").find(unit[0]) != std::string_view::npos;
  if (!known || (unit.size() > 1 && unit.substr(1) != "B" && unit.substr(1) != "iB")) {
    return std::nullopt;
  }
  std::int64_t value = *number;
  for (std::size_t i = 0; i <= power; ++i) {
    if (value > kMostBytes / 1024) return std::nullopt;
    value *= 1024;
  }
  return value;
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_perf(std::string_view word) {
  return file_name(word).ends_with(kPerf) && !word.starts_with('-');
}

/// Walks the words; `rest` is what a "--name=value" word carries.
class Parser {
 public:
  explicit Parser(std::span<const std::string> words) : words_(words) {}

  NcclTestsCommand parse() {
    while (at_ < words_.size() && !is_perf(words_[at_])) launcher_word();
    if (at_ == words_.size()) {
      fail("no test of nccl-tests: expected a word such as all_reduce_perf");
      return std::move(out_);
    }
    take_test(file_name(words_[at_++]));
    while (at_ < words_.size() && out_.problem.empty()) test_word();
    finish();
    return std::move(out_);
  }

 private:
  void fail(std::string what) {
    if (out_.problem.empty()) out_.problem = std::move(what);
  }

  void take_test(std::string_view name) {
    name.remove_suffix(kPerf.size());
    for (int i = 0; i <= static_cast<int>(Collective::SendRecv); ++i) {
      if (name_of(static_cast<Collective>(i)) == name) out_.collective = name;
    }
    if (out_.collective.empty()) {
      fail(in_quotes(std::string(name) + std::string(kPerf)) +
           " is not simulated; all_reduce, all_gather, reduce_scatter, broadcast, reduce, "
           "alltoall, gather, scatter and sendrecv are");
    }
  }

  /// The value of option `name`: after '=', or the next word.
  std::string_view value_of(std::string_view name) {
    if (rest_) return *rest_;
    if (at_ < words_.size()) return words_[at_++];
    fail(std::string(name) + " needs a value");
    return {};
  }
  std::int64_t count_of(std::string_view name, std::int64_t least, std::int64_t most) {
    const std::string_view text = value_of(name);
    const auto value = to_integer(text);
    if (value && *value >= least && *value <= most) return *value;
    fail(std::string(name) + ": " + in_quotes(text) + " does not fit; expected " +
         std::to_string(least) + " to " + std::to_string(most));
    return least;
  }
  std::int64_t size_of(std::string_view name) {
    const std::string_view text = value_of(name);
    const auto value = to_size(text);
    if (value && *value <= kMostBytes) return *value;
    fail(std::string(name) + ": " + in_quotes(text) +
         " is no size; expected one such as 8, 128K, 8G");
    return 1;
  }

  /// Splits "--name=value"; short options keep what follows their letter.
  std::string_view name_of_word(std::string_view word) {
    rest_.reset();
    const std::size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string_view::npos) return word;
    rest_ = word.substr(equals + 1);
    return word.substr(0, equals);
  }

  void take_setting(std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
      // "-x NCCL_ALGO": the value is that of a shell that is not known here.
      if (assignment.starts_with("NCCL_")) out_.ignored.emplace_back(assignment);
      return;
    }
    const std::string_view name = assignment.substr(0, equals);
    if (name.starts_with("NCCL_")) {
      out_.settings[std::string(name.substr(5))] = assignment.substr(equals + 1);
    }
  }

  void take_settings(std::string_view list) {
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      take_setting(list.substr(0, comma));
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
  }

  void launcher_word() {
    const std::string_view word = words_[at_++];
    if (!word.starts_with('-')) {
      if (word.find('=') != std::string_view::npos) {
        take_setting(word);
      } else {
        srun_ |= file_name(word) == "srun";
      }
      return;
    }
    const std::string_view name = name_of_word(word);
    constexpr std::array<std::string_view, 4> kProcesses{"-np", "--np", "-n", "--ntasks"};
    constexpr std::array<std::string_view, 5> kPerNode{"-npernode", "--npernode", "-ppn", "--ppn",
                                                       "--ntasks-per-node"};
    constexpr std::array<std::string_view, 2> kPairs{"-genv", "-env"};
    const auto is_any = [&](auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_any(kProcesses)) {
      processes_ = count_of(name, 1, kMostRanks);
    } else if (is_any(kPerNode) || (name == "-N" && !srun_)) {
      per_node_ = count_of(name, 1, kMostRanks);
    } else if (name == "--nodes" || name == "-N") {
      nodes_ = count_of(name, 1, kMostRanks);
    } else if (name == "-x" || name == "--env") {
      take_setting(value_of(name));
    } else if (name == "--export") {
      take_settings(value_of(name));
    } else if (is_any(kPairs)) {
      const std::string variable(value_of(name));
      take_setting(variable + "=" + std::string(value_of(name)));
    } else if (name == "--map-by") {
      take_map(value_of(name));
    } else if (name == "--mca" || name == "-mca") {
      at_ = std::min(at_ + 2, words_.size());
    } else if (!rest_ && at_ < words_.size() && !words_[at_].starts_with('-') &&
               !is_perf(words_[at_]) && words_[at_].find('=') == std::string::npos) {
      ++at_;  // "-H host1,host2", "--bind-to none": where ranks run and how is the scenario's
    }
  }

  /// "ppr:8:node"
  void take_map(std::string_view map) {
    if (!map.starts_with("ppr:") || map.find(":node") == std::string_view::npos) return;
    const auto count = to_integer(map.substr(4, map.find(':', 4) - 4));
    if (count && *count > 0 && *count <= kMostRanks) per_node_ = *count;
  }

  void test_word() {
    const std::string_view word = words_[at_++];
    const std::string_view name = name_of_word(word);
    const auto is = [&](std::string_view letter, std::string_view full) {
      return name == letter || name == full;
    };
    if (is("-b", "--minbytes")) {
      out_.smallest = size_of(name);
      return;
    }
    if (is("-e", "--maxbytes")) {
      out_.largest = size_of(name);
      return;
    }
    if (is("-i", "--stepbytes")) {
      out_.step = size_of(name);
      return;
    }
    if (is("-f", "--stepfactor")) return set(out_.factor, name, 1, 1 << 20);
    if (is("-n", "--iters")) return set(out_.iterations, name, 1, 1'000'000'000);
    if (is("-w", "--warmup_iters")) return set(out_.warm_up, name, 0, 1'000'000'000);
    if (is("-g", "--ngpus")) return set(gpus_, name, 1, 1024);
    if (is("-t", "--nthreads")) return set(threads_, name, 1, 1024);
    if (is("-r", "--root")) return set(out_.root, name, 0, kMostRanks);
    // Data types, checks, graphs and outputs change no traffic.
    out_.ignored.emplace_back(word);
    if (!rest_ && at_ < words_.size() && !words_[at_].starts_with('-')) {
      out_.ignored.back() += " " + words_[at_++];
    }
  }
  void set(std::int64_t& value, std::string_view name, std::int64_t least, std::int64_t most) {
    value = count_of(name, least, most);
  }

  void finish() {
    if (processes_ == 0 && per_node_ > 0 && nodes_ > 0) processes_ = per_node_ * nodes_;
    if (processes_ > 0 || gpus_ * threads_ > 1) {
      out_.ranks = std::max<std::int64_t>(processes_, 1) * gpus_ * threads_;
    }
    if (out_.ranks > kMostRanks) fail(std::to_string(out_.ranks) + " ranks are too many");
    if (out_.smallest > out_.largest) {
      fail("-b is larger than -e: " + std::to_string(out_.smallest) + " > " +
           std::to_string(out_.largest));
    }
    if (out_.factor < 2 && out_.step < 1 && out_.smallest < out_.largest) {
      fail("-i 0 never reaches -e");
    }
    if (out_.problem.empty() && out_.sizes().size() >= kMostSizes) {
      fail("more than " + std::to_string(kMostSizes) + " sizes: use -f or a larger -i");
    }
  }

  std::span<const std::string> words_;
  std::size_t at_ = 0;
  std::optional<std::string_view> rest_;
  bool srun_ = false;
  std::int64_t processes_ = 0, per_node_ = 0, nodes_ = 0;
  std::int64_t gpus_ = 1, threads_ = 1;
  NcclTestsCommand out_;
};

}  // namespace

std::vector<std::int64_t> NcclTestsCommand::sizes() const {
  std::vector<std::int64_t> out;
  for (std::int64_t at = std::max<std::int64_t>(smallest, 1); at <= largest;) {
    out.push_back(at);
    if (out.size() >= kMostSizes) break;
    at = factor > 1 ? at * factor : at + std::max<std::int64_t>(step, 1);
  }
  return out;
}

NcclTestsCommand parse_nccl_tests_command(std::span<const std::string> words) {
  if (words.size() == 1 && words[0].find(' ') != std::string::npos) {
    std::vector<std::string> split;
    for (const std::string_view word : words_of(words[0])) split.emplace_back(word);
    return Parser(split).parse();
  }
  return Parser(words).parse();
}

}  // namespace spineleaf
