#pragma once
// The kinds of topology that can be built, each with its parameters.
//
// A scenario names a kind; the reader walks the kind's ParamTable over an object made by
// `make_params` and hands it to `build`. Builders never throw on bad input and never allocate a
// graph before its size has been checked in 64 bits: they return problems instead.

#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/param.hpp"
#include "topologies/problem.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

struct Subnet;

struct BuildResult {
  Topology topology;  ///< empty when a problem is an error
  /// The numbers on the boxes, where the kind knows them; its own topology is the same graph.
  std::shared_ptr<const Subnet> subnet;
  std::vector<Problem> problems;

  bool ok() const { return !has_errors(problems); }
};

struct TopologyKind {
  std::string_view name;
  std::string_view text;
  ParamTable params;                                   ///< empty for `custom` (see custom.hpp)
  std::shared_ptr<void> (*make_params)() = nullptr;    ///< an object with every default set
  BuildResult (*build)(const void* params) = nullptr;  ///< of the type make_params() returned
};

/// All kinds, in the order in which help lists them.
std::span<const TopologyKind> topology_kinds();

/// The kind of that name, or nullptr.
const TopologyKind* find_topology_kind(std::string_view name);

/// One parameter by name; the value is in canonical units (bit/s, ps, metres).
struct ParamSetting {
  std::string_view name;
  double value = 0;
};

/// Builds `kind` with the given parameters set over its defaults. For tests, benchmarks and C++
/// callers; an unknown kind or parameter is a problem like any other.
BuildResult build_topology(std::string_view kind, std::initializer_list<ParamSetting> settings);

}  // namespace spineleaf
