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
  std::uint32_t root = 0;  ///< of broadcast, reduce, gather and scatter
  HostParams host;
};

/// Ring: all_reduce, all_gather, reduce_scatter in steps of one chunk per rank.
std::shared_ptr<const Schedule> make_ring_schedule(const ScheduleQuery& query);

/// Broadcast and reduce on the ring that is cut before its root: a chain through all ranks.
std::shared_ptr<const Schedule> make_chain_schedule(const ScheduleQuery& query);

/// Tree: chains inside nodes, two binary trees between them; up with a reduction and down again.
std::shared_ptr<const Schedule> make_tree_schedule(const ScheduleQuery& query);

}  // namespace spineleaf
