// Rate against cable length, and goodput ceilings by credit mode. The forms are those of the link:
// a window of W packets goes round in T_base = 2 (cable + FEC) + R + S + an update, or later by the
// cadence of updates; a throw-away packet model of ours agrees within its stated noise.

#include <algorithm>
#include <cmath>

#include "scenarios/output/text.hpp"
#include "validation/infiniband/case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

constexpr double kPacket = 4122;  // bytes on the wire
constexpr double kPayload = 4096;
constexpr double kNsPerByte = 0.02;  // 400 Gb/s
constexpr double kFecNs = 100;
constexpr double kCoreNs = 150;
constexpr double kSpacingNs = 256;

std::string two_switches(const std::string& metres) {
  return R"({"kind": "custom", "nodes": [{"name": "a"}, {"name": "b"},
      {"name": "x", "kind": "switch"}, {"name": "y", "kind": "switch"}],
    "links": [{"a": "a", "b": "x", "length": "2m"}, {"a": "b", "b": "y", "length": "2m"},
              {"a": "x", "b": "y", "length": ")" +
         metres + R"(m"}]})";
}

ValidationRow rate_row(int buffer_kib, int metres, const std::string& mode, bool quick) {
  const std::string buffer = std::to_string(buffer_kib) + "KiB";
  const std::string length = std::to_string(metres);
  const ValidSpec spec =
      infiniband_case({two_switches(length),
                       R"({"kind": "flows", "flows": [)" + flow_text("a", "b") + "]}",
                       {{"credit.buffer", buffer},
                        {"credit.mode", mode},
                        {"nic.receive_buffer", "256KiB"},
                        {"fabric.fec", "100ns"}}});
  const double window = std::floor(std::min(buffer_kib * 16, 2048) / 65.0);
  const double base = 2 * (5.0 * metres + kFecNs) + kCoreNs + kPacket * kNsPerByte + 8 * kNsPerByte;
  const double most = std::min(400.0, window * kPacket * 8 / base);
  const bool immediate = mode == "immediate";
  const double least =
      immediate ? most : std::min(400.0, window * kPacket * 8 / (base + kSpacingNs));
  const double tolerance = immediate ? 0.01 : 0.005;
  const double got = link_rate_gbps(spec, "x", "y", Time::from_ms(1), Time::from_ms(quick ? 2 : 4));
  ValidationRow row;
  row.id = "rate." + buffer + "." + length + "m." + mode;
  row.expected = immediate ? fixed_text(most, 1) + " Gb/s"
                           : fixed_text(least, 1) + " to " + fixed_text(most, 1) + " Gb/s";
  row.got = fixed_text(got, 1) + " Gb/s";
  row.tolerance = immediate ? "1 %" : "0.5 %";
  row.pass = got >= least * (1 - tolerance) && got <= most * (1 + tolerance);
  row.source = "min(line, W x 4122 B / T_base); cadence adds up to 256 ns to the loop";
  return row;
}

struct Ceiling {
  const char* id;
  const char* mode;
  bool both_ways;
  double gbps;
  double line = 400;
};

ValidationRow ceiling_row(const Ceiling& wanted, bool quick) {
  const std::string speed = fixed_text(wanted.line, 0) + "Gbps";
  std::string flows = flow_text("host0", "host1");
  if (wanted.both_ways) flows += ", " + flow_text("host1", "host0");
  const ValidSpec spec = infiniband_case(
      {R"({"kind": "single_switch", "hosts": 2, "speed": ")" + speed + R"(", "latency": "50ns"})",
       R"({"kind": "flows", "flows": [)" + flows + "]}",
       {{"credit.mode", wanted.mode},
        {"credit.buffer", "128KiB"},
        {"nic.receive_buffer", "128KiB"}}});
  const std::string leaf = spec.graph->nodes.back().name;
  const double wire =
      link_rate_gbps(spec, "host0", leaf, Time::from_ms(1), Time::from_ms(quick ? 4 : 11));
  const double got = wire * kPayload / kPacket;
  const double tolerance = 0.02;
  ValidationRow row;
  row.id = std::string{"ceiling."} + wanted.id;
  row.expected = fixed_text(wanted.gbps, 3) + " Gb/s";
  row.got = fixed_text(got, 3) + " Gb/s";
  row.tolerance = fixed_text(tolerance, 3) + " Gb/s";
  row.pass = std::abs(got - wanted.gbps) <= tolerance;
  row.source = "line x 4096 B / (4122 B + 8 B of update per packet or round)";
  return row;
}

}  // namespace

std::vector<ValidationRow> rate_rows(const InfinibandOptions& options) {
  std::vector<ValidationRow> rows;
  for (const int kib : {32, 64, 128}) {
    for (const int metres : {5, 50, 100, 200, 300, 500, 1000, 2000}) {
      if (options.quick && metres != 100 && metres != 500) continue;
      for (const char* mode : {"immediate", "min_spacing", "timer"}) {
        rows.push_back(rate_row(kib, metres, mode, options.quick));
      }
    }
  }
  // Beyond 2,048 blocks the offer is the limit: no worse than 128 KiB, and no promise more.
  ValidationRow large = rate_row(256, 300, "immediate", options.quick);
  const double got = std::strtod(large.got.c_str(), nullptr);
  large.expected = "at least " + large.expected;
  large.pass = got >= std::strtod(large.expected.c_str() + 9, nullptr) * 0.99;
  rows.push_back(large);
  return rows;
}

std::vector<ValidationRow> ceiling_rows(const InfinibandOptions& options) {
  // Rounds leave between packets: one per ceil(256 ns / S) packets with min_spacing.
  const Ceiling ceilings[] = {
      {"NDR.immediate.one-way", "immediate", false, 397.477},
      {"NDR.immediate.both-ways", "immediate", true, 396.707},
      {"NDR.min_spacing.both-ways", "min_spacing", true, 397.284},
      {"NDR.timer.both-ways", "timer", true, 397.229},
      {"HDR.immediate.one-way", "immediate", false, 198.738, 200},
      {"HDR.immediate.both-ways", "immediate", true, 198.354, 200},
      {"EDR.immediate.one-way", "immediate", false, 99.369, 100},
      {"EDR.immediate.both-ways", "immediate", true, 99.177, 100},
  };
  std::vector<ValidationRow> rows;
  for (const Ceiling& ceiling : ceilings) rows.push_back(ceiling_row(ceiling, options.quick));
  return rows;
}

}  // namespace spineleaf
