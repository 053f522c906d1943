// An HPCC set as a scenario of the parity preset.

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "scenarios/import/hpcc.hpp"
#include "scenarios/import/words.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(std::int64_t node) { return "n" + std::to_string(node); }
std::string in_bytes(std::int64_t count) { return std::to_string(count) + "B"; }
std::string in_ps(Time time) { return std::to_string(time.ps) + "ps"; }

/// Links by node.
std::vector<std::vector<std::size_t>> links_by_node(const HpccSet& set) {
  std::vector<std::vector<std::size_t>> at(static_cast<std::size_t>(set.nodes));
  for (std::size_t i = 0; i < set.links.size(); ++i) {
    at[static_cast<std::size_t>(set.links[i].a)].push_back(i);
    at[static_cast<std::size_t>(set.links[i].b)].push_back(i);
  }
  return at;
}

class ScenarioWriter {
 public:
  ScenarioWriter(const HpccSet& set, const std::string& file, std::vector<InputProblem>& problems)
      : set_(set), file_(file), problems_(problems) {
    if (!set.flows.empty()) {
      const std::int64_t whole = 1'000'000'000;  // a millisecond
      base_ = Time{set.flows.front().start.ps / whole * whole};
    }
    for (const HpccFlow& flow : set.flows) groups_.insert(flow.priority_group);
  }

