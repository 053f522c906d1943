// flows: an explicit list of flows, each one message on a connection of its own.

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {
namespace {

constexpr ParamTable kTable{
    "flows", "An explicit list of flows: from, to, bytes, start, class, rate, path.", {}};

void add_flow(FlowPlan& plan, const HostTable& hosts, const WorkloadContext& context,
              const FlowEntry& flow, std::size_t number, std::vector<std::uint32_t>& lane_of) {
  std::vector<std::string> found;
  FlowPlan::Route route;
  bool ok = hosts.find_endpoint(flow.from, route.from, found);
  ok = hosts.find_endpoint(flow.to, route.to, found) && ok;
  route.traffic_class = workload_class(context, flow.traffic_class, found);
  if (flow.bytes.count < 1) found.push_back("a flow has at least 1 byte");
  if (flow.start.ps < 0) found.push_back("a flow can't start before time zero");
  if (ok && hosts.host_of(route.from) == hosts.host_of(route.to)) {
    found.push_back("from and to are the same host; traffic inside a host crosses no fabric");
  }
  for (const std::string& text : found) {
    plan.problems.push_back("flows[" + std::to_string(number) + "]: " + text);
  }
  if (!found.empty()) return;
  route.path = flow.path_id;
  route.rate_limit = flow.rate;
  std::uint32_t& lane = lane_of[hosts.host_of(route.from)];
  if (lane == UINT32_MAX) lane = plan.lane(hosts.host_of(route.from), kUnlimitedDepth);
  plan.message(plan.connect(lane, route), flow.start, flow.bytes);
}

Workload build(const WorkloadContext& context, const FlowsParams& params) {
  const HostTable hosts(context.topology);
  FlowPlan plan(context, hosts, "flows");
  std::vector<std::uint32_t> lane_of(hosts.count(), UINT32_MAX);
  for (std::size_t i = 0; i < params.flows.size(); ++i) {
    add_flow(plan, hosts, context, params.flows[i], i, lane_of);
  }
  return plan.finish();
}

}  // namespace

WorkloadKind flows_workload() { return make_workload_kind<FlowsParams, build, kTable>("flows"); }

}  // namespace spineleaf
