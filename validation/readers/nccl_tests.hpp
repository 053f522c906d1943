#pragma once
// What nccl-tests prints (all_reduce_perf and its siblings), as text and as JSON.
//
// Text: the dialects from 2.0 on, with or without the columns redop, root, #wrong or error, and the
// timing columns of -I; launchers' prefixes ("0:", "[1,0]<stdout>:", time stamps) in front of each
// line; several runs one after the other. JSON: what -J writes. Format: nccl-tests src/common.cu
// and its kin, 2.19.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "validation/readers/nccl_sweep.hpp"

namespace spineleaf {

struct NcclTestsTiming {
  bool present = false;
  double time_us = 0;
  double algbw = 0;         ///< GB/s
  double busbw = 0;         ///< GB/s
  std::int64_t wrong = -1;  ///< wrong elements; -1 = not checked
};

struct NcclTestsRow {
  std::int64_t bytes = 0;
  std::int64_t count = 0;
  std::string type, redop;
  NcclTestsTiming out_of_place, in_place;
};

struct NcclTestsDevice {
  std::int64_t rank = 0;
  std::string host;  ///< opaque token
  std::int64_t device = 0;
  std::string name;  ///< "NVIDIA H100 80GB HBM3"
};

struct NcclTestsRun {
  std::string collective;    ///< "all_reduce"; "" where the log does not tell
  std::string version;       ///< of nccl-tests
  std::string nccl_version;  ///< "2.26.2", "" where not told
  std::vector<NcclTestsDevice> devices;
  std::vector<NcclTestsRow> rows;
  std::int64_t out_of_bounds = -1;  ///< values found wrong; -1 = not told
  double average_busbw = 0;

  /// Distinct hosts among the devices; 0 where no device is listed.
  std::int64_t hosts() const;
};

struct NcclTestsResult {
  std::vector<NcclTestsRun> runs;
  std::vector<InputProblem> problems;
};

/// Reads text or JSON; which of them is seen from the first character.
NcclTestsResult read_nccl_tests(std::string_view text, const std::string& file);

/// "2.26.2" from 22602, as NCCL counts since 2.9 (before: 2804 is 2.8.4); "" for what is none.
std::string nccl_version_text(std::int64_t code);

/// The run as a sweep. Rows without a size or a time are left out. Nodes and GPUs per node come
/// from the devices; where none is listed, both are 0.
MeasuredSweep to_sweep(const NcclTestsRun& run, std::string id);

}  // namespace spineleaf
