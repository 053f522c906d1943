#include "scenarios/import/hpcc.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scenarios/import/words.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMostNodes = 1'000'000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
constexpr double kLongest = 1e12;  // ps of a cable

// What config.txt may hold (simulation/mix/config_doc.txt of HPCC, and ConWeave's additions).
constexpr std::array<std::string_view, 55> kKeys{"ENABLE_QCN",
                                                 "USE_DYNAMIC_PFC_THRESHOLD",
                                                 "PACKET_PAYLOAD_SIZE",
                                                 "TOPOLOGY_FILE",
                                                 "FLOW_FILE",
                                                 "TRACE_FILE",
                                                 "TRACE_OUTPUT_FILE",
                                                 "FCT_OUTPUT_FILE",
                                                 "PFC_OUTPUT_FILE",
                                                 "SIMULATOR_STOP_TIME",
                                                 "CC_MODE",
                                                 "ALPHA_RESUME_INTERVAL",
                                                 "RATE_DECREASE_INTERVAL",
                                                 "CLAMP_TARGET_RATE",
                                                 "RP_TIMER",
                                                 "EWMA_GAIN",
                                                 "FAST_RECOVERY_TIMES",
                                                 "RATE_AI",
                                                 "RATE_HAI",
                                                 "MIN_RATE",
                                                 "DCTCP_RATE_AI",
                                                 "ERROR_RATE_PER_LINK",
                                                 "L2_CHUNK_SIZE",
                                                 "L2_ACK_INTERVAL",
                                                 "L2_BACK_TO_ZERO",
                                                 "HAS_WIN",
                                                 "GLOBAL_T",
                                                 "VAR_WIN",
                                                 "FAST_REACT",
                                                 "U_TARGET",
                                                 "MI_THRESH",
                                                 "INT_MULTI",
                                                 "MULTI_RATE",
                                                 "SAMPLE_FEEDBACK",
                                                 "PINT_LOG_BASE",
                                                 "PINT_PROB",
                                                 "RATE_BOUND",
                                                 "ACK_HIGH_PRIO",
                                                 "LINK_DOWN",
                                                 "ENABLE_TRACE",
                                                 "KMAX_MAP",
                                                 "KMIN_MAP",
                                                 "PMAX_MAP",
                                                 "BUFFER_SIZE",
                                                 "QLEN_MON_FILE",
                                                 "QLEN_MON_START",
                                                 "QLEN_MON_END",
                                                 "NIC_TOTAL_PAUSE_TIME",
                                                 "LB_MODE",
                                                 "ENABLE_PFC",
                                                 "ENABLE_IRN",
                                                 "FLOWGEN_START_TIME",
                                                 "FLOWGEN_STOP_TIME",
                                                 "SW_MONITORING_INTERVAL",
                                                 "RANDOM_SEED"};

using Lines = std::vector<std::vector<Word>>;

class TopologyReader {
 public:
  TopologyReader(const NamedText& file, HpccSet& set, std::vector<InputProblem>& problems)
      : lines_(word_lines(file.text)), reader_(file.file, problems), set_(set) {}

  void read() {
    if (lines_.empty() || lines_[0].size() < 3) {
      return reader_.refuse({{}, {1, 1}}, "", "the first line is missing",
                            "nodes, switches and links: 66 1 65");
    }
    const auto nodes = reader_.count(lines_[0][0], "nodes", 1, kMostNodes);
    const auto switches = reader_.count(lines_[0][1], "switches", 0, kMostNodes);
    const auto links = reader_.count(lines_[0][2], "links", 0, 10 * kMostNodes);
    if (!nodes || !switches || !links) return;
    set_.nodes = *nodes;
    read_links(read_switches(*switches), *links);
  }

