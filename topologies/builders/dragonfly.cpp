// dragonfly: groups of fully joined switches, every two groups joined by global links
// (Kim, Dally, Scott, Abts: "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008).

#include "topologies/builders/dragonfly_groups.hpp"
#include "topologies/builders/kind.hpp"

namespace spineleaf {

namespace {

constexpr auto kDragonflyDecls = join(
    std::array{
        param<&DragonflyParams::switches_per_group>(
            "switches_per_group", Unit::Count, "8", 1, kMaxRadix,
            "Switches in a group, each joined to all others.",
            "Kim et al., ISCA 2008: a = 2 p = 2 h is balanced"),
        param<&DragonflyParams::global_links>("global_links", Unit::Count, "4", 1, kMaxRadix,
                                              "Links of each switch to other groups.",
                                              "Kim et al., ISCA 2008: a = 2 p = 2 h is balanced")},
    kDragonflyGroupDecls);

constexpr ParamTable kDragonflyTable{
    "dragonfly", "Groups of fully joined switches, every two groups joined.", kDragonflyDecls};

GlobalPlan plan_dragonfly(const DragonflyParams& params, std::vector<Problem>& problems) {
  const std::int64_t mesh = (params.switches_per_group - 1) * params.parallel;
  const std::int64_t ports = params.hosts_per_switch + mesh + params.global_links;
  if (ports > params.radix) {
    problems.push_back(make_error(
        "radix", "a switch has too few ports", std::to_string(params.radix),
        "at least " + std::to_string(ports) + " (hosts + switches_per_group - 1 + global_links)"));
  }
  const GlobalPlan global = plan_global(params, params.switches_per_group, problems);
  if (has_errors(problems)) return global;
  const std::int64_t switches = global.groups * params.switches_per_group;
  check_size({switches * params.hosts_per_switch, switches, switches * ports, switches}, problems);
  return global;
}

}  // namespace

BuildResult build_dragonfly(const DragonflyParams& params) {
  BuildResult result;
  result.problems = check_dragonfly(kDragonflyTable, params);
  if (!result.ok()) return result;
  const GlobalPlan global = plan_dragonfly(params, result.problems);
  if (!result.ok()) return result;

  Assembler fabric("dragonfly");
  const DragonflyCables cables = dragonfly_cables(params);
  add_dragonfly_hosts(fabric, params, global.groups);
  std::vector<NodeId> switches;
  const auto per_group = static_cast<std::size_t>(params.switches_per_group);
  for (std::size_t s = 0; s < static_cast<std::size_t>(global.groups) * per_group; ++s) {
    switches.push_back(fabric.add_switch("sw" + std::to_string(s), 1, 0,
                                         static_cast<std::uint32_t>(s / per_group), params.radix));
  }
  for (std::size_t s = 0; s < switches.size(); ++s) {
    for (std::int64_t i = 0; i < params.hosts_per_switch; ++i) {
      const auto host = static_cast<std::int64_t>(s) * params.hosts_per_switch + i;
      fabric.connect_host(NodeId{static_cast<std::uint32_t>(host)}, 0, switches[s], cables.host);
    }
  }
  for (std::size_t s = 0; s < switches.size(); ++s) {
    for (std::size_t t = s + 1; t < (s / per_group + 1) * per_group; ++t) {
      fabric.connect(switches[s], switches[t], params.parallel, cables.local);
    }
  }
  connect_groups(fabric, params, global, switches, cables.global);
  result.topology = fabric.finish();
  return result;
}

TopologyKind dragonfly() {
  return make_kind<DragonflyParams, build_dragonfly>("dragonfly", kDragonflyTable.text,
                                                     kDragonflyTable);
}

}  // namespace spineleaf
