#include "scenarios/subnet_plan.hpp"

namespace spineleaf {

TableRoutes SubnetPlan::run_routes() const {
  TableRoutes made = to_routes(subnet, routes.tables);
  add_adaptive_groups(subnet, routes.tables, adaptive, made);
  return made;
}

SubnetPlan SubnetPlan::on(const Topology& topology) const {
  SubnetPlan changed = *this;
  changed.subnet.topology = topology;
  EngineOptions again = options;
  again.tables = &given;
  EngineResult result = engine->route(changed.subnet, again);
  if (result.ok()) changed.routes = std::move(result.routes);
  return changed;
}

unsigned SubnetPlan::lane(EndpointId from, EndpointId to) const {
  if (routes.lanes.lane_of.empty()) return 0;
  const std::vector<Attachment> at = attachments(subnet.topology);
  const std::uint32_t row = at[index(from)].row;
  return row == Attachment::kNoLeaf ? 0 : routes.lanes.lane(row, subnet.endpoints[index(to)].lid);
}

void SubnetPlan::give_lanes(Workload& workload, const FabricParams& fabric) const {
  if (routes.lanes.lanes <= 1) return;
  const std::vector<Attachment> at = attachments(subnet.topology);
  const auto lane_of = [&](EndpointId from, EndpointId to) {
    const std::uint32_t row = at[index(from)].row;
    return row == Attachment::kNoLeaf ? 0U
                                      : routes.lanes.lane(row, subnet.endpoints[index(to)].lid);
  };
  for (ConnectionSpec& c : workload.connections) {
    if (c.path >= 0) continue;
    if (c.traffic_class != fabric.data_class) {
      workload.problems.push_back("traffic class " + std::to_string(c.traffic_class) +
                                  " is chosen for a flow, but engine " + std::string{engine->name} +
                                  " chooses the virtual lanes");
      return;
    }
    c.traffic_class = static_cast<std::uint8_t>(lane_of(c.from, c.to));
    c.ack_class = static_cast<std::int16_t>(lane_of(c.to, c.from));
  }
}

}  // namespace spineleaf
