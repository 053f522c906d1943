#pragma once
// What linux-rdma/perftest prints (ib_write_bw, ib_write_lat, ib_send_lat, ...), as text and as
// JSON (--out_json).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

/// Values that a program does not print are negative.
struct PerftestRow {
  std::int64_t bytes = 0;
  std::int64_t iterations = 0;
  double peak_gbps = -1;     ///< Gb/s, 10^9 bits
  double average_gbps = -1;  ///< Gb/s
  double rate_mpps = -1;     ///< million messages a second
  double t_min_us = -1, t_max_us = -1, t_typical_us = -1, t_average_us = -1, t_stdev_us = -1;
  double t_99_us = -1, t_999_us = -1;
};

struct PerftestRun {
  std::string test;       ///< "RDMA_Write BW Test", "" where not told
  std::string device;     ///< "mlx5_0"
  std::string link;       ///< "IB" or "Ethernet"
  std::string transport;  ///< "RC"
  std::int64_t qps = 1;
  std::int64_t tx_depth = 0;  ///< 0 = not told
  std::int64_t mtu = 0;       ///< bytes; 0 = not told
  bool gpu_memory = false;
  std::vector<PerftestRow> rows;

  bool is_latency() const { return !rows.empty() && rows.front().t_typical_us >= 0; }
};

struct PerftestResult {
  std::vector<PerftestRun> runs;
  std::vector<InputProblem> problems;
};

PerftestResult read_perftest(std::string_view text, const std::string& file);

}  // namespace spineleaf
