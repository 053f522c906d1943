#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/import/htsim.hpp"
#include "scenarios/import/words.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kMost = 10'000'000;
constexpr std::int64_t kMostFlowBytes = std::int64_t{1} << 40;

class MatrixReader {
 public:
  MatrixReader(const NamedText& file, HtsimMatrix& matrix, std::vector<InputProblem>& problems)
      : text_(file.text), reader_(file.file, problems), problems_(problems), matrix_(matrix) {}

  void read() {
    const auto lines = word_lines(text_);
    for (const std::vector<Word>& line : lines) {
      const std::string_view first = line[0].text;
      if (first == "Nodes" || first == "Connections" || first == "Triggers" ||
          first == "Failures") {
        read_header(line);
      } else if (first == "trigger") {
        read_trigger(line);
      } else if (first == "failure") {
        read_failure(line);
      } else if (first.find("->") != std::string_view::npos) {
        read_flow(line);
      } else {
        unknown(line[0], {"Nodes", "Connections", "Triggers", "Failures", "trigger", "failure"});
      }
    }
    if (has_errors(problems_)) return;
    check_counts();
    check_triggers();
  }

 private:
  void unknown(const Word& word, std::vector<std::string_view> known) {
    reader_.refuse(word, "", "unknown word " + std::string(in_quotes(word.text)), {},
                   did_you_mean(word.text, known));
  }

  void read_header(const std::vector<Word>& line) {
    const std::string name(line[0].text);
    if (line.size() != 2) return reader_.refuse(line[0], name, "expected one number");
    const auto value = reader_.count(line[1], name, 0, kMost);
    if (!value) return;
    if (!header_.emplace(name, std::pair(*value, line[0])).second) {
      return reader_.refuse(line[0], name, "is given twice");
    }
    if (name == "Nodes") matrix_.nodes = *value;
  }

  void read_flow(const std::vector<Word>& line) {
    const std::size_t arrow = line[0].text.find("->");
    Word from = line[0], to = line[0];
    from.text = line[0].text.substr(0, arrow);
    to.text = line[0].text.substr(arrow + 2);
    HtsimFlow flow;
    const auto source = host(from);
    const auto target = host(to);
    if (!source || !target) return;
    flow.from = *source;
    flow.to = *target;
    if (flow.from == flow.to) {
      return reader_.refuse(line[0], "flow", "source equals destination");
    }
    for (std::size_t i = 1; i < line.size(); i += 2) {
      const std::string_view word = line[i].text;
      if (word == "addon") {
        --i;
        continue;
      }
      if (i + 1 == line.size()) {
        return reader_.refuse(line[i], "flow", "nothing follows " + std::string(in_quotes(word)));
      }
      if (!read_option(line[i], line[i + 1], flow)) return;
    }
    finish(line[0], flow);
  }

  std::optional<std::int64_t> host(const Word& word) {
    const auto id = reader_.count(word, "flow", 0, kMost);
    if (!id || *id < matrix_.nodes) return id;
    reader_.refuse(word, "flow",
                   "host " + std::to_string(*id) + " of " + std::to_string(matrix_.nodes),
                   "0 to " + std::to_string(matrix_.nodes - 1));
    return std::nullopt;
  }

