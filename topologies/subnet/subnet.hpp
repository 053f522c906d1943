#pragma once
// Subnet: an InfiniBand fabric as its tools name it. The graph is a Topology; beside it stand the
// numbers on the boxes: GUIDs, LIDs, port numbers, widths and speeds of cables.

#include <cstdint>
#include <string>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/subnet/link_form.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// The highest unicast LID (InfiniBand Architecture Specification, volume 1: 0xC000 begins the
/// multicast range).
inline constexpr std::uint32_t kLastUnicastLid = 0xBFFF;
inline constexpr unsigned kMostLmc = 7;

struct AdapterPort {
  std::string name;             ///< "node001 mlx5_0"
  std::uint64_t node_guid = 0;  ///< 0 = not known
  std::uint64_t port_guid = 0;
  std::uint16_t number = 1;  ///< on the adapter, from 1
  std::uint16_t lid = 0;     ///< base LID: the port answers to lid .. lid + 2^lmc - 1
  std::uint8_t lmc = 0;
};

struct SwitchDevice {
  std::uint64_t guid = 0;
  std::uint16_t lid = 0;
  std::vector<std::uint16_t> numbers;  ///< per port of the graph: its number on the box, ascending
};

/// What hangs on the fabric and is no host: it is not part of the graph.
struct Bystander {
  enum class Kind : std::uint8_t { AggregationNode, Router };
  Kind kind = Kind::AggregationNode;
  std::string name;
  std::uint64_t guid = 0;
  std::uint16_t lid = 0;
  NodeId at{};               ///< the switch it hangs on
  std::uint16_t number = 0;  ///< the port there, as on the box
};

struct Subnet {
  Topology topology;
  std::vector<AdapterPort> endpoints;  ///< beside topology.endpoints
  std::vector<SwitchDevice> switches;  ///< row r is node host_count + r
  std::vector<LinkForm> forms;         ///< beside topology.cables
  std::vector<Bystander> bystanders;
};

/// Which device a LID belongs to: endpoint e is owner e, switch row r is owner endpoints + r.
struct LidOwners {
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  std::vector<std::uint32_t> owner;  ///< per LID up to the highest in use
  std::uint32_t endpoints = 0;

  bool is_endpoint(std::uint32_t lid) const { return owner[lid] < endpoints; }
};
LidOwners lid_owners(const Subnet& subnet);

/// Where the cables that are up lead from the ports of hosts: per endpoint the row of its switch
/// and the port there. An endpoint without a switch (cable down, or cabled to another host) has row
/// kNoLeaf.
struct Attachment {
  static constexpr std::uint32_t kNoLeaf = UINT32_MAX;
  std::uint32_t row = kNoLeaf;
  std::uint16_t port = 0;
};
std::vector<Attachment> attachments(const Topology& topology);

/// Endpoints in the order of their switches and the ports there: the order in which shift patterns
/// are counted. Endpoints without a switch are left out.
std::vector<EndpointId> endpoints_by_leaf(const Topology& topology);

/// Gives every endpoint 2^lmc LIDs, by leaf, then every switch one. A problem if there are more
/// than the address range holds.
std::vector<Problem> assign_lids(Subnet& subnet, unsigned lmc);

/// A subnet of a graph that no tool has seen: GUIDs are made up (locally administered), ports are
/// numbered from 1, LIDs assigned. The form of a cable is stated where its rate is that of a 4x or
/// 2x link.
struct MadeSubnet {
  Subnet subnet;
  std::vector<Problem> problems;
};
MadeSubnet make_subnet(Topology topology, unsigned lmc = 0);

/// "node001 mlx5_0" or "leaf1:33": a port as printed to users, by its number on the box.
std::string port_text(const Subnet& subnet, PortRef port);

}  // namespace spineleaf
