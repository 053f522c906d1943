#include "scenarios/input/resolve.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "scenarios/input/json_source.hpp"
#include "scenarios/input/presets.hpp"
#include "scenarios/input/read.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"

namespace spineleaf {

namespace {

class Resolver {
 public:
  explicit Resolver(const Spec& spec) : spec_(spec) {}

  std::vector<ResolvedValue> run() {
    for (const ParamTable& table : model_param_tables()) {
      add(table, section_object(spec_.models, table.name), std::string{table.name});
    }
    if (const TopologyKind* kind = find_topology_kind(spec_.topology.kind)) {
      add("topology.kind", spec_.topology.kind);
      add(kind->params, spec_.topology.params.get(), "topology");
    }
    add(subnet_table(), &spec_.subnet, "subnet");
    for (std::size_t i = 0; i < spec_.workloads.size(); ++i) {
      const WorkloadKind* kind = find_workload_kind(spec_.workloads[i].kind);
      if (kind == nullptr) continue;
      const std::string path = "workload[" + std::to_string(i) + "]";
      add(path + ".kind", spec_.workloads[i].kind);
      add(kind->table, spec_.workloads[i].params.get(), path);
    }
    add(run_table(), &spec_.run, "run");
    const auto* data = static_cast<const ScenarioData*>(&spec_);
    add("expect", format_value(expect_decl(), expect_decl().get(data)));
    return std::move(values_);
  }

 private:
  void add(const ParamTable& table, const void* object, const std::string& path) {
    for (const ParamDecl& decl : table.params) {
      add(path + "." + std::string{decl.name}, format_value(decl, decl.get(object)));
    }
  }

  void add(std::string key, std::string value) {
    std::string origin = origin_of(key);
    values_.push_back({std::move(key), std::move(value), std::move(origin)});
  }

  std::string origin_of(std::string_view key) const {
    if (spec_.source) {
      const PathPlace at = find_place(*spec_.source, key);
      if (at.exact && at.from_command_line) return "--set";
      if (at.exact) {
        return spec_.file + ":" + std::to_string(at.place.line) + ":" +
               std::to_string(at.place.column);
      }
    }
    std::string origin = "default";
    for (const std::string& name : spec_.presets) {
      for (const PresetEntry& entry : find_preset(name)->entries) {
        if (entry.key == key) origin = "preset " + name;
      }
    }
    return origin;
  }

  const Spec& spec_;
  std::vector<ResolvedValue> values_;
};

}  // namespace

std::vector<ResolvedValue> resolved_values(const Spec& spec) { return Resolver(spec).run(); }

}  // namespace spineleaf
