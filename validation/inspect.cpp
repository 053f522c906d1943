#include "validation/inspect.hpp"

#include <algorithm>
#include <set>

#include "scenarios/output/text.hpp"
#include "topologies/readers/nccl_xml.hpp"
#include "validation/readers/gpu_topo.hpp"
#include "validation/readers/nccl_log.hpp"
#include "validation/readers/nccl_sweep.hpp"
#include "validation/readers/nccl_tests.hpp"
#include "validation/readers/osu.hpp"
#include "validation/readers/perftest.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kLookedAt = 1 << 16;

void say(Inspection& out, std::string text, Severity severity = Severity::Note) {
  out.lines.emplace_back(severity, std::move(text));
}

std::string size_text(std::int64_t bytes) { return bytes_text(Bytes{bytes}); }

/// Sizes, the time of the smallest and the bandwidth of the largest.
void say_sweep(Inspection& out, const MeasuredSweep& sweep) {
  const auto best = best_per_size(sweep);
  if (best.empty()) return say(out, "no row has a time", Severity::Warning);
  say(out, std::to_string(best.size()) + " sizes, " + size_text(best.front().bytes) + " to " +
               size_text(best.back().bytes) + ": " + fixed_text(best.front().time_us, 2) +
               " us at the smallest, busbw " + fixed_text(best.back().busbw, 1) +
               " GB/s at the largest");
}

void inspect_nccl_tests(std::string_view text, const std::string& file, Inspection& out) {
  NcclTestsResult read = read_nccl_tests(text, file);
  out.problems = std::move(read.problems);
  std::set<std::size_t> layouts;
  for (const NcclTestsRun& run : read.runs) {
    std::string head = run.collective.empty() ? "unknown collective" : run.collective;
    if (!run.devices.empty()) {
      head += ", " + std::to_string(run.devices.size()) + " ranks on " +
              std::to_string(run.hosts()) + " hosts (" + run.devices.front().name + ")";
      layouts.insert(run.devices.size());
    }
    if (!run.nccl_version.empty()) head += ", NCCL " + run.nccl_version;
    say(out, std::move(head));
    say_sweep(out, to_sweep(run, file));
  }
  if (layouts.size() > 1) {
    std::string ranks;
    for (const std::size_t n : layouts) ranks += (ranks.empty() ? "" : " and ") + std::to_string(n);
    say(out, "the log has runs of " + ranks + " ranks: compare each with its own prediction",
        Severity::Warning);
  }
}

void inspect_csv(std::string_view text, const std::string& file, Inspection& out) {
  MeasuredSweepResult read = read_nccl_sweep(text, file);
  out.problems = std::move(read.problems);
  if (has_errors(out.problems)) return;
  const MeasuredSweep& sweep = read.sweep;
  say(out, sweep.collective + ", " + std::to_string(sweep.nodes) + " nodes x " +
               std::to_string(sweep.gpus_per_node) + " " + sweep.gpu + ", " + sweep.fabric);
  say_sweep(out, sweep);
}

void inspect_perftest(std::string_view text, const std::string& file, Inspection& out) {
  PerftestResult read = read_perftest(text, file);
  out.problems = std::move(read.problems);
  for (const PerftestRun& run : read.runs) {
    if (run.rows.empty()) continue;
    std::string line = run.test.empty() ? "perftest" : run.test;
    if (!run.device.empty()) line += " on " + run.device;
    if (!run.link.empty()) line += " (" + run.link + ")";
    line += ", " + std::to_string(run.qps) + (run.qps == 1 ? " QP" : " QPs");
    if (run.gpu_memory) line += ", GPU memory";
    const PerftestRow& first = run.rows.front();
    const auto best = std::max_element(run.rows.begin(), run.rows.end(), [](auto& a, auto& b) {
      return a.average_gbps < b.average_gbps;
    });
    if (run.is_latency()) {
      line += ": " + fixed_text(first.t_typical_us, 2) + " us at " + size_text(first.bytes);
    } else {
      line += ": " + fixed_text(best->average_gbps, 1) + " Gb/s at " + size_text(best->bytes);
    }
    say(out, std::move(line));
  }
}

void inspect_osu(std::string_view text, const std::string& file, Inspection& out) {
  OsuResult read = read_osu(text, file);
  out.problems = std::move(read.problems);
  for (const OsuRun& run : read.runs) {
    if (run.rows.empty()) continue;
    const OsuRow& shown = run.bandwidth ? run.rows.back() : run.rows.front();
    say(out, run.test + ": " + std::to_string(run.rows.size()) + " sizes, " +
                 fixed_text(shown.value, 2) + (run.bandwidth ? " MB/s" : " us") + " at " +
                 size_text(shown.bytes));
  }
}

