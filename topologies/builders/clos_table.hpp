#pragma once
// The parameters that all leaf and spine kinds share, as one array; kinds join their own to it.

#include <array>

#include "topologies/builders/assembler.hpp"
#include "topologies/builders/kind.hpp"
#include "topologies/builders/params.hpp"

namespace spineleaf {

inline constexpr std::array kClosDecls{
    param<&ClosParams::hosts>("hosts", Unit::Count, "128", 1, kMaxHosts,
                              "Servers. The fabric is made no larger than they need.", "assumed"),
    param<&ClosParams::radix>("radix", Unit::Count, "64", 2, kMaxRadix,
                              "Ports of a switch at the chosen speed.", "64 x 400G device class"),
    param<&ClosParams::spine_radix>("spine_radix", Unit::Count, "0", 0, kMaxRadix,
                                    "Ports of a spine or core switch; 0 = radix.", "assumed"),
    param<&ClosParams::leaf_ports_down>(
        "leaf_ports_down", Unit::Count, "0", 0, kMaxRadix,
        "Ports of a leaf to hosts; 0 = as many as the radix leaves beside "
        "their uplinks.",
        "derived from radix and oversubscription"),
    param<&ClosParams::oversubscription>(
        "oversubscription", Unit::Ratio, "1", 0.01, 1000,
        "Host bandwidth over uplink bandwidth of a full leaf; 1 = full "
        "bisection.",
        "assumed"),
    param<&ClosParams::parallel>(
        "parallel", Unit::Count, "0", 0, kMaxRadix,
        "Cables from a leaf to each spine it reaches; 0 = as many as the smallest "
        "even number of spines leaves (with pods: 1).",
        "rule that gives the counts of the DGX SuperPOD tables"),
    param<&ClosParams::links_per_cage>(
        "links_per_cage", Unit::Count, "1", 1, 4,
        "Links that share one cage of the upper switch: 1, 2 or 4 (split "
        "ports).",
        "assumed"),
    param<&ClosParams::speed>("speed", Unit::Rate, "400Gbps", 1e6, 1e14,
                              "Speed of every link that states no other.", "assumed"),
    param<&ClosParams::host_speed>("host_speed", Unit::Rate, "0Gbps", 0, 1e14,
                                   "Speed of the host links; 0 = speed.", "assumed"),
    param<&ClosParams::spine_speed>("spine_speed", Unit::Rate, "0Gbps", 0, 1e14,
                                    "Speed of the leaf-spine links; 0 = speed.", "assumed"),
    param<&ClosParams::host_cable>("host_cable", Unit::Length, "3m", 0, kMaxCableMetres,
                                   "Length of a host's cable, at 5 ns/m.", "assumed"),
    param<&ClosParams::spine_cable>("spine_cable", Unit::Length, "20m", 0, kMaxCableMetres,
                                    "Length of a leaf-spine cable, at 5 ns/m.", "assumed"),
    param<&ClosParams::host_latency>("host_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                     "One-way delay of a host's cable; 0 = from its length.",
                                     "assumed"),
    param<&ClosParams::spine_latency>("spine_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                      "One-way delay of a leaf-spine cable; 0 = from its length.",
                                      "assumed"),
};

/// What a third tier adds.
inline constexpr std::array kClosPodDecls{
    param<&ClosParams::leaves_per_pod>(
        "leaves_per_pod", Unit::Count, "0", 0, kMaxRadix,
        "Leaves that share aggregation switches (3 tiers); 0 = as many as "
        "their ports allow.",
        "derived from radix"),
    param<&ClosParams::spine_oversubscription>(
        "spine_oversubscription", Unit::Ratio, "1", 0.01, 1000,
        "Leaf bandwidth over core bandwidth of an aggregation "
        "switch (3 tiers).",
        "assumed"),
    param<&ClosParams::core_speed>("core_speed", Unit::Rate, "0Gbps", 0, 1e14,
                                   "Speed of the links to the core; 0 = speed.", "assumed"),
    param<&ClosParams::core_cable>("core_cable", Unit::Length, "50m", 0, kMaxCableMetres,
                                   "Length of a cable to the core, at 5 ns/m.", "assumed"),
    param<&ClosParams::core_latency>("core_latency", Unit::Time, "0ns", 0, kMaxLatencyPs,
                                     "One-way delay of a cable to the core; 0 = from its length.",
                                     "assumed"),
};

inline constexpr auto kClosAll = join(kClosDecls, kClosPodDecls);

constexpr ParamDecl clos_tiers(double fewest) {
  return param<&ClosParams::tiers>("tiers", Unit::Count, "2", fewest, 3,
                                   "Tiers of switches: 1 leaves only, 2 leaf and spine, 3 leaf, "
                                   "aggregation and core.",
                                   "assumed");
}

constexpr ParamDecl clos_nics(std::string_view name, std::string_view text) {
  return param<&ClosParams::nics_per_host>(name, Unit::Count, "1", 1, 72, text, "assumed");
}

constexpr ParamDecl clos_rail_leaves() {
  return param<&ClosParams::rail_leaves>(
      "rail_leaves", Unit::Flag, "false", 0, 1,
      "true: a leaf serves one NIC number of its hosts (rail); false: "
      "all NICs of a host share a leaf.",
      "assumed");
}

}  // namespace spineleaf
