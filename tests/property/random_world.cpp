#include "tests/property/random_world.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/sharp/manager.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf::property {
namespace {

std::uint16_t port_towards(const Topology& topology, NodeId from, NodeId to) {
  for (const Cable& cable : topology.cables) {
    if (cable.a.node == from && cable.b.node == to) return cable.a.port;
    if (cable.b.node == from && cable.a.node == to) return cable.b.port;
  }
  throw std::logic_error("no cable between " + topology.node(from).name + " and " +
                         topology.node(to).name);
}

NodeId switch_of(const Topology& topology, NodeId host) {
  for (const Cable& cable : topology.cables) {
    if (cable.a.node == host) return cable.b.node;
    if (cable.b.node == host) return cable.a.node;
  }
  throw std::logic_error("host without a cable");
}

/// From host to host around a ring, always to the next higher switch: every link waits for the
/// next one, which is what a deadlock needs.
PinnedPath clockwise(const Topology& topology, NodeId from, NodeId to) {
  const auto first = topology.host_count;
  const auto switches = static_cast<std::uint32_t>(topology.nodes.size()) - first;
  PinnedPath path;
  NodeId at = switch_of(topology, from);
  const NodeId last = switch_of(topology, to);
  path.hops.push_back({from, port_towards(topology, from, at)});
  while (at != last) {
    const NodeId next{first + (index(at) - first + 1) % switches};
    path.hops.push_back({at, port_towards(topology, at, next)});
    at = next;
  }
  path.hops.push_back({at, port_towards(topology, at, to)});
  return path;
}

std::string endpoint_name(const Topology& topology, const Endpoint& endpoint) {
  return topology.node(endpoint.host).name + ":" + std::to_string(endpoint.nic);
}

FlowEntry draw_flow(Dice& dice, const World& world, std::int64_t pattern, std::size_t number) {
  const Topology& topology = world.topology;
  const auto n = static_cast<std::int64_t>(topology.endpoints.size());
  const auto place = static_cast<std::int64_t>(number);
  std::int64_t from = pattern == 0 ? 1 + place % (n - 1) : pattern == 1 ? place % n : dice.below(n);
  std::int64_t to = pattern == 0 ? 0 : pattern == 1 ? (place + n / 2) % n : dice.below(n);
  while (topology.endpoints[static_cast<std::size_t>(from)].host ==
         topology.endpoints[static_cast<std::size_t>(to)].host) {
    from = (from + 1) % n;
  }
  const std::int64_t mtu = world.params.fabric.mtu.count;
  FlowEntry flow;
  flow.from = endpoint_name(topology, topology.endpoints[static_cast<std::size_t>(from)]);
  flow.to = endpoint_name(topology, topology.endpoints[static_cast<std::size_t>(to)]);
  flow.bytes = Bytes{dice.pick({std::int64_t{1}, dice.within(1, mtu), mtu * dice.within(1, 8),
                                mtu * dice.within(8, 160), dice.within(mtu, mtu * 60)})};
  flow.start = dice.one_in(2) ? Time{0} : dice.delay(kNs, kUs * 5);
  flow.traffic_class = static_cast<int>(dice.within(-1, world.params.fabric.classes - 1));
  if (dice.one_in(8)) flow.rate = Rate::from_gbps(dice.within(5, 300));
  return flow;
}

void pin(World& world, FlowEntry& flow) {
  const auto host = [&](const std::string& name) {
    const std::string wanted = name.substr(0, name.find(':'));
    std::uint32_t h = 0;
    while (world.topology.nodes[h].name != wanted) ++h;
    return NodeId{h};
  };
  flow.path_id = static_cast<std::int32_t>(world.paths.size());
  world.paths.push_back(clockwise(world.topology, host(flow.from), host(flow.to)));
  world.reverse_paths.push_back(clockwise(world.topology, host(flow.to), host(flow.from)));
}

const WorkloadKind& kind_named(std::string_view name) {
  const auto kinds = workload_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const WorkloadKind& kind) { return kind.name == name; });
  if (found == kinds.end()) throw std::logic_error("no workload kind " + std::string(name));
  return *found;
}

void set_integer(const WorkloadKind& kind, void* params, std::string_view name,
                 std::int64_t value) {
  for (const ParamDecl& decl : kind.table.params) {
    if (decl.name == name) return decl.set(params, {.integer = value, .real = 0, .text = {}});
  }
  throw std::logic_error(std::string(kind.name) + " has no parameter " + std::string(name));
}

