// An htsim fat tree and connection matrix as a scenario.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/import/htsim.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const char* kind, std::int64_t number) { return kind + std::to_string(number); }

class HtsimWriter {
 public:
  HtsimWriter(const HtsimTree& tree, const HtsimMatrix& matrix, const std::string& file,
              std::vector<InputProblem>& problems)
      : tree_(tree), matrix_(matrix), file_(file), problems_(problems) {}

  std::string write() {
    check();
    Json root;
    root["name"] = "htsim: " + std::to_string(tree_.hosts) + " hosts, " +
                   std::to_string(matrix_.flows.size()) + " flows";
    root["preset"] = "roce-400g";
    // htsim has no latency but that of cables and switches.
    root["fabric"] = {{"fec", "0ns"}};
    root["switch"] = {{"core_latency", std::to_string(tree_.tier[0].switch_ns) + "ns"}};
    root["nic"] = {{"send_latency", "0ns"}, {"receive_latency", "0ns"}, {"message_cost", "0ns"}};
    root["topology"] = topology();
    root["workload"] = workload();
    return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  void say(Severity severity, std::string what, std::string hint = {}) {
    append(problems_, {severity, file_, {}, {}, std::move(what), {}, std::move(hint), false});
  }

  void check() {
    const auto triggered = std::count_if(matrix_.flows.begin(), matrix_.flows.end(),
                                         [](const HtsimFlow& flow) { return flow.trigger > 0; });
    if (triggered > 0) {
      say(Severity::Error,
          std::to_string(triggered) + " flows wait for triggers, which can't be run",
          "Flows that start each other are not among the workloads.");
    }
    if (matrix_.nodes > tree_.hosts) {
      say(Severity::Error, "the matrix has " + std::to_string(matrix_.nodes) +
                               " nodes, the fabric " + std::to_string(tree_.hosts) + " hosts");
    }
    for (int t = 1; t < tree_.tiers; ++t) {
      const std::int64_t ns = tree_.tier[static_cast<std::size_t>(t)].switch_ns;
      if (ns == tree_.tier[0].switch_ns) continue;
      say(Severity::Warning, "switches of tier " + std::to_string(t) + " take " +
                                 std::to_string(ns) + " ns, those of tier 0 " +
                                 std::to_string(tree_.tier[0].switch_ns) +
                                 " ns, which is taken for all");
    }
    const auto ranked = [](const HtsimFlow& flow) { return flow.prio >= 0; };
    if (std::any_of(matrix_.flows.begin(), matrix_.flows.end(), ranked)) {
      say(Severity::Warning, "prio is not carried over");
    }
  }

  void link(Json& links, const std::string& low, const std::string& high, int tier,
            std::int64_t count) const {
    const HtsimTier& at = tree_.tier[static_cast<std::size_t>(tier)];
    Json entry{{"a", low}, {"b", high}, {"rate", std::to_string(at.gbps) + "Gbps"}};
    if (at.link_ns > 0) {
      entry["latency"] = std::to_string(at.link_ns) + "ns";
    } else {
      entry["length"] = "0m";
    }
    std::int64_t failed = 0;
    for (const HtsimFailure& failure : matrix_.failures) {
      failed += is_failed(failure, low, high) ? 1 : 0;
    }
    failed = std::min(failed, count);
    if (count > failed) {
      Json up = entry;
      if (count - failed > 1) up["count"] = count - failed;
      links.push_back(std::move(up));
    }
    if (failed > 0) {
      if (failed > 1) entry["count"] = failed;
      entry["up"] = false;
      links.push_back(std::move(entry));
    }
  }

  /// A failure names a switch and one of its cables upward, counted over the switches above.
  bool is_failed(const HtsimFailure& failure, const std::string& low,
                 const std::string& high) const {
    if (failure.tier == 0 && low == name_of("tor", failure.switch_id)) {
      const std::int64_t pod = failure.switch_id / tree_.tors_per_pod();
      const std::int64_t agg = failure.link_id % tree_.aggs_per_pod();
      return high == name_of("agg", pod * tree_.aggs_per_pod() + agg);
    }
    if (failure.tier == 1 && low == name_of("agg", failure.switch_id) && tree_.cores > 0) {
      const std::int64_t agg = failure.switch_id % tree_.aggs_per_pod();
      const std::int64_t per_agg = tree_.cores / tree_.aggs_per_pod();
      return high == name_of("core", failure.link_id % per_agg * tree_.aggs_per_pod() + agg);
    }
    return false;
  }

  Json topology() {
    Json nodes = Json::array();
    Json links = Json::array();
    const auto add = [&](const char* kind, std::int64_t count, const char* what, int tier) {
      for (std::int64_t i = 0; i < count; ++i) {
        nodes.push_back({{"name", name_of(kind, i)}, {"kind", what}, {"tier", tier}});
      }
    };
    add("host", tree_.hosts, "host", 0);
    add("tor", tree_.tors, "switch", 1);
    add("agg", tree_.aggs, "switch", 2);
    add("core", tree_.cores, "switch", 3);
    for (std::int64_t h = 0; h < tree_.hosts; ++h) {
      link(links, name_of("host", h), name_of("tor", h / tree_.tier[0].down), 0, 1);
    }
    for (std::int64_t tor = 0; tor < tree_.tors; ++tor) {
      const std::int64_t first = tor / tree_.tors_per_pod() * tree_.aggs_per_pod();
      for (std::int64_t a = first; a < first + tree_.aggs_per_pod(); ++a) {
        link(links, name_of("tor", tor), name_of("agg", a), 1, tree_.tor_agg_cables);
      }
    }
    // Aggregation switch a of every pod reaches cores a, a + aggs per pod, ...
    for (std::int64_t agg = 0; agg < tree_.aggs && tree_.cores > 0; ++agg) {
      const std::int64_t per_pod = tree_.aggs_per_pod();
      for (std::int64_t core = agg % per_pod; core < tree_.cores; core += per_pod) {
        link(links, name_of("agg", agg), name_of("core", core), 2, tree_.tier[2].bundle);
      }
    }
    for (const HtsimFailure& failure : matrix_.failures) {
      if (failure.tier == 2 || (failure.tier == 1 && tree_.cores == 0)) {
        say(Severity::Error, "a failure below a top switch is not carried over",
            "Name the cable from the switch below it.");
      }
    }
    return {{"kind", "custom"}, {"nodes", std::move(nodes)}, {"links", std::move(links)}};
  }

  Json workload() const {
    Json flows = Json::array();
    for (const HtsimFlow& flow : matrix_.flows) {
      const double start = std::max(flow.start_ps, 0.0);
      flows.push_back({{"from", name_of("host", flow.from)},
                       {"to", name_of("host", flow.to)},
                       {"bytes", std::to_string(flow.bytes) + "B"},
                       {"start", std::to_string(std::llround(start)) + "ps"}});
    }
    return {{"kind", "flows"}, {"flows", std::move(flows)}};
  }

  const HtsimTree& tree_;
  const HtsimMatrix& matrix_;
  const std::string& file_;
  std::vector<InputProblem>& problems_;
};

}  // namespace

std::string htsim_scenario(const HtsimTree& tree, const HtsimMatrix& matrix,
                           const std::string& matrix_file, std::vector<InputProblem>& problems) {
  return HtsimWriter(tree, matrix, matrix_file, problems).write();
}

}  // namespace spineleaf
