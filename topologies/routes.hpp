#pragma once
// Routes: which egress ports of a switch lead to an endpoint. Compact at 65,536 hosts.
//
// Endpoints are grouped by the switch they hang on. A switch keeps one 16-bit set number per group
// and a list of port sets; only the last switch looks at the endpoint itself.
// Memory: switches x groups x 2 B + ports.

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/topology.hpp"

namespace spineleaf {

/// How candidate sets are formed. Both give equal-cost sets; UpDown never turns up after down
/// (tiers decide what is up), so it cannot close a cycle of buffer dependencies.
enum class RoutingRule : std::uint8_t { ShortestPath, UpDown };

class Routes {
 public:
  /// Equal-cost candidates at `sw` for packets to `to`; empty = unreachable.
  /// Ports in ascending order; the order is part of the contract (hashing picks by index).
  std::span<const std::uint16_t> candidates(NodeId sw, EndpointId to) const {
    return at(sw).candidates(to);
  }

  struct Set {
    std::uint32_t first = 0;
    std::uint16_t count = 0;
  };

  /// One switch's part of the tables, for those who ask about it packet by packet. Lives as long
  /// as the Routes it comes from.
  class Row {
   public:
    std::span<const std::uint16_t> candidates(EndpointId to) const {
      const std::uint32_t group = group_of_[index(to)];
      if (group == own_group_) return {last_port_ + index(to), 1};
      const Set& set = sets_[set_of_[group]];
      return {ports_ + set.first, set.count};
    }

   private:
    friend class Routes;
    const std::uint32_t* group_of_ = nullptr;
    const std::uint16_t* last_port_ = nullptr;
    const std::uint16_t* set_of_ = nullptr;
    const Set* sets_ = nullptr;
    const std::uint16_t* ports_ = nullptr;
    std::uint32_t own_group_ = 0;
  };
  Row at(NodeId sw) const {
    const std::size_t row = index(sw) - first_switch;
    Row r;
    r.group_of_ = group_of.data();
    r.last_port_ = last_port.data();
    r.set_of_ = set_of.data() + row * group_count;
    r.sets_ = sets.data() + set_base[row];
    r.ports_ = ports.data();
    r.own_group_ = group_at[row];
    return r;
  }
  static constexpr std::uint32_t kNoGroup = UINT32_MAX;

  // Filled by compute_routes(); plain data, immutable afterwards.
  std::uint32_t first_switch = 0;        ///< node index of the first switch
  std::uint32_t group_count = 0;         ///< switches that have endpoints
  std::vector<std::uint32_t> group_of;   ///< per endpoint (kNoGroup: cabled host to host)
  std::vector<std::uint16_t> last_port;  ///< per endpoint: egress port at its own switch
  std::vector<std::uint32_t> group_at;   ///< per switch row: its group, or kNoGroup - 1
  std::vector<std::uint32_t> set_base;   ///< per switch row: its first entry in `sets`
  std::vector<std::uint16_t> set_of;     ///< per (switch row, group): set number at that switch
  std::vector<Set> sets;                 ///< first set of each switch is the empty set
  std::vector<std::uint16_t> ports;
};

/// Computes candidate sets over cables that are up. Unreachable pairs have empty sets (the audit
/// names the cut).
Routes compute_routes(const Topology& topology, RoutingRule rule);

}  // namespace spineleaf
