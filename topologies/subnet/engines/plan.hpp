#pragma once
// What every engine starts from: the switches as a graph, and the LIDs that hang on each.

#include <cstdint>
#include <vector>

#include "topologies/subnet/tables.hpp"
#include "topologies/switch_graph.hpp"

namespace spineleaf {

struct EnginePlan {
  struct Target {
    std::uint32_t lid = 0;
    std::uint32_t row = 0;        ///< the switch it hangs on
    std::uint16_t last_port = 0;  ///< there
    bool host = true;             ///< false: the switch's own LID
    unsigned offset = 0;          ///< lid - base LID
  };

  explicit EnginePlan(const Subnet& of);

  /// Tables with the last hops filled in: every other entry is a hole.
  ForwardingTables make_tables() const;

  const Subnet& subnet;
  const SwitchGraph graph;
  std::vector<Target>
      targets;  ///< switch by switch: hosts by offset and port, then the switch itself
  std::vector<std::uint32_t> hosts_at;  ///< per switch row: host ports there
  std::size_t lids = 0;
};

/// Hops of every switch to one of them, by shortest paths or by paths that go up first and then
/// down. Under the second rule a switch that has a path down takes the shortest of these, so that
/// whoever turned down stays on down paths: no cycle of buffers can close.
class HopField {
 public:
  explicit HopField(const SwitchGraph& graph) : graph_(graph), hops_(graph.rows()) {}

  void shortest_to(std::uint32_t target);
  /// rank[row]: a permutation, lower is higher up; by_rank is its inverse.
  void up_down_to(std::uint32_t target, const std::vector<std::uint32_t>& rank,
                  const std::vector<std::uint32_t>& by_rank);

  /// The links that lead one hop closer from `row`, in the order of its ports.
  void candidates(std::uint32_t row, std::vector<SwitchGraph::Link>& links) const;
  bool reaches(std::uint32_t row) const { return hops_[row] != kUnreachable; }
  std::uint32_t hops(std::uint32_t row) const { return hops_[row] & (kAscending - 1U); }

 private:
  using Hops = std::uint16_t;
  static constexpr Hops kUnreachable = UINT16_MAX;
  static constexpr Hops kAscending = 0x8000;  ///< no path down: goes up first

  const SwitchGraph& graph_;
  std::vector<Hops> hops_;
  std::vector<std::uint32_t> queue_;
  const std::vector<std::uint32_t>* rank_ = nullptr;
};

/// The inverse of a permutation.
std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& permutation);

}  // namespace spineleaf
