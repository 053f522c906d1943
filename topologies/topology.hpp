#pragma once
// Topology: a graph of nodes, ports and cables as plain data. It knows nothing of what a switch
// does.
//
// Nodes are hosts and switches; ports are numbered 0.. on each node; a cable joins two ports and is
// full duplex. An endpoint is a host port as an address (one NIC port): packets are addressed to
// endpoints. A NIC with two ports (dual ToR, two planes) is two endpoints with one NIC number.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace spineleaf {

enum class NodeId : std::uint32_t {};
enum class CableId : std::uint32_t {};
enum class EndpointId : std::uint32_t {};

constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(CableId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(EndpointId id) { return static_cast<std::uint32_t>(id); }

enum class NodeKind : std::uint8_t { Host, Switch };

struct Node {
  std::string name;
  NodeKind kind = NodeKind::Host;
  std::uint8_t tier = 0;    ///< 0 host, 1 leaf, 2 spine or aggregation, 3 core
  std::uint16_t plane = 0;  ///< plane or rail number where the topology has them
  std::uint32_t group = 0;  ///< pod, dragonfly group, rail group; 0 where there are none
  std::uint16_t ports = 0;  ///< ports in use: numbers 0 .. ports-1 are all cabled
  std::uint16_t radix = 0;  ///< ports the device has (0 = not stated); ports <= radix is audited
};

struct PortRef {
  NodeId node{};
  std::uint16_t port = 0;
};

struct Cable {
  PortRef a;  ///< the lower tier, where tiers differ
  PortRef b;
  Rate rate;
  Time propagation;        ///< one way, length * 5 ns/m unless given
  std::uint8_t tier = 0;   ///< 0 host-leaf, 1 leaf-spine, 2 spine-core (label for tables)
  std::uint16_t cage = 0;  ///< cables that share a split cage carry the same number (0 = none)
  bool up = true;          ///< state at time zero
};

struct Endpoint {
  NodeId host{};
  std::uint16_t nic = 0;   ///< NIC number in the host
  std::uint16_t port = 0;  ///< host port (as in Node::ports)
};

struct Topology {
  std::string name;
  std::vector<Node> nodes;  ///< hosts first, then switches, each in a stated order
  std::vector<Cable> cables;
  std::vector<Endpoint> endpoints;  ///< ordered by host, then by port
  std::uint32_t host_count = 0;     ///< nodes[0 .. host_count) are the hosts

  const Node& node(NodeId id) const { return nodes[index(id)]; }
  bool is_host(NodeId id) const { return index(id) < host_count; }
};

}  // namespace spineleaf
