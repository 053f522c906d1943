#pragma once
// SHARP: a group of endpoints whose operations the switches carry out, as plain data.
//
// A tree joins the endpoints by aggregation nodes (switches), cable by cable. Each member sends its
// packet number i up; a node that has packet i from all its children sends one up; the root sends
// the result down the same tree. A member may be `window` packets ahead of the results that it has:
// so many packets are what each node of the tree has memory for, and no packet ever waits for it.

#include <cstdint>
#include <vector>

#include "sim/units.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// LLT: low latency, small packets, as many on the way as there are operation slots (OSTs).
/// SAT: streaming aggregation, packets of an MTU.
enum class AggregationMode : std::uint8_t { Llt, Sat };

/// Local number of a member on its host: the order in which workloads list the groups' members that
/// are on that host (per host, all jobs together).
enum class MemberRow : std::uint32_t {};

/// An endpoint that takes part.
struct AggregationMember {
  EndpointId endpoint{};
  bool contributes = true;  ///< its data go up; otherwise packets without data do
  bool receives = true;     ///< results come with data; otherwise without
  std::uint32_t sent_cookie = 0;
  std::uint32_t received_cookie = 0;
};

/// A switch of the tree.
struct AggregationNode {
  static constexpr std::uint16_t kRoot = UINT16_MAX;
  struct Child {
    std::uint16_t port = 0;
    bool receives = false;  ///< some member below wants data
  };
  NodeId node{};
  std::uint16_t parent_port = kRoot;
  std::vector<Child> children;
};

struct AggregationTree {
  std::vector<AggregationNode> nodes;  ///< root first
  std::uint32_t depth = 0;             ///< switch levels
};

struct AggregationGroup {
  std::uint32_t job = 0;
  std::uint32_t number = 0;  ///< in the fabric
  std::uint8_t traffic_class = 0;
  AggregationMode mode = AggregationMode::Sat;
  std::int32_t payload = 0;  ///< of a packet, bytes
  std::uint32_t window = 0;  ///< packets
  AggregationTree tree;
  std::vector<AggregationMember> members;
};

}  // namespace spineleaf
