#pragma once
// SwitchGraph: the switches of a topology and the cables between them that are up, in rows, for
// graph walks. Row r is node host_count + r.

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/topology.hpp"

namespace spineleaf {

class SwitchGraph {
 public:
  struct Link {
    std::uint32_t row = 0;      ///< the switch at the other end
    std::uint16_t port = 0;     ///< the port at this end
    std::uint32_t channel = 0;  ///< this direction of the cable: 2 * cable + (0: a to b, 1: b to a)
  };

  explicit SwitchGraph(const Topology& topology);

  std::size_t rows() const { return links_from_.size() - 1; }
  /// Links of a switch in ascending order of its ports; parallel cables are separate.
  std::span<const Link> links(std::uint32_t row) const {
    return {links_.data() + links_from_[row], links_from_[row + 1] - links_from_[row]};
  }
  /// Switches at the other ends, ascending, each once.
  std::span<const std::uint32_t> neighbours(std::uint32_t row) const {
    return {neighbours_.data() + neighbours_from_[row],
            neighbours_from_[row + 1] - neighbours_from_[row]};
  }
  std::uint8_t tier(std::uint32_t row) const { return tier_[row]; }

 private:
  std::vector<std::size_t> links_from_;
  std::vector<Link> links_;
  std::vector<std::size_t> neighbours_from_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::uint8_t> tier_;
};

/// A total order of the switches for up-down routing, as a permutation: a move from u to v goes up
/// iff rank[v] < rank[u]. Higher tiers come first. Between switches of one tier that are joined
/// directly, fewer hops from the first of them is higher (a spanning tree, as in IB's up/down), so
/// that rings and meshes of equal switches can be routed too; what is left goes by number.
std::vector<std::uint32_t> up_down_ranks(const SwitchGraph& graph);

/// Per node: the index of a host's first endpoint (its port p is endpoint first + p).
std::vector<std::uint32_t> first_endpoints(const Topology& topology);

}  // namespace spineleaf
