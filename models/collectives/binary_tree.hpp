#pragma once
// The two binary trees over nodes that NCCL's Tree and NVLSTree run on: an inner node of one is a
// leaf of the other, so that both together use every NIC both ways.
//
// Source: NCCL src/graph/trees.cc (ncclGetBtree, ncclGetDtree); Sanders, Speck, Traeff,
// "Two-tree algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 2009.

#include <array>
#include <cstdint>

namespace spineleaf {

inline constexpr std::uint32_t kNoNode = UINT32_MAX;

struct TreeNode {
  std::uint32_t parent = kNoNode;
  std::array<std::uint32_t, 2> children{kNoNode, kNoNode};
};

/// Node `node` of tree `tree` (0 or 1) over `nodes` nodes.
TreeNode double_tree(std::uint32_t tree, std::uint32_t nodes, std::uint32_t node);

/// Levels below the root: the most steps from a leaf to it.
std::uint32_t tree_depth(std::uint32_t nodes);

}  // namespace spineleaf
