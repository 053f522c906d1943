#pragma once
// Adaptive routing groups: the ports among which a switch may choose beside the table's own.

#include <cstdint>

namespace spineleaf {

/// Lag: parallel cables to the same switch. Tree: every port that leads to a switch from which the
/// tables' path to the LID is a hop shorter, so that no packet comes back. Names and meaning: the
/// groups of NVIDIA's subnet manager.
enum class AdaptiveGroups : std::uint8_t { None, Lag, Tree };

struct Subnet;
class ForwardingTables;
struct TableRoutes;

/// Widens the candidate sets of `routes`, which to_routes() made of the tables. A hole stays one.
void add_adaptive_groups(const Subnet& subnet, const ForwardingTables& tables,
                         AdaptiveGroups groups, TableRoutes& routes);

}  // namespace spineleaf
