#pragma once
// A topology given node by node and link by link. The reader of a scenario fills the spec; an
// importer of a discovered fabric can do the same.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"
#include "topologies/registry.hpp"

namespace spineleaf {

struct CustomNode {
  std::string name;
  NodeKind kind = NodeKind::Host;
  int tier = -1;  ///< -1: hosts 0, switches by their distance from the nearest host
  int plane = 0;
  std::int64_t group = 0;
  std::int64_t radix = 0;  ///< 0 = not stated
};

/// A cable between two named nodes. `count` cables are made; a stated port is for the first of
/// them and the others follow it.
struct CustomLink {
  std::string a;
  std::string b;
  std::int64_t port_a = -1;  ///< -1: the next free port
  std::int64_t port_b = -1;
  Rate rate;
  double length = 0;  ///< metres; used where `latency` is 0
  Time latency;
  std::int64_t count = 1;
  int nic_a = -1;  ///< NIC number where the end is a host; -1: one NIC a port
  int nic_b = -1;
  int cage = 0;
  bool up = true;
};

/// Stated ports fix the order and are checked for double use. In the graph ports are numbered
/// 0, 1, ... without gaps, in ascending order of the stated numbers.
struct CustomSpec {
  std::string name = "custom";
  std::vector<CustomNode> nodes;
  std::vector<CustomLink> links;
};

/// Problems are placed as "nodes[3].name" and "links[12].rate".
BuildResult build_custom(const CustomSpec& spec);

}  // namespace spineleaf
