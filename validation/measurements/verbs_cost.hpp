#pragma once
// What a message costs at a NIC, by three numbers that anyone could measure by themselves, fitted
// on RDMA writes of several sizes, depths and queue pairs. None of them belongs to one size.
//
//   time for each message = max( bytes / rate,                             the wire
//                                (message + bytes / rate) / QPs,           one queue pair's work
//                                (latency + bytes / rate) / (QPs x depth)) messages in flight
//
// A queue pair works on one message after the other, and its work on a message does not overlap
// with that message's own bytes; several queue pairs do. On ConnectX-7, 400 Gb/s RoCE (nccl#2409),
// the eight published rows lie within 5 % (tests/validation/verbs_cost_test.cpp).

#include <cstdint>
#include <string>
#include <vector>

namespace spineleaf {

/// One measurement: `us` for each message in the mean.
struct VerbsRow {
  std::int64_t bytes = 0;
  std::int64_t depth = 1;  ///< messages in flight on each queue pair
  std::int64_t qps = 1;
  double us = 0;
};

struct VerbsCost {
  double latency_us = 0;  ///< from posting a write to its completion, without its bytes
  double message_us = 0;  ///< a queue pair's work on a message
  double gbps = 0;        ///< payload rate of the wire

  double us_per_message(std::int64_t bytes, std::int64_t depth, std::int64_t qps) const;
};

struct FittedVerbsCost {
  VerbsCost cost, low, high;  ///< low and high: 90 % interval of each by itself
  /// The row that each of the three hangs on most.
  VerbsRow fixed_by[3];
  /// False where no row is bound by it: its value then is one end of what is possible.
  bool known[3] = {false, false, false};
  double worst_pct = 0;  ///< largest error of a row
};

/// Needs three rows or more with a time; `problem` says what is missing, else "".
FittedVerbsCost fit_verbs_cost(const std::vector<VerbsRow>& rows, std::string& problem);

/// Time for each step of a send and receive, where one thread serves all of them: `gbytes` is the
/// sum of both directions, GB/s.
double step_us(std::int64_t step_bytes, double gbytes);

/// Whether such a step takes more than twice as long as the NIC needs with eight in flight on one
/// queue pair: then the end points bind, and no fabric is to blame.
bool end_point_binds(const VerbsCost& nic, std::int64_t step_bytes, double gbytes);

}  // namespace spineleaf