  bool read_option(const Word& key, const Word& value, HtsimFlow& flow) {
    const auto id = [&](const char* what, std::int64_t& into) {
      const auto number = reader_.count(value, what, 0, kMost);
      if (number && *number == 0) {
        reader_.refuse(value, "flow", std::string(what) + " 0 is not allowed", "from 1 on");
        return false;
      }
      into = number.value_or(0);
      return number.has_value();
    };
    if (key.text == "id") return id("flow id", flow.id);
    if (key.text == "trigger") return id("trigger", flow.trigger);
    if (key.text == "send_done_trigger") return id("trigger", flow.send_done);
    if (key.text == "recv_done_trigger") return id("trigger", flow.recv_done);
    if (key.text == "start") {
      const auto start = reader_.real(value, "flow.start", 0, 1e18);
      flow.start_ps = start.value_or(0);
      return start.has_value();
    }
    if (key.text == "size") {
      const auto bytes = reader_.count(value, "flow.size", 1, kMostFlowBytes);
      flow.bytes = bytes.value_or(0);
      return bytes.has_value();
    }
    if (key.text == "prio" || key.text == "msg") {
      const auto number = reader_.count(value, std::string(key.text), 0, INT32_MAX);
      if (key.text == "prio") flow.prio = number.value_or(-1);
      return number.has_value();
    }
    unknown(key, {"id", "start", "trigger", "size", "prio", "send_done_trigger",
                  "recv_done_trigger", "addon", "msg"});
    return false;
  }

  void finish(const Word& place, const HtsimFlow& flow) {
    const bool started = flow.start_ps >= 0;
    if (started && flow.trigger > 0) {
      return reader_.refuse(place, "flow", "start and trigger exclude each other");
    }
    if (!started && flow.trigger == 0) {
      return reader_.refuse(place, "flow", "neither start nor trigger is given");
    }
    if (flow.bytes == 0) {
      return reader_.refuse(place, "flow", "size absent (htsim reads an undefined value)");
    }
    if (flow.id > 0 && !ids_.insert(flow.id).second) {
      return reader_.refuse(place, "flow", "flow id " + std::to_string(flow.id) + " is used twice");
    }
    matrix_.flows.push_back(flow);
    places_.push_back(place);
  }

  void read_trigger(const std::vector<Word>& line) {
    const bool barrier = line.size() == 6 && line[3].text == "barrier" && line[4].text == "count";
    const bool shot =
        line.size() == 4 && (line[3].text == "oneshot" || line[3].text == "multishot");
    if (line.size() < 4 || line[1].text != "id" || (!barrier && !shot)) {
      return reader_.refuse(line[0], "trigger", "this is no trigger",
                            "trigger id 1 oneshot, multishot or barrier count 3");
    }
    const auto id = reader_.count(line[2], "trigger", 1, kMost);
    const auto count =
        barrier ? reader_.count(line[5], "trigger", 1, kMost) : std::optional<std::int64_t>{0};
    if (!id || !count) return;
    const HtsimTriggerKind kind = barrier                       ? HtsimTriggerKind::Barrier
                                  : line[3].text == "multishot" ? HtsimTriggerKind::Multishot
                                                                : HtsimTriggerKind::Oneshot;
    if (!matrix_.triggers.emplace(*id, HtsimTrigger{kind, *count}).second) {
      reader_.refuse(line[2], "trigger", "trigger " + std::to_string(*id) + " is defined twice");
    }
  }

  void read_failure(const std::vector<Word>& line) {
    const bool shaped = line.size() == 7 && line[1].text == "switch_type" &&
                        line[3].text == "switch_id" && line[5].text == "link_id";
    const std::string_view type = shaped ? line[2].text : std::string_view{};
    if (type != "TOR" && type != "AGG" && type != "CORE") {
      return reader_.refuse(line[0], "failure", "this is no failure",
                            "failure switch_type TOR switch_id 0 link_id 1");
    }
    const auto id = reader_.count(line[4], "failure", 0, kMost);
    const auto link = reader_.count(line[6], "failure", 0, kMost);
    if (!id || !link) return;
    matrix_.failures.push_back({type == "TOR" ? 0 : type == "AGG" ? 1 : 2, *id, *link});
  }

  void check_counts() {
    const auto check = [&](const char* name, const char* what, std::size_t found) {
      const auto at = header_.find(name);
      const std::int64_t said = at == header_.end() ? 0 : at->second.first;
      if (said == static_cast<std::int64_t>(found)) return;
      const Word place = at == header_.end() ? Word{{}, {1, 1}} : at->second.second;
      reader_.refuse(
          place, name,
          std::to_string(found) + " " + what + " found, header says " + std::to_string(said));
    };
    if (header_.find("Nodes") == header_.end()) {
      reader_.refuse({{}, {1, 1}}, "Nodes", "is missing", "Nodes 16");
    }
    check("Connections", "connections", matrix_.flows.size());
    check("Triggers", "triggers", matrix_.triggers.size());
    check("Failures", "failures", matrix_.failures.size());
  }

