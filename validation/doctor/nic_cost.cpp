// S5: three numbers of the NIC, and whether the end points bind where NCCL is slow.

#include <algorithm>

#include "scenarios/output/text.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/measurements/verbs_rows.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kStep = 128 << 10;  ///< of NCCL's send and receive over a network

std::string number_of(double value, double low, double high, bool known) {
  if (!known) return "not told (" + short_text(low) + " to " + short_text(high) + ")";
  return short_text(value) + " (" + short_text(low) + " to " + short_text(high) + ")";
}

}  // namespace

void check_nic_cost(const Collection& collection, Examination& out) {
  const FoundVerbs all = verbs_rows(collection, false);
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
    out.checks.push_back({"S5", state, std::move(text), all.at.front()});
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