void inspect_topo(std::string_view text, const std::string& file, Inspection& out) {
  GpuTopoResult read = read_gpu_topo(text, file);
  out.problems = std::move(read.problems);
  if (has_errors(out.problems)) return;
  for (std::string& line : findings(read.topo)) say(out, std::move(line));
}

void inspect_log(std::string_view text, const std::string& file, Inspection& out) {
  NcclLogResult read = read_nccl_log(text, file);
  out.problems = std::move(read.problems);
  const NcclLog& log = read.log;
  std::string head = "NCCL " + (log.version.empty() ? std::string("?") : log.version);
  if (log.ranks > 0) {
    head += ", " + std::to_string(log.ranks) + " ranks on " + std::to_string(log.nodes) + " nodes";
  }
  if (!log.rings.empty()) head += ", " + std::to_string(log.rings.size()) + " rings";
  for (const auto& [kind, count] : log.channels) {
    if (count > 0) head += ", " + std::to_string(count) + " " + kind;
  }
  say(out, std::move(head));
  for (auto& [severity, line] : verdicts(log)) say(out, std::move(line), severity);
}

void inspect_xml(std::string_view text, const std::string& file, Inspection& out) {
  const NcclXml read = read_nccl_xml(text);
  for (const Problem& problem : read.problems) {
    InputProblem input;
    input.severity = problem.severity;
    input.file = file;
    input.path = problem.where;
    input.what = problem.what + (problem.found.empty() ? "" : " (found " + problem.found + ")");
    input.expected = problem.expected;
    input.hint = problem.hint;
    append(out.problems, std::move(input));
  }
  const NcclTopology& topology = read.topology;
  if (!topology.gpus.empty() || !topology.nets.empty()) {
    say(out, "CPU sockets " + std::to_string(topology.cpus.size()) + ", GPUs " +
                 std::to_string(topology.gpus.size()) + ", NICs " +
                 std::to_string(topology.nets.size()));
    for (const NcclNet& net : topology.nets) {
      std::string line = net.name + ": " + short_text(net.gbps) + " Gb/s";
      if (!net.gdr) line += ", no GPU Direct RDMA";
      say(out, std::move(line), net.gdr ? Severity::Note : Severity::Warning);
    }
  }
  for (const NcclGraph& graph : read.graphs) {
    std::string line = std::string(graph.name()) + ": " + std::to_string(graph.channels.size()) +
                       " channels x " + short_text(graph.speed_inter) + " GB/s, " +
                       graph.type_intra + "/" + graph.type_inter;
    std::set<std::int64_t> nics;
    for (const NcclGraphChannel& channel : graph.channels) {
      if (channel.net_in >= 0) nics.insert(channel.net_in);
    }
    if (!nics.empty()) line += ", over " + std::to_string(nics.size()) + " NICs";
    say(out, std::move(line));
  }
}

struct Format {
  const char* name;
  bool (*knows)(std::string_view head);
  void (*inspect)(std::string_view text, const std::string& file, Inspection& out);
};

// The first that knows a file reads it.
constexpr Format kFormats[] = {
    {"XML of NCCL", [](auto head) { return trimmed(head).starts_with('<'); }, inspect_xml},
    {"sweep of nccl-tests as CSV", [](auto head) { return has(head, "algbw_GBps"); }, inspect_csv},
    {"JSON of perftest",
     [](auto head) { return trimmed(head).starts_with('{') && has(head, "test_info"); },
     inspect_perftest},
    {"JSON of nccl-tests", [](auto head) { return trimmed(head).starts_with('{'); },
     inspect_nccl_tests},
    {"OSU micro-benchmark", [](auto head) { return has(head, "# OSU "); }, inspect_osu},
    {"perftest output", [](auto head) { return has(head, "#bytes "); }, inspect_perftest},
    {"nvidia-smi topo -m", [](auto head) { return has(head, "GPU0") && has(head, "CPU Affinity"); },
     inspect_topo},
    {"nccl-tests output", [](auto head) { return has(head, "busbw") || has(head, "# nThread"); },
     inspect_nccl_tests},
    {"log of NCCL", [](auto head) { return has(head, "NCCL INFO"); }, inspect_log},
};

}  // namespace

Inspection inspect(std::string_view text, const std::string& file) {
  Inspection out;
  const std::string_view head = text.substr(0, kLookedAt);
  for (const Format& format : kFormats) {
    if (!format.knows(head)) continue;
    out.format = format.name;
    format.inspect(text, file, out);
    // A run of nccl-tests with NCCL_DEBUG=INFO has both.
    if (format.inspect == inspect_nccl_tests && has(text, " NCCL INFO ")) {
      out.format += " with a log of NCCL";
      inspect_log(text, file, out);
    }
    return out;
  }
  std::string known;
  for (const Format& format : kFormats) {
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  append(out.problems, line_problem(file, 0, "is no format that is known here", known));
  return out;
}

}  // namespace spineleaf
