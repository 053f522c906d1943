#pragma once
// AggregationManager: gives jobs their trees of aggregation nodes, as sharp_am does.
//
// A job asks for one tree per rail. A tree joins a rail's endpoints by the fewest switch levels;
// among the roots that do, the one with the fewest trees so far. Each node of the tree sets aside
// what the quota allows one job: operation slots (LLT) or stream memory (SAT), and the groups.
// A job gets all its trees or none; what is refused, and why, the job is told. Trees are given out
// before the run, in the order of the jobs, and stay for all of it.
//
// Trees run over cables that are up at the start, between switches that are next to each other;
// every switch of the fabric is an aggregation node.

#include <cstdint>
#include <string>
#include <vector>

#include "models/params.hpp"
#include "models/sharp/group.hpp"

namespace spineleaf {

struct AggregationRequest {
  std::uint32_t job = 0;
  std::uint8_t traffic_class = 0;
  AggregationMode mode = AggregationMode::Sat;
  std::uint32_t groups_per_rail = 1;                  ///< equal ones, which share the job's quota
  std::vector<std::vector<AggregationMember>> rails;  ///< members, each endpoint once
};

struct AggregationGrant {
  std::vector<AggregationGroup> groups;      ///< rail by rail, then number within the rail
  std::vector<std::vector<MemberRow>> rows;  ///< by group and member
  std::string refusal;                       ///< why there is nothing; empty = granted
};

class AggregationManager {
 public:
  AggregationManager(const Topology& topology, const ModelParams& params)
      : topology_(topology), params_(params) {}

  AggregationGrant allocate(const AggregationRequest& request);

  /// LLT payload of a packet, by generation where the parameter leaves it open.
  static Bytes llt_payload(const SharpParams& params);
  /// What the generation can't do in this mode; empty = it can.
  static std::string lacks(const SharpParams& params, AggregationMode mode);

 private:
  struct Edge {
    std::uint32_t to = 0;  ///< switch
    std::uint16_t port = 0;
    std::uint16_t peer_port = 0;
    std::uint32_t cable = 0;
  };
  struct Place {  ///< where an endpoint is cabled to
    std::uint32_t sw = UINT32_MAX;
    std::uint16_t port = 0;
  };
  struct Use {  ///< of an aggregation node
    std::int64_t groups = 0;
    std::int64_t osts = 0;
    std::int64_t bytes = 0;
    std::vector<std::uint32_t> streaming_jobs;
  };
  /// What one tree takes of each of its nodes.
  struct Need {
    std::uint32_t job = 0;
    std::int64_t groups = 0;
    std::int64_t osts = 0;
    std::int64_t bytes = 0;
    bool streams = false;
  };
  using Members = std::vector<AggregationMember>;

  /// At the first request: most runs make none.
  void look_at_fabric();
  std::vector<std::uint32_t> distances(std::uint32_t from) const;
  std::vector<std::uint32_t> roots(const Members& members, std::string& refusal) const;
  bool join(std::uint32_t root, const Members& members, AggregationTree& tree) const;
  std::string unfit(const AggregationTree& tree, const Need& need) const;
  bool find_tree(const Members& members, const Need& need, AggregationTree& tree,
                 std::string& refusal) const;
  void take(const AggregationTree& tree, const Need& need);
  std::string name(std::uint32_t sw) const;

  const Topology& topology_;
  const ModelParams& params_;
  std::vector<std::vector<Edge>> edges_;  ///< by switch
  std::vector<Place> places_;             ///< by endpoint
  std::vector<Use> uses_;                 ///< by switch
  std::vector<std::uint32_t> rooted_;     ///< by switch: trees
  std::vector<std::uint32_t> crossing_;   ///< by cable: trees
  std::vector<std::uint32_t> next_row_;   ///< by host
  std::uint32_t next_group_ = 0;
};

}  // namespace spineleaf
