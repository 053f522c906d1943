// ValidSpec -> World: the last step before actors.
#include <algorithm>

#include "models/sharp/manager.hpp"
#include "scenarios/run.hpp"
#include "scenarios/subnet_plan.hpp"

namespace spineleaf {
namespace {

/// How often completion and progress are looked at: often enough that a finished run stops soon,
/// seldom enough to cost nothing.
constexpr Time kCheckEvery = Time::from_us(20);

std::string expect_word(Expect expect) {
  switch (expect) {
    case Expect::Ok: return "ok";
    case Expect::Deadlock: return "deadlock";
    case Expect::Drops: return "drops";
    case Expect::Stuck: return "stuck";
    case Expect::Deadline: return "deadline";
  }
  return "ok";
}

PinnedPath pinned(const Topology& topology, std::span<const std::uint32_t> channels, bool reverse) {
  PinnedPath path;
  for (const std::uint32_t channel : channels) {
    const Cable& cable = topology.cables[channel / 2];
    const bool from_a = (channel % 2 == 0) != reverse;
    const PortRef& from = from_a ? cable.a : cable.b;
    path.hops.push_back({from.node, from.port});
  }
  if (reverse) std::reverse(path.hops.begin(), path.hops.end());
  return path;
}

void add_paths(World& world, const ValidSpec& spec) {
  if (spec.paths.empty()) return;
  const PathsResult paths = make_paths(world.topology, spec.paths);
  for (std::uint32_t p = 0; p < paths.table.size(); ++p) {
    const auto channels = paths.table.channels(PathId{p});
    world.paths.push_back(pinned(world.topology, channels, false));
    world.reverse_paths.push_back(pinned(world.topology, channels, true));
  }
}

}  // namespace

Routes routes_of(const ValidSpec& spec) {
  if (spec.subnet) return spec.subnet->run_routes().routes;
  return compute_routes(*spec.graph, spec.models.sw.routing);
}

World build_world(const ValidSpec& spec, std::uint64_t seed) {
  World world;
  world.name = spec.name;
  world.seed = seed;
  world.expect = expect_word(spec.expect);
  world.topology = *spec.graph;
  world.params = spec.models;
  world.routes = routes_of(spec);
  add_paths(world, spec);
  std::vector<std::uint32_t> next_row(world.topology.host_count, 0);
  AggregationManager aggregation(world.topology, world.params);
  for (std::uint32_t job = 0; job < spec.workloads.size(); ++job) {
    const WorkloadSpec& wanted = spec.workloads[job];
    for (const WorkloadKind& kind : workload_kinds()) {
      if (kind.name != wanted.kind) continue;
      const WorkloadContext context{world.topology, world.params, seed, job,
                                    next_row,       &aggregation};
      world.workloads.push_back(kind.build(context, wanted.params.get()));
      if (!wanted.name.empty()) world.workloads.back().name = wanted.name;
      if (spec.subnet) spec.subnet->give_lanes(world.workloads.back(), spec.models.fabric);
    }
  }
  for (const FaultSpec& fault : spec.faults) {
    if (is_host_fault(fault.action)) {
      world.faults.push_back({fault.at, CableId{}, fault.action, fault.rate, fault.host_row});
    }
    for (const CableId cable : fault.cables) {
      world.faults.push_back({fault.at, cable, fault.action, fault.rate, 0});
    }
  }
  std::stable_sort(world.faults.begin(), world.faults.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
  world.limits = {spec.run.deadline,      spec.run.no_progress,  kCheckEvery,
                  spec.run.sample_every,  spec.run.event_budget, spec.run.deadlock_every,
                  spec.run.until_deadlock};
  world.window = {spec.run.warmup, spec.run.window};
  return world;
}

}  // namespace spineleaf
