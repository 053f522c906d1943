// S5: three numbers of the NIC, and whether the end points bind where NCCL is slow.

#include <algorithm>

#include "scenarios/output/text.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/measurements/verbs_cost.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kStep = 128 << 10;  ///< of NCCL's send and receive over a network
constexpr std::size_t kMostRows = 200;     ///< in the fit, which takes milliseconds then

struct FoundRows {
  std::vector<VerbsRow> rows;
  Evidence at;
};

void add(FoundRows& to, const VerbsRow& row, const Evidence& at) {
  if (to.rows.empty()) to.at = at;
  if (to.rows.size() < kMostRows) to.rows.push_back(row);
}

/// Bandwidths of perftest, where it tells how many messages are in flight.
void add_perftest(const Collection& collection, FoundRows& to) {
  for (const FoundPerftest& found : collection.perftests) {
    if (found.run.is_latency() || found.run.gpu_memory || found.run.tx_depth < 1) continue;
    for (const PerftestRow& row : found.run.rows) {
      if (row.average_gbps <= 0 || row.bytes < 1) continue;
      add(to,
          {row.bytes, found.run.tx_depth, found.run.qps,
           static_cast<double>(row.bytes) * 8 / row.average_gbps / 1e3},
          found.at);
    }
  }
}

/// "host_memory.us.BYTES.DEPTH.QPS" of the probe.
void add_probe(const Collection& collection, FoundRows& to) {
  for (const FoundFacts& found : collection.facts) {
    for (const Fact& fact : found.facts.all()) {
      if (!fact.name.starts_with("host_memory.us.")) continue;
      const std::string name = fact.name.substr(15);
      const std::size_t first = name.find('.');
      const std::size_t second = name.find('.', first + 1);
      if (first == std::string::npos || second == std::string::npos) continue;
      const auto bytes = to_integer(name.substr(0, first));
      const auto depth = to_integer(name.substr(first + 1, second - first - 1));
      const auto qps = to_integer(name.substr(second + 1));
      const auto us = to_number(fact.value);
      if (bytes && depth && qps && us) {
        add(to, {*bytes, *depth, *qps, *us}, {found.at.file, fact.line});
      }
    }
  }
}

std::string number_of(double value, double low, double high, bool known) {
  if (!known) return "not told (" + short_text(low) + " to " + short_text(high) + ")";
  return short_text(value) + " (" + short_text(low) + " to " + short_text(high) + ")";
}

std::string row_text(const VerbsRow& row) {
  return bytes_text(Bytes{row.bytes}) + " at depth " + std::to_string(row.depth) + " on " +
         std::to_string(row.qps) + (row.qps == 1 ? " QP" : " QPs");
}

}  // namespace

void check_nic_cost(const Collection& collection, Examination& out) {
  FoundRows all;
  add_perftest(collection, all);
  add_probe(collection, all);
  std::string problem;
  const FittedVerbsCost fit = fit_verbs_cost(all.rows, problem);
  if (!problem.empty()) {
    out.checks.push_back({"S5",
                          CheckState::Unknown,
                          "cost of messages: add ib_write_bw of several sizes with -t 1 and -t 8, "
                          "or a file of spineleaf-probe",
                          {}});
    return;
  }
  const auto say = [&](CheckState state, std::string text) {
    out.checks.push_back({"S5", state, std::move(text), all.at});
  };
  const VerbsCost& cost = fit.cost;
  say(CheckState::Fine,
      "NIC: latency " +
          number_of(cost.latency_us, fit.low.latency_us, fit.high.latency_us, fit.known[0]) +
          " us, fixed by " + row_text(fit.fixed_by[0]));
  say(CheckState::Fine,
      "NIC: work of a queue pair on a message " +
          number_of(cost.message_us, fit.low.message_us, fit.high.message_us, fit.known[1]) +
          " us, fixed by " + row_text(fit.fixed_by[1]));
  say(CheckState::Fine, "NIC: rate " +
                            number_of(cost.gbps, fit.low.gbps, fit.high.gbps, fit.known[2]) +
                            " Gb/s, fixed by " + row_text(fit.fixed_by[2]) + "; rows within " +
                            fixed_text(fit.worst_pct, 0) + " %");
  for (const FoundSweep& found : collection.sweeps) {
    const auto best = best_per_size(found.sweep);
    if (found.sweep.collective != "sendrecv" || best.empty()) continue;
    // Both directions, as the reports count them.
    const double gbytes = 2 * best.back().busbw;
    if (!end_point_binds(cost, kStep, gbytes)) continue;
    out.checks.push_back({"S5", CheckState::Alarm,
                          "each step of 128 KiB takes " + fixed_text(step_us(kStep, gbytes), 1) +
                              " us where the NIC needs " +
                              fixed_text(cost.us_per_message(kStep, 8, 1), 1) +
                              ": fabric healthy, the end points bind",
                          found.at});
  }
}

}  // namespace spineleaf
