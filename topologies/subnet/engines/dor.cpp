// dor: dimension order for meshes, tori and hypercubes. Of the links on shortest paths the one on
// the lowest port is taken, so ports must be cabled by dimension, the same on every switch. Cables
// in parallel share the load. Free of credit loops on meshes and hypercubes, not on tori.

#include <algorithm>

#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/engines/plan.hpp"

namespace spineleaf {

namespace {

EngineResult route_dor(const Subnet& subnet, const EngineOptions&) {
  const EnginePlan plan(subnet);
  EngineResult result;
  ForwardingTables& tables = result.routes.tables;
  tables = plan.make_tables();
  HopField field(plan.graph);
  std::vector<SwitchGraph::Link> links;
  std::uint32_t aimed = UINT32_MAX;
  for (const EnginePlan::Target& target : plan.targets) {
    if (target.row != aimed) field.shortest_to(target.row);
    aimed = target.row;
    for (std::uint32_t row = 0; row < plan.graph.rows(); ++row) {
      field.candidates(row, links);
      if (links.empty()) continue;
      std::erase_if(
          links, [next = links[0].row](const SwitchGraph::Link& link) { return link.row != next; });
      tables.set(row, target.lid, links[target.lid % links.size()].port);
    }
  }
  return result;
}

}  // namespace

RoutingEngine dor_engine() {
  return {"dor", "dimension order, for meshes and hypercubes whose ports are cabled by dimension",
          route_dor};
}

}  // namespace spineleaf