void add_job(World& world, const Case& wanted, std::vector<std::uint32_t>& next_row,
             const WorkloadKind& kind, const void* params,
             AggregationManager* aggregation = nullptr) {
  const auto job = static_cast<std::uint32_t>(world.workloads.size());
  const WorkloadContext context{world.topology, world.params, wanted.seed, job,
                                next_row,       aggregation};
  world.workloads.push_back(kind.build(context, params));
  if (world.workloads.back().problems.empty()) return;
  throw std::logic_error("a random workload was refused: " +
                         world.workloads.back().problems.front());
}

/// Any kind of job but a list of flows, small enough to end within some ten microseconds.
void draw_job(Dice& dice, const Case& wanted, World& world, std::vector<std::uint32_t>& next_row) {
  const WorkloadKind& kind = kind_named(dice.pick<std::string_view>(
      {"permutation", "incast", "send_recv", "all_to_all", "poisson", "collective"}));
  const auto params = kind.make_params();
  const auto set = [&](std::string_view name, std::int64_t value) {
    set_integer(kind, params.get(), name, value);
  };
  const std::int64_t mtu = world.params.fabric.mtu.count;
  if (kind.name == "collective") {
    set("bytes", dice.within(1'000, 100'000));
    set("collective", dice.below(3));
    set("protocol", dice.below(2));
    set("channels", dice.within(1, 4));
    set("qps_per_connection", dice.within(1, 2));
    set("iterations", dice.within(1, 2));
  } else if (kind.name == "poisson") {
    // At half load of 100 Gb/s a byte takes 160 ps: 20 flows a port and more are expected, so that
    // chance never leaves all of them out.
    const std::int64_t bytes = dice.within(1, 4 * mtu);
    set("bytes", bytes);
    set("duration", bytes * 160 * dice.within(20, 30));
    set("connections", dice.below(2));
  } else {
    set("bytes", dice.within(1, (kind.name == "all_to_all" ? 2 : 8) * mtu));
    set(kind.name == "send_recv"    ? "messages"
        : kind.name == "all_to_all" ? "in_flight"
                                    : "repeat",
        dice.within(1, 4));
    set("start_jitter", dice.one_in(2) ? 0 : dice.within(1, 3'000'000));
  }
  add_job(world, wanted, next_row, kind, params.get());
}