 private:
  /// Their ids, on one line or several. Returns the line after them.
  std::size_t read_switches(std::int64_t announced) {
    std::int64_t found = 0;
    std::size_t line = 1;
    for (; found < announced && line < lines_.size(); ++line) {
      for (const Word& word : lines_[line]) {
        ++found;
        const auto id = reader_.count(word, "switches", 0, set_.nodes - 1);
        if (!id || set_.switches.insert(*id).second) continue;
        reader_.refuse(word, "switches", "switch " + std::to_string(*id) + " is named twice");
      }
    }
    if (found != announced) {
      reader_.refuse(
          lines_[0][1], "switches",
          std::to_string(announced) + " switches announced, " + std::to_string(found) + " found");
    }
    return line;
  }

  void read_links(std::size_t first, std::int64_t announced) {
    for (std::size_t i = first; i < lines_.size(); ++i) read_link(lines_[i]);
    const auto found = static_cast<std::int64_t>(lines_.size() - first);
    if (found != announced) {
      reader_.refuse(
          lines_[0][2], "links",
          std::to_string(announced) + " links announced, " + std::to_string(found) + " found");
    }
    // A link that could not be read is no missing one.
    if (static_cast<std::int64_t>(set_.links.size()) != found) return;
    // An astra-sim set may wire hosts to each other; a node without a cable can't be reached.
    std::vector<bool> wired(static_cast<std::size_t>(set_.nodes), false);
    for (const HpccLink& link : set_.links) {
      wired[static_cast<std::size_t>(link.a)] = wired[static_cast<std::size_t>(link.b)] = true;
    }
    for (std::int64_t node = 0; node < set_.nodes && found > 0; ++node) {
      if (wired[static_cast<std::size_t>(node)]) continue;
      return reader_.refuse(lines_[0][0], "nodes",
                            std::string(set_.is_host(node) ? "host " : "switch ") +
                                std::to_string(node) + " has no link");
    }
  }

  void read_link(const std::vector<Word>& line) {
    if (line.size() != 5) {
      return reader_.refuse(line[0], "links",
                            "a link of " + std::to_string(line.size()) + " fields",
                            "two nodes, rate, delay, error rate: 0 8 100Gbps 1000ns 0");
    }
    const auto a = reader_.count(line[0], "links", 0, set_.nodes - 1);
    const auto b = reader_.count(line[1], "links", 0, set_.nodes - 1);
    const auto rate = rate_of(line[2]);
    const auto delay = reader_.united(line[3], "links.delay", Unit::Time, 0, kLongest);
    const auto errors = reader_.real(line[4], "links.error_rate", 0, 1);
    if (!a || !b || !rate || !delay || !errors) return;
    if (*a == *b) return reader_.refuse(line[1], "links", "a node is wired to itself");
    set_.links.push_back({*a, *b, Rate{*rate}, Time{*delay}, *errors});
  }

  std::optional<std::int64_t> rate_of(const Word& word) {
    return reader_.united(word, "links.rate", Unit::Rate, 1e6, 1e14);
  }

  Lines lines_;
  WordReader reader_;
  HpccSet& set_;
};

class FlowReader {
 public:
  FlowReader(const NamedText& file, HpccSet& set, std::vector<InputProblem>& problems)
      : lines_(word_lines(file.text)), reader_(file.file, problems), set_(set) {}

