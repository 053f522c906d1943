// sssp: shortest paths over the cables with the fewest routes so far. Can close credit loops.

#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/engines/weighted_paths.hpp"

namespace spineleaf {

namespace {

EngineResult route_sssp(const Subnet& subnet, const EngineOptions&) {
  EngineResult result;
  result.routes.tables = weighted_paths(EnginePlan(subnet));
  return result;
}

}  // namespace

RoutingEngine sssp_engine() {
  return {"sssp", "shortest paths over the least used cables; can close credit loops", route_sssp};
}

}  // namespace spineleaf
