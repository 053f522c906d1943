#include "scenarios/import/mlxconfig.hpp"

#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "scenarios/import/words.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

enum class Form { Microseconds, Mbps, Count, Flag, Percent, Gain, Share1024 };

struct Setting {
  std::string_view name;
  std::string_view key;  ///< of a scenario
  Form form;
  std::int64_t most;
};

constexpr std::array kSettings{
    Setting{"RPG_TIME_RESET", "dcqcn.rpg_time_reset", Form::Microseconds, 1'000'000},
    Setting{"RPG_THRESHOLD", "dcqcn.rpg_threshold", Form::Count, 1000},
    Setting{"RPG_AI_RATE", "dcqcn.rpg_ai_rate", Form::Mbps, 1'000'000},
    Setting{"RPG_HAI_RATE", "dcqcn.rpg_hai_rate", Form::Mbps, 1'000'000},
    Setting{"RPG_MIN_RATE", "dcqcn.rpg_min_rate", Form::Mbps, 1'000'000},
    Setting{"RPG_MIN_DEC_FAC", "dcqcn.rpg_min_dec_fac", Form::Percent, 100},
    Setting{"DCE_TCP_G", "dcqcn.g", Form::Gain, 1023},
    Setting{"DCE_TCP_RTT", "dcqcn.alpha_timer", Form::Microseconds, 1'000'000},
    Setting{"RATE_REDUCE_MONITOR_PERIOD", "dcqcn.rate_reduce_monitor_period", Form::Microseconds,
            1'000'000},
    Setting{"INITIAL_ALPHA_VALUE", "dcqcn.initial_alpha", Form::Share1024, 1024},
    Setting{"MIN_TIME_BETWEEN_CNPS", "dcqcn.min_time_between_cnps", Form::Microseconds, 1'000'000},
    Setting{"CLAMP_TGT_RATE", "dcqcn.clamp_tgt_rate", Form::Flag, 1},
    Setting{"CLAMP_TGT_RATE_AFTER_TIME_INC", "dcqcn.clamp_tgt_rate_after_time_inc", Form::Flag, 1},
};

/// Settings that firmware has and the models have not, with the value at which they do nothing.
struct Absent {
  std::string_view name;
  std::int64_t neutral;
  std::string_view what;
};
constexpr std::array kAbsent{
    Absent{"RPG_BYTE_RESET", 32767,
           "increases by volume: the unit of the firmware is not documented"},
    Absent{"RPG_MAX_RATE", 0, "a rate limit below the line's"},
    Absent{"RPG_GD", 11, "a cut by another share than alpha / 2"},
    Absent{"RATE_TO_SET_ON_FIRST_CNP", 0, "a rate set by the first CNP"},
};

std::string value_text(Form form, std::int64_t value) {
  const auto share = [](double of) { return number_text(of); };
  switch (form) {
    case Form::Microseconds: return std::to_string(value) + "us";
    case Form::Mbps: return std::to_string(value) + "Mbps";
    case Form::Count: return std::to_string(value);
    case Form::Flag: return value != 0 ? "true" : "false";
    case Form::Percent: return share(static_cast<double>(value) / 100);
    case Form::Gain: return share(static_cast<double>(1024 - value) / 1024);
    case Form::Share1024: return share(static_cast<double>(value) / 1024);
  }
  return {};
}

class DumpReader {
 public:
  DumpReader(const NamedText& dump, int port, std::vector<InputProblem>& problems)
      : lines_(word_lines(dump.text)), port_(port), words_(dump.file, problems) {}

  std::vector<Override> run() {
    for (const std::vector<Word>& line : lines_) read(line);
    if (overrides_.empty() && !prio_mask_seen_) {
      const Word nowhere{"", {1, 1}};
      words_.refuse(nowhere, "", "nothing here is congestion control of an adapter",
                    "lines such as RPG_TIME_RESET_P1 300, as mlxconfig query prints them");
    }
    return std::move(overrides_);
  }

 private:
  /// The name without its port; false where it is another port's.
  bool own_name(std::string_view& name) {
    const std::size_t at = name.rfind("_P");
    if (at == std::string_view::npos || at + 3 != name.size()) return true;
    const char digit = name[at + 2];
    if (digit < '1' || digit > '9') return true;
    name = name.substr(0, at);
    return digit - '0' == port_;
  }

  /// 300, True(1), ETH(2).
  std::optional<std::int64_t> number(const Word& word, const std::string& path, std::int64_t most) {
    Word inner = word;
    const std::size_t open = word.text.find('(');
    if (open != std::string_view::npos && word.text.back() == ')') {
      inner.text = word.text.substr(open + 1, word.text.size() - open - 2);
    }
    return words_.count(inner, path, 0, most);
  }

  void read(std::vector<Word> line) {
    if (line.front().text == "*") line.erase(line.begin());
    if (line.size() < 2) return;
    std::string_view name = line.front().text;
    if (!name.empty() && name.front() == '*') name.remove_prefix(1);
    const bool own = own_name(name);
    const Word& value = line.size() == 4 ? line[2] : line[1];
    const std::string path(name);
    for (const Setting& setting : kSettings) {
      if (setting.name != name) continue;
      const auto read = number(value, path, setting.most);
      if (!read) return;
      if (!own) return other_port(setting, *read, value);
      values_[setting.name] = *read;
      overrides_.push_back({std::string(setting.key), value_text(setting.form, *read)});
      return;
    }
    if (!own) return;
    for (const Absent& absent : kAbsent) {
      if (absent.name != name) continue;
      const auto read = number(value, path, INT32_MAX);
      if (!read || *read == absent.neutral) return;
      words_.refuse(value, path, "is not modelled: " + std::string(absent.what),
                    std::to_string(absent.neutral), {}, Severity::Warning);
      return;
    }
    if (name == "ROCE_CC_PRIO_MASK") mask(value, path);
  }

  void other_port(const Setting& setting, std::int64_t other, const Word& word) {
    const auto mine = values_.find(setting.name);
    if (mine == values_.end() || mine->second == other) return;
    words_.refuse(word, std::string(setting.name),
                  "another port has " + std::to_string(other) + "; port " + std::to_string(port_) +
                      " has " + std::to_string(mine->second) + ", which counts",
                  {}, {}, Severity::Warning);
  }

  void mask(const Word& value, const std::string& path) {
    const auto read = number(value, path, 255);
    if (!read) return;
    prio_mask_seen_ = true;
    overrides_.push_back({"transport.congestion_control", *read == 0 ? "none" : "dcqcn_connectx"});
  }

  std::vector<std::vector<Word>> lines_;
  int port_;
  WordReader words_;
  std::map<std::string_view, std::int64_t> values_;
  std::vector<Override> overrides_;
  bool prio_mask_seen_ = false;
};

}  // namespace

std::vector<Override> read_mlxconfig(const NamedText& dump, int port,
                                     std::vector<InputProblem>& problems) {
  return DumpReader(dump, port, problems).run();
}

}  // namespace spineleaf
