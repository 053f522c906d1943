#pragma once
// What a fabric is worth before a packet is sent: is it whole, how thick is each tier, what fits.
//
// Results are plain numbers plus problems in words. Cables that are down count as absent in every
// capacity. Audits accept any graph, also one that no builder would make.

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/routes.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// Capacities of the switches of one tier, in Gb/s each way over cables that are up.
struct TierCapacity {
  std::uint8_t tier = 0;
  std::uint32_t switches = 0;
  std::uint32_t cables_down = 0;    ///< to lower tiers
  std::uint32_t cables_up = 0;      ///< to higher tiers
  std::uint32_t cables_across = 0;  ///< inside the tier, each counted once
  double down_gbps = 0;
  double up_gbps = 0;
  double across_gbps = 0;
  double oversubscription = 0;  ///< down / up of the whole tier; 0 where nothing goes up
  double worst = 0;             ///< the largest down / up of one switch
  NodeId worst_switch{};
};

enum class BisectionMethod : std::uint8_t {
  MaxFlow,       ///< maximum flow from the first half of the hosts, in their order, to the second
  TierCapacity,  ///< half of the thinnest tier: arithmetic, for graphs too large for a flow
};

struct Bisection {
  BisectionMethod method = BisectionMethod::MaxFlow;
  double gbps = 0;       ///< one way
  double host_gbps = 0;  ///< what the smaller half could send at line rate
  double ratio() const { return host_gbps > 0 ? gbps / host_gbps : 0; }
};

struct AuditReport {
  std::uint32_t hosts = 0;
  std::uint32_t switches = 0;
  std::uint32_t endpoints = 0;
  std::uint32_t cables = 0;
  std::uint32_t cables_off = 0;     ///< cables that are down
  bool connected = false;           ///< every two hosts share a fabric over cables that are up
  std::vector<TierCapacity> tiers;  ///< ascending; only tiers that have switches
  Bisection bisection;
  std::vector<Problem> problems;
};

/// The whole audit. Where the graph is not even well formed (ids out of range) only that is said.
AuditReport audit(const Topology& topology);

/// Its parts, for callers that want one. `check_structure` finds ports used twice or not at all,
/// radix exceeded, hosts without a link, rates of zero, unequal parallel cables.
std::vector<Problem> check_structure(const Topology& topology);
/// Names each cut: which endpoints cannot reach which, and the cables that are down between them.
/// Returns whether all hosts can reach each other.
bool check_connectivity(const Topology& topology, std::vector<Problem>& problems);
std::vector<TierCapacity> tier_capacities(const Topology& topology);
/// Switches of one tier whose uplinks differ in sum or are spread unevenly.
std::vector<Problem> check_balance(const Topology& topology);
Bisection bisection(const Topology& topology);

/// Pairs of leaves that the routes leave without a candidate, though they may be joined.
std::vector<Problem> check_routes(const Topology& topology, const Routes& routes);

}  // namespace spineleaf
