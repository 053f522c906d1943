// Tree: inside a node a chain of GPUs, between nodes a binary tree; the data go up with a reduction
// and come down complete, chunk by chunk. Channels of the second half use the second tree.
//
// Half of a channel's threads reduce upwards (role 0), half spread downwards (role 1); the root
// does both in one step. The chain begins at the GPU next to the channel's NIC, where the parent
// and the first child join; the second child joins at the next GPU ("balanced tree"). Source:
// NCCL 2.26 src/device/all_reduce.h (runTreeSplit), src/enqueue.cc (calcCollChunking),
// src/graph/connect.cc. That all links of a channel stay on its rail is assumed.

#include <algorithm>
#include <bit>

#include "models/collectives/binary_tree.hpp"
#include "models/collectives/schedules.hpp"

namespace spineleaf {
namespace {

constexpr std::uint32_t kUp = 0, kDown = 1;

class TreeSchedule final : public Schedule {
 public:
  TreeSchedule(const ScheduleQuery& query, const Slicing& slicing,
               const std::vector<std::int64_t>& shares)
      : Schedule(query.communicator, slicing, static_cast<std::uint32_t>(shares.size())) {
    std::int64_t at = 0;
    for (const std::int64_t bytes : shares) {
      channels_.push_back({at, bytes});
      at += bytes;
    }
  }

  std::string_view algorithm() const override { return "tree"; }
  std::uint32_t roles() const override { return 2; }
  MachineCost cost(const MachineId& place) const override {
    const Rate rate = slicing().rate;
    return {is_root(place) ? rate : Rate{rate.bits_per_second / 2}, slicing().overhead};
  }
  double leaving() const override { return 2.0 * (1.0 - 1.0 / communicator().gpus); }

  Links links(const MachineId& place) const override {
    Links out;
    const bool root = is_root(place);
    if (root && place.role == kDown) return out;
    const bool up = place.role == kUp;
    if (up) out.in = below(place, false);
    if (root) {
      out.out = below(place, true);
    } else if (up) {
      out.out.push_back(above(place, false));
    } else {
      out.in.push_back(above(place, true));
      out.out = below(place, true);
    }
    return out;
  }

  bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const override {
    const bool root = is_root(place);
    if (root && place.role == kDown) return false;
    const Channel& channel = channels_[place.channel];
    const std::int64_t done = cursor.operation * slicing().chunk;
    if (done >= channel.bytes) return false;
    chunk.bytes = std::min(channel.bytes - done, slicing().chunk);
    chunk.offset = channel.offset + done;
    const std::uint16_t children = join_count(place);
    const bool up = place.role == kUp;
    chunk.ins = up ? children : 1;
    chunk.outs = root ? children : up ? 1 : children;
    chunk.adds_own = up;
    chunk.keeps = root || !up;
    return true;
  }

 private:
  struct Channel {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
  };
  /// A machine one step further from the root: on this node's chain (child < 0) or on another node.
  struct Join {
    MachineId place;
    bool network = false;
  };

  std::uint32_t tree_of(std::uint32_t channel) const {
    return channel / communicator().nics_used(0) % 2;
  }
  std::uint32_t node_of(const MachineId& place) const { return place.rank / communicator().gpus; }
  TreeNode tree_node(const MachineId& place) const {
    return double_tree(tree_of(place.channel), communicator().nodes, node_of(place));
  }
  /// Place in the node's chain; 0 = next to the channel's NIC.
  std::uint32_t link_of(const MachineId& place) const {
    const std::uint32_t gpus = communicator().gpus;
    return (place.rank % gpus + gpus - communicator().entry(node_of(place), place.channel)) % gpus;
  }
  MachineId at_link(std::uint32_t node, std::uint32_t link, const MachineId& like) const {
    const std::uint32_t gpus = communicator().gpus;
    const std::uint32_t gpu = (link + communicator().entry(node, like.channel)) % gpus;
    return {node * gpus + gpu, like.channel, like.role};
  }
  bool is_root(const MachineId& place) const {
    return link_of(place) == 0 && tree_node(place).parent == kNoNode;
  }
  /// Where in its chain a node's child number `child` joins.
  std::uint32_t link_of_child(std::size_t child) const {
    return std::min(static_cast<std::uint32_t>(child), communicator().gpus - 1);
  }

