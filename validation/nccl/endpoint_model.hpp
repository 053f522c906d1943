#pragma once
// How long a collective takes on an idle fabric, from the costs at its ends alone: a surrogate for
// the packet engine, fast enough to be fitted (microseconds to a millisecond per size).
//
//   Ring      the recursion of every (rank, slice): a step starts when the rank's previous one is
//             over, its input is visible and a slot is free. All nodes do the same at the same
//             time, so one node's ranks stand for all; equal loops are counted, not walked.
//   Tree      a pipeline of chunks through chains inside nodes and a double binary tree of nodes.
//   NVLS      loops of channels x heads x chunk, each a fixed time plus bytes over the GPU's rate.
//   NVLSTree  the same, bound by the slowest of GPU, NIC and proxy thread, after filling the tree.
//   sends     all_to_all and sendrecv: a time per peer, then NIC, NVLink or channels bind.
//
// Chunk and slice rules: NCCL 2.26 to 2.30, src/enqueue.cc (calcCollChunking). What binds is told.

#include <cstdint>
#include <string>
#include <string_view>

#include "models/collectives/nccl_system.hpp"
#include "validation/nccl/endpoint_params.hpp"

namespace spineleaf {

/// What the model needs of a system besides its costs.
struct EndpointSystem {
  NcclSetup setup;
  NcclNode node;
};

struct EndpointTime {
  double time_us = 0;
  std::string_view bound;  ///< "latency", "channel", "NVLink", "NIC", "proxy", "peers"
};

/// Ring, Tree, NVLS or NVLSTree; `bytes` as nccl-tests counts them.
EndpointTime endpoint_time(const EndpointSystem& system, const EndpointCosts& costs,
                           NcclFunction function, NcclAlgorithm algorithm, NcclProtocol protocol,
                           std::int64_t bytes);

/// "alltoall" or "sendrecv": what NCCL runs as sends and receives.
EndpointTime endpoint_send_time(const EndpointSystem& system, const EndpointCosts& costs,
                                bool all_to_all, std::int64_t bytes);

}  // namespace spineleaf