  void read() {
    if (lines_.empty()) {
      return reader_.refuse({{}, {1, 1}}, "", "the file is empty", "the number of flows");
    }
    const auto announced = reader_.count(lines_[0][0], "flows", 0, 100 * kMostNodes);
    if (!announced) return;
    const auto found = static_cast<std::int64_t>(lines_.size() - 1);
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (static_cast<std::int64_t>(i) > *announced) break;
      read_flow(lines_[i]);
    }
    if (found == *announced) return;
    const std::string what = reader_.file() + " says " + std::to_string(*announced) +
                             " flows, has " + std::to_string(found);
    // The original reads as many as it was told: more lines are left out, fewer are read as noise.
    const bool extra = found > *announced;
    reader_.refuse(lines_[0][0], "flows", what, {},
                   extra ? "The last ones are left out." : "Correct the number in the first line.",
                   extra ? Severity::Warning : Severity::Error);
  }

 private:
  void read_flow(const std::vector<Word>& line) {
    const bool conweave = line.size() == 5;
    if (line.size() != 6 && !conweave) {
      return reader_.refuse(line[0], "flows",
                            "a flow of " + std::to_string(line.size()) + " fields",
                            "source, destination, priority group, port, bytes, start in seconds; "
                            "ConWeave's have no port");
    }
    set_.conweave = set_.conweave || conweave;
    HpccFlow flow;
    const auto from = node(line[0]);
    const auto to = node(line[1]);
    const auto group = reader_.count(line[2], "flows.pg", 0, 7);
    const auto port =
        conweave ? std::optional<std::int64_t>{0} : reader_.count(line[3], "flows.port", 0, 65535);
    const auto bytes = reader_.count(line[conweave ? 3 : 4], "flows.bytes", 1, kMostBytes);
    const auto start = reader_.scaled(line.back(), "flows.start", 1'000'000'000'000);
    if (!from || !to || !group || !port || !bytes || !start) return;
    if (*from == *to) return reader_.refuse(line[1], "flows", "source equals destination");
    flow = {*from, *to, *group, *port, *bytes, Time{*start}};
    if (!set_.flows.empty() && flow.start < set_.flows.back().start) {
      reader_.refuse(line.back(), "flows.start",
                     "not sorted by start time: line " + std::to_string(line[0].place.line), {},
                     "The original posts it late; sort the file.");
    }
    set_.flows.push_back(flow);
  }

  std::optional<std::int64_t> node(const Word& word) {
    const auto id = reader_.count(word, "flows", 0, std::max<std::int64_t>(set_.nodes - 1, 0));
    if (!id || set_.is_host(*id)) return id;
    reader_.refuse(word, "flows", "node " + std::to_string(*id) + " is a switch", "a host");
    return std::nullopt;
  }

  Lines lines_;
  WordReader reader_;
  HpccSet& set_;
};

void read_config(const NamedText& file, HpccSet& set, std::vector<InputProblem>& problems) {
  WordReader reader(file.file, problems);
  for (const std::vector<Word>& line : word_lines(file.text)) {
    const std::string key(line[0].text);
    const bool conweave = key.starts_with("CONWEAVE_");
    if (!conweave && std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      const std::vector<std::string_view> keys(kKeys.begin(), kKeys.end());
      set.unknown_keys.push_back(key);
      reader.refuse(line[0], key, "the key is unknown", {}, did_you_mean(key, keys),
                    Severity::Warning);
      continue;
    }
    std::string value;
    for (std::size_t i = 1; i < line.size(); ++i) {
      value += (i > 1 ? " " : "") + std::string(line[i].text);
    }
    if (line.size() < 2) {
      reader.refuse(line[0], key, "the key has no value");
    } else if (!set.config.emplace(key, std::move(value)).second) {
      reader.refuse(line[0], key, "the key is given twice");
    }
  }
}

void read_trace(const NamedText& file, HpccSet& set, std::vector<InputProblem>& problems) {
  WordReader reader(file.file, problems);
  const Lines lines = word_lines(file.text);
  if (lines.empty()) return;
  const auto announced = reader.count(lines[0][0], "nodes", 0, kMostNodes);
  for (std::size_t i = 1; announced && i < lines.size(); ++i) {
    for (const Word& word : lines[i]) {
      const auto id = reader.count(word, "nodes", 0, std::max<std::int64_t>(set.nodes - 1, 0));
      if (!id) return;
      set.traced.push_back(*id);
    }
  }
  if (announced && static_cast<std::int64_t>(set.traced.size()) != *announced) {
    reader.refuse(lines[0][0], "nodes",
                  std::to_string(*announced) + " nodes announced, " +
                      std::to_string(set.traced.size()) + " found");
  }
}

}  // namespace

HpccSet read_hpcc(const NamedText& topology, const NamedText& flow, const NamedText& config,
                  const NamedText& trace, std::vector<InputProblem>& problems) {
  HpccSet set;
  TopologyReader(topology, set, problems).read();
  FlowReader(flow, set, problems).read();
  read_config(config, set, problems);
  read_trace(trace, set, problems);
  return set;
}

}  // namespace spineleaf
