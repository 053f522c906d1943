#pragma once
// nccl-tests on a simulated fabric: for each size what NCCL would choose, run packet by packet.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/output/curve.hpp"
#include "scenarios/run.hpp"
#include "scenarios/spec.hpp"
#include "validation/nccl/command_line.hpp"

namespace spineleaf {

struct SimulateQuery {
  NcclTestsCommand command;
  std::string node;  ///< server of the catalog: what NCCL sees inside it; "" = by the scenario's
                     ///< presets, else hgx-h100
  std::string nccl = "2.26.2";  ///< version: which table chooses
};

/// One size.
struct SimulatedSize {
  std::int64_t bytes = 0;
  std::string algorithm;  ///< "NVLSTree", "p2p"
  std::string protocol;   ///< "Simple"
  std::int64_t channels = 0;
  double time_us = -1;      ///< < 0: it did not end
  double wire_per_nic = 0;  ///< bytes on the wire out of the busiest NIC in one iteration, headers
                            ///< and acknowledgements included
};

struct Simulated {
  CurveSet curves;  ///< the simulated curve
  std::vector<SimulatedSize> sizes;
  std::vector<std::string> remarks;  ///< what was assumed, what changes nothing here
  std::string problem;               ///< why there is no curve; "" where all is well
  Verdict worst = Verdict::Ok;
};

/// Runs the sweep on the scenario's hosts in its workload's place: one iteration of each size,
/// after one warm-up below 64 MiB. `progress` hears of each size before it runs; `stop` ends the
/// sweep.
Simulated simulate_nccl_tests(const ValidSpec& spec, const SimulateQuery& query,
                              const RunOptions& options,
                              const std::function<bool(std::int64_t)>& progress);

/// What ran at each size, a line for sizes in a row that run alike, then the remarks.
std::string simulated_text(const Simulated& simulated);

}  // namespace spineleaf
