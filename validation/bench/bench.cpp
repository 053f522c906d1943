#include "validation/bench/bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>

#include <nlohmann/json.hpp>

#include "models/fabric.hpp"
#include "models/workloads/registry.hpp"
#include "topologies/registry.hpp"

namespace spineleaf {
namespace {

constexpr std::array<BenchCase, 5> kCases{{
    {"fifo", "fifo",
     "800 ns a hop, store-and-forward; unlimited FIFO + ECN, per-packet spray, 1 NIC and "
     "1 QP a host, 1 ACK a message, hosts start within 1 us"},
    {"roce", "roce",
     "800 ns a hop, store-and-forward; PFC, shared buffer, ECN, "
     "DCQCN (ConnectX), ECMP, 1 NIC and 64 QPs a host to 64 peers, 1 ACK per 16 packets, 2 "
     "classes, hosts "
     "start within 1 us"},
    {"ib", "ib",
     "250 ns a hop, cut-through; 4 VLs, credits every 256 ns, adaptive routing, 1 NIC and 8 QPs a "
     "host, 1 "
     "ACK per 16 packets, hosts start within 1 us"},
    {"shift", "roce",
     "the htsim workload: shift permutation by N/2, 500 ns links, 300 ns switches, "
     "store-and-forward, RoCE + PFC without rate control, ECMP, 1 NIC and 1 QP a host, 1 ACK a "
     "packet"},
    {"sparse", "roce", "as shift, but only host 0 sends: cost of an idle fabric"},
}};

ModelParams params_of(std::string_view name) {
  ModelParams p = default_model_params();
  p.fabric.fec = Time{0};
  p.nic.send_latency = p.nic.receive_latency = p.nic.message_cost = Time{0};
  // A hop's latency is one figure here: cable, FEC and pipeline lie in the link.
  p.sw.core_latency = Time{0};
  p.transport.ack_every = 16;
  if (name == "fifo") {
    p.fabric.flow_control = FlowControlKind::None;
    p.fabric.classes = 1;
    p.fabric.cnp_class = 0;
    p.sw.queue_limit = Bytes{0};
    p.sw.forwarding = ForwardingRule::Spray;
    p.ecn.enabled = true;
    p.transport.ack_every = 1024;
  } else if (name == "roce") {
    p.sw.scheduler = "1,strict";
    p.ecn.enabled = true;
    p.transport.congestion_control = CongestionControlKind::DcqcnConnectx;
  } else if (name == "ib") {
    p.fabric.wire = WireFormat::InfiniBand;
    p.fabric.flow_control = FlowControlKind::Credit;
    p.fabric.classes = 4;
    p.sw.switching = Switching::CutThrough;
    p.sw.forwarding = ForwardingRule::Adaptive;
  } else {
    p.sw.core_latency = Time::from_ns(300);  // as htsim: 500 ns links, 300 ns switches
    p.transport.ack_every = 1;
    p.fabric.classes = 1;
    p.fabric.cnp_class = 0;
  }
  return p;
}

std::int64_t default_bytes(std::string_view name, std::uint32_t hosts) {
  constexpr std::int64_t kKiB = 1024;
  if (name == "sparse") return 64 * 1024 * kKiB;
  if (name == "shift") return hosts >= 8192 ? 128 * kKiB : 2048 * kKiB;
  return hosts >= 65536 ? 256 * kKiB : hosts >= 8192 ? 2048 * kKiB : 4096 * kKiB;
}

/// Radix of the three-tier fat tree with that many hosts: k^3 / 4.
std::int64_t radix_of(std::uint32_t hosts) {
  for (std::int64_t k = 4; k <= 128; k += 2) {
    if (k * k * k / 4 >= hosts) return k;
  }
  return 0;
}

/// One message per connection, all posted at one instant: the leanest program, so that rows time
/// fabrics.
class BurstApp final : public HostApp {
 public:
  explicit BurstApp(Time start) : start_(start) {}
  void add(SenderRow row, Bytes bytes) { sends_.push_back({row, bytes}); }
  void start(HostServices& host) override {
    if (start_ == Time{0}) {
      on_wake(host, 0);
    } else {
      host.wake(0, start_);
    }
  }
  void on_wake(HostServices& host, std::uint32_t) override {
    for (const auto& [row, bytes] : sends_) host.post(row, bytes, 0);
  }
  void on_sent(HostServices&, std::uint32_t, std::uint32_t) override {}
  void on_received(HostServices&, std::uint32_t, std::uint32_t, Bytes) override {}
  void collect(JobReport&) const override {}
  std::int64_t bytes_planned() const override { return 0; }

