#pragma once
// Statistics of a run: order statistics, fairness, flow completion times, bus bandwidth.
//
// Everything here is a pure function of records. Instants stay integers until the last step, so two
// runs with equal records give equal numbers.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/host/app.hpp"
#include "scenarios/result.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// Percentile by nearest rank: the smallest value such that at least `percent` % of all values are
/// not larger, that is element ceil(percent / 100 * n) counted from 1. No interpolation: the answer
/// always is a value that occurred. `ascending` must not be empty; percent in [0, 100].
Time percentile(std::span<const Time> ascending, int percent);
double percentile(std::span<const double> ascending, int percent);

/// Arithmetic mean; of times rounded to the nearest picosecond (128-bit sum). 0 when empty.
Time mean(std::span<const Time> values);
double mean(std::span<const double> values);

/// Half width of the 95 % confidence interval of the mean (Student's t); 0 below two values.
double confidence_95(std::span<const double> values);

/// Jain's fairness index (sum x)^2 / (n sum x^2): 1 = all equal, 1/n = one has all. 1 when empty or
/// all zero. R. Jain, D. Chiu, W. Hawe, DEC TR-301, 1984.
double jain_index(std::span<const double> values);

/// Microseconds with a decimal text as short as the picoseconds allow: 83,560 ps is 0.08356.
double to_us(Time time);

/// Flow completion times of a group of flows. Times are -1 while no flow has finished.
struct FctStatistics {
  std::string job;  ///< "" = over all jobs
  std::int64_t flows = 0;
  std::int64_t finished = 0;                          ///< last byte received
  Bytes bytes;                                        ///< payload of finished flows
  Time min{-1}, p50{-1}, p99{-1}, max{-1}, mean{-1};  ///< posting to the receiver's last byte
  Time acked_p50{-1}, acked_p99{-1}, acked_max{-1};   ///< posting to the sender's last ACK
  Time first_start{-1}, last_received{-1};
  double goodput_gbps = 0;       ///< finished bytes over first start to last byte received
  double flow_goodput_gbps = 0;  ///< mean over finished flows of bytes / FCT
  double jain = 1;               ///< fairness of the finished flows' rates
};
FctStatistics fct_statistics(std::span<const FlowRecord> flows);

/// One row per job that has flows, in the order of jobs.
std::vector<FctStatistics> fct_by_job(const Result& result);

/// Name of a job, or "job 3" where the result has no name for it.
std::string job_name(const Result& result, std::uint32_t job);

/// Payload delivered over simulated time, all jobs together. 0 for a run of no length.
double goodput_gbps(const Result& result);

/// Bus bandwidth over algorithm bandwidth for n ranks: all_reduce 2(n-1)/n; all_gather,
/// reduce_scatter, alltoall, gather, scatter (n-1)/n; sendrecv, broadcast, reduce 1.
/// Source: nccl-tests doc/PERFORMANCE.md. 0 for a name that it doesn't have, or n < 1.
double busbw_factor(std::string_view collective, std::int64_t ranks);

/// Bytes over time in GB/s (10^9 bytes a second, as nccl-tests prints). 0 when time <= 0. The size
/// is that of nccl-tests: for all_gather, reduce_scatter and alltoall the total over all ranks.
double algbw_gbytes(Bytes size, Time time);
double algbw_gbytes(Bytes size, double time_us);

/// Iterations of one collective of one job at one size.
struct CollectiveStatistics {
  std::string job;
  std::string collective, algorithm, protocol;
  std::int64_t channels = 0;
  std::int64_t ranks = 0;
  Bytes bytes;
  std::int64_t iterations = 0;
  std::int64_t finished = 0;
  Time min{-1}, mean{-1}, max{-1};  ///< over finished iterations; -1 = none
  double algbw = 0, busbw = 0;      ///< of the mean time, GB/s
};
/// In the order in which the groups first occur.
std::vector<CollectiveStatistics> collective_statistics(const Result& result);

/// Puts the halves of flows together by (job, flow): all but `received` from the sender's half. A
/// half without its counterpart is kept, with the unknown instants at -1. Ascending (job, flow).
std::vector<FlowRecord> merge_flows(std::vector<FlowRecord> senders,
                                    std::vector<FlowRecord> receivers);

/// One record per (job, iteration) from those of the hosts: the earliest start, the latest end, or
/// end -1 when a host has not finished. Hosts that never started don't count for the start.
/// `host` is that of the first record. Ascending (job, iteration).
std::vector<CollectiveRecord> merge_collectives(std::span<const CollectiveRecord> records);

}  // namespace spineleaf
