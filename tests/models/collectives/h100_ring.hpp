#pragma once
// Two H100 nodes in a forced ring all-reduce: the measured sweep and a run on the ideal network.

#include <array>
#include <cstdint>

#include "models/workloads/collective.hpp"
#include "tests/models/workloads/workload_case.hpp"

namespace spineleaf::fake {

struct MeasuredPoint {
  std::int64_t bytes;
  double time_us;
};

/// 2 x 8 H100 SXM, 8 x 400G NDR, NCCL_ALGO=Ring, 24 CTAs, 2 QPs; smaller of in and out of place.
/// Source: https://github.com/NVIDIA/nccl-tests/issues/309
inline constexpr std::array<MeasuredPoint, 14> kMeasuredRing{{{1 << 20, 154.1},
                                                              {2 << 20, 154.9},
                                                              {4 << 20, 173.6},
                                                              {8 << 20, 175.8},
                                                              {16 << 20, 196.5},
                                                              {32 << 20, 274.2},
                                                              {64 << 20, 432.6},
                                                              {128 << 20, 795.7},
                                                              {256 << 20, 1355.9},
                                                              {512 << 20, 2649.0},
                                                              {1LL << 30, 5236.2},
                                                              {2LL << 30, 10336.0},
                                                              {4LL << 30, 20575.0},
                                                              {8LL << 30, 41015.0}}};

struct RingRun {
  std::uint32_t nodes = 2;
  std::uint32_t nics = 8;
  HostParams host = default_model_params().host;
  NetworkParams network{};
  CollectiveParams params{};
};

/// Parameters of the measured sweep, one size. Host costs as fitted on this very sweep; the
/// latency is that of two NICs and one switch.
inline RingRun h100_run(std::int64_t bytes) {
  RingRun run;
  run.host.nvlink_efficiency = 0.775;
  run.host.step_overhead = Time::from_ns(1900);
  run.host.intra_hop = Time::from_ns(2000);
  run.host.proxy_send = run.host.proxy_receive = Time::from_ns(300);
  run.network.latency = Time::from_ns(1300);
  run.network.rate = Rate{392'000'000'000};  // 0.98 of 400G: verbs goodput
  run.params.bytes = Bytes{bytes};
  run.params.channels = 24;
  run.params.qps_per_connection = 2;
  return run;
}

/// Time of one measured iteration in microseconds, averaged over the iterations.
inline double run_ring_us(const RingRun& run) {
  Case c{.topology = star(run.nodes, run.nics)};
  c.params.host = run.host;
  c.build(kind_named("collective"), &run.params);
  if (!c.workload.problems.empty()) throw std::logic_error(c.workload.problems[0]);
  Network network(c.topology, c.workload, run.network);
  network.run();
  if (!network.all_done()) throw std::logic_error("the collective did not complete");
  Time first = Time::max(), last{0};
  for (const CollectiveRecord& record : network.report().collectives) {
    first = std::min(first, record.start);
    last = std::max(last, record.end);
  }
  return (last - first).microseconds() / static_cast<double>(run.params.iterations);
}

}  // namespace spineleaf::fake
