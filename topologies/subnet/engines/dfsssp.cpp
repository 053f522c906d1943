// dfsssp: the paths of sssp, put on as many virtual lanes as it takes to close no credit loop.
// OpenSM then spreads the routes over all lanes that there are; here each stays on the lowest.

#include "topologies/subnet/engine.hpp"
#include "topologies/subnet/engines/lane_layers.hpp"
#include "topologies/subnet/engines/weighted_paths.hpp"

namespace spineleaf {

namespace {

EngineResult route_dfsssp(const Subnet& subnet, const EngineOptions& options) {
  EngineResult result;
  const EnginePlan plan(subnet);
  ForwardingTables tables = weighted_paths(plan);
  LayersResult layers = make_layers(plan, tables, options.most_lanes);
  if (!layers.fits) {
    result.problems.push_back(
        make_error("dfsssp", "the routes need more virtual lanes than there are",
                   std::to_string(options.most_lanes), {},
                   "Allow more (--lanes; in a scenario fabric.classes), or use updn"));
    return result;
  }
  result.routes.tables = std::move(tables);
  result.routes.lanes = std::move(layers.lanes);
  return result;
}

}  // namespace

RoutingEngine dfsssp_engine() {
  return {"dfsssp", "sssp on as many virtual lanes as it takes to close no credit loop",
          route_dfsssp};
}

}  // namespace spineleaf
