// NVLS: each GPU of a node is the head of a part of the data. All GPUs lay their data out for the
// heads, a head lets the NVSwitch reduce its part and multicasts the result, all take it from
// there. NVLSTree joins the heads of one number on all nodes, each on its own NIC, by the two
// binary trees: even channels by the first, odd ones by the second (assumed).
//
// The switch's own part is no actor here: a head waits until all GPUs of the node are ready, and
// all wait for it, which is the same order of events. A loop over the chunks of all heads costs its
// overhead plus its bytes at nvls_rate, the GPU's share of the NVSwitch.
// Source: NCCL 2.26 src/device/all_reduce.h (RunWorkColl NVLS, NVLS_TREE), src/enqueue.cc (chunks).
//
// With SHARP the heads of one number are joined by the switches instead: a head sends its part up
// and gets the sum back. CollNetDirect is the same without NVSwitch: a head for each NIC, to whose
// GPU all GPUs of the node copy, at the rates of ordinary channels. No measurement of either was
// found: costs other than those of NVLS and of channels are not known (assumed none).

#include <algorithm>

#include "models/collectives/binary_tree.hpp"
#include "models/collectives/schedules.hpp"

namespace spineleaf {
namespace {

constexpr std::uint32_t kMostHeads = 32, kMostDirectHeads = 8;
constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kAlign = 16;
// Roles. One node needs no kNvlsDown; kGather is then number 2.
constexpr std::uint32_t kScatter = 0, kNvlsUp = 1, kNvlsDown = 2;

/// What joins the heads of a number, and what joins the GPUs of a node.
enum class Joined : std::uint8_t { ByTrees, BySwitches, DirectBySwitches };

/// A head for each GPU, or for each NIC.
std::uint32_t head_count(const Communicator& comm, Joined joined) {
  if (joined != Joined::DirectBySwitches) return std::min(comm.gpus, kMostHeads);
  return std::min({comm.gpus, comm.nics_used(0), kMostDirectHeads});
}

class NvlsSchedule final : public Schedule {
 public:
  NvlsSchedule(const ScheduleQuery& query, const Slicing& slicing, Joined joined)
      : Schedule(query.communicator, slicing, query.channels),
        joined_(joined),
        collective_(query.collective),
        heads_(head_count(query.communicator, joined)),
        total_(query.bytes),
        part_(query.bytes / query.communicator.ranks()),
        nvls_rate_(query.costs.nvls_rate),
        loop_(query.costs.nvls_overhead + (query.communicator.nodes > 1 && joined == Joined::ByTrees
                                               ? query.costs.nvls_tree_overhead
                                               : Time{0})) {}

  std::string_view algorithm() const override {
    if (joined_ == Joined::DirectBySwitches) return "collnet_direct";
    return communicator().nodes > 1 && joined_ == Joined::ByTrees ? "nvls_tree" : "nvls";
  }
  bool aggregates() const override { return joined_ != Joined::ByTrees; }
  std::uint32_t roles() const override { return communicator().nodes > 1 ? 4 : 3; }
  /// nvls_rate is that of the NVLink; without NVSwitch a GPU scatters and a head spreads.
  double leaving() const override {
    return joined_ == Joined::DirectBySwitches && communicator().gpus > 1 ? 2 : 0;
  }

  /// A loop takes each machine equally long: scatter and gather, which only send or only receive,
  /// have a step for each head; a head has one step.
  MachineCost cost(const MachineId& place) const override {
    if (joined_ == Joined::DirectBySwitches) return Schedule::cost(place);
    const std::int64_t rate = nvls_rate_.bits_per_second / channels();
    const bool head = place.role != kScatter && place.role != gather();
    if (!head) return {Rate{rate / 2}, Time{2 * loop_.ps / heads_}};
    const std::int64_t halves = collective_ == Collective::AllReduce ? 1 : 2;
    return {Rate{rate / heads_ / halves}, loop_ * halves};
  }

  Links links(const MachineId& place) const override {
    Links out;
    const std::uint32_t gpu = gpu_of(place);
    if (place.role == kScatter && scatters()) {
      for (std::uint32_t h = 0; h < heads_; ++h)
        out.out.push_back(local(place, head_gpu(h), kNvlsUp, gpu));
    } else if (place.role == gather() && gathers()) {
      for (std::uint32_t h = 0; h < heads_; ++h) {
        const MachineId head = at_gpu(place, head_gpu(h), kNvlsUp);
        out.in.push_back(local(place, head_gpu(h), is_root(head) ? kNvlsUp : kNvlsDown, gpu));
      }
    } else if (is_head(gpu) && place.role == kNvlsUp) {
      head_links(place, out);
    } else if (is_head(gpu) && place.role == kNvlsDown && !is_root(place)) {
      out.in.push_back(parent_of(place, true));
      spread(place, out.out);
    }
    return out;
  }

  bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const override {
    const bool head = place.role != kScatter && place.role != gather();
    const std::uint32_t gpu = gpu_of(place);
    if (head && (!is_head(gpu) || (place.role == kNvlsDown && is_root(place)))) return false;
    if (place.role == kScatter && !scatters()) return false;
    if (place.role == gather() && !gathers()) return false;
    const std::uint32_t operations = head ? 1 : heads_;
    for (; first_offset(cursor.loop, place.channel) < end(); ++cursor.loop, cursor.operation = 0) {
      for (; cursor.operation < operations; ++cursor.operation) {
        cell(cursor.loop, place.channel, head ? head_of(gpu) : cursor.operation, chunk);
        if (chunk.bytes <= 0) continue;
        describe(place, cursor.operation, chunk);
        return true;
      }
    }
    return false;
  }

 private:
  // Heads are spread evenly over the GPUs.
  std::uint32_t head_gpu(std::uint32_t head) const { return head * communicator().gpus / heads_; }
  std::uint32_t head_of(std::uint32_t gpu) const {
    return (gpu * heads_ + communicator().gpus - 1) / communicator().gpus;
  }
  bool is_head(std::uint32_t gpu) const {
    return head_of(gpu) < heads_ && head_gpu(head_of(gpu)) == gpu;
  }
  std::uint32_t gather() const { return roles() - 1; }
  bool scatters() const { return collective_ != Collective::AllGather; }
  bool gathers() const { return collective_ != Collective::ReduceScatter; }
  std::uint32_t gpu_of(const MachineId& place) const { return place.rank % communicator().gpus; }
  std::uint32_t node_of(const MachineId& place) const { return place.rank / communicator().gpus; }
  MachineId at_gpu(const MachineId& like, std::uint32_t gpu, std::uint32_t role) const {
    return {node_of(like) * communicator().gpus + gpu, like.channel, role};
  }
  Peer local(const MachineId& from, std::uint32_t gpu, std::uint32_t role,
             std::uint32_t port) const {
    Peer peer;
    peer.place = at_gpu(from, gpu, role);
    peer.port = port;
    peer.proxy = gpu_of(from);
    return peer;
  }

  // Data: an all_reduce is cut into loops of a chunk per channel and head; in the other collectives
  // each head has its rank's part.
  std::int64_t end() const { return collective_ == Collective::AllReduce ? total_ : part_; }
  std::int64_t first_offset(std::uint32_t loop, std::uint32_t channel) const {
    const std::int64_t row = std::int64_t{loop} * channels() + channel;
    return row * slicing().chunk * (collective_ == Collective::AllReduce ? heads_ : 1);
  }
  void cell(std::uint32_t loop, std::uint32_t channel, std::uint32_t head, ChunkStep& chunk) const {
    const bool reduce = collective_ == Collective::AllReduce;
    const std::int64_t at =
        first_offset(loop, channel) + (reduce ? head * slicing().chunk : std::int64_t{0});
    chunk.bytes = std::min(slicing().chunk, end() - at);
    chunk.offset = at + (reduce ? 0 : head * part_);
  }

  void describe(const MachineId& place, std::uint32_t operation, ChunkStep& chunk) const {
    const auto gpus = static_cast<std::uint16_t>(communicator().gpus);
    chunk.first_in = chunk.first_out = 0;
    chunk.adds_own = chunk.keeps = false;
    if (place.role == kScatter) {
      chunk.first_out = static_cast<std::uint16_t>(operation);
      chunk.outs = 1;
      chunk.ins = 0;
      chunk.adds_own = true;
      return;
    }
    if (place.role == gather()) {
      chunk.first_in = static_cast<std::uint16_t>(operation);
      chunk.ins = 1;
      chunk.outs = 0;
      chunk.keeps = true;
      return;
    }
    const std::uint16_t children = child_count(place);
    const bool up = place.role == kNvlsUp;
    chunk.ins = up ? static_cast<std::uint16_t>((scatters() ? gpus : 0) + children) : 1;
    const bool spreads = !up || is_root(place);
    chunk.outs = spreads ? static_cast<std::uint16_t>((gathers() ? gpus : 0) + children) : 1;
    chunk.adds_own = !scatters();
    chunk.keeps = !gathers();
  }

