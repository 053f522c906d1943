#pragma once
// PortMap: from a port of a node to its cable and to the port at the other end. Built once from a
// Topology; lookups are two array reads.

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/topology.hpp"

namespace spineleaf {

class PortMap {
 public:
  struct Far {
    CableId cable{};
    PortRef port;          ///< the other end
    bool present = false;  ///< false: nothing is plugged in (an audit reports it)
  };

  explicit PortMap(const Topology& topology);

  const Far& far(PortRef port) const { return far_[base_[index(port.node)] + port.port]; }
  /// The ports of a node, by number.
  std::span<const Far> ports(NodeId node) const {
    const std::size_t first = base_[index(node)];
    return {far_.data() + first, base_[index(node) + 1] - first};
  }

 private:
  std::vector<std::size_t> base_;
  std::vector<Far> far_;
};

}  // namespace spineleaf