/// Where switches can aggregate, two jobs do that; each gets a tree, or else goes round a ring.
/// With dice of its own, so that the rest of the world is as it would be without.
void draw_aggregation(const Case& wanted, World& world, std::vector<std::uint32_t>& next_row) {
  const FabricParams& fabric = world.params.fabric;
  const bool can = fabric.wire == WireFormat::InfiniBand &&
                   fabric.flow_control != FlowControlKind::Pfc && world.topology.host_count > 1;
  if (!can) return;
  Dice dice(wanted.seed + 0x5a7, wanted.quantum());
  SharpParams& sharp = world.params.sharp;
  sharp.generation = dice.pick({SharpGeneration::V1, SharpGeneration::V2, SharpGeneration::V3});
  sharp.payload_per_ost = Bytes{dice.within(40, 600)};
  sharp.osts_per_group = dice.within(2, 12);
  sharp.llt_quota = sharp.sat_quota = dice.pick({40, 100});
  sharp.sat_buffer = Bytes{fabric.mtu.count * dice.within(1, 30)};
  sharp.latency = dice.one_in(3) ? Time{0} : dice.delay(kNs, kNs * 300);
  AggregationManager manager(world.topology, world.params);
  const WorkloadKind& kind = kind_named("sharp");
  for (int i = 0; i < 2; ++i) {
    const auto params = kind.make_params();
    const auto set = [&](std::string_view name, std::int64_t value) {
      set_integer(kind, params.get(), name, value);
    };
    set("operation", dice.below(4));
    set("bytes", 4 * dice.within(1, 5'000));
    set("mode", dice.below(3));
    set("iterations", dice.within(1, 5));
    set("in_flight", dice.within(1, 3));
    set("start_jitter", dice.one_in(2) ? 0 : dice.within(1, 3'000'000));
    set("class", dice.below(fabric.classes));
    add_job(world, wanted, next_row, kind, params.get(), &manager);
  }
}

/// A list of flows and, in half of the worlds, a job of another kind beside it.
void draw_workloads(Dice& dice, const Case& wanted, World& world) {
  std::vector<std::uint32_t> next_row(world.topology.host_count, 0);
  FlowsParams flows;
  const std::int64_t pattern = dice.below(3);
  const bool pinned = wanted.family == Family::Ring && dice.one_in(2);
  const auto count = static_cast<std::size_t>(dice.within(2, 32));
  for (std::size_t i = 0; i < count; ++i) {
    flows.flows.push_back(draw_flow(dice, world, pattern, i));
    if (pinned) pin(world, flows.flows.back());
  }
  add_job(world, wanted, next_row, kind_named("flows"), &flows);
  if (dice.one_in(2)) draw_job(dice, wanted, world, next_row);
  draw_aggregation(wanted, world, next_row);
}

/// Links that fail, most of them to come back, some at another rate.
void draw_faults(Dice& dice, World& world) {
  const auto cables = static_cast<std::int64_t>(world.topology.cables.size());
  std::vector<bool> used(world.topology.cables.size(), false);
  for (std::int64_t n = dice.within(1, 4); n > 0; --n) {
    const auto cable = static_cast<std::uint32_t>(dice.below(cables));
    if (used[cable]) continue;
    used[cable] = true;
    const CableId id{cable};
    Time at = dice.delay(kNs, kUs * 30);
    for (std::int64_t again = dice.within(1, 3); again > 0; --again) {
      world.faults.push_back({at, id, FaultAction::Down, Rate{}});
      if (dice.one_in(5)) break;
      const Time up = at + dice.delay(kNs, kUs * 15);
      if (dice.one_in(4)) {
        const Rate rate = Rate::from_gbps(dice.pick({100, 400}));
        world.faults.push_back({up, id, FaultAction::Degrade, rate});
      }
      world.faults.push_back({up, id, FaultAction::Up, Rate{}});
      at = up + dice.delay(kNs, kUs * 15);
    }
  }
  std::stable_sort(world.faults.begin(), world.faults.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
}

void draw_limits(Dice& dice, RunLimits& limits) {
  limits.deadline = dice.delay(kUs * 60, kUs * 300);
  limits.check_every = dice.delay(kUs * 2, kUs * 20);
  if (dice.one_in(2)) limits.sample_every = dice.delay(kNs * 300, kUs * 20);
  if (dice.one_in(3)) limits.no_progress = dice.delay(kUs * 5, kUs * 40);
  if (dice.one_in(16)) limits.hop_budget = 5000;
}

}  // namespace

std::string_view family_name(Family family) {
  switch (family) {
    case Family::Pair: return "Pair";
    case Family::Star: return "Star";
    case Family::Dumbbell: return "Dumbbell";
    case Family::Ring: return "Ring";
    case Family::LeafSpine: return "LeafSpine";
    case Family::FatTree: return "FatTree";
    case Family::RandomGraph: return "RandomGraph";
  }
  return "";
}

World random_world(const Case& wanted) {
  Dice dice(wanted.seed, wanted.quantum());
  World world;
  world.name = "random " + std::to_string(wanted.seed);
  world.seed = wanted.seed;
  world.params = random_params(dice, wanted);
  world.topology = random_topology(dice, wanted);
  world.routes = compute_routes(world.topology, world.params.sw.routing);
  draw_workloads(dice, wanted, world);
  if (dice.one_in(2)) draw_faults(dice, world);
  draw_limits(dice, world.limits);
  return world;
}

std::string describe(const Case& wanted, const World& world) {
  constexpr const char* kFlowControl[] = {"no flow control", "PFC", "credits"};
  constexpr const char* kForwarding[] = {"ecmp", "static", "spray", "adaptive", "flowlet"};
  const ModelParams& p = world.params;
  std::string text = "seed " + std::to_string(wanted.seed) + ": ";
  text += family_name(wanted.family);
  text += wanted.tie_rich ? ", tie-rich, " : ", ";
  text += kFlowControl[static_cast<int>(p.fabric.flow_control)];
  text += p.sw.switching == Switching::CutThrough ? ", cut-through, " : ", store-and-forward, ";
  text += kForwarding[static_cast<int>(p.sw.forwarding)];
  text += ", " + std::to_string(p.fabric.classes) + " classes, mtu " +
          std::to_string(p.fabric.mtu.count) + ", " + std::to_string(world.topology.host_count) +
          " hosts, " + std::to_string(world.topology.cables.size()) + " cables, " +
          (world.workloads.size() > 1 ? "flows and " + world.workloads[1].name + ", " : "flows, ") +
          std::to_string(world.faults.size()) + " faults, " + std::to_string(world.paths.size()) +
          " pinned paths, " + (world.limits.sample_every > Time{0} ? "sampled" : "not sampled");
  return text;
}

}  // namespace spineleaf::property
