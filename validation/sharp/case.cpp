#include "validation/sharp/case.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/sharp/manager.hpp"
#include "models/workloads/registry.hpp"
#include "topologies/custom.hpp"

namespace spineleaf {
namespace {

constexpr Rate kLine = Rate::from_gbps(400);
constexpr Time kCable = Time::from_ns(50);

const ParamDecl& declared(const ParamTable& table, std::string_view name) {
  for (const ParamDecl& decl : table.params) {
    if (decl.name == name) return decl;
  }
  throw std::logic_error("no parameter " + std::string(name));
}

void set(ModelParams& params, const PresetEntry& entry) {
  const std::size_t dot = entry.key.find('.');
  for (const ParamTable& table : model_param_tables()) {
    if (table.name != entry.key.substr(0, dot)) continue;
    const ParamDecl& decl = declared(table, entry.key.substr(dot + 1));
    decl.set(section_object(params, table.name), parse_declared(decl, entry.value));
  }
}

Topology tree_of(const SharpCase& wanted) {
  CustomSpec spec;
  std::int64_t width = 1;
  for (std::int64_t level = wanted.levels; level >= 0; --level, width *= wanted.children) {
    for (std::int64_t i = 0; i < width; ++i) {
      const std::string name =
          (level == 0 ? "host" : "sw" + std::to_string(level) + "-") + std::to_string(i);
      spec.nodes.push_back({name, level == 0 ? NodeKind::Host : NodeKind::Switch});
      if (level == wanted.levels) continue;
      CustomLink link;
      link.a = name;
      link.b = "sw" + std::to_string(level + 1) + "-" + std::to_string(i / wanted.children);
      link.rate = kLine;
      link.latency = kCable;
      spec.links.push_back(std::move(link));
    }
  }
  BuildResult built = build_custom(spec);
  if (has_errors(built.problems)) throw std::logic_error(to_string(built.problems.front()));
  return std::move(built.topology);
}

}  // namespace

World sharp_world(const SharpCase& wanted) {
  constexpr PresetEntry kIdle[] = {
      {"fabric.wire", "infiniband"},
      {"fabric.flow_control", "none"},
      {"fabric.classes", "1"},
      {"fabric.cnp_class", "0"},
      {"fabric.fec", "0ns"},
      {"switch.core_latency", "150ns"},
      {"switch.switching", "cut_through"},
      {"nic.pcie_rate", "0bps"},
      {"nic.send_latency", "0ns"},
      {"nic.receive_latency", "0ns"},
      {"nic.message_cost", "0ns"},
      {"sharp.generation", "v3"},
      {"sharp.latency", "100ns"},
      {"sharp.sat_buffer", "1GiB"},
      {"sharp.sat_quota", "100"},
      {"sharp.llt_quota", "100"},
  };
  World world;
  world.name = "sharp";
  world.topology = tree_of(wanted);
  world.params = default_model_params();
  for (const PresetEntry& entry : kIdle) set(world.params, entry);
  for (const PresetEntry& entry : wanted.settings) set(world.params, entry);
  world.routes = compute_routes(world.topology, world.params.sw.routing);
  std::vector<std::uint32_t> next_row(world.topology.host_count, 0);
  AggregationManager manager(world.topology, world.params);
  const WorkloadContext context{world.topology, world.params, 1, 0, next_row, &manager};
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name != "sharp") continue;
    const std::shared_ptr<void> params = kind.make_params();
    const auto give = [&](std::string_view name, std::string_view value) {
      const ParamDecl& decl = declared(kind.table, name);
      decl.set(params.get(), parse_declared(decl, value));
    };
    give("operation", wanted.operation);
    give("mode", wanted.mode);
    give("bytes", std::to_string(wanted.bytes) + "B");
    give("data_type", "int8");
    give("fallback", "false");
    world.workloads.push_back(kind.build(context, params.get()));
  }
  world.limits.deadline = Time::from_ms(1000);
  return world;
}

SharpTree sharp_tree(const SharpCase& wanted) {
  const ModelParams params = sharp_world(wanted).params;
  return {wanted.levels,          kLine, kCable, params.sw.core_latency, params.sharp.latency,
          params.sw.header.count, 26};
}

Time sharp_duration(const Result& result) {
  if (result.verdict != Verdict::Ok || result.collectives.empty()) return Time{-1};
  return result.collectives.front().end - result.collectives.front().start;
}

}  // namespace spineleaf
