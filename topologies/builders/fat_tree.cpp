// fat_tree: leaf and spine, or leaf, aggregation and core in pods.

#include "topologies/builders/clos.hpp"
#include "topologies/builders/clos_table.hpp"
#include "topologies/builders/kind.hpp"

namespace spineleaf {

namespace {

constexpr auto kFatTreeDecls =
    join(std::array{clos_tiers(2),
                    clos_nics("nics_per_host", "NICs a host, on consecutive ports of its leaf.")},
         kClosAll);

constexpr ParamTable kFatTreeTable{
    "fat_tree", "Fat tree of two tiers (leaf, spine) or three (leaf, aggregation, core).",
    kFatTreeDecls};

}  // namespace

BuildResult build_fat_tree(const ClosParams& params) {
  return build_clos(params, {.name = "fat_tree"}, kFatTreeTable);
}

TopologyKind fat_tree() {
  return make_kind<ClosParams, build_fat_tree>("fat_tree", kFatTreeTable.text, kFatTreeTable);
}

}  // namespace spineleaf
