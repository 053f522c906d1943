// dragonfly_plus: groups are small leaf and spine fabrics; global links join the spines
// (Shpiner et al.: "Dragonfly+: Low Cost Topology for Scaling Datacenters", HiPINEB 2017).

#include <algorithm>

#include "topologies/builders/dragonfly_groups.hpp"
#include "topologies/builders/kind.hpp"

namespace spineleaf {

namespace {

constexpr auto kDragonflyPlusDecls = join(
    std::array{
        param<&DragonflyParams::switches_per_group>(
            "leaves_per_group", Unit::Count, "8", 1, kMaxRadix,
            "Leaves in a group, each joined to every spine of it.", "assumed"),
        param<&DragonflyParams::spines_per_group>("spines_per_group", Unit::Count, "8", 1,
                                                  kMaxRadix, "Spines in a group.", "assumed"),
        param<&DragonflyParams::global_links>("global_links", Unit::Count, "4", 1, kMaxRadix,
                                              "Links of each spine to other groups.", "assumed")},
    kDragonflyGroupDecls);

constexpr ParamTable kDragonflyPlusTable{
    "dragonfly_plus", "Groups of leaves and spines; global links join the spines.",
    kDragonflyPlusDecls};

GlobalPlan plan_dragonfly_plus(const DragonflyParams& params, std::vector<Problem>& problems) {
  const std::int64_t leaf_ports =
      params.hosts_per_switch + params.spines_per_group * params.parallel;
  const std::int64_t spine_ports =
      params.switches_per_group * params.parallel + params.global_links;
  const std::int64_t ports = std::max(leaf_ports, spine_ports);
  if (ports > params.radix) {
    problems.push_back(make_error("radix", "a switch has too few ports",
                                  std::to_string(params.radix),
                                  "at least " + std::to_string(leaf_ports) + " on a leaf and " +
                                      std::to_string(spine_ports) + " on a spine"));
  }
  const GlobalPlan global = plan_global(params, params.spines_per_group, problems);
  if (has_errors(problems)) return global;
  const std::int64_t leaves = global.groups * params.switches_per_group;
  const std::int64_t switches = leaves + global.groups * params.spines_per_group;
  check_size({leaves * params.hosts_per_switch, switches, switches * ports, leaves}, problems);
  return global;
}

}  // namespace

BuildResult build_dragonfly_plus(const DragonflyParams& params) {
  BuildResult result;
  result.problems = check_dragonfly(kDragonflyPlusTable, params);
  if (!result.ok()) return result;
  const GlobalPlan global = plan_dragonfly_plus(params, result.problems);
  if (!result.ok()) return result;

  Assembler fabric("dragonfly_plus");
  const DragonflyCables cables = dragonfly_cables(params);
  add_dragonfly_hosts(fabric, params, global.groups);
  const auto add_tier = [&](const char* name, std::uint8_t tier, std::int64_t per_group) {
    std::vector<NodeId> nodes;
    for (std::int64_t s = 0; s < global.groups * per_group; ++s) {
      nodes.push_back(fabric.add_switch(name + std::to_string(s), tier, 0,
                                        static_cast<std::uint32_t>(s / per_group), params.radix));
    }
    return nodes;
  };
  const std::vector<NodeId> leaves = add_tier("leaf", 1, params.switches_per_group);
  const std::vector<NodeId> spines = add_tier("spine", 2, params.spines_per_group);
  for (std::size_t s = 0; s < leaves.size(); ++s) {
    for (std::int64_t i = 0; i < params.hosts_per_switch; ++i) {
      const auto host = static_cast<std::int64_t>(s) * params.hosts_per_switch + i;
      fabric.connect_host(NodeId{static_cast<std::uint32_t>(host)}, 0, leaves[s], cables.host);
    }
  }
  const auto leaves_per_group = static_cast<std::size_t>(params.switches_per_group);
  const auto spines_per_group = static_cast<std::size_t>(params.spines_per_group);
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const std::size_t first = leaf / leaves_per_group * spines_per_group;
    for (std::size_t s = 0; s < spines_per_group; ++s) {
      fabric.connect(leaves[leaf], spines[first + s], params.parallel, cables.local);
    }
  }
  connect_groups(fabric, params, global, spines, cables.global);
  result.topology = fabric.finish();
  return result;
}

TopologyKind dragonfly_plus() {
  return make_kind<DragonflyParams, build_dragonfly_plus>(
      "dragonfly_plus", kDragonflyPlusTable.text, kDragonflyPlusTable);
}

}  // namespace spineleaf
