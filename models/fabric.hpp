#pragma once
// Fabric: a topology, its routes, parameters and workloads compiled into actors and links.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/host/host.hpp"
#include "models/switch/switch.hpp"
#include "sim/simulation.hpp"
#include "topologies/routes.hpp"

namespace spineleaf {

/// A pinned path: the nodes from the sending host to the receiving host, with the egress port of
/// each node but the last.
struct PinnedPath {
  struct Hop {
    NodeId node{};
    std::uint16_t port = 0;
  };
  std::vector<Hop> hops;
};

struct FabricInput {
  const Topology* topology = nullptr;
  const Routes* routes = nullptr;
  const ModelParams* params = nullptr;
  std::uint64_t seed = 1;
  std::vector<Workload> workloads;
  std::vector<PinnedPath> paths;          ///< by ConnectionSpec::path
  std::vector<PinnedPath> reverse_paths;  ///< for the ACKs; same numbering
};

struct Fabric {
  explicit Fabric(std::uint64_t seed) : simulation(seed) {}

  Simulation simulation;
  std::vector<Host*> hosts;       ///< by host node index
  std::vector<Switch*> switches;  ///< by node index - host count
  /// Directed links of cable i: 2 i runs from its end a to b, 2 i + 1 back.
  std::vector<std::string> problems;  ///< why it could not be built; empty = fine
  std::string warning;                ///< a lookahead so short that the run will be slow

  /// Whether flow control may stop a switch's queue.
  bool loses_nothing() const {
    return !switches.empty() &&
           switches.front()->ports().config().flow_control != FlowControlKind::None;
  }
  Ports& ports_of(std::uint32_t node) {
    return node < hosts.size() ? hosts[node]->ports() : switches[node - hosts.size()]->ports();
  }
};

/// Takes the workloads out of `input`. The topology, routes and parameters must outlive the fabric.
std::unique_ptr<Fabric> build_fabric(FabricInput input);

/// Headroom in bytes on the wire that loses nothing: what can arrive after the packet that trips
/// XOFF until the sender stops. (latency + control latency + response) x rate + two largest frames
/// (one blocking the pause frame, one already started by the peer) + the pause frame itself.
std::int64_t headroom_bound(const Link& arriving, const Link& leaving, std::int64_t largest_wire,
                            std::int64_t pause_wire, Time response);

}  // namespace spineleaf
