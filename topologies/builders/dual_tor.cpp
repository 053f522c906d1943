// dual_tor: the two ports of a NIC go to two leaves of the same fabric, so that a leaf's failure
// takes half of a host's bandwidth, not the host.

#include "topologies/builders/clos.hpp"
#include "topologies/builders/clos_table.hpp"
#include "topologies/builders/kind.hpp"

namespace spineleaf {

namespace {

constexpr auto kDualTorDecls =
    join(std::array{clos_tiers(2), clos_rail_leaves(),
                    clos_nics("nics_per_host", "NICs a host, two ports each.")},
         kClosAll);

constexpr ParamTable kDualTorTable{"dual_tor",
                                   "One fabric in which the two ports of every NIC go to a pair of "
                                   "leaves (side a and side b).",
                                   kDualTorDecls};

}  // namespace

BuildResult build_dual_tor(const ClosParams& params) {
  return build_clos(params, {.name = "dual_tor", .rail_leaves = params.rail_leaves, .sides = 2},
                    kDualTorTable);
}

TopologyKind dual_tor() {
  return make_kind<ClosParams, build_dual_tor>("dual_tor", kDualTorTable.text, kDualTorTable);
}

}  // namespace spineleaf
