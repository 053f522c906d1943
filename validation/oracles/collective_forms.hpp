#pragma once
// Closed forms of collectives on an idle, non-blocking fabric.
//
// R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in
// MPICH" (IJHPCA 19, 2005). Sizes as nccl-tests counts them.

#include <cstdint>

#include "sim/units.hpp"

namespace spineleaf {

/// A step of a ring: a message of size / n to the neighbour.
struct StepCost {
  Time alpha;         ///< fixed time of a step
  double gbytes = 0;  ///< GB/s of a step's bytes
};

/// all_reduce: 2 (n-1) (alpha + S / (n B)).
Time ring_all_reduce(std::int64_t ranks, Bytes size, const StepCost& step);

/// all_gather and reduce_scatter: (n-1) (alpha + S / (n B)).
Time ring_all_gather(std::int64_t ranks, Bytes size, const StepCost& step);

/// alltoall of ranks that share no link: each sends (n-1)/n of its S bytes through a port of B
/// GB/s.
Time all_to_all_bound(std::int64_t ranks, Bytes size, double gbytes);

/// Largest busbw of an alltoall in which `local` ranks of a server reach each other without the
/// network and each has a NIC of `nic_gbytes`: NIC (n-1) / (n - local).
double all_to_all_busbw(std::int64_t ranks, std::int64_t local, double nic_gbytes);

}  // namespace spineleaf
