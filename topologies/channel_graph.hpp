#pragma once
// Buffer dependencies: which directed cables can wait for which (Dally and Seitz, "Deadlock-Free
// Message Routing in Multiprocessor Interconnection Networks", 1987). A lossless fabric can
// deadlock only if this graph has a cycle.
//
// A channel is one direction of a cable, numbered 2 * cable + (0: from end a to b, 1: from b to a).
// Only channels between switches appear: a host consumes what it receives. A buffer is a channel's
// share of one lane: a PFC priority in RoCE, a virtual lane in InfiniBand.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "topologies/paths.hpp"
#include "topologies/routes.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// Traffic that fills the buffers of one lane, and the routes that it may take. The lane is the
/// same at every hop.
struct TrafficClass {
  const Routes* routes = nullptr;    ///< every candidate counts; may be nullptr
  const PathTable* paths = nullptr;  ///< pinned paths, all of them; may be nullptr
  std::uint32_t lane = 0;
  /// Whether packets to `group` of `routes` enter the fabric at switch row `source`, which has
  /// endpoints. Empty: always.
  std::function<bool(std::uint32_t source, std::uint32_t group)> sends;
};

/// Buffers are numbered lane * channels + channel. Buffer b can wait for the buffers
/// to[from[b]] .. to[from[b + 1] - 1].
struct ChannelGraph {
  std::uint32_t channels = 0;  ///< two a cable
  std::vector<std::size_t> from;
  std::vector<std::uint32_t> to;

  std::span<const std::uint32_t> waits_for(std::uint32_t buffer) const {
    return {to.data() + from[buffer], from[buffer + 1] - from[buffer]};
  }
  std::uint32_t lane_of(std::uint32_t buffer) const { return buffer / channels; }
  std::uint32_t channel_of(std::uint32_t buffer) const { return buffer % channels; }
};

/// Dependencies that the classes can make, those of one lane together. Works on groups of
/// endpoints: 8,192 hosts take well under a second.
ChannelGraph channel_dependencies(const Topology& topology, std::span<const TrafficClass> classes);

/// One lane: traffic between any endpoints over `routes`, and the pinned `paths`.
ChannelGraph channel_dependencies(const Topology& topology, const Routes* routes,
                                  const PathTable* paths = nullptr);

struct CycleReport {
  bool has_cycle = false;
  std::size_t channels_in_cycles = 0;  ///< buffers that lie on some cycle
  /// For each strongly connected part, up to the limit, one short cycle as buffers in order.
  std::vector<std::vector<std::uint32_t>> cycles;
  std::vector<Problem> problems;  ///< one a listed cycle, naming its links
};

CycleReport find_cycles(const Topology& topology, const ChannelGraph& graph, std::size_t limit = 8);

/// A route that holds one buffer of a cycle while it waits for the next.
struct Witness {
  EndpointId from{};
  EndpointId to{};
  std::vector<std::uint32_t> channels;  ///< from the NIC to the destination
};

/// Who makes a cycle of `graph`: witness i holds buffer i of the cycle and waits for buffer i + 1,
/// the last for buffer 0. `classes` are those that the graph was made of.
std::vector<Witness> witnesses_of(const Topology& topology, std::span<const TrafficClass> classes,
                                  const ChannelGraph& graph, std::span<const std::uint32_t> cycle);

/// "leaf0:32 > spine1:0".
std::string channel_name(const Topology& topology, std::uint32_t channel);
/// "leaf0:32 - spine1:0".
std::string cable_name(const Topology& topology, CableId cable);

}  // namespace spineleaf
