// One packet through an idle fabric of 1 to 5 switches: the sum of its parts, to the picosecond.

#include <string>

#include "models/host/wire.hpp"
#include "scenarios/output/text.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

/// host "a", switches "s1" ... "sN", host "b"; cable i is i metres longer than the first, so that
/// no two are equal.
std::string chain_of(int switches) {
  std::string nodes = R"({"name": "a"}, {"name": "b"})";
  std::string links;
  for (int i = 0; i <= switches; ++i) {
    const auto name = [&](int k) {
      return k == 0 ? std::string{"a"} : k > switches ? "b" : "s" + std::to_string(k);
    };
    if (i > 0) nodes += R"(, {"name": ")" + name(i) + R"(", "kind": "switch"})";
    links += std::string{i > 0 ? ", " : ""} + R"({"a": ")" + name(i) + R"(", "b": ")" +
             name(i + 1) + R"(", "length": ")" + std::to_string(10 + i) + R"(m"})";
  }
  return R"({"kind": "custom", "nodes": [)" + nodes + R"(], "links": [)" + links + "]}";
}

/// Every switch forwards once it has the header; the last link delivers the whole packet.
Time sum_of_parts(const ValidSpec& spec, int switches, std::int64_t payload) {
  const ModelParams& p = spec.models;
  const WireSizes sizes = wire_sizes(p.fabric.wire);
  const Rate rate = spec.graph->cables.front().rate;
  const Bytes whole{payload + sizes.header + sizes.reth + sizes.gap};
  const Time header = serialisation(std::min(whole, p.sw.header), rate);
  Time sum = p.nic.message_cost + p.nic.send_latency + p.nic.receive_latency;
  for (const Cable& cable : spec.graph->cables) sum += cable.propagation + p.fabric.fec;
  return sum + switches * (header + p.sw.core_latency) + serialisation(whole, rate);
}

ValidationRow latency_row(int switches, std::int64_t payload) {
  const std::string bytes = std::to_string(payload) + "B";
  const ValidSpec spec = infiniband_case({chain_of(switches),
                                          R"({"kind": "flows", "flows": [{"from": "a", "to": "b",
                                              "bytes": ")" +
                                              bytes + R"("}]})",
                                          {{"fabric.fec", "90ns"},
                                           {"nic.message_cost", "30ns"},
                                           {"nic.send_latency", "300ns"},
                                           {"nic.receive_latency", "250ns"},
                                           {"expect", "ok"}}});
  const Result result = run_world(spec, {});
  const FlowRecord& flow = result.flows.at(0);
  const Time expected = sum_of_parts(spec, switches, payload);
  const Time got = flow.received - flow.start;
  ValidationRow row;
  row.id = "latency." + bytes + "." + std::to_string(switches) + "-hops";
  row.expected = fixed_text(static_cast<double>(expected.ps) * 1e-3, 3) + " ns";
  row.got = fixed_text(static_cast<double>(got.ps) * 1e-3, 3) + " ns";
  row.tolerance = "exact";
  row.pass = got == expected;
  row.source = "NIC costs + cables + FEC + a header and a core per switch + the packet once";
  return row;
}

}  // namespace

std::vector<ValidationRow> latency_rows(const InfinibandOptions& /*options*/) {
  std::vector<ValidationRow> rows;
  for (const std::int64_t payload : {8, 4096}) {
    for (int switches = 1; switches <= 5; ++switches) {
      rows.push_back(latency_row(switches, payload));
    }
  }
  return rows;
}

}  // namespace spineleaf
