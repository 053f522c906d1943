#include "models/collectives/binary_tree.hpp"

#include <algorithm>
#include <bit>

namespace spineleaf {
namespace {

/// In-order numbering: the lowest set bit of a number is its height.
TreeNode first_tree(std::uint32_t nodes, std::uint32_t node) {
  TreeNode out;
  if (node == 0) {
    if (nodes > 1) out.children[1] = std::bit_floor(nodes - 1);
    return out;
  }
  const std::uint32_t bit = node & (~node + 1);
  const std::uint32_t up = (node ^ bit) | (bit << 1);
  out.parent = up < nodes ? up : node ^ bit;
  if (bit == 1) return out;
  out.children[0] = node - bit / 2;
  for (std::uint32_t low = bit / 2; low > 0; low /= 2) {
    if (node + low >= nodes) continue;
    out.children[1] = node + low;
    break;
  }
  return out;
}

}  // namespace

TreeNode double_tree(std::uint32_t tree, std::uint32_t nodes, std::uint32_t node) {
  if (tree == 0) return first_tree(nodes, node);
  // Mirrored where the number is even, turned by one where it is odd.
  const bool mirror = nodes % 2 == 0;
  TreeNode out = first_tree(nodes, mirror ? nodes - 1 - node : (node + nodes - 1) % nodes);
  const auto back = [&](std::uint32_t n) {
    if (n == kNoNode) return n;
    return mirror ? nodes - 1 - n : (n + 1) % nodes;
  };
  out.parent = back(out.parent);
  for (std::uint32_t& child : out.children) child = back(child);
  return out;
}

std::uint32_t tree_depth(std::uint32_t nodes) {
  std::uint32_t most = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::uint32_t depth = 0;
    for (std::uint32_t at = first_tree(nodes, node).parent; at != kNoNode; ++depth) {
      at = first_tree(nodes, at).parent;
    }
    most = std::max(most, depth);
  }
  return most;
}

}  // namespace spineleaf
