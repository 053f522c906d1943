#include "validation/readers/nccl_log.hpp"

#include <algorithm>
#include <optional>

#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kMostHosts = 100'000;
constexpr std::size_t kMostNics = 1024;
constexpr std::size_t kMostTrees = 1'000'000;
constexpr std::size_t kMostChoices = 100'000;
constexpr std::size_t kMostRanks = 100'000;
constexpr std::size_t kMostChannels = 1024;
constexpr std::size_t kMostSettings = 1000;
constexpr std::size_t kMostWarnings = 50;

// NCCL_ALGO_* and NCCL_PROTO_* in the order of their numbers, which older versions print.
constexpr std::string_view kAlgorithms[] = {
    "Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};
constexpr std::string_view kProtocols[] = {"LL", "LL128", "Simple"};

bool same_word(std::string_view a, std::string_view b) {
  const auto plain = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  std::string left;
  std::string right;
  for (const char c : a) {
    if (c != '_') left += plain(c);
  }
  for (const char c : b) {
    if (c != '_') right += plain(c);
  }
  return left == right;
}

/// "NVLSTree" from "NVLS_TREE" or "5"; the word itself where it is unknown.
template <std::size_t N>
std::string known_name(std::string_view word, const std::string_view (&names)[N]) {
  if (const auto number = to_integer(word)) {
    if (*number >= 0 && *number < static_cast<std::int64_t>(N)) {
      return std::string(names[static_cast<std::size_t>(*number)]);
    }
  }
  for (const std::string_view name : names) {
    if (same_word(word, name)) return std::string(name);
  }
  return std::string(word.substr(0, 32));
}

/// The leading digits of `text` as a number.
std::optional<std::int64_t> leading_integer(std::string_view text) {
  return to_integer(text.substr(0, text.find_first_not_of("0123456789")));
}

class LogReader {
 public:
  explicit LogReader(const std::string& file) : file_(file) {}

  NcclLogResult read(std::string_view text) {
    for_each_line(text, [this](std::string_view line, int number) { take(line, number); });
    if (lines_ == 0) {
      append(result_.problems,
             line_problem(file_, 0, "holds no lines of NCCL", "a log made with NCCL_DEBUG=INFO"));
    }
    return std::move(result_);
  }

 private:
  NcclLog& log() { return result_.log; }

  void take(std::string_view line, int number) {
    if (const auto version = between(line, "NCCL version ", "+");
        version && log().version.empty()) {
      const auto words = words_of(*version, 1);
      if (!words.empty()) log().version = words[0].substr(0, 20);
    }
    constexpr std::string_view kMarks[] = {" NCCL INFO ", " NCCL WARN "};
    for (const std::string_view mark : kMarks) {
      const std::size_t at = line.find(mark);
      if (at == std::string_view::npos) continue;
      ++lines_;
      const std::string_view name = host_name(line.substr(0, at));
      const std::string_view rest = line.substr(at + mark.size());
      if (mark == kMarks[1]) {
        take_warning(rest, name);
      } else {
        take_info(rest, host(name), number);
      }
      return;
    }
  }

  /// "node-a" in "[1,0]<stdout>:node-a:812:901 [3]".
  static std::string_view host_name(std::string_view prefix) {
    if (const std::size_t bracket = prefix.rfind(" ["); bracket != std::string_view::npos) {
      prefix = prefix.substr(0, bracket);
    }
    for (int colons = 0; colons < 2; ++colons) {
      const std::size_t colon = prefix.rfind(':');
      if (colon == std::string_view::npos) break;
      prefix = prefix.substr(0, colon);
    }
    const std::size_t begin = prefix.find_last_of(":> \t");
    return begin == std::string_view::npos ? prefix : prefix.substr(begin + 1);
  }

  NcclHost& host(std::string_view name) {
    const std::string& token = tokens_.token(name);
    const auto [it, fresh] = places_.try_emplace(token, log().hosts.size());
    if (fresh) {
      if (log().hosts.size() >= kMostHosts) {
        it->second = 0;
      } else {
        log().hosts.push_back({token, {}, {}, {}});
      }
    }
    return log().hosts[it->second];
  }

  void take_warning(std::string_view text, std::string_view name) {
    if (log().warnings.size() >= kMostWarnings) return;
    std::string line(text.substr(0, 300));
    for (std::size_t at = 0; !name.empty() && (at = line.find(name, at)) != std::string::npos;) {
      const std::string& token = tokens_.token(name);
      line.replace(at, name.size(), token);
      at += token.size();
    }
    if (std::find(log().warnings.begin(), log().warnings.end(), line) == log().warnings.end()) {
      log().warnings.push_back(std::move(line));
    }
  }

  void take_info(std::string_view text, NcclHost& at, int number) {
    if (text.find(" via ") != std::string_view::npos) return take_connection(text, at);
    if (text.find("Bytes -> Algo") != std::string_view::npos) return take_choice(text, number);
    if (text.find("NET/IB : Using ") != std::string_view::npos) return take_nics(text, at);
    if (const auto network = between(text, "Using network ", "")) {
      at.network = trimmed(*network).substr(0, 64);
    } else if (text.starts_with("Trees [")) {
      take_trees(text);
    } else if (text.starts_with("Channel ") && text.find(" : ") != std::string_view::npos) {
      take_ring(text);
    } else if (text.find(" coll channels") != std::string_view::npos) {
      take_channels(text);
    } else if (text.find(" set by environment to ") != std::string_view::npos) {
      take_setting(text);
    } else if (text.find(" nRanks ") != std::string_view::npos) {
      take_shape(text);
    }
  }

  static std::int64_t value_after(std::string_view text, std::string_view name) {
    const auto words = words_of(text);
    const auto it = std::find(words.begin(), words.end(), name);
    if (it == words.end() || it + 1 == words.end()) return 0;
    return std::max<std::int64_t>(0, to_integer(*(it + 1)).value_or(0));
  }

  void take_shape(std::string_view text) {
    log().ranks = std::max(log().ranks, value_after(text, "nRanks"));
    log().nodes = std::max(log().nodes, value_after(text, "nNodes"));
    log().local_ranks = std::max(log().local_ranks, value_after(text, "localRanks"));
  }

  /// "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:..."
  static void take_nics(std::string_view text, NcclHost& at) {
    text = text.substr(0, text.find(';'));
    for (const std::string_view word : words_of(text)) {
      const std::size_t close = word.find(']');
      const std::size_t slash = word.find('/');
      if (!word.starts_with('[') || close == std::string_view::npos || at.nics.size() >= kMostNics)
        continue;
      const auto index = to_integer(word.substr(1, close - 1));
      if (!index || slash == std::string_view::npos || slash < close) continue;
      const std::string_view name = word.substr(close + 1, slash - close - 1);
      at.nics[*index] = {std::string(name.substr(0, name.find(':'))),
                         std::string(word.substr(slash + 1).substr(0, 16))};
    }
  }

  /// "Channel 03/0 : 7[7] -> 8[0] [send] via NET/IB/3(5)/GDRDMA/Shared", "... via P2P/CUMEM"
  void take_connection(std::string_view text, NcclHost& at) {
    std::string_view via = trimmed(*between(text, " via ", ""));
    via = via.substr(0, via.find(' '));
    const std::size_t slash = via.find('/');
    const std::string_view kind = via.substr(0, slash);
    if (kind != "NET" && kind != "COLLNET") {
      const std::string_view path = kind == "P2P" ? via.substr(0, via.find('/', slash + 1)) : kind;
      return count_transport(path);
    }
    if (slash == std::string_view::npos) return;
    const std::size_t second = via.find('/', slash + 1);
    count_transport(via.substr(0, second));
    if (second == std::string_view::npos) return;
    const std::string_view rest = via.substr(second + 1);
    const auto nic = leading_integer(rest);
    if (!nic || (at.uses.size() >= kMostNics && at.uses.count(*nic) == 0)) return;
    NcclNicUse& use = at.uses[*nic];
    ++use.connections;
    if (rest.find("/GDRDMA") != std::string_view::npos) ++use.direct;
  }

  void count_transport(std::string_view kind) {
    const std::string name(kind.substr(0, 32));
    if (log().transports.size() < 64 || log().transports.count(name) > 0) ++log().transports[name];
  }

  /// "Channel 00/16 : 0 1 2 3 ..."
  void take_ring(std::string_view text) {
    const auto channel = leading_integer(text.substr(8));
    if (!channel || (log().rings.size() >= kMostChannels && log().rings.count(*channel) == 0))
      return;
    const bool cut = text.find("...") != std::string_view::npos;
    std::vector<std::int64_t> ring;
    for (const std::string_view word : words_of(*between(text, " : ", ""), kMostRanks)) {
      const auto rank = to_integer(word);
      if (!rank) break;
      ring.push_back(*rank);
    }
    if (ring.empty()) return;
    if (cut) log().cut_rings.insert(*channel);
    log().rings[*channel] = std::move(ring);
  }

  /// "Trees [0] 1/8/-1->0->-1 [1] ..."
  void take_trees(std::string_view text) {
    const auto words = words_of(text);
    for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
      if (!words[i].starts_with('[') || log().trees.size() >= kMostTrees) return;
      const std::size_t first = words[i + 1].find("->");
      const std::size_t second = words[i + 1].rfind("->");
      const auto channel = leading_integer(words[i].substr(1));
      if (!channel || first == second || first == std::string_view::npos) return;
      NcclTreeNode node;
      node.channel = *channel;
      std::string_view down = words[i + 1].substr(0, first);
      while (!down.empty()) {
        const std::string_view one = down.substr(0, down.find('/'));
        down.remove_prefix(std::min(down.size(), one.size() + 1));
        if (const auto rank = to_integer(one); rank && *rank >= 0) node.down.push_back(*rank);
      }
      const auto rank = to_integer(words[i + 1].substr(first + 2, second - first - 2));
      const auto up = to_integer(words[i + 1].substr(second + 2));
      if (!rank || !up) return;
      node.rank = *rank;
      node.up = *up;
      log().trees.push_back(std::move(node));
    }
  }

  /// "16 coll channels, 0 collnet channels, 16 nvls channels, 16 p2p channels, 2 p2p channels per
  /// peer"
  void take_channels(std::string_view text) {
    for (std::string_view left = text; !left.empty();) {
      const std::string_view part = left.substr(0, left.find(','));
      left.remove_prefix(std::min(left.size(), part.size() + 1));
      const auto words = words_of(part, 8);
      const auto count = words.empty() ? std::nullopt : to_integer(words[0]);
      if (!count || words.size() < 3 || words[2] != "channels") continue;
      const bool per_peer = words.size() == 5 && words[4] == "peer";
      const std::string name =
          std::string(words[1].substr(0, 16)) + " channels" + (per_peer ? " per peer" : "");
      if (log().channels.size() < 16) log().channels[name] = *count;
    }
  }

  void take_setting(std::string_view text) {
    const std::size_t at = text.find(" set by environment to ");
    const std::string_view before = text.substr(0, at);
    const auto words = words_of(before);
    if (words.empty() || log().settings.size() >= kMostSettings) return;
    std::string_view value = trimmed(*between(text, " set by environment to ", ""));
    if (value.ends_with('.')) value.remove_suffix(1);
    log().settings[std::string(words.back().substr(0, 64))] = value.substr(0, 128);
  }

  /// "AllReduce: 8388608 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}"
  void take_choice(std::string_view text, int number) {
    NcclChoice choice;
    const std::size_t colon = text.find(':');
    const auto bytes = between(text, ": ", " Bytes");
    const auto algorithm = between(text, "Algo ", " ");
    const auto protocol = between(text, "proto ", " ");
    const auto size = bytes ? to_integer(*bytes) : std::nullopt;
    if (!size || *size < 0 || !algorithm || !protocol) {
      append(
          result_.problems,
          line_problem(file_, number, "a line of the choice of algorithm can't be read",
                       "\"AllReduce: 1024 Bytes -> Algo RING proto LL ...\"", Severity::Warning));
      return;
    }
    choice.collective = text.substr(0, std::min<std::size_t>(colon, 32));
    choice.bytes = *size;
    choice.algorithm = known_name(trimmed(*algorithm), kAlgorithms);
    choice.protocol = known_name(trimmed(*protocol), kProtocols);
    if (const auto range = between(text, "={", "}")) {
      const auto low = leading_integer(*range);
      const auto high = between(*range, "..", "");
      const auto last = high ? to_integer(*high) : std::nullopt;
      if (low && last && *last >= *low && *last < 1024) choice.channels = *last - *low + 1;
    }
    if (log().choices.size() < kMostChoices && seen_.insert(choice).second) {
      log().choices.push_back(std::move(choice));
    }
  }

  const std::string& file_;
  NcclLogResult result_;
  HostTokens tokens_;
  std::map<std::string, std::size_t> places_;
  std::set<NcclChoice> seen_;
  std::int64_t lines_ = 0;
};

}  // namespace

NcclLogResult read_nccl_log(std::string_view text, const std::string& file) {
  return LogReader(file).read(text);
}

}  // namespace spineleaf
