#pragma once
// What the OSU micro-benchmarks print (osu_latency, osu_bw, osu_allreduce, ...).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct OsuRow {
  std::int64_t bytes = 0;
  double value = 0;  ///< us, or MB/s (10^6 bytes a second) where the run is a bandwidth
};

struct OsuRun {
  std::string test;        ///< "OSU MPI Allreduce Latency Test v7.2"
  bool bandwidth = false;  ///< else a time
  std::vector<OsuRow> rows;
};

struct OsuResult {
  std::vector<OsuRun> runs;
  std::vector<InputProblem> problems;
};

OsuResult read_osu(std::string_view text, const std::string& file);

}  // namespace spineleaf