 private:
  Time start_;
  std::vector<std::pair<SenderRow, Bytes>> sends_;
};

/// Hosts start within the first microsecond, as no real ones start at once; the rows that are laid
/// beside htsim do, as there.
Time start_of(std::string_view name, std::uint32_t host) {
  if (name == "shift" || name == "sparse") return Time{0};
  return Time{static_cast<std::int64_t>(mix64(0x57a7, host) % 1'000'000)};
}

Workload shift_workload(const Topology& topology, std::string_view name, std::int64_t bytes) {
  const std::uint32_t n = topology.host_count;
  const std::uint32_t qps = name == "roce" ? 64 : name == "ib" ? 8 : 1;
  const std::uint32_t senders = name == "sparse" ? 1 : n;
  Workload workload;
  workload.name = "shift";
  std::vector<std::unique_ptr<BurstApp>> apps(n);
  for (std::uint32_t h = 0; h < n; ++h) apps[h] = std::make_unique<BurstApp>(start_of(name, h));
  for (std::uint32_t s = 0; s < senders; ++s) {
    for (std::uint32_t q = 0; q < qps; ++q) {
      ConnectionSpec c;
      c.from = EndpointId{s};
      c.to = EndpointId{(s + n / 2 + q) % n};
      if (c.to == c.from) c.to = EndpointId{(s + 1) % n};
      c.traffic_class = static_cast<std::uint8_t>(name == "ib" ? q % 4 : 0);
      c.entropy = q;
      workload.connections.push_back(c);
      apps[s]->add(SenderRow{q}, Bytes{std::max<std::int64_t>(1, bytes / qps)});
    }
  }
  for (std::uint32_t h = 0; h < n; ++h) workload.apps.push_back({h, std::move(apps[h])});
  return workload;
}

class NoTicks final : public Ticks {
 public:
  Time next() const override { return Time::max(); }
  bool on_tick(Time) override { return true; }
  bool change_pending() const override { return false; }
  bool poll(Time) override { return true; }
};

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double resident_mib() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576;
}

/// What is run, again and again.
struct Subject {
  const Topology& topology;
  const Routes& routes;
  ModelParams params;
};

struct Seconds {
  double cpu = 0;
  double wall = 0;
};

/// One run; hops, packets and fingerprint go to `row`, which notes a difference as an error.
Seconds run_once(BenchRow& row, const Subject& subject, bool reference, unsigned threads) {
  FabricInput input;
  input.topology = &subject.topology;
  input.routes = &subject.routes;
  input.params = &subject.params;
  input.workloads.push_back(shift_workload(subject.topology, row.name, row.bytes_per_host));
  const auto fabric = build_fabric(std::move(input));
  if (!fabric->problems.empty()) {
    row.error = fabric->problems.front();
    return {};
  }
  NoTicks ticks;
  const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const double wall = seconds_of(CLOCK_MONOTONIC);
  const RunOutcome outcome = reference ? run_reference(fabric->simulation, ticks)
                                       : run_epochs(fabric->simulation, ticks, {1, 0, threads});
  const Seconds used{seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                     seconds_of(CLOCK_MONOTONIC) - wall};
  row.rss_mib = std::max(row.rss_mib, resident_mib());
  if (outcome.end != RunEnd::Quiescent) row.error = outcome.reason;
  row.hops = row.packets = 0;
  for (std::uint32_t n = 0; n < subject.topology.nodes.size(); ++n) {
    const Ports& ports = fabric->ports_of(n);
    for (std::uint32_t p = 0; p < ports.count(); ++p) row.hops += ports.packets_sent(p);
  }
  for (const Host* host : fabric->hosts) row.packets += host->counters().packets_delivered;
  const std::uint64_t fingerprint = fabric->simulation.fingerprint();
  if (row.fingerprint != 0 && row.fingerprint != fingerprint) {
    row.error = "two runs of one case gave different fingerprints";
  }
  row.fingerprint = fingerprint;
  return used;
}

/// The best of several runs.
Seconds best_of(int repeat, BenchRow& row, const Subject& subject, bool reference,
                unsigned threads) {
  Seconds best;
  for (int i = 0; i < repeat && row.error.empty(); ++i) {
    const Seconds used = run_once(row, subject, reference, threads);
    best.cpu = i == 0 ? used.cpu : std::min(best.cpu, used.cpu);
    best.wall = i == 0 ? used.wall : std::min(best.wall, used.wall);
  }
  return best;
}

}  // namespace

std::span<const BenchCase> bench_cases() { return kCases; }

double htsim_cpu_seconds(const BenchRow& row) {
  if (row.name != "shift" || row.bytes_per_host != default_bytes(row.name, row.hosts)) return 0;
  return row.hosts == 128 ? 0.50 : row.hosts == 1024 ? 18.9 : row.hosts == 8192 ? 14.2 : 0;
}

