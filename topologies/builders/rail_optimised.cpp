// rail_optimised: NIC i of every host of a group goes to leaf i of that group, so that traffic
// between equal NIC numbers of a group crosses one switch; spines join the rails and the groups.

#include "topologies/builders/clos.hpp"
#include "topologies/builders/clos_table.hpp"
#include "topologies/builders/kind.hpp"

namespace spineleaf {

namespace {

constexpr ParamDecl kRails = param<&ClosParams::nics_per_host>(
    "rails", Unit::Count, "8", 1, 72,
    "NICs a host; NIC i is on rail i, whose leaves serve no other.",
    "DGX H100 and B200: 8 compute NICs");

constexpr auto kRailOptimisedDecls = join(std::array{clos_tiers(1), kRails}, kClosAll);

constexpr ParamTable kRailOptimisedTable{
    "rail_optimised",
    "Rail-optimised fabric: a leaf for each rail of a group of hosts, spines above (1 tier: rails "
    "are not joined).",
    kRailOptimisedDecls};

std::shared_ptr<void> make_params() {
  auto params = std::make_shared<ClosParams>();
  params->nics_per_host = 8;
  return params;
}

}  // namespace

BuildResult build_rail_optimised(const ClosParams& params) {
  return build_clos(params, {.name = "rail_optimised", .rail_leaves = true}, kRailOptimisedTable);
}

TopologyKind rail_optimised() {
  TopologyKind kind = make_kind<ClosParams, build_rail_optimised>(
      "rail_optimised", kRailOptimisedTable.text, kRailOptimisedTable);
  kind.make_params = make_params;
  return kind;
}

}  // namespace spineleaf
