#pragma once
// What forwarding tables do to the cables: routes from every host to every other, shift and random
// permutations. Loads count routes over a channel (a direction of a cable between switches).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "topologies/subnet/tables.hpp"

namespace spineleaf {

/// Follows routes through the tables.
class RouteWalker {
 public:
  enum class End : std::uint8_t { Arrived, Hole, Loop, WrongPort };

  RouteWalker(const Subnet& subnet, const ForwardingTables& tables);

  /// The route from switch `row` to `lid`: calls `visit(channel)` for each cable between switches.
  template <class Visit>
  End follow(std::uint32_t row, std::uint32_t lid, std::uint32_t to, Visit visit) const {
    for (std::size_t steps = 0; steps <= first_hop_.size(); ++steps) {
      const std::uint16_t port = tables_.at(row, lid);
      if (port >= ForwardingTables::kSelf) return End::Hole;
      const Hop& hop = hops_[first_hop_[row] + port];
      if (hop.row == kHost) return hop.channel == to ? End::Arrived : End::WrongPort;
      visit(hop.channel);
      row = hop.row;
    }
    return End::Loop;
  }

  const Subnet& subnet() const { return subnet_; }
  const ForwardingTables& tables() const { return tables_; }
  const std::vector<Attachment>& attachments() const { return attachments_; }
  /// Whether channel c joins two switches.
  bool inside(std::uint32_t channel) const;
  std::size_t channels() const { return 2 * subnet_.topology.cables.size(); }

 private:
  static constexpr std::uint32_t kHost = UINT32_MAX;
  struct Hop {
    std::uint32_t row = kHost;
    std::uint32_t channel = 0;  ///< for a host: its endpoint
  };

  const Subnet& subnet_;
  const ForwardingTables& tables_;
  std::vector<Attachment> attachments_;
  std::vector<std::size_t> first_hop_;  ///< per switch row
  std::vector<Hop> hops_;
};

struct AllPairsLoads {
  std::vector<std::uint64_t> load;  ///< per channel; routes between all pairs of endpoints
  std::uint64_t pairs = 0;          ///< that arrive
  std::uint64_t lost = 0;           ///< that end in a hole, a loop or at another host
  std::string lost_example;         ///< "node1 mlx5_0 to node2 mlx5_0: no entry at leaf3"
  std::map<unsigned, std::uint64_t> pairs_by_links;  ///< cables of a route, host cables included

  // Over channels between switches that carry anything.
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::size_t used = 0;
  std::size_t channels = 0;  ///< between switches, used or not
};
AllPairsLoads all_pairs(const RouteWalker& walker);

struct PermutationLoads {
  std::size_t permutations = 0;
  std::uint32_t worst = 0;    ///< the most routes over one channel in any permutation
  double mean_of_worst = 0;   ///< the worst channel of each permutation, averaged
  double mean_of_routes = 0;  ///< the worst channel that a route meets, averaged over routes
};

/// Shift permutations: endpoint i (in the order of endpoints_by_leaf) sends to i + s, for every s
/// or, where there are more than `most`, for that many drawn at random.
PermutationLoads shift_permutations(const RouteWalker& walker, std::size_t most,
                                    std::uint64_t seed);

/// Random permutations, each equally likely.
PermutationLoads random_permutations(const RouteWalker& walker, std::size_t count,
                                     std::uint64_t seed);

}  // namespace spineleaf