BenchRow run_bench(const BenchOptions& options) {
  BenchRow row;
  row.name = options.name;
  row.hosts = options.hosts;
  row.executor = options.reference     ? "reference"
                 : options.threads > 1 ? "threads:" + std::to_string(options.threads)
                                       : "serial";
  const auto known = std::find_if(kCases.begin(), kCases.end(),
                                  [&](const BenchCase& c) { return c.name == options.name; });
  const std::int64_t radix = radix_of(options.hosts);
  if (known == kCases.end() || radix == 0 || options.hosts < 16) {
    row.error = known == kCases.end() ? "there is no bench case '" + options.name + "'"
                                      : "hosts must lie between 16 and 524288";
    return row;
  }
  row.model = known->model;
  row.bytes_per_host =
      options.bytes > 0 ? options.bytes : default_bytes(options.name, options.hosts);
  const double link_ps = row.model == "ib" ? 250e3 : options.name == row.model ? 800e3 : 500e3;
  const double before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const BuildResult built =
      build_topology("fat_tree", {{"hosts", static_cast<double>(options.hosts)},
                                  {"tiers", 3},
                                  {"radix", static_cast<double>(radix)},
                                  {"host_latency", link_ps},
                                  {"spine_latency", link_ps},
                                  {"core_latency", link_ps}});
  if (!built.ok()) {
    row.error = to_string(built.problems.front());
    return row;
  }
  const Routes routes = compute_routes(built.topology, RoutingRule::ShortestPath);
  row.build_seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before;
  const Subject subject{built.topology, routes, params_of(options.name)};
  const Seconds own = best_of(options.repeat, row, subject, options.reference, options.threads);
  row.cpu_seconds = own.cpu;
  row.wall_seconds = own.wall;
  row.mhops_per_cpu_second = own.cpu > 0 ? static_cast<double>(row.hops) * 1e-6 / own.cpu : 0;
  if (options.compare) {
    const double rss = row.rss_mib;
    row.two_threads_wall_seconds = best_of(options.repeat, row, subject, false, 2).wall;
    row.reference_cpu_seconds = best_of(1, row, subject, true, 1).cpu;
    row.rss_mib = rss;
  }
  return row;
}

std::string bench_json(std::span<const BenchRow> rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BenchRow& row : rows) {
    char fingerprint[20];
    std::snprintf(fingerprint, sizeof fingerprint, "%016llx",
                  static_cast<unsigned long long>(row.fingerprint));
    nlohmann::ordered_json j{{"case", row.name},
                             {"model", row.model},
                             {"executor", row.executor},
                             {"hosts", row.hosts},
                             {"bytes_per_host", row.bytes_per_host},
                             {"packets", row.packets},
                             {"hops", row.hops},
                             {"cpu_s", row.cpu_seconds},
                             {"wall_s", row.wall_seconds},
                             {"build_s", row.build_seconds},
                             {"mhops_per_cpu_s", row.mhops_per_cpu_second},
                             {"rss_mib", row.rss_mib},
                             {"fingerprint", fingerprint}};
    const double htsim = htsim_cpu_seconds(row);
    if (htsim > 0 && row.cpu_seconds > 0) j["htsim_ratio"] = htsim / row.cpu_seconds;
    if (row.reference_cpu_seconds > 0) {
      j["reference_cpu_s"] = row.reference_cpu_seconds;
      j["reference_ratio"] = row.reference_cpu_seconds / row.cpu_seconds;
      j["two_threads_wall_s"] = row.two_threads_wall_seconds;
      j["two_threads_speedup"] = row.wall_seconds / row.two_threads_wall_seconds;
    }
    if (!row.error.empty()) j["error"] = row.error;
    all.push_back(std::move(j));
  }
  return all.dump(2) + "\n";
}

std::string bench_heading() {
  return "case    hosts executor        hops    cpu s   wall s  M hops/s  ns/hop  RSS MiB  "
         "fingerprint       reference  2 threads  htsim\n";
}

std::string bench_line(const BenchRow& row) {
  char line[220];
  const double ns = row.hops > 0 ? row.cpu_seconds * 1e9 / static_cast<double>(row.hops) : 0;
  std::snprintf(line, sizeof line, "%-7s %5u %-11s %8lld %8.3f %8.3f %9.2f %7.1f %8.0f  %016llx",
                row.name.c_str(), row.hosts, row.executor.c_str(), static_cast<long long>(row.hops),
                row.cpu_seconds, row.wall_seconds, row.mhops_per_cpu_second, ns, row.rss_mib,
                static_cast<unsigned long long>(row.fingerprint));
  std::string text = line;
  const auto ratio = [&](double over, double under, int width) {
    if (over > 0 && under > 0) {
      std::snprintf(line, sizeof line, "%*.1fx", width - 1, over / under);
    } else {
      std::snprintf(line, sizeof line, "%*s", width, "-");
    }
    text += line;
  };
  ratio(row.reference_cpu_seconds, row.cpu_seconds, 11);
  ratio(row.two_threads_wall_seconds > 0 ? row.wall_seconds : 0, row.two_threads_wall_seconds, 11);
  ratio(htsim_cpu_seconds(row), row.cpu_seconds, 7);
  if (!row.error.empty()) text += "  error: " + row.error;
  return text + "\n";
}

std::string bench_footing() {
  return "reference: its cpu time, of one run, over ours, the best of several; 2 threads: wall "
         "time "
         "over theirs, fingerprints equal;\nhtsim: csg-htsim's cpu time for the same hosts, flows "
         "and "
         "bytes, measured on a 2-core EPYC, over ours\n";
}

}  // namespace spineleaf
