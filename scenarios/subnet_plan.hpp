#pragma once
// SubnetPlan: the forwarding tables that a scenario runs on, and how they were made.

#include "models/host/app.hpp"
#include "models/params.hpp"
#include "scenarios/spec.hpp"
#include "topologies/subnet/engine.hpp"

namespace spineleaf {

struct SubnetPlan {
  Subnet subnet;
  const RoutingEngine* engine = nullptr;
  EngineOptions options;   ///< without tables; those are `given`
  ForwardingTables given;  ///< for engine file
  AdaptiveGroups adaptive = AdaptiveGroups::None;
  SubnetRoutes routes;

  /// What switches read: the ports of the tables and, if wanted, those beside them.
  TableRoutes run_routes() const;
  /// The same after cables of `topology`, a copy of the plan's own, went down and the engine ran
  /// again. Where it refuses what is left, and for given tables, the old ones stay.
  SubnetPlan on(const Topology& topology) const;
  /// The lane of routed traffic between two endpoints.
  unsigned lane(EndpointId from, EndpointId to) const;
  /// Puts routed connections, and what answers them, on the lanes of their routes. Classes that a
  /// workload chose itself are a problem of it then.
  void give_lanes(Workload& workload, const FabricParams& fabric) const;
};

}  // namespace spineleaf
