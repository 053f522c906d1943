// The table of topology kinds. A new kind is one file in builders/ and one line here.

#include "topologies/registry.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace spineleaf {

#define SPINELEAF_TOPOLOGY_KINDS(KIND) \
  KIND(single_switch)                  \
  KIND(switch_ring)                    \
  KIND(fat_tree)                       \
  KIND(rail_optimised)                 \
  KIND(multi_plane)                    \
  KIND(dual_tor)                       \
  KIND(dragonfly)                      \
  KIND(dragonfly_plus)                 \
  KIND(direct)                         \
  KIND(dump)                           \
  KIND(custom)

#define SPINELEAF_DECLARE(name) TopologyKind name();
SPINELEAF_TOPOLOGY_KINDS(SPINELEAF_DECLARE)

std::span<const TopologyKind> topology_kinds() {
#define SPINELEAF_ENTRY(name) name(),
  static const std::array kinds{SPINELEAF_TOPOLOGY_KINDS(SPINELEAF_ENTRY)};
  return kinds;
}

const TopologyKind* find_topology_kind(std::string_view name) {
  const auto kinds = topology_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const TopologyKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

namespace {

Problem unknown(std::string_view what, std::string_view name, std::string expected) {
  return make_error(std::string{name}, "no such " + std::string{what}, {}, std::move(expected));
}

/// The canonical member for `unit`; the other members stay zero.
ParamValue canonical(Unit unit, double value) {
  ParamValue result;
  result.real = value;
  if (unit != Unit::Ratio && unit != Unit::Length) {
    constexpr double kLimit = 9e18;  // NaN and beyond become a value that every range refuses
    result.integer =
        value >= -kLimit && value <= kLimit ? static_cast<std::int64_t>(value) : INT64_MIN;
  }
  return result;
}

}  // namespace

BuildResult build_topology(std::string_view name, std::initializer_list<ParamSetting> settings) {
  BuildResult result;
  const TopologyKind* kind = find_topology_kind(name);
  if (kind == nullptr) {
    std::string known;
    for (const TopologyKind& k : topology_kinds()) known += " " + std::string{k.name};
    result.problems.push_back(unknown("topology kind", name, "one of" + known));
    return result;
  }
  const std::shared_ptr<void> params = kind->make_params();
  for (const ParamSetting& setting : settings) {
    const auto& decls = kind->params.params;
    const auto decl = std::find_if(decls.begin(), decls.end(),
                                   [&](const ParamDecl& d) { return d.name == setting.name; });
    if (decl == decls.end()) {
      result.problems.push_back(unknown("parameter", setting.name, {}));
    } else {
      decl->set(params.get(), canonical(decl->unit, setting.value));
    }
  }
  return result.ok() ? kind->build(params.get()) : result;
}

}  // namespace spineleaf
