#pragma once
// What dragonfly and dragonfly+ share: groups joined pairwise by global links.

#include <array>
#include <vector>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {

/// How the global ports of a group are spread over the other groups.
struct GlobalPlan {
  std::int64_t groups = 0;
  std::int64_t links_per_pair = 0;  ///< global links between any two groups
};

/// `owners` switches of each group have params.global_links global ports each. With groups = 0 as
/// many groups as one link a pair allows are made.
GlobalPlan plan_global(const DragonflyParams& params, std::int64_t owners,
                       std::vector<Problem>& problems);

/// Joins every pair of groups. Channel c of a group (its c-th global port) leaves on owner
/// c / global_links and goes to the c-th other group, counted round and round; channels that would
/// serve only some of the pairs stay dark, so that all pairs have the same bandwidth.
/// `owners[group * owners_per_group + i]` is owner i of a group.
void connect_groups(Assembler& fabric, const DragonflyParams& params, const GlobalPlan& plan,
                    const std::vector<NodeId>& owners, const CableKind& cable);

/// Ranges, delays and cable kinds that both kinds check alike.
std::vector<Problem> check_dragonfly(const ParamTable& table, const DragonflyParams& params);

struct DragonflyCables {
  CableKind host;
  CableKind local;
  CableKind global;
};
DragonflyCables dragonfly_cables(const DragonflyParams& params);

/// `groups * leaves * hosts_per_switch` hosts, each in its group.
void add_dragonfly_hosts(Assembler& fabric, const DragonflyParams& params, std::int64_t groups);

/// The declarations that both tables hold.
inline constexpr std::array kDragonflyGroupDecls{
    param<&DragonflyParams::hosts_per_switch>("hosts_per_switch", Unit::Count, "4", 1, kMaxRadix,
                                              "Hosts on each switch that has hosts.", "assumed"),
    param<&DragonflyParams::groups>("groups", Unit::Count, "0", 0, 65536,
                                    "Groups; 0 = as many as one global link a pair allows.",
                                    "Kim et al., ISCA 2008: g = a h + 1"),
    param<&DragonflyParams::parallel>("parallel", Unit::Count, "1", 1, kMaxRadix,
                                      "Parallel cables of each link inside a group.", "assumed"),
    param<&DragonflyParams::radix>("radix", Unit::Count, "64", 1, kMaxRadix,
                                   "Ports of a switch at the chosen speed.",
                                   "64 x 400G device class"),
    param<&DragonflyParams::speed>("speed", Unit::Rate, "400Gbps", 1e6, 1e14,
                                   "Speed of every link that states no other.", "assumed"),
    param<&DragonflyParams::host_speed>("host_speed", Unit::Rate, "0Gbps", 0, 1e14,
                                        "Speed of the host links; 0 = speed.", "assumed"),
    param<&DragonflyParams::global_speed>("global_speed", Unit::Rate, "0Gbps", 0, 1e14,
                                          "Speed of the links between groups; 0 = speed.",
                                          "assumed"),
    param<&DragonflyParams::host_cable>("host_cable", Unit::Length, "3m", 0, kMaxCableMetres,
                                        "Length of a host's cable, at 5 ns/m.", "assumed"),
    param<&DragonflyParams::local_cable>("local_cable", Unit::Length, "5m", 0, kMaxCableMetres,
                                         "Length of a cable inside a group, at 5 ns/m.", "assumed"),
    param<&DragonflyParams::global_cable>("global_cable", Unit::Length, "50m", 0, kMaxCableMetres,
                                          "Length of a cable between groups, at 5 ns/m.",
                                          "assumed"),
    param<&DragonflyParams::host_latency>("host_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                          "One-way delay of a host's cable; 0 = from its length.",
                                          "assumed"),
    param<&DragonflyParams::local_latency>("local_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                           "One-way delay inside a group; 0 = from the length.",
                                           "assumed"),
    param<&DragonflyParams::global_latency>("global_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                            "One-way delay between groups; 0 = from the length.",
                                            "assumed"),
};

}  // namespace spineleaf
