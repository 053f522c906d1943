#include "topologies/builders/dragonfly_groups.hpp"

namespace spineleaf {

GlobalPlan plan_global(const DragonflyParams& params, std::int64_t owners,
                       std::vector<Problem>& problems) {
  const std::int64_t channels = owners * params.global_links;
  GlobalPlan plan;
  plan.groups = params.groups > 0 ? params.groups : channels + 1;
  if (plan.groups == 1) return plan;
  plan.links_per_pair = channels / (plan.groups - 1);
  if (plan.links_per_pair == 0) {
    problems.push_back(make_error("groups", "a group has too few global links to reach all others",
                                  std::to_string(plan.groups),
                                  "at most " + std::to_string(channels + 1),
                                  "Give more global_links or larger groups"));
  }
  return plan;
}

void connect_groups(Assembler& fabric, const DragonflyParams& params, const GlobalPlan& plan,
                    const std::vector<NodeId>& owners, const CableKind& cable) {
  const std::int64_t per_group = static_cast<std::int64_t>(owners.size()) / plan.groups;
  const auto owner_of = [&](std::int64_t group, std::int64_t peer, std::int64_t round) {
    const std::int64_t channel = round * (plan.groups - 1) + (peer > group ? peer - 1 : peer);
    return owners[static_cast<std::size_t>(group * per_group + channel / params.global_links)];
  };
  for (std::int64_t round = 0; round < plan.links_per_pair; ++round) {
    for (std::int64_t i = 0; i < plan.groups; ++i) {
      for (std::int64_t j = i + 1; j < plan.groups; ++j) {
        fabric.connect(owner_of(i, j, round), owner_of(j, i, round), 1, cable);
      }
    }
  }
}

std::vector<Problem> check_dragonfly(const ParamTable& table, const DragonflyParams& params) {
  std::vector<Problem> problems = check_ranges(table, &params);
  if (has_errors(problems)) return problems;
  check_delay("host_cable", params.host_cable, params.host_latency, problems);
  check_delay("local_cable", params.local_cable, params.local_latency, problems);
  check_delay("global_cable", params.global_cable, params.global_latency, problems);
  return problems;
}

DragonflyCables dragonfly_cables(const DragonflyParams& params) {
  return {{speed_or(params.host_speed, params.speed),
           cable_delay(params.host_cable, params.host_latency), 0},
          {params.speed, cable_delay(params.local_cable, params.local_latency), 1},
          {speed_or(params.global_speed, params.speed),
           cable_delay(params.global_cable, params.global_latency), 2}};
}

void add_dragonfly_hosts(Assembler& fabric, const DragonflyParams& params, std::int64_t groups) {
  const std::int64_t per_group = params.switches_per_group * params.hosts_per_switch;
  for (std::int64_t h = 0; h < groups * per_group; ++h) {
    fabric.add_host(static_cast<std::uint32_t>(h / per_group));
  }
}

}  // namespace spineleaf
