#pragma once
// Explicit paths: flows pinned hop by hop, for parity with other simulators, for traffic
// engineering and for deadlock studies whose routes no rule would choose.
//
// A path is written as the nodes it visits. Where two nodes are joined by several cables the step
// may say which one. A switch looks up (path, itself) -> egress port by binary search.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

enum class PathId : std::uint32_t {};
constexpr std::uint32_t index(PathId id) { return static_cast<std::uint32_t>(id); }

/// One node of a path and how it is left.
struct PathStep {
  std::string node;
  int cable = 0;  ///< which of the parallel cables to the next node, in order of this node's ports
  int port = -1;  ///< or the egress port itself; -1: not stated
};

struct PathSpec {
  /// Source host, switches, destination host. A path may end at a switch that it has already
  /// visited instead: a routing loop, which packets follow until their hop limit.
  std::vector<PathStep> steps;
};

class PathTable {
 public:
  /// The egress port of `path` at `sw`; nothing if the path does not pass there.
  std::optional<std::uint16_t> egress(NodeId sw, PathId path) const;

  /// Where a path begins and ends; a routing loop has no end and names its source.
  EndpointId source(PathId path) const { return ends_[index(path)].source; }
  EndpointId destination(PathId path) const { return ends_[index(path)].destination; }
  /// The directed cables of a path in order: 2 * cable + (0: from end a to b, 1: from b to a).
  std::span<const std::uint32_t> channels(PathId path) const {
    const Ends& ends = ends_[index(path)];
    return {channels_.data() + ends.first_channel, ends.channel_count};
  }
  std::size_t size() const { return ends_.size(); }

 private:
  friend class PathTableBuilder;

  struct Ends {
    EndpointId source{};
    EndpointId destination{};
    std::uint32_t first_channel = 0;
    std::uint32_t channel_count = 0;
  };
  struct Hop {
    PathId path{};
    std::uint16_t port = 0;
  };

  std::vector<Ends> ends_;
  std::vector<std::uint32_t> channels_;
  std::uint32_t first_switch_ = 0;
  std::vector<std::size_t> hops_from_;  ///< per switch row, one more at the end
  std::vector<Hop> hops_;               ///< within a switch ascending by path
};

struct PathsResult {
  PathTable table;  ///< complete only when no problem is an error
  std::vector<Problem> problems;
};

/// Resolves and checks the paths: every node exists, consecutive nodes are joined by the cable
/// asked for and it is up, the ends are hosts and nothing between is, no node is visited twice (but
/// where a routing loop closes).
/// Problems are placed as "paths[3].nodes[2]". Path i gets PathId{i}.
PathsResult make_paths(const Topology& topology, std::span<const PathSpec> paths);

}  // namespace spineleaf