  /// The machines just below, in order of the inputs that they are of.
  std::vector<Join> joins(const MachineId& place) const {
    std::vector<Join> out;
    const std::uint32_t link = link_of(place);
    const std::uint32_t node = node_of(place);
    if (link + 1 < communicator().gpus) out.push_back({at_link(node, link + 1, place), false});
    const TreeNode tree = tree_node(place);
    for (std::size_t child = 0; child < 2; ++child) {
      if (tree.children[child] == kNoNode || link_of_child(child) != link) continue;
      out.push_back({at_link(tree.children[child], 0, place), true});
    }
    return out;
  }

  std::uint16_t join_count(const MachineId& place) const {
    const std::uint32_t link = link_of(place);
    int count = link + 1 < communicator().gpus ? 1 : 0;
    if (link > 1) return static_cast<std::uint16_t>(count);
    const TreeNode tree = tree_node(place);
    for (std::size_t child = 0; child < 2; ++child) {
      if (tree.children[child] != kNoNode && link_of_child(child) == link) ++count;
    }
    return static_cast<std::uint16_t>(count);
  }

  std::vector<Peer> below(const MachineId& place, bool downwards) const {
    std::vector<Peer> out;
    for (const Join& join : joins(place)) {
      MachineId other = join.place;
      other.role = downwards ? kDown : kUp;
      out.push_back(downwards ? on_rail(place, other, other, 0) : on_rail(other, place, other, 0));
    }
    return out;
  }

  Peer above(const MachineId& place, bool downwards) const {
    const std::uint32_t link = link_of(place);
    const std::uint32_t node = node_of(place);
    MachineId parent;
    if (link > 0) {
      parent = at_link(node, link - 1, place);
    } else {
      const std::uint32_t up = tree_node(place).parent;
      const TreeNode tree = double_tree(tree_of(place.channel), communicator().nodes, up);
      parent = at_link(up, link_of_child(tree.children[0] == node ? 0 : 1), place);
    }
    parent.role = downwards && !is_root(parent) ? kDown : kUp;
    std::uint32_t port = 0;
    for (const Join& join : joins(parent)) {
      if (join.place.rank == place.rank) break;
      ++port;
    }
    return downwards ? on_rail(parent, place, parent, port) : on_rail(place, parent, parent, port);
  }

  std::vector<Channel> channels_;
};

/// LL128 shrinks its chunk until there are enough to fill the tree.
std::int64_t tree_chunk(const Slicing& slicing, const Communicator& comm, std::int64_t data) {
  std::int64_t chunk = slicing.chunk;
  if (slicing.protocol != Protocol::Ll128) return chunk;
  const double steps = std::bit_width(comm.nodes) + 0.1 * comm.gpus;
  const auto whole_chunks = [&] {
    const std::int64_t n = data / chunk;
    return static_cast<double>(n);
  };
  const auto shrink = [&](double wanted, std::int64_t least) {
    while (whole_chunks() < steps * wanted / comm.gpus && chunk > least) chunk /= 2;
  };
  shrink(64, 131'072);
  shrink(16, 32'768);
  return chunk;
}

}  // namespace

std::shared_ptr<const Schedule> make_tree_schedule(const ScheduleQuery& query) {
  Slicing slicing = make_slicing(query.protocol, query.host, query.costs, 1, 1);
  slicing.chunk = tree_chunk(slicing, query.communicator, query.bytes / query.channels);
  return std::make_shared<TreeSchedule>(query, slicing,
                                        split_channels(query.bytes, 2, query.channels));
}

}  // namespace spineleaf