  void check_triggers() {
    for (std::size_t i = 0; i < matrix_.flows.size(); ++i) {
      const HtsimFlow& flow = matrix_.flows[i];
      for (const std::int64_t id : {flow.trigger, flow.send_done, flow.recv_done}) {
        if (id == 0 || matrix_.triggers.count(id) > 0) continue;
        return reader_.refuse(places_[i], "flow",
                              "trigger " + std::to_string(id) + " is used but not defined");
      }
    }
    const std::set<std::int64_t> pulled = started_triggers(matrix_);
    std::string waiting;
    const Word* place = nullptr;
    int count = 0;
    for (std::size_t i = 0; i < matrix_.flows.size(); ++i) {
      const HtsimFlow& flow = matrix_.flows[i];
      if (flow.trigger == 0 || pulled.count(flow.trigger) > 0) continue;
      if (place == nullptr) place = &places_[i];
      if (++count <= 5) waiting += (waiting.empty() ? "" : " and ") + std::to_string(flow.id);
    }
    if (place == nullptr) return;
    reader_.refuse(*place, "flow",
                   count == 1 ? "flow " + waiting +
                                    " waits for a trigger that "
                                    "nothing pulls"
                              : "flows " + waiting +
                                    " wait for each other, nothing "
                                    "starts");
  }

  /// Triggers that flows pull which can start.
  static std::set<std::int64_t> started_triggers(const HtsimMatrix& matrix) {
    std::set<std::int64_t> pulled;
    std::map<std::int64_t, std::vector<const HtsimFlow*>> waiting;
    std::vector<const HtsimFlow*> ready;
    for (const HtsimFlow& flow : matrix.flows) {
      if (flow.trigger == 0) {
        ready.push_back(&flow);
      } else {
        waiting[flow.trigger].push_back(&flow);
      }
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const HtsimFlow* flow = ready[i];
      for (const std::int64_t id : {flow->send_done, flow->recv_done}) {
        if (id == 0 || !pulled.insert(id).second) continue;
        const auto& next = waiting[id];
        ready.insert(ready.end(), next.begin(), next.end());
      }
    }
    return pulled;
  }

  std::string_view text_;
  WordReader reader_;
  std::vector<InputProblem>& problems_;
  HtsimMatrix& matrix_;
  std::map<std::string, std::pair<std::int64_t, Word>> header_;
  std::vector<Word> places_;
  std::set<std::int64_t> ids_;
};

}  // namespace

HtsimMatrix read_htsim_matrix(const NamedText& file, std::vector<InputProblem>& problems) {
  HtsimMatrix matrix;
  std::vector<InputProblem> own;
  MatrixReader(file, matrix, own).read();
  problems.insert(problems.end(), own.begin(), own.end());
  return matrix;
}

std::int64_t htsim_depth(const HtsimMatrix& matrix) {
  // Flows by the trigger that starts them; a trigger's depth is that of the deepest that pulls it.
  std::map<std::int64_t, std::int64_t> depth{{0, 0}};
  std::int64_t deepest = 0;
  for (std::size_t round = 0; round <= matrix.triggers.size(); ++round) {
    bool changed = false;
    for (const HtsimFlow& flow : matrix.flows) {
      const auto at = depth.find(flow.trigger);
      if (at == depth.end()) continue;
      const std::int64_t own = at->second + 1;
      deepest = std::max(deepest, own);
      for (const std::int64_t id : {flow.send_done, flow.recv_done}) {
        if (id == 0 || depth.count(id) > 0) continue;
        depth[id] = own;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return deepest;
}

}  // namespace spineleaf
