// flows: an explicit list of flows, each one message on a connection of its own.

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {
namespace {

constexpr ParamTable kFlowsTable{
    "flows", "An explicit list of flows: from, to, bytes, start, class, rate, path.", {}};

using Routes = std::vector<FlowPlan::Route>;

FlowPlan::Route check_flow(const WorkloadCheck& at, const FlowEntry& flow,
                           const std::string& where) {
  FlowPlan::Route route;
  const bool from = at.hosts.find_endpoint(flow.from, where + ".from", route.from, at.problems);
  const bool to = at.hosts.find_endpoint(flow.to, where + ".to", route.to, at.problems);
  if (from && to && at.hosts.host_of(route.from) == at.hosts.host_of(route.to)) {
    at.error(where + ".to", "is the sending host itself", in_quotes(flow.to), "another host");
  }
  route.traffic_class = at.traffic_class(flow.traffic_class, where + ".class");
  if (flow.bytes.count < 1) at.error(where + ".bytes", "a flow has at least 1 byte");
  if (flow.start.ps < 0) at.error(where + ".start", "a flow can't start before time zero");
  route.path = flow.path_id;
  route.rate_limit = flow.rate;
  return route;
}

Routes check_flows(const WorkloadCheck& at, const FlowsParams& params) {
  Routes routes;
  routes.reserve(params.flows.size());
  for (std::size_t i = 0; i < params.flows.size(); ++i) {
    if (at.problems.size() >= HostTable::kMostProblems) break;
    routes.push_back(check_flow(at, params.flows[i], "flows[" + std::to_string(i) + "]"));
  }
  const auto count = static_cast<double>(params.flows.size());
  double bytes = 0;
  for (const FlowEntry& flow : params.flows) bytes += static_cast<double>(flow.bytes.count);
  at.plans(count, count, bytes);
  return routes;
}

Workload build_flows(const WorkloadContext& context, const HostTable& hosts,
                     const FlowsParams& params, const Routes& routes) {
  FlowPlan plan(context, hosts, "flows");
  std::vector<std::uint32_t> lane_of(hosts.count(), UINT32_MAX);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    std::uint32_t& lane = lane_of[hosts.host_of(routes[i].from)];
    if (lane == UINT32_MAX) lane = plan.lane(hosts.host_of(routes[i].from), kUnlimitedDepth);
    const FlowEntry& flow = params.flows[i];
    const Time start = flow.start + start_jitter(context, flow.start_jitter, i);
    plan.message(plan.connect(lane, routes[i]), start, flow.bytes);
  }
  return plan.finish();
}

}  // namespace

WorkloadKind flows_workload() {
  return make_workload_kind<kFlowsTable, check_flows, build_flows>();
}

}  // namespace spineleaf