  std::string write() {
    Json root;
    root["name"] = "HPCC set: " + std::to_string(set_.nodes - count_switches()) + " hosts, " +
                   std::to_string(set_.flows.size()) + " flows";
    root["preset"] = "ns3-hpcc";
    root["topology"] = topology();
    root["workload"] = workload();
    write_config(root);
    return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::int64_t count_switches() const { return static_cast<std::int64_t>(set_.switches.size()); }

  void say(Severity severity, const std::string& key, std::string what, std::string hint = {}) {
    append(problems_, {severity, file_, {}, key, std::move(what), {}, std::move(hint), false});
  }

  Json topology() {
    Json nodes = Json::array();
    Json links = Json::array();
    for (std::int64_t node = 0; node < set_.nodes; ++node) {
      nodes.push_back({{"name", name_of(node)}, {"kind", set_.is_host(node) ? "host" : "switch"}});
    }
    bool errors = false;
    for (const HpccLink& link : set_.links) {
      errors = errors || link.error_rate > 0;
      Json entry{{"a", name_of(link.a)}, {"b", name_of(link.b)}, {"rate", to_text(link.rate)}};
      // A latency of zero would mean "from the length".
      if (link.delay > Time{}) {
        entry["latency"] = in_ps(link.delay);
      } else {
        entry["length"] = "0m";
      }
      links.push_back(std::move(entry));
    }
    if (errors) say(Severity::Error, "links.error_rate", "link errors are not modelled");
    return {{"kind", "custom"}, {"nodes", std::move(nodes)}, {"links", std::move(links)}};
  }

  /// Priority groups in use become classes 0, 1, ... in ascending order.
  std::int64_t class_of(std::int64_t group) const {
    return std::distance(groups_.begin(), groups_.find(group));
  }

  Json workload() const {
    Json flows = Json::array();
    for (const HpccFlow& flow : set_.flows) {
      flows.push_back({{"from", name_of(flow.from)},
                       {"to", name_of(flow.to)},
                       {"bytes", in_bytes(flow.bytes)},
                       {"start", in_ps(flow.start - base_)},
                       {"class", class_of(flow.priority_group)}});
    }
    return {{"kind", "flows"}, {"name", "flow.txt"}, {"flows", std::move(flows)}};
  }

  const std::string* text(const std::string& key) const {
    const auto at = set_.config.find(key);
    return at == set_.config.end() ? nullptr : &at->second;
  }

  std::optional<double> number(const std::string& key) {
    const std::string* value = text(key);
    if (value == nullptr) return std::nullopt;
    WordReader reader(file_, problems_);
    return reader.real({*value, {}}, key, 0, 1e15);
  }

  bool on(const std::string& key) { return number(key).value_or(0) != 0; }

  /// A key whose number goes into the scenario with a unit.
  void take(Json& section, const char* name, const std::string& key, const char* unit) {
    if (const auto value = number(key)) section[name] = number_text(*value) + unit;
  }

  void take_rate(Json& section, const char* name, const std::string& key) {
    const std::string* value = text(key);
    WordReader reader(file_, problems_);
    if (value == nullptr) return;
    if (const auto rate = reader.united({*value, {}}, key, Unit::Rate, 0, 1e14)) {
      section[name] = to_text(Rate{*rate});
    }
  }

  void write_config(Json& root) {
    const auto classes = std::max<std::int64_t>(2, static_cast<std::int64_t>(groups_.size()));
    root["fabric"]["classes"] = classes;
    root["pfc"]["lossless_classes"] = "all";
    take(root["fabric"], "mtu", "PACKET_PAYLOAD_SIZE", "B");
    if (const auto mib = number("BUFFER_SIZE")) {
      root["pfc"]["buffer"] = number_text(*mib) + "MiB";
    }
    if (text("USE_DYNAMIC_PFC_THRESHOLD") != nullptr && !on("USE_DYNAMIC_PFC_THRESHOLD")) {
      say(Severity::Warning, "USE_DYNAMIC_PFC_THRESHOLD",
          "static thresholds are not carried over: they are dynamic");
    }
    write_control(root);
    write_marking(root["ecn"]);
    write_transport(root);
    write_run(root);
    for (const char* empty : {"dcqcn", "hpcc", "timely", "dctcp", "transport", "ecn"}) {
      if (root[empty].is_null()) root.erase(empty);
    }
  }

  void write_hpcc(Json& root) {
    root["transport"]["congestion_control"] = "hpcc";
    Json& hpcc = root["hpcc"];
    if (const auto target = number("U_TARGET")) hpcc["eta"] = *target;
    if (const auto stages = number("MI_THRESH")) {
      hpcc["max_stage"] = static_cast<std::int64_t>(*stages);
    }
    take_rate(hpcc, "rate_ai", "RATE_AI");
    take_rate(hpcc, "min_rate", "MIN_RATE");
    if (text("FAST_REACT") != nullptr && !on("FAST_REACT")) {
      say(Severity::Warning, "FAST_REACT", "every ACK is acted on, as with 1");
    }
    for (const char* key : {"MULTI_RATE", "SAMPLE_FEEDBACK"}) {
      if (on(key)) say(Severity::Warning, key, "is not modelled: all goes as with 0");
    }
  }

  void write_timely(Json& root) {
    root["transport"]["congestion_control"] = "timely";
    Json& timely = root["timely"];
    take_rate(timely, "delta", "RATE_AI");
    take_rate(timely, "min_rate", "MIN_RATE");
    if (text("RATE_HAI") != nullptr) {
      say(Severity::Warning, "RATE_HAI", "the larger increases are timely.hai_factor x RATE_AI");
    }
  }

  void write_dctcp(Json& root) {
    root["transport"]["congestion_control"] = "dctcp";
    if (const auto gain = number("EWMA_GAIN")) root["dctcp"]["g"] = *gain;
    if (text("DCTCP_RATE_AI") != nullptr) {
      say(Severity::Warning, "DCTCP_RATE_AI", "the window grows by a packet a round trip instead");
    }
  }

  /// The control and its own keys. The numbers are the original's.
  void write_control(Json& root) {
    const double mode = number("CC_MODE").value_or(1);
    if (mode == 3) return write_hpcc(root);
    if (mode == 7) return write_timely(root);
    if (mode == 8) return write_dctcp(root);
    if (mode != 1) {
      say(Severity::Error, "CC_MODE",
          "congestion control " + number_text(mode) + " is not modelled",
          "1 is DCQCN, 3 HPCC, 7 TIMELY, 8 DCTCP.");
    }
    write_dcqcn(root);
  }

  void write_dcqcn(Json& root) {
    if (text("ENABLE_QCN") != nullptr && !on("ENABLE_QCN")) {
      root["transport"]["congestion_control"] = "none";
      root["ecn"]["enabled"] = false;
    }
    Json& dcqcn = root["dcqcn"];
    take(dcqcn, "alpha_timer", "ALPHA_RESUME_INTERVAL", "us");
    take(dcqcn, "rate_reduce_monitor_period", "RATE_DECREASE_INTERVAL", "us");
    take(dcqcn, "rpg_time_reset", "RP_TIMER", "us");
    if (const auto gain = number("EWMA_GAIN")) dcqcn["g"] = *gain;
    if (const auto times = number("FAST_RECOVERY_TIMES")) {
      dcqcn["rpg_threshold"] = static_cast<std::int64_t>(*times);
    }
    if (text("CLAMP_TARGET_RATE") != nullptr) dcqcn["clamp_tgt_rate"] = on("CLAMP_TARGET_RATE");
    take_rate(dcqcn, "rpg_ai_rate", "RATE_AI");
    take_rate(dcqcn, "rpg_hai_rate", "RATE_HAI");
    take_rate(dcqcn, "rpg_min_rate", "MIN_RATE");
  }

  /// The value of a map "n rate value rate value ..." for a rate; nothing if it has none.
  std::optional<double> mapped(const std::string& key, Rate rate) {
    const std::string* value = text(key);
    if (value == nullptr) return std::nullopt;
    const auto lines = word_lines(*value);
    WordReader reader(file_, problems_);
    for (std::size_t i = 1; !lines.empty() && i + 1 < lines[0].size(); i += 2) {
      const auto at = reader.real({lines[0][i].text, {}}, key, 0, 1e15);
      const auto found = reader.real({lines[0][i + 1].text, {}}, key, 0, 1e12);
      if (!at || !found) return std::nullopt;
      if (*at == static_cast<double>(rate.bits_per_second)) return found;
    }
    say(Severity::Error, key, "there is no entry for links of " + to_text(rate));
    return std::nullopt;
  }

  void write_marking(Json& ecn) {
    if (set_.links.empty() || text("KMIN_MAP") == nullptr) return;
    std::set<std::int64_t> rates;
    for (const HpccLink& link : set_.links) rates.insert(link.rate.bits_per_second);
    // The models mark alike on every port: the slowest links are where queues stand.
    const Rate rate{*rates.begin()};
    const auto kmin = mapped("KMIN_MAP", rate);
    const auto kmax = mapped("KMAX_MAP", rate);
    const auto pmax = mapped("PMAX_MAP", rate);
    if (kmin) ecn["kmin"] = number_text(*kmin) + "KB";
    if (kmax) ecn["kmax"] = number_text(*kmax) + "KB";
    if (pmax) ecn["pmax"] = *pmax;
    for (const std::int64_t other : rates) {
      const Rate faster{other};
      if (mapped("KMIN_MAP", faster) == kmin && mapped("KMAX_MAP", faster) == kmax) continue;
      say(Severity::Warning, "KMIN_MAP",
          "thresholds differ by rate; those of " + to_text(rate) + " are taken for all ports");
      return;
    }
  }

  void write_transport(Json& root) {
    Json& transport = root["transport"];
    if (const auto every = number("L2_ACK_INTERVAL")) {
      transport["ack_every"] = std::max<std::int64_t>(1, static_cast<std::int64_t>(*every));
    }
    if (on("L2_BACK_TO_ZERO")) {
      say(Severity::Error, "L2_BACK_TO_ZERO", "go-back-0 is not modelled");
    }
    if (on("ERROR_RATE_PER_LINK")) {
      say(Severity::Error, "ERROR_RATE_PER_LINK", "link errors are not modelled");
    }
    if (on("ENABLE_IRN")) transport["recovery"] = "selective_repeat";
    if (on("LB_MODE")) {
      say(Severity::Error, "LB_MODE", "load balancing other than ECMP (0) is not carried over");
    }
    if (text("ENABLE_PFC") != nullptr && !on("ENABLE_PFC")) root["fabric"]["flow_control"] = "none";
    if (on("ACK_HIGH_PRIO")) root["fabric"]["ack_class"] = 1;
    if (!on("HAS_WIN")) return;
    const double stated = number("PACKET_PAYLOAD_SIZE").value_or(1000);
    const auto payload = static_cast<std::int64_t>(std::clamp(stated, 64.0, 9216.0));
    const std::int64_t window = hpcc_window(set_, payload);
    transport["window"] = in_bytes(std::max(window, payload));
    if (on("VAR_WIN")) {
      say(Severity::Warning, "VAR_WIN",
          "the window stays at " + in_bytes(window) +
              "; the original lets it shrink with the rate");
    }
  }

  void write_run(Json& root) {
    if (const auto stop = number("SIMULATOR_STOP_TIME")) {
      const double left = *stop * 1e12 - static_cast<double>(base_.ps);
      if (left >= 1)
        root["run"]["deadline"] = std::to_string(std::llround(std::min(left, 9e18))) + "ps";
    }
    root["run"]["no_progress"] = "1s";
    const std::string* down = text("LINK_DOWN");
    if (down == nullptr || *down == "0 0 0") return;
    const auto lines = word_lines(*down);
    WordReader reader(file_, problems_);
    if (lines.empty() || lines[0].size() != 3) {
      return say(Severity::Error, "LINK_DOWN", "expected microseconds after 2 s and two nodes");
    }
    const auto after = reader.real({lines[0][0].text, {}}, "LINK_DOWN", 0, 1e12);
    const auto a = reader.count({lines[0][1].text, {}}, "LINK_DOWN", 0, set_.nodes - 1);
    const auto b = reader.count({lines[0][2].text, {}}, "LINK_DOWN", 0, set_.nodes - 1);
    if (!after || !a || !b) return;
    const Time at = Time{2'000'000'000'000} + Time{std::llround(*after * 1e6)} - base_;
    root["faults"] = {{{"at", in_ps(std::max(at, Time{}))},
                       {"from", name_of(*a)},
                       {"to", name_of(*b)},
                       {"action", "down"}}};
  }

  const HpccSet& set_;
  const std::string& file_;
  std::vector<InputProblem>& problems_;
  Time base_;
  std::set<std::int64_t> groups_;
};

}  // namespace

