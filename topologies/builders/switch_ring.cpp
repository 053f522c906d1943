// switch_ring: switches in a ring, each with its hosts. Shortest paths around it close a cycle of
// buffer dependencies: the smallest fabric that can deadlock.

#include <array>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/kind.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {

namespace {

constexpr std::array kSwitchRingDecls{
    param<&SwitchRingParams::switches>("switches", Unit::Count, "5", 2, 4096,
                                       "Switches in the ring; 2 are joined once, not twice.",
                                       "assumed"),
    param<&SwitchRingParams::hosts_per_switch>("hosts_per_switch", Unit::Count, "1", 1, kMaxRadix,
                                               "Hosts on each switch, one NIC each.", "assumed"),
    param<&SwitchRingParams::parallel>("parallel", Unit::Count, "1", 1, kMaxRadix,
                                       "Parallel cables between neighbours.", "assumed"),
    param<&SwitchRingParams::radix>("radix", Unit::Count, "64", 1, kMaxRadix,
                                    "Ports of a switch at the chosen speed.",
                                    "64 x 400G device class"),
    param<&SwitchRingParams::speed>("speed", Unit::Rate, "400Gbps", 1e6, 1e14,
                                    "Speed of the ring links.", "assumed"),
    param<&SwitchRingParams::host_speed>("host_speed", Unit::Rate, "0Gbps", 0, 1e14,
                                         "Speed of the host links; 0 = speed.", "assumed"),
    param<&SwitchRingParams::host_cable>("host_cable", Unit::Length, "3m", 0, kMaxCableMetres,
                                         "Length of a host's cable, at 5 ns/m.", "assumed"),
    param<&SwitchRingParams::ring_cable>("ring_cable", Unit::Length, "20m", 0, kMaxCableMetres,
                                         "Length of a ring cable, at 5 ns/m.", "assumed"),
    param<&SwitchRingParams::host_latency>("host_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                           "One-way delay of a host's cable; 0 = from its length.",
                                           "assumed"),
    param<&SwitchRingParams::ring_latency>("ring_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                           "One-way delay of a ring cable; 0 = from its length.",
                                           "assumed"),
};

constexpr ParamTable kSwitchRingTable{"switch_ring", "A ring of switches, each with its hosts.",
                                      kSwitchRingDecls};

std::vector<Problem> check(const SwitchRingParams& params) {
  std::vector<Problem> problems = check_ranges(kSwitchRingTable, &params);
  if (has_errors(problems)) return problems;
  check_delay("host_cable", params.host_cable, params.host_latency, problems);
  check_delay("ring_cable", params.ring_cable, params.ring_latency, problems);
  const std::int64_t neighbours = params.switches == 2 ? 1 : 2;
  const std::int64_t ports = params.hosts_per_switch + neighbours * params.parallel;
  if (ports > params.radix) {
    problems.push_back(make_error("radix", "a switch has too few ports",
                                  std::to_string(params.radix),
                                  "at least " + std::to_string(ports)));
  }
  const std::int64_t hosts = params.switches * params.hosts_per_switch;
  check_size({hosts, params.switches, hosts + params.switches * params.parallel, params.switches},
             problems);
  return problems;
}

}  // namespace

BuildResult build_switch_ring(const SwitchRingParams& params) {
  BuildResult result;
  result.problems = check(params);
  if (!result.ok()) return result;

  Assembler fabric("switch_ring");
  const CableKind host_cable{speed_or(params.host_speed, params.speed),
                             cable_delay(params.host_cable, params.host_latency), 0};
  const CableKind ring_cable{params.speed, cable_delay(params.ring_cable, params.ring_latency), 1};
  const std::int64_t hosts = params.switches * params.hosts_per_switch;
  for (std::int64_t h = 0; h < hosts; ++h) {
    fabric.add_host(static_cast<std::uint32_t>(h / params.hosts_per_switch));
  }
  std::vector<NodeId> ring;
  for (std::int64_t s = 0; s < params.switches; ++s) {
    ring.push_back(fabric.add_switch("sw" + std::to_string(s), 1, 0, static_cast<std::uint32_t>(s),
                                     params.radix));
  }
  for (std::int64_t h = 0; h < hosts; ++h) {
    fabric.connect_host(NodeId{static_cast<std::uint32_t>(h)}, 0,
                        ring[static_cast<std::size_t>(h / params.hosts_per_switch)], host_cable);
  }
  const std::size_t links = ring.size() == 2 ? 1 : ring.size();
  for (std::size_t s = 0; s < links; ++s) {
    fabric.connect(ring[s], ring[(s + 1) % ring.size()], params.parallel, ring_cable);
  }
  result.topology = fabric.finish();
  return result;
}

TopologyKind switch_ring() {
  return make_kind<SwitchRingParams, build_switch_ring>("switch_ring", kSwitchRingTable.text,
                                                        kSwitchRingTable);
}

}  // namespace spineleaf
