#pragma once
// Measured sweeps of nccl-tests in the CSV form of validation/data/nccl/.
//
// Columns: collective, nodes, gpus_per_node, place ("in" or "out"), bytes, time_us, algbw_GBps,
// busbw_GBps; optional gpu, nic, nic_gbps, nics_per_node, fabric, nccl_version, flags, source.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "scenarios/output/curve.hpp"

namespace spineleaf {

struct MeasuredPoint {
  std::int64_t bytes = 0;  ///< as nccl-tests counts the size
  double time_us = 0;
  double algbw = 0;  ///< GB/s
  double busbw = 0;  ///< GB/s
  bool in_place = false;
};

struct MeasuredSweep {
  std::string id;  ///< file name without its ending
  std::string collective;
  std::int64_t nodes = 0;
  std::int64_t gpus_per_node = 0;
  std::string gpu, nic, fabric, nccl_version, flags, source;  ///< as written; may be empty
  std::int64_t nic_gbps = 0;                                  ///< 0 = not told
  std::int64_t nics_per_node = 0;
  std::vector<MeasuredPoint> points;  ///< in file order

  std::int64_t ranks() const { return nodes * gpus_per_node; }
};

struct MeasuredSweepResult {
  MeasuredSweep sweep;  ///< what could be read, even with problems
  std::vector<InputProblem> problems;
};

/// Reads a sweep. Warns where a bandwidth does not follow from size and time within 1 %.
MeasuredSweepResult read_nccl_sweep(std::string_view text, const std::string& file);
MeasuredSweepResult read_nccl_sweep_file(const std::string& path);

/// The faster of in place and out of place per size, ascending in size: the first use of an
/// algorithm sets up its connections and makes single rows slow, in one of the two only.
std::vector<MeasuredPoint> best_per_size(const MeasuredSweep& sweep);

/// best_per_size as a measured curve, with the source as its note.
Curve to_curve(const MeasuredSweep& sweep, std::string label);

}  // namespace spineleaf