std::int64_t hpcc_window(const HpccSet& set, std::int64_t payload) {
  const auto links = links_by_node(set);
  std::int64_t largest = 0;
  std::map<std::int64_t, std::set<std::int64_t>> peers;
  for (const HpccFlow& flow : set.flows) peers[flow.from].insert(flow.to);
  for (const auto& [from, receivers] : peers) {
    // Fewest hops first, as the original routes; ties have equal delays in its topologies.
    std::vector<std::int64_t> rtt_ps(static_cast<std::size_t>(set.nodes), -1);
    std::vector<std::int64_t> front{from};
    rtt_ps[static_cast<std::size_t>(from)] = 0;
    for (std::size_t i = 0; i < front.size(); ++i) {
      const auto here = static_cast<std::size_t>(front[i]);
      if (front[i] != from && set.is_host(front[i])) continue;
      for (const std::size_t link : links[here]) {
        const HpccLink& l = set.links[link];
        const std::int64_t next = l.a == front[i] ? l.b : l.a;
        std::int64_t& there = rtt_ps[static_cast<std::size_t>(next)];
        if (there >= 0) continue;
        there = rtt_ps[here] + 2 * l.delay.ps + serialisation(Bytes{payload}, l.rate).ps;
        front.push_back(next);
      }
    }
    const auto& own = links[static_cast<std::size_t>(from)];
    if (own.empty()) continue;
    const double bytes_per_ps =
        static_cast<double>(set.links[own.front()].rate.bits_per_second) / 8e12;
    for (const std::int64_t to : receivers) {
      const std::int64_t rtt = rtt_ps[static_cast<std::size_t>(to)];
      if (rtt <= 0) continue;
      largest =
          std::max<std::int64_t>(largest, std::llround(static_cast<double>(rtt) * bytes_per_ps));
    }
  }
  return largest;
}

std::string hpcc_scenario(const HpccSet& set, const std::string& config_file,
                          std::vector<InputProblem>& problems) {
  return ScenarioWriter(set, config_file, problems).write();
}

}  // namespace spineleaf
