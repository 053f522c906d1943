// single_switch: every host on one switch. The smallest fabric, for closed forms and incasts.

#include <array>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/kind.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {

namespace {

constexpr std::array kSingleSwitchDecls{
    param<&SingleSwitchParams::hosts>("hosts", Unit::Count, "16", 1, kMaxHosts,
                                      "Servers on the switch.", "assumed"),
    param<&SingleSwitchParams::nics_per_host>("nics_per_host", Unit::Count, "1", 1, 72,
                                              "NICs a host, each with its own cable.", "assumed"),
    param<&SingleSwitchParams::radix>("radix", Unit::Count, "64", 1, kMaxRadix,
                                      "Ports of the switch at the chosen speed.",
                                      "64 x 400G device class"),
    param<&SingleSwitchParams::links_per_cage>(
        "links_per_cage", Unit::Count, "1", 1, 4,
        "Links that share one cage of the switch: 1, 2 or 4 (split ports).", "assumed"),
    param<&SingleSwitchParams::speed>("speed", Unit::Rate, "400Gbps", 1e6, 1e14,
                                      "Speed of every link.", "assumed"),
    param<&SingleSwitchParams::cable>("cable", Unit::Length, "3m", 0, kMaxCableMetres,
                                      "Length of every cable, at 5 ns/m.", "assumed"),
    param<&SingleSwitchParams::latency>("latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                        "One-way delay of every cable; 0 = from its length.",
                                        "assumed"),
};

constexpr ParamTable kSingleSwitchTable{"single_switch", "One switch with every host on it.",
                                        kSingleSwitchDecls};

}  // namespace

BuildResult build_single_switch(const SingleSwitchParams& params) {
  BuildResult result;
  auto& problems = result.problems = check_ranges(kSingleSwitchTable, &params);
  if (has_errors(problems)) return result;
  check_delay("cable", params.cable, params.latency, problems);
  const std::int64_t ports = params.hosts * params.nics_per_host;
  if (ports > params.radix) {
    problems.push_back(make_error("radix", "the switch has too few ports",
                                  std::to_string(params.radix), "at least " + std::to_string(ports),
                                  "Use fewer hosts, a larger radix or the kind \"fat_tree\""));
  }
  check_cages(params.links_per_cage, problems);
  if (has_errors(problems)) return result;

  Assembler fabric("single_switch");
  const CableKind cable{params.speed, cable_delay(params.cable, params.latency), 0,
                        params.links_per_cage};
  for (std::int64_t h = 0; h < params.hosts; ++h) fabric.add_host(0);
  const NodeId leaf = fabric.add_switch("leaf0", 1, 0, 0, params.radix);
  for (std::int64_t h = 0; h < params.hosts; ++h) {
    for (std::int64_t nic = 0; nic < params.nics_per_host; ++nic) {
      fabric.connect_host(NodeId{static_cast<std::uint32_t>(h)}, static_cast<std::uint16_t>(nic),
                          leaf, cable);
    }
  }
  result.topology = fabric.finish();
  return result;
}

TopologyKind single_switch() {
  return make_kind<SingleSwitchParams, build_single_switch>(
      "single_switch", kSingleSwitchTable.text, kSingleSwitchTable);
}

}  // namespace spineleaf
