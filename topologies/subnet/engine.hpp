#pragma once
// Routing engines: how a subnet manager fills the forwarding tables. Names and meaning are those of
// OpenSM, but an engine that does not fit the fabric says so instead of handing over to minhop.
//
// The code is our own. Tables need not be those of OpenSM; tests compare their quality. Balancing
// counts hosts only, not the management LIDs of switches.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"
#include "topologies/subnet/adaptive_groups.hpp"
#include "topologies/subnet/tables.hpp"

namespace spineleaf {

struct EngineOptions {
  /// Rows of the root switches for updn; empty: found by the engine.
  std::vector<std::uint32_t> roots;
  /// Virtual lanes that dfsssp may use.
  unsigned most_lanes = 8;
  /// The tables that the engine `file` hands through.
  const ForwardingTables* tables = nullptr;
};

struct EngineResult {
  SubnetRoutes routes;  ///< empty tables when a problem is an error
  std::vector<Problem> problems;

  bool ok() const { return !has_errors(problems); }
};

struct RoutingEngine {
  std::string_view name;
  std::string_view text;
  EngineResult (*route)(const Subnet& subnet, const EngineOptions& options) = nullptr;
};

/// All engines, in the order in which help lists them.
std::span<const RoutingEngine> routing_engines();

/// The engine of that name, or nullptr.
const RoutingEngine* find_routing_engine(std::string_view name);

// One source file each.
RoutingEngine minhop_engine();
RoutingEngine updn_engine();
RoutingEngine ftree_engine();
RoutingEngine sssp_engine();
RoutingEngine dfsssp_engine();
RoutingEngine dor_engine();
RoutingEngine file_engine();

}  // namespace spineleaf
