#pragma once
// Schedule: what each thread block of a collective does, chunk by chunk, as a lazy program.
//
// A collective runs on channels. On each GPU (rank) a channel has one or more *machines* (roles),
// groups of threads that walk a list of chunks: take a chunk from some inputs, combine them, with
// own data where the step says so, keep the result where it says so, and pass it to some outputs.
// Machines are joined by links: an output of one is an input of another. Ring, Tree, chains,
// trees of NVLS heads, PAT and exchanges between peers are all such programs; ScheduleApp runs any
// of them, and so does an oracle in the tests that knows nothing of time.
//
// A program is a function of its place and a cursor of 8 bytes: nothing is stored per chunk.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "models/collectives/slicing.hpp"

namespace spineleaf {

/// The ranks of a collective: the same GPUs on each node; rank = node * gpus + GPU's number among
/// them.
struct Communicator {
  std::uint32_t nodes = 1;
  std::uint32_t gpus = 1;           ///< of each node that take part
  std::vector<std::uint32_t> nics;  ///< by node; 1 or more
  /// Which GPUs of a node take part, of how many; empty = all.
  std::vector<std::uint32_t> slots{};
  std::uint32_t node_gpus = 0;

  std::uint32_t ranks() const { return nodes * gpus; }
  /// NIC next to a GPU: both are numbered in the order of slots.
  std::uint32_t nic_at_gpu(std::uint32_t node, std::uint32_t gpu) const {
    return slots.empty() ? gpu * nics[node] / gpus : slots[gpu] * nics[node] / node_gpus;
  }
  /// GPU next to a NIC; where none that takes part is, the first.
  std::uint32_t gpu_at_nic(std::uint32_t node, std::uint32_t nic) const {
    if (slots.empty()) return nic % nics[node] * gpus / nics[node];
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      if (nic_at_gpu(node, gpu) == nic) return gpu;
    }
    return 0;
  }
  /// NIC of a node's channel: channels go round the NICs, or those next to the GPUs that take part.
  std::uint32_t nic_of_channel(std::uint32_t node, std::uint32_t channel) const {
    return slots.empty() ? channel % nics[node] : nic_at_gpu(node, channel % gpus);
  }
  /// GPU at which a channel enters a node.
  std::uint32_t entry(std::uint32_t node, std::uint32_t channel) const {
    return gpu_at_nic(node, nic_of_channel(node, channel));
  }
  /// NICs that channels use on a node.
  std::uint32_t nics_used(std::uint32_t node) const {
    if (slots.empty()) return nics[node];
    std::uint32_t count = 0;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      if (gpu_at_nic(node, nic_at_gpu(node, gpu)) == gpu) ++count;
    }
    return count;
  }
  /// Place in a channel's ring: node by node, from the GPU at which the channel enters.
  std::uint32_t ring_position(std::uint32_t rank, std::uint32_t channel) const {
    const std::uint32_t node = rank / gpus;
    return node * gpus + (rank % gpus + gpus - entry(node, channel)) % gpus;
  }
  /// Positions count round.
  std::uint32_t rank_at(std::uint32_t position, std::uint32_t channel) const {
    const std::uint32_t node = position % ranks() / gpus;
    return node * gpus + (position % gpus + entry(node, channel)) % gpus;
  }
};

/// A machine: role `role` of channel `channel` on rank `rank`.
struct MachineId {
  std::uint32_t rank = 0;
  std::uint32_t channel = 0;
  std::uint32_t role = 0;
  auto operator<=>(const MachineId&) const = default;
};

/// How far a machine is. The schedule moves it to a chunk with data; the runner then counts
/// `operation` up.
struct ScheduleCursor {
  std::uint32_t loop = 0;
  std::uint32_t operation = 0;
};

/// What a machine does next. Its inputs and outputs are ranges of its links.
struct ChunkStep {
  std::int64_t bytes = 0;   ///< payload; passed on in slices
  std::int64_t offset = 0;  ///< of the data in the buffer; its rank's part is part of it
  std::uint16_t first_in = 0;
  std::uint16_t ins = 0;
  std::uint16_t first_out = 0;
  std::uint16_t outs = 0;
  bool adds_own = false;  ///< own data take part
  bool keeps = false;     ///< the result is one of this rank's own
};

/// The other end of a link, and by which NICs it goes if that is on another node.
struct Peer {
  MachineId place;
  std::uint32_t port = 0;      ///< number among the other end's inputs (outputs)
  std::uint32_t from_nic = 0;  ///< of the sending node
  std::uint32_t to_nic = 0;    ///< of the receiving node
  std::uint32_t proxy = 0;     ///< GPU of the sending node whose proxy thread sends
  /// An output into the switches: what all nodes put into theirs is reduced there and comes back
  /// by `place`, a machine of the same node. For that machine's input: where it came from.
  bool aggregated = false;
};
struct Links {
  std::vector<Peer> in;
  std::vector<Peer> out;
};

struct MachineCost {
  Rate rate;
  Time overhead;
  bool operator==(const MachineCost&) const = default;
};

class Schedule {
 public:
  virtual ~Schedule() = default;

  virtual std::string_view algorithm() const = 0;  ///< "ring", as in NCCL_ALGO
  const Slicing& slicing() const { return slicing_; }
  const Communicator& communicator() const { return communicator_; }
  std::uint32_t channels() const { return channels_; }
  /// Machines of one channel on one GPU.
  virtual std::uint32_t roles() const { return 1; }
  /// What a step of this machine costs its GPU if it both receives and sends; half if not.
  virtual MachineCost cost(const MachineId&) const { return {slicing_.rate, slicing_.overhead}; }
  /// Of a channel's machines on one GPU, how many send over NVLink at once, on average.
  virtual double leaving() const = 0;
  /// Receivers clear senders to send when they get to them, not all from the start.
  virtual bool clears_late() const { return false; }
  /// Some links go into the switches (SHARP).
  virtual bool aggregates() const { return false; }

  virtual Links links(const MachineId& place) const = 0;
  /// Moves the cursor to the first chunk with data from here on; false where there is none left.
  virtual bool find(const MachineId& place, ScheduleCursor& cursor, ChunkStep& chunk) const = 0;
  /// What output `port` carries in one run. The default walks the program.
  virtual LinkTotals sends(const MachineId& place, std::uint32_t port) const;

 protected:
  Schedule(Communicator communicator, const Slicing& slicing, std::uint32_t channels)
      : communicator_(std::move(communicator)), slicing_(slicing), channels_(channels) {}

  /// The other end on the same channel, over the channel's NIC on both nodes.
  Peer on_rail(const MachineId& from, const MachineId& to, const MachineId& other,
               std::uint32_t port) const;

  // Of schedules that go round a ring:
  /// The machine's place in its channel's ring.
  std::uint32_t position(const MachineId& place) const {
    return communicator_.ring_position(place.rank, place.channel);
  }
  MachineId at_position(std::uint32_t position, std::uint32_t channel) const {
    return {communicator_.rank_at(position, channel), channel, 0};
  }
  /// leaving() of a ring: all but the GPU that sends to another node.
  double ring_leaving() const {
    return 1.0 - (communicator_.nodes > 1 ? 1.0 / communicator_.gpus : 0.0);
  }

 private:
  Communicator communicator_;
  Slicing slicing_;
  std::uint32_t channels_ = 0;
};

}  // namespace spineleaf
