#pragma once
// The schedules that there are, one source file each. `bytes` is always the nccl-tests size.

#include <cstdint>
#include <memory>
#include <string>

#include "models/collectives/ring_plan.hpp"
#include "models/collectives/schedule.hpp"

namespace spineleaf {

/// What is asked of a schedule. `channels` are as many as are open; fewer may get data.
struct ScheduleQuery {
  Collective collective = Collective::AllReduce;
  Protocol protocol = Protocol::Simple;
  Communicator communicator;
  std::uint32_t channels = 1;
  std::int64_t bytes = 0;
  std::uint32_t root = 0;               ///< of broadcast, reduce, gather and scatter
  std::uint32_t channels_per_peer = 1;  ///< of sends and receives
  bool pxn = true;                      ///< NCCL_P2P_PXN_LEVEL is not 0
  HostParams host;
  NcclCosts costs{};
};

/// Ring: all_reduce, all_gather, reduce_scatter in steps of one chunk per rank.
std::shared_ptr<const Schedule> make_ring_schedule(const ScheduleQuery& query);

/// Broadcast and reduce on the ring that is cut before its root: a chain through all ranks.
std::shared_ptr<const Schedule> make_chain_schedule(const ScheduleQuery& query);

/// Tree: chains inside nodes, two binary trees between them; up with a reduction and down again.
std::shared_ptr<const Schedule> make_tree_schedule(const ScheduleQuery& query);

/// NVLS and NVLSTree: reduction and multicast in the NVSwitch, heads joined by trees between nodes.
/// Between nodes all_reduce only.
std::shared_ptr<const Schedule> make_nvls_schedule(const ScheduleQuery& query);

/// NVLS between hosts: each head's part is reduced further in the switches (SHARP). all_reduce.
std::shared_ptr<const Schedule> make_nvls_sharp_schedule(const ScheduleQuery& query);

/// CollNetDirect: every GPU hands each NIC's GPU its part, which is reduced further in the switches
/// (SHARP). all_reduce between hosts.
std::shared_ptr<const Schedule> make_collnet_direct_schedule(const ScheduleQuery& query);

/// CollNetChain: a chain through the GPUs of a host up to a NIC, and on in the switches (SHARP).
/// all_reduce between hosts.
std::shared_ptr<const Schedule> make_collnet_chain_schedule(const ScheduleQuery& query);

/// Grouped sends and receives: alltoall, gather, scatter, sendrecv.
std::shared_ptr<const Schedule> make_peer_schedule(const ScheduleQuery& query);

/// Channels to one peer: 14 GB/s of a NIC are worth one, two at least, a power of two; halved while
/// the peers need more than there are (NCCL src/graph/paths.cc). All of them inside one node.
std::uint32_t default_channels_per_peer(std::uint32_t nodes, std::uint32_t ranks,
                                        std::uint32_t channels, Rate nic);

}  // namespace spineleaf
