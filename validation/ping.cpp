#include "validation/ping.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

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
  world.routes = routes_of(spec);
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

namespace {

double ns(Time t) { return static_cast<double>(t.ps) * 1e-3; }

std::string format(const char* pattern, auto... values) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// Reports with the same parts, as one table: a block of columns each.
std::string side_by_side(std::span<const PingReport> reports) {
  constexpr int kPart = 28;
  constexpr int kBlock = 54;
  std::string text = format("%-*s", kPart, "ns");
  for (const PingReport& r : reports) text += format("   %-*s", kBlock - 3, r.fabric.c_str());
  text.erase(text.find_last_not_of(' ') + 1);
  text += format("\n%-*s", kPart, "");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    text += format("%9s%9s%9s%9s%9s%9s", "NIC", "serial.", "cable", "FEC", "core", "sum");
  }
  std::vector<Time> sums(reports.size());
  for (std::size_t part = 0; part < reports[0].rows.size(); ++part) {
    text += format("\n%-*s", kPart, reports[0].rows[part].part.c_str());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const PingRow& row = reports[i].rows[part];
      sums[i] += row.total();
      text += format("%9.2f%9.2f%9.2f%9.2f%9.2f%9.2f", ns(row.nic), ns(row.serialisation),
                     ns(row.cable), ns(row.fec), ns(row.switch_core), ns(sums[i]));
    }
  }
  text += "\n";
  for (const PingReport& r : reports) {
    text += r.fabric + ": ";
    if (r.tail_wait > Time{0}) {
      text += format("waiting for tails on faster links %.2f ns; ", ns(r.tail_wait));
    }
    text += format("closed form %.3f ns, simulated %.3f ns%s\n", ns(r.closed_form), ns(r.simulated),
                   r.closed_form == r.simulated ? " (equal)" : "  DIFFERENT");
  }
  return text;
}

bool same_parts(std::span<const PingReport> reports) {
  return std::all_of(reports.begin(), reports.end(), [&](const PingReport& r) {
    return std::equal(r.rows.begin(), r.rows.end(), reports[0].rows.begin(), reports[0].rows.end(),
                      [](const PingRow& a, const PingRow& b) { return a.part == b.part; });
  });
}

}  // namespace

std::string ping_table(const std::vector<PingReport>& reports) {
  const std::span<const PingReport> all(reports);
  std::string text;
  if (!all.empty() && same_parts(all)) {
    text = side_by_side(all);
  } else {
    for (std::size_t i = 0; i < all.size(); ++i) text += side_by_side(all.subspan(i, 1)) + "\n";
  }
  if (reports.size() == 2) {
    text += format(
        "%s takes %.2f times as long as %s.\n", reports[1].fabric.c_str(),
        static_cast<double>(reports[1].simulated.ps) / static_cast<double>(reports[0].simulated.ps),
        reports[0].fabric.c_str());
  }
  return text;
}

}  // namespace spineleaf
