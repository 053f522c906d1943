#pragma once
// Builds a workload kind by name with parameters given as texts, and runs it on the ideal network.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/workloads/registry.hpp"
#include "tests/models/workloads/fake_network.hpp"

namespace spineleaf::fake {

struct Setting {
  std::string_view name;
  std::string_view value;
};

inline const WorkloadKind& kind_named(std::string_view name) {
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name == name) return kind;
  }
  throw std::logic_error("no such workload kind");
}

inline std::shared_ptr<void> params_of(const WorkloadKind& kind,
                                       std::initializer_list<Setting> settings) {
  std::shared_ptr<void> params = kind.make_params();
  for (const Setting& setting : settings) {
    bool known = false;
    for (const ParamDecl& decl : kind.table.params) {
      if (decl.name != setting.name) continue;
      decl.set(params.get(), parse_declared(decl, setting.value));
      known = true;
    }
    if (!known) throw std::logic_error("no parameter " + std::string(setting.name));
  }
  return params;
}

/// A workload built for a topology, with all that it refers to.
struct Case {
  Topology topology;
  ModelParams params = default_model_params();
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> next_sender_row{};
  Workload workload{};

  Workload& build(const WorkloadKind& kind, const void* object) {
    next_sender_row.assign(topology.host_count, 0);
    const WorkloadContext context{topology, params, seed, 0, next_sender_row};
    workload = kind.build(context, object);
    return workload;
  }
  Workload& build(std::string_view name, std::initializer_list<Setting> settings) {
    const WorkloadKind& kind = kind_named(name);
    return build(kind, params_of(kind, settings).get());
  }
};

}  // namespace spineleaf::fake
