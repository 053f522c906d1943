#pragma once
// Layers of virtual lanes that hold no credit loop each.

#include "topologies/subnet/engines/plan.hpp"

namespace spineleaf {

struct LayersResult {
  LanePlan lanes;
  bool fits = true;  ///< false: `most` lanes are not enough
};

/// Moves routes to further lanes until no lane has a cycle of buffers. In each lane a cycle is
/// opened at the dependency that the fewest routes make; those go to the next lane (Domke, Hoefler,
/// Nagel, "Deadlock-free oblivious routing for arbitrary topologies", 2011). A route is a pair of
/// the switch where it enters and a host LID.
LayersResult make_layers(const EnginePlan& plan, const ForwardingTables& tables, unsigned most);

}  // namespace spineleaf