  // The trees of heads.
  TreeNode tree_node(std::uint32_t channel, std::uint32_t node) const {
    return double_tree(channel % 2, communicator().nodes, node);
  }
  bool is_root(const MachineId& place) const {
    if (joined_ != Joined::ByTrees) return false;
    return tree_node(place.channel, node_of(place)).parent == kNoNode;
  }
  std::uint16_t child_count(const MachineId& place) const {
    if (joined_ != Joined::ByTrees) return 0;
    const TreeNode node = tree_node(place.channel, node_of(place));
    return static_cast<std::uint16_t>((node.children[0] != kNoNode ? 1 : 0) +
                                      (node.children[1] != kNoNode ? 1 : 0));
  }
  Peer between(const MachineId& from, const MachineId& to, const MachineId& other,
               std::uint32_t port) const {
    Peer peer;
    peer.place = other;
    peer.port = port;
    peer.from_nic = communicator().nic_at_gpu(node_of(from), gpu_of(from));
    peer.to_nic = communicator().nic_at_gpu(node_of(to), gpu_of(to));
    peer.proxy = gpu_of(from);
    return peer;
  }
  /// The switches: into them from a head's kNvlsUp, out of them to its kNvlsDown.
  Peer switches_of(const MachineId& place, bool downwards) const {
    MachineId other = place;
    other.role = downwards ? kNvlsUp : kNvlsDown;
    Peer peer = between(place, place, other, 0);
    peer.aggregated = true;
    return peer;
  }
  Peer parent_of(const MachineId& place, bool downwards) const {
    if (joined_ != Joined::ByTrees) return switches_of(place, downwards);
    const std::uint32_t up = tree_node(place.channel, node_of(place)).parent;
    MachineId parent = place;
    parent.rank = up * communicator().gpus + gpu_of(place);
    parent.role = downwards && !is_root(parent) ? kNvlsDown : kNvlsUp;
    const TreeNode node = tree_node(place.channel, up);
    const bool second = node.children[0] != kNoNode && node.children[1] == node_of(place);
    // Its first inputs and outputs are those of the GPUs of its node.
    const std::uint32_t port = communicator().gpus + (second ? 1 : 0);
    return downwards ? between(parent, place, parent, port) : between(place, parent, parent, port);
  }
  void add_children(const MachineId& place, bool downwards, std::vector<Peer>& peers) const {
    if (joined_ != Joined::ByTrees) return;
    for (const std::uint32_t child : tree_node(place.channel, node_of(place)).children) {
      if (child == kNoNode) continue;
      MachineId other = place;
      other.rank = child * communicator().gpus + gpu_of(place);
      other.role = downwards ? kNvlsDown : kNvlsUp;
      peers.push_back(downwards ? between(place, other, other, 0)
                                : between(other, place, other, 0));
    }
  }
  void spread(const MachineId& place, std::vector<Peer>& peers) const {
    for (std::uint32_t g = 0; gathers() && g < communicator().gpus; ++g) {
      peers.push_back(local(place, g, gather(), head_of(gpu_of(place))));
    }
    add_children(place, true, peers);
  }
  void head_links(const MachineId& place, Links& out) const {
    for (std::uint32_t g = 0; scatters() && g < communicator().gpus; ++g) {
      out.in.push_back(local(place, g, kScatter, head_of(gpu_of(place))));
    }
    add_children(place, false, out.in);
    if (is_root(place)) {
      spread(place, out.out);
    } else {
      out.out.push_back(parent_of(place, false));
    }
  }

  Joined joined_;
  Collective collective_;
  std::uint32_t heads_ = 1;
  std::int64_t total_ = 0;
  std::int64_t part_ = 0;
  Rate nvls_rate_;
  Time loop_;
};

/// ChunkStep of one channel and head: it shrinks with the size, in units of all channels and heads.
std::int64_t nvls_chunk(std::int64_t bytes, std::int64_t together, std::uint32_t nodes) {
  std::int64_t chunk = 128 * kKiB;
  if (nodes < 2) {
    if (bytes < 64 * together * chunk) chunk = 64 * kKiB;
    if (chunk == 64 * kKiB && bytes < 8 * together * chunk) chunk = 32 * kKiB;
    if (chunk == 32 * kKiB && bytes < 2 * together * chunk) chunk = 16 * kKiB;
  } else {
    if (nodes >= 4) chunk = 64 * kKiB;
    if (chunk > 64 * kKiB && bytes < 4 * together * chunk) chunk = 64 * kKiB;
    if (chunk > 32 * kKiB && bytes < together * chunk) chunk = 32 * kKiB;
  }
  const std::int64_t even = (bytes + together - 1) / together;
  return std::min(chunk, (even + kAlign - 1) / kAlign * kAlign);
}

std::shared_ptr<const Schedule> make(const ScheduleQuery& query, Joined joined) {
  const std::int64_t heads = head_count(query.communicator, joined);
  Slicing slicing;
  // Chunks into the switches shrink with the size as on one node.
  const std::uint32_t nodes = joined == Joined::ByTrees ? query.communicator.nodes : 1;
  slicing.chunk = nvls_chunk(query.bytes, heads * query.channels, nodes);
  slicing.slices = 1;
  slicing.min_slice = 1;
  slicing.depth = static_cast<std::uint32_t>(query.host.steps);
  slicing.hop = query.host.intra_hop;
  if (joined == Joined::DirectBySwitches) {
    slicing.rate = query.host.channel_rate;
    slicing.overhead = query.host.step_overhead;
  }
  return std::make_shared<NvlsSchedule>(query, slicing, joined);
}

}  // namespace

std::shared_ptr<const Schedule> make_nvls_schedule(const ScheduleQuery& query) {
  return make(query, Joined::ByTrees);
}

std::shared_ptr<const Schedule> make_nvls_sharp_schedule(const ScheduleQuery& query) {
  return make(query, Joined::BySwitches);
}

std::shared_ptr<const Schedule> make_collnet_direct_schedule(const ScheduleQuery& query) {
  return make(query, Joined::DirectBySwitches);
}

}  // namespace spineleaf
