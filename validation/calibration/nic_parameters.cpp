// Parameters of sections nic and fabric: from verbs, from links of PCIe, from ports.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "models/workloads/host_table.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"
#include "validation/calibration/parameters.hpp"
#include "validation/measurements/verbs_rows.hpp"
#include "validation/oracles/goodput_forms.hpp"
#include "validation/ping.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr double kWireBinds = 0.95;   ///< of the payload rate of the line: the wire is what binds
constexpr double kNoMoreHelp = 0.75;  ///< twice the queue pairs, and this share of the time or more
/// Assumed: 256 B of payload in a TLP, and 24 B around it.
constexpr double kTlpShare = 256.0 / 280;

std::string us_value(double us) { return to_text(Time{std::llround(us * 1e3) * 1000}); }
std::string gbps_value(double gbps) { return to_text(Rate{std::llround(gbps * 10) * 100'000'000}); }

/// The number that a text holds: 32 of "32GT/s", 16 of "x16". 0 where there is none.
double number_in(std::string_view text) {
  while (!text.empty() && (text.front() < '0' || text.front() > '9')) text.remove_prefix(1);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class NicParameters {
 public:
  NicParameters(const Collection& collection, const ValidSpec& spec, CostSheet& sheet)
      : collection_(collection), spec_(spec), sheet_(sheet) {}

  void take() {
    for (const Rate rate : HostTable(*spec_.graph).endpoint_rates()) {
      line_ = std::max(line_, rate);
    }
    host_ = verbs_rows(collection_, false);
    gpu_ = verbs_rows(collection_, true);
    std::string problem;
    fit_ = fit_verbs_cost(host_.rows, problem);
    fitted_ = problem.empty();
    if (fitted_) {
      for (const Evidence& at : host_.at) sheet_.use(at);
    }
    take_latency();
    if (fitted_) take_message_cost();
    if (!take_rate()) take_pcie();
    take_mtu();
    if (!fitted_ && !host_.rows.empty()) {
      for (const Evidence& at : host_.at) sheet_.leave(at.file, "writes: " + problem);
    }
  }

 private:
  /// What the scenario's wire takes one way between its first two hosts, without their NICs.
  double wire_us() const {
    std::vector<std::string> names;
    const HostTable hosts(*spec_.graph);
    for (std::uint32_t host = 0; host < hosts.count() && names.size() < 2; ++host) {
      if (hosts.endpoints(host) > 0) names.push_back(spec_.graph->nodes[host].name);
    }
    if (names.size() < 2) return 0;
    const PingReport report = ping(spec_, names[0], names[1], Bytes{1});
    Time nic{0};
    for (const PingRow& row : report.rows) nic += row.nic;
    return report.error.empty() ? (report.closed_form - nic).microseconds() : 0;
  }

  void take_latency() {
    const FoundPerftest* best = nullptr;
    for (const FoundPerftest& found : collection_.perftests) {
      if (!found.run.is_latency() || found.run.gpu_memory) continue;
      if (best == nullptr || found.run.rows.front().bytes < best->run.rows.front().bytes) {
        best = &found;
      }
    }
    if (best != nullptr) {
      const PerftestRow& row = best->run.rows.front();
      const double wire = wire_us() + spec_.models.nic.message_cost.microseconds();
      put_latency(row.t_typical_us - wire, row.t_min_us - wire, row.t_99_us - wire,
                  "latency of " + bytes_text(Bytes{row.bytes}), best->at);
    } else if (fitted_ && fit_.known[0]) {
      const double wire = host_.loopback ? 0 : 2 * wire_us();
      put_latency(fit_.cost.latency_us - wire, fit_.low.latency_us - wire,
                  fit_.high.latency_us - wire, row_text(fit_.fixed_by[0]),
                  host_.at_row(fit_.fixed_by[0]));
    } else if (fitted_) {
      sheet_.warn("nic.send_latency and nic.receive_latency: no row has one message in flight");
    }
  }

  void put_latency(double us, double low, double high, const std::string& by, const Evidence& at) {
    if (us <= 0) {
      sheet_.leave(at.file, "its latency is below that of the scenario's wire alone (" +
                                fixed_text(wire_us(), 2) +
                                " us between its first two hosts): their path was shorter");
      return;
    }
    for (const char* key : {"nic.send_latency", "nic.receive_latency"}) {
      sheet_.fix({key, us_value(us / 2), low > 0 ? us_value(low / 2) : "",
                  high > 0 ? us_value(high / 2) : "", by},
                 at);
    }
    sheet_.warn(
        "nic.send_latency and nic.receive_latency: only their sum is known, halves are "
        "assumed; taken off is the wire between the scenario's first two hosts");
  }

  /// The smallest time of a message with many queue pairs, where twice as many do not help.
  void take_message_cost() {
    const VerbsRow* least = nullptr;
    bool nic_binds = false;
    for (const VerbsRow& row : host_.rows) {
      if (row.us <= 0 || (least != nullptr && row.us >= least->us)) continue;
      least = &row;
      nic_binds = false;
      const double wire = static_cast<double>(row.bytes) * 8 / fit_.cost.gbps / 1e3;
      for (const VerbsRow& fewer : host_.rows) {
        const bool half =
            fewer.bytes == row.bytes && fewer.depth == row.depth && fewer.qps * 2 <= row.qps;
        if (half && row.us > kNoMoreHelp * fewer.us && wire < row.us / 2) nic_binds = true;
      }
    }
    if (least == nullptr) return;
    const Evidence at = host_.at_row(*least);
    const double now = spec_.models.nic.message_cost.microseconds();
    if (nic_binds || now > least->us) {
      sheet_.fix({"nic.message_cost", us_value(least->us), "", nic_binds ? us_value(least->us) : "",
                  row_text(*least)},
                 at);
      if (nic_binds) return;
    }
    sheet_.bound("nic.message_cost is at most " + us_value(least->us) + ": " + row_text(*least),
                 at);
    if (fit_.known[1]) {
      sheet_.bound("a queue pair works " + short_text(fit_.cost.message_us) + " us (" +
                       short_text(fit_.low.message_us) + " to " + short_text(fit_.high.message_us) +
                       ") on a message: scenarios have no such cost, several QPs overlap: " +
                       row_text(fit_.fixed_by[1]),
                   host_.at_row(fit_.fixed_by[1]));
    }
  }

  /// False where verbs do not tell the rate of the path to memory.
  bool take_rate() {
    std::string problem;
    const FittedVerbsCost gpu = fit_verbs_cost(gpu_.rows, problem);
    const bool of_gpu = problem.empty() && gpu.known[2];
    if (!of_gpu && (!fitted_ || !fit_.known[2])) return false;
    const FittedVerbsCost& fit = of_gpu ? gpu : fit_;
    const FoundVerbs& rows = of_gpu ? gpu_ : host_;
    const VerbsRow& by = fit.fixed_by[2];
    for (const Evidence& at : rows.at) sheet_.use(at);
    const std::string memory = of_gpu ? "GPU memory, " : "host memory, ";
    const double wire = middle_goodput(spec_.models.fabric.wire, spec_.models.fabric.mtu, line_);
    if (fit.cost.gbps < kWireBinds * wire) {
      sheet_.fix({"nic.pcie_rate", gbps_value(fit.cost.gbps), gbps_value(fit.low.gbps),
                  gbps_value(fit.high.gbps), memory + row_text(by)},
                 rows.at_row(by));
    } else {
      sheet_.bound("nic.pcie_rate is at least " + gbps_value(fit.low.gbps) + ", the wire carries " +
                       gbps_value(wire) + " and binds first: " + memory + row_text(by),
                   rows.at_row(by));
    }
    return true;
  }

  /// Speed and width of the NICs' links, where verbs were not measured.
  void take_pcie() {
    std::map<double, std::string> rates;  // and a device with each
    Evidence at;
    for (const FoundFacts& found : collection_.facts) {
      for (const Fact& fact : found.facts.all()) {
        if (fact.name != "class" || !has(fact.value, "Infiniband")) continue;
        const Fact* speed = found.facts.find(fact.subject, "LnkSta.speed");
        const Fact* width = found.facts.find(fact.subject, "LnkSta.width");
        if (speed == nullptr || width == nullptr) continue;
        const double lane = number_in(speed->value);
        const double code = lane < 8 ? 0.8 : 128.0 / 130;
        const double gbps = lane * code * number_in(width->value) * kTlpShare;
        if (gbps <= 0) continue;
        rates.emplace(gbps, fact.subject);
        if (rates.begin()->second == fact.subject) at = {found.at.file, width->line};
      }
    }
    if (rates.empty()) return;
    const auto& [gbps, device] = *rates.begin();
    if (rates.size() > 1) {
      sheet_.warn("nic.pcie_rate: NICs differ, " + device + " has " + gbps_value(gbps) +
                  ", others up to " + gbps_value(rates.rbegin()->first) +
                  "; section nic is one for all, so it stays: see spineleaf doctor (" + at.text() +
                  ")");
    } else if (gbps < kWireBinds * middle_goodput(spec_.models.fabric.wire, spec_.models.fabric.mtu,
                                                  line_)) {
      sheet_.fix({"nic.pcie_rate", gbps_value(gbps), "", "",
                  "speed and width of PCIe, 24 B around 256 B of payload assumed"},
                 at);
    } else {
      sheet_.bound("nic.pcie_rate: PCIe carries " + gbps_value(gbps) + ", the wire binds first",
                   at);
    }
  }

  void take_mtu() {
    std::set<std::string> values;
    Evidence at;
    for (const FoundFacts& found : collection_.facts) {
      for (const Fact& fact : found.facts.all()) {
        if (fact.name != "active_mtu" || number_in(fact.value) <= 0) continue;
        const Fact* state = found.facts.find(fact.subject, "state");
        if (state != nullptr && has(state->value, "DOWN")) continue;
        values.insert(to_text(Bytes{static_cast<std::int64_t>(number_in(fact.value))}));
        at = {found.at.file, fact.line};
      }
    }
    if (values.size() > 1) {
      sheet_.warn("fabric.mtu: ports disagree, so it stays: see spineleaf doctor (" + at.text() +
                  ")");
    } else if (!values.empty()) {
      sheet_.fix({"fabric.mtu", *values.begin(), *values.begin(), *values.begin(), "active_mtu"},
                 at);
    }
  }

  const Collection& collection_;
  const ValidSpec& spec_;
  CostSheet& sheet_;
  FoundVerbs host_, gpu_;
  FittedVerbsCost fit_;
  bool fitted_ = false;
  Rate line_;
};

}  // namespace

void take_nic_parameters(const Collection& collection, const ValidSpec& spec, CostSheet& sheet) {
  NicParameters(collection, spec, sheet).take();
}

}  // namespace spineleaf
