// multi_plane: a NIC has one port in each of several separate fabrics of equal shape.

#include "topologies/builders/clos.hpp"
#include "topologies/builders/clos_table.hpp"
#include "topologies/builders/kind.hpp"

namespace spineleaf {

namespace {

constexpr ParamDecl kPlanes = param<&ClosParams::planes>(
    "planes", Unit::Count, "2", 1, 16,
    "Ports of a NIC, each in a fabric of its own; no cable joins two planes.",
    "two planes: Alibaba HPN 7.0 and the twin-plane DGX B300 design");

constexpr auto kMultiPlaneDecls =
    join(std::array{clos_tiers(1), kPlanes, clos_rail_leaves(),
                    clos_nics("nics_per_host", "NICs a host, each with a port in every plane.")},
         kClosAll);

constexpr ParamTable kMultiPlaneTable{
    "multi_plane", "Separate fabrics of equal shape; every NIC has a port in each.",
    kMultiPlaneDecls};

}  // namespace

BuildResult build_multi_plane(const ClosParams& params) {
  return build_clos(
      params, {.name = "multi_plane", .rail_leaves = params.rail_leaves, .planes = params.planes},
      kMultiPlaneTable);
}

TopologyKind multi_plane() {
  return make_kind<ClosParams, build_multi_plane>("multi_plane", kMultiPlaneTable.text,
                                                  kMultiPlaneTable);
}

}  // namespace spineleaf
