// minhop: the fewest hops, spread over equal ones. Not free of credit loops in general.

#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/engines/spread.hpp"

namespace spineleaf {

namespace {

EngineResult route_minhop(const Subnet& subnet, const EngineOptions&) {
  const EnginePlan plan(subnet);
  EngineResult result;
  result.routes.tables = spread_by_load(
      plan, [](HopField& field, std::uint32_t target) { field.shortest_to(target); });
  return result;
}

}  // namespace

RoutingEngine minhop_engine() {
  return {"minhop", "fewest hops, spread by load; can close credit loops", route_minhop};
}

}  // namespace spineleaf
