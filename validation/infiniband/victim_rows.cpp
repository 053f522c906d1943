// Who gets what where flows merge under credits: the cases of `validate roce` at ten times the
// speed. On one virtual lane the victim suffers as under PFC; on a lane of its own it does not.
// Expected values: an independent packet model, 5 seeds and 21 variants.

#include <algorithm>
#include <cmath>

#include "models/workloads/kinds.hpp"
#include "scenarios/output/text.hpp"
#include "topologies/custom.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/infiniband/row.hpp"
#include "validation/roce/case.hpp"

namespace spineleaf {

namespace {

struct VictimCase {
  const char* id;
  const char* scenario;
  std::vector<double> gbps;  ///< of each flow, in the scenario's order; the victim is last
  double apart = 0;          ///< the victim's rate on a lane of its own; 0 = there is none
};

std::vector<VictimCase> cases() {
  return {{"V0", "victim-v0", {100, 100, 100, 100, 100}, 200},
          {"V1", "victim-v1", {50, 50, 100, 100, 100, 50}, 300},
          {"V2", "victim-v2", {50, 50, 50, 50, 100, 100, 50}, 300},
          {"U1", "unfair-u1", {200. / 3, 200. / 3, 200. / 3, 200}},
          {"U2", "unfair-u2", {200. / 3, 400. / 3, 200. / 3, 400. / 3}}};
}

/// The case on NDR links of 50 ns.
ValidSpec infiniband_of(const VictimCase& wanted, const std::string& order, bool apart) {
  const ValidSpec plain = roce_case(wanted.scenario);
  const auto& custom = *static_cast<const CustomSpec*>(plain.topology.params.get());
  std::vector<Override> sets = preset_overrides("ib-ndr");
  const std::vector<Override> more = {
      {"fabric.mtu", "4KiB"},          {"fabric.fec", "0ns"},
      {"fabric.ack_class", "0"},       {"switch.queue_order", order},
      {"switch.forwarding", "static"}, {"credit.buffer", "64KiB"},
      {"nic.receive_buffer", "64KiB"}, {"transport.ack_every", "1024"},
      {"run.sample_every", "0us"}};
  sets.insert(sets.end(), more.begin(), more.end());
  if (apart) {
    sets.push_back({"fabric.classes", "2"});
    sets.push_back({"workload.flows[" + std::to_string(wanted.gbps.size() - 1) + "].class", "1"});
  }
  for (std::size_t i = 0; i < custom.links.size(); ++i) {
    const std::string link = "topology.links[" + std::to_string(i) + "]";
    sets.push_back({link + ".rate", "400Gbps"});
    sets.push_back({link + ".latency", "50ns"});
  }
  return roce_case(wanted.scenario, sets);
}

/// Rates of the flows, each of which is the only one of its host.
std::vector<double> flow_rates_of(const ValidSpec& spec, bool quick) {
  const std::vector<double> hosts =
      host_rates_gbps(spec, Time::from_us(200), Time::from_us(quick ? 600 : 1200), 1);
  const auto& flows = static_cast<const FlowsParams*>(spec.workloads[0].params.get())->flows;
  std::vector<double> rates;
  for (const FlowEntry& flow : flows) {
    for (std::uint32_t h = 0; h < spec.graph->host_count; ++h) {
      if (spec.graph->nodes[h].name == flow.from) rates.push_back(hosts[h]);
    }
  }
  return rates;
}

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + fixed_text(value, 1);
  return text + " Gb/s";
}

ValidationRow row_of(std::string id, const std::vector<double>& expected,
                     const std::vector<double>& got) {
  ValidationRow row;
  row.id = std::move(id);
  row.expected = list_text(expected);
  row.got = list_text(got);
  row.tolerance = "3 %";
  row.source = "independent packet model, 5 seeds; ten times the rows of PFC";
  row.pass = got.size() == expected.size();
  for (std::size_t i = 0; row.pass && i < got.size(); ++i) {
    row.pass = std::abs(got[i] / expected[i] - 1) <= 0.03;
  }
  return row;
}

}  // namespace

std::vector<ValidationRow> victim_rows(const InfinibandOptions& options) {
  std::vector<ValidationRow> rows;
  for (const VictimCase& wanted : cases()) {
    const std::string id = std::string{"victim."} + wanted.id;
    for (const char* order : {"voq", "output_fifo"}) {
      const bool plain = std::string{order} == "voq";
      ValidationRow row = row_of(plain ? id : id + "." + order, wanted.gbps,
                                 flow_rates_of(infiniband_of(wanted, order, false), options.quick));
      // Oldest first serves flows, not inputs: another arbiter than the expected values have.
      row.report_only = !plain;
      rows.push_back(std::move(row));
    }
    if (wanted.apart == 0) continue;
    std::vector<double> apart = wanted.gbps;
    apart.back() = wanted.apart;
    rows.push_back(row_of(id + ".2vl", apart,
                          flow_rates_of(infiniband_of(wanted, "voq", true), options.quick)));
  }
  return rows;
}

}  // namespace spineleaf
