#pragma once
// Speed rows of `spineleaf bench`: what one core does per second on stated workloads.
//
// Figures are process CPU seconds of the run phase (no set-up), best of several runs. A packet-hop
// is one data, ACK, NAK or CNP packet crossing one link; link control is not counted.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

struct BenchCase {
  std::string_view name;
  std::string_view model;  ///< "fifo", "roce" or "ib"
  std::string_view text;   ///< latency, NICs, QPs, ACK ratio, classes, switching mode
};
std::span<const BenchCase> bench_cases();

struct BenchOptions {
  std::string name;  ///< case name
  std::uint32_t hosts = 128;
  std::int64_t bytes = 0;  ///< per host; 0 = the case's own for this size
  unsigned threads = 1;
  bool reference = false;
  int repeat = 3;
  /// Beside the serial executor, also time the reference executor (once) and two threads.
  bool compare = false;
};

struct BenchRow {
  std::string name;
  std::string model;
  std::string executor;  ///< "serial", "threads:2", "reference"
  std::uint32_t hosts = 0;
  std::int64_t bytes_per_host = 0;
  std::int64_t packets = 0;  ///< data packets delivered
  std::int64_t hops = 0;
  double cpu_seconds = 0;
  double wall_seconds = 0;
  double build_seconds = 0;
  double mhops_per_cpu_second = 0;
  double rss_mib = 0;                ///< resident memory at the end of the run
  double reference_cpu_seconds = 0;  ///< 0 = not compared
  double two_threads_wall_seconds = 0;
  std::uint64_t fingerprint = 0;
  std::string error;  ///< unknown case, size not possible, broken invariant
};

BenchRow run_bench(const BenchOptions& options);

/// CPU seconds that csg-htsim RoCE took for the row's hosts, flows and bytes (case "shift"); 0 =
/// not measured. Source: measured for this project on a 2-core EPYC, best of several.
double htsim_cpu_seconds(const BenchRow& row);

std::string bench_json(std::span<const BenchRow> rows);
/// A table, line by line: rows can be shown as they come.
std::string bench_heading();
std::string bench_line(const BenchRow& row);
std::string bench_footing();

}  // namespace spineleaf
