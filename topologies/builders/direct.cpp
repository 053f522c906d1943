// direct: hosts cabled to each other without a switch: two back to back, or a ring of hosts in
// which a host reaches its two neighbours (nothing is forwarded through a host).

#include <array>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/kind.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {

namespace {

constexpr std::array kDirectDecls{
    param<&DirectParams::hosts>("hosts", Unit::Count, "2", 2, kMaxHosts,
                                "Hosts: 2 are joined back to back, more form a ring of neighbours.",
                                "assumed"),
    param<&DirectParams::parallel>("parallel", Unit::Count, "1", 1, 64,
                                   "Cables between two neighbours, each with a NIC at both ends.",
                                   "assumed"),
    param<&DirectParams::speed>("speed", Unit::Rate, "400Gbps", 1e6, 1e14, "Speed of every link.",
                                "assumed"),
    param<&DirectParams::cable>("cable", Unit::Length, "3m", 0, kMaxCableMetres,
                                "Length of every cable, at 5 ns/m.", "assumed"),
    param<&DirectParams::latency>("latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                  "One-way delay of every cable; 0 = from its length.", "assumed"),
};

constexpr ParamTable kDirectTable{"direct", "Hosts cabled to each other without a switch.",
                                  kDirectDecls};

}  // namespace

BuildResult build_direct(const DirectParams& params) {
  BuildResult result;
  result.problems = check_ranges(kDirectTable, &params);
  if (!result.ok()) return result;
  check_delay("cable", params.cable, params.latency, result.problems);
  check_size({params.hosts, 0, params.hosts * params.parallel, 0}, result.problems);
  if (!result.ok()) return result;

  Assembler fabric("direct");
  const CableKind cable{params.speed, cable_delay(params.cable, params.latency), 0};
  for (std::int64_t h = 0; h < params.hosts; ++h) fabric.add_host(0);
  const std::int64_t pairs = params.hosts == 2 ? 1 : params.hosts;
  for (std::int64_t h = 0; h < pairs; ++h) {
    const NodeId from{static_cast<std::uint32_t>(h)};
    const NodeId to{static_cast<std::uint32_t>((h + 1) % params.hosts)};
    for (std::int64_t i = 0; i < params.parallel; ++i) {
      // NICs 0 .. parallel-1 face the next host, the others the previous one.
      const std::int64_t back = pairs == 1 ? i : params.parallel + i;
      fabric.connect_hosts(from, static_cast<std::uint16_t>(i), to,
                           static_cast<std::uint16_t>(back), cable);
    }
  }
  result.topology = fabric.finish();
  return result;
}

TopologyKind direct() {
  return make_kind<DirectParams, build_direct>("direct", kDirectTable.text, kDirectTable);
}

}  // namespace spineleaf
