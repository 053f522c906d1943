#pragma once
// A workload of a named kind for a Rig, with parameters as a user would write them.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/workloads/registry.hpp"

namespace spineleaf::test {

/// Throws std::logic_error if there is no such kind or parameter.
inline Workload workload_of(const Topology& topology, const ModelParams& params, std::uint64_t seed,
                            std::string_view name, const std::vector<PresetEntry>& settings) {
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name != name) continue;
    const std::shared_ptr<void> object = kind.make_params();
    for (const PresetEntry& setting : settings) {
      bool known = false;
      for (const ParamDecl& decl : kind.table.params) {
        if (decl.name != setting.key) continue;
        decl.set(object.get(), parse_declared(decl, setting.value));
        known = true;
      }
      if (!known) throw std::logic_error("no parameter " + std::string(setting.key));
    }
    std::vector<std::uint32_t> next_row(topology.host_count, 0);
    const WorkloadContext context{topology, params, seed, 0, next_row};
    return kind.build(context, object.get());
  }
  throw std::logic_error("no workload kind " + std::string(name));
}

}  // namespace spineleaf::test
