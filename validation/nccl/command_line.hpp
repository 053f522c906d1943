#pragma once
// The command line of nccl-tests as a user types it: launcher, environment and all_reduce_perf with
// its options.
//
// Launchers: mpirun (Open MPI, MPICH, Intel), srun; or none. Options: nccl-tests
// src/common.cu, 2.19.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/nccl_system.hpp"

namespace spineleaf {

struct NcclTestsCommand {
  std::string collective;  ///< "all_reduce"
  std::int64_t ranks = 0;  ///< processes x threads x GPUs; 0 = the launcher does not tell
  std::int64_t smallest = 32 << 20;
  std::int64_t largest = 32 << 20;
  std::int64_t factor = 1;  ///< sizes grow by this factor; 1 = by `step` bytes
  std::int64_t step = 1 << 20;
  std::int64_t iterations = 20;
  std::int64_t warm_up = 1;
  std::int64_t root = 0;
  NcclSettings settings;             ///< NCCL_* of the environment, without the prefix
  std::vector<std::string> ignored;  ///< words that nothing here depends on
  std::string problem;               ///< what can't be understood; "" where all is well

  /// The sizes of the sweep, ascending.
  std::vector<std::int64_t> sizes() const;
};

/// `words` as a shell splits them; one word with blanks is split first.
NcclTestsCommand parse_nccl_tests_command(std::span<const std::string> words);

}  // namespace spineleaf
