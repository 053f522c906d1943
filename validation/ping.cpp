#include "validation/ping.hpp"

#include <algorithm>
#include <cstdio>

#include "models/workloads/kinds.hpp"
#include "validation/oracles/link_forms.hpp"

namespace spineleaf {
namespace {

const Endpoint* endpoint_of(const Topology& topology, const std::string& host) {
  for (const Endpoint& endpoint : topology.endpoints) {
    if (topology.node(endpoint.host).name == host) return &endpoint;
  }
  return nullptr;
}

/// The directed cables that leave a node, by port.
struct CableEnd {
  const Cable* cable = nullptr;
  PortRef peer;
};

CableEnd cable_at(const Topology& topology, NodeId node, std::uint16_t port) {
  for (const Cable& cable : topology.cables) {
    if (cable.a.node == node && cable.a.port == port) return {&cable, cable.b};
    if (cable.b.node == node && cable.b.port == port) return {&cable, cable.a};
  }
  return {};
}

struct Walk {
  std::vector<PinnedPath::Hop> hops;  ///< egress of each node from the sender on
  std::vector<PinnedPath::Hop> back;  ///< the same way back, from the receiver on
  std::vector<CableEnd> cables;
  bool complete = false;
};

Walk walk_first_candidates(const Topology& topology, const Routes& routes, const Endpoint& from,
                           const Endpoint& to, EndpointId destination) {
  Walk walk;
  NodeId node = from.host;
  std::uint16_t port = from.port;
  while (walk.hops.size() < 64) {
    const CableEnd end = cable_at(topology, node, port);
    if (end.cable == nullptr) return walk;
    walk.hops.push_back({node, port});
    walk.back.insert(walk.back.begin(), {end.peer.node, end.peer.port});
    walk.cables.push_back(end);
    node = end.peer.node;
    if (node == to.host) {
      walk.complete = true;
      return walk;
    }
    if (topology.is_host(node)) return walk;
    const auto candidates = routes.candidates(node, destination);
    if (candidates.empty()) return walk;
    port = candidates.front();
  }
  return walk;
}

void fill_rows(PingReport& report, const World& world, const Walk& walk, std::int64_t wire) {
  const ModelParams& p = world.params;
  const auto name = [&](NodeId node) { return world.topology.node(node).name; };
  const bool cut = p.sw.switching == Switching::CutThrough;
  PingRow sends;
  sends.part = "NIC of " + name(walk.hops.front().node) + " sends";
  sends.nic = p.nic.message_cost + p.nic.send_latency;
  report.rows.push_back(sends);
  std::vector<Hop> path;
  Time sum = sends.nic;
  for (std::size_t i = 0; i < walk.hops.size(); ++i) {
    const CableEnd& end = walk.cables[i];
    const bool into_switch = !world.topology.is_host(end.peer.node);
    Link link;
    link.rate = end.cable->rate;
    link.whole_nanoseconds = p.fabric.serialisation == Rounding::WholeNanoseconds;
    PingRow row;
    row.part = name(walk.hops[i].node) + " -> " + name(end.peer.node);
    const Time whole = link.serialisation_of(wire);
    row.serialisation =
        cut && into_switch ? std::min(whole, link.serialisation_of(p.sw.header.count)) : whole;
    row.cable = end.cable->propagation;
    row.fec = p.fabric.fec;
    row.switch_core = into_switch ? p.sw.core_latency : Time{0};
    path.push_back({end.cable->rate, row.cable + row.fec + row.switch_core});
    sum += row.total();
    report.rows.push_back(row);
  }
  PingRow receives;
  receives.part = "NIC of " + name(walk.back.front().node) + " receives";
  receives.nic = p.nic.receive_latency;
  report.rows.push_back(receives);
  sum += receives.nic;
  if (cut) {
    report.tail_wait =
        sends.nic + receives.nic + cut_through_latency(wire, p.sw.header.count, path) - sum;
  }
  report.closed_form = sum + report.tail_wait;
}

void simulate(PingReport& report, World world, const Walk& walk, const std::string& from,
              const std::string& to, Bytes bytes) {
  world.paths = {PinnedPath{walk.hops}};
  world.reverse_paths = {PinnedPath{walk.back}};
  FlowsParams params;
  FlowEntry flow;
  flow.from = from;
  flow.to = to;
  flow.bytes = bytes;
  flow.path_id = 0;
  params.flows.push_back(flow);
  std::vector<std::uint32_t> next_row(world.topology.host_count, 0);
  const WorkloadContext context{world.topology, world.params, world.seed, 0, next_row};
  world.workloads.clear();
  world.workloads.push_back(flows_workload().build(context, &params));
  world.faults.clear();
  world.expect = "ok";
  const Result result = run_world(std::move(world), {});
  report.fabric = result.fabric;
  if (result.flows.empty() || result.flows.front().received.ps < 0) {
    report.error = "the message did not arrive: " + result.verdict_text;
    return;
  }
  report.simulated = result.flows.front().received - result.flows.front().start;
}

}  // namespace

PingReport ping(const ValidSpec& spec, const std::string& from, const std::string& to,
                Bytes bytes) {
  PingReport report;
  World world;
  world.topology = *spec.graph;
  world.params = spec.models;
  world.routes = compute_routes(world.topology, spec.models.sw.routing);
  world.limits.check_every = Time::from_us(20);
  const Endpoint* source = endpoint_of(world.topology, from);
  const Endpoint* target = endpoint_of(world.topology, to);
  if (source == nullptr || target == nullptr || source == target) {
    report.error = source == nullptr   ? "there is no host \"" + from + "\""
                   : target == nullptr ? "there is no host \"" + to + "\""
                                       : "\"" + from + "\" can't ping itself";
    return report;
  }
  if (bytes.count < 1 || bytes > world.params.fabric.mtu) {
    report.error = "the message must fit one packet: 1 to " +
                   std::to_string(world.params.fabric.mtu.count) + " bytes";
    return report;
  }
  const auto destination =
      EndpointId{static_cast<std::uint32_t>(target - world.topology.endpoints.data())};
  const Walk walk =
      walk_first_candidates(world.topology, world.routes, *source, *target, destination);
  if (!walk.complete) {
    report.error = "no path leads from \"" + from + "\" to \"" + to + "\"";
    return report;
  }
  const std::int64_t wire = message_wire_bytes(
      world.params.fabric.wire, bytes, world.params.fabric.mtu, world.params.transport.immediate);
  fill_rows(report, world, walk, wire);
  simulate(report, std::move(world), walk, from, to, bytes);
  return report;
}

std::string ping_table(const std::vector<PingReport>& reports) {
  std::string text;
  for (const PingReport& report : reports) {
    char line[200];
    std::snprintf(line, sizeof line, "%-32s %9s %9s %9s %9s %9s %10s\n",
                  (report.fabric + ", in ns").c_str(), "NIC", "serialis.", "cable", "FEC", "core",
                  "sum");
    text += line;
    const auto ns = [](Time t) { return static_cast<double>(t.ps) * 1e-3; };
    Time sum{0};
    for (const PingRow& row : report.rows) {
      sum += row.total();
      std::snprintf(line, sizeof line, "  %-30s %9.2f %9.2f %9.2f %9.2f %9.2f %10.2f\n",
                    row.part.c_str(), ns(row.nic), ns(row.serialisation), ns(row.cable),
                    ns(row.fec), ns(row.switch_core), ns(sum));
      text += line;
    }
    if (report.tail_wait > Time{0}) {
      std::snprintf(line, sizeof line, "  waiting for tails on faster links %62.2f\n",
                    ns(report.tail_wait));
      text += line;
    }
    std::snprintf(line, sizeof line, "  closed form %.3f ns, simulated %.3f ns%s\n\n",
                  ns(report.closed_form), ns(report.simulated),
                  report.closed_form == report.simulated ? " (equal)" : "  DIFFERENT");
    text += line;
  }
  if (reports.size() == 2) {
    char line[200];
    std::snprintf(
        line, sizeof line, "%s takes %.2f times as long as %s.\n", reports[1].fabric.c_str(),
        static_cast<double>(reports[1].simulated.ps) / static_cast<double>(reports[0].simulated.ps),
        reports[0].fabric.c_str());
    text += line;
  }
  return text;
}

}  // namespace spineleaf
