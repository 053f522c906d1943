// Credit loops: cases that must deadlock, those that must not, and those where it depends. Expected
// times: an independent packet model, 10 seeds, each within a factor of two. The static verdict on
// the routes stands in rows of its own: a loop is needed for a deadlock, not enough.

#include <algorithm>

#include "scenarios/deadlock_check.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"
#include "validation/infiniband/ring_case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

/// Times of deadlocks in us, ascending.
std::vector<double> deadlocks(const ValidSpec& spec, int seeds) {
  std::vector<double> times;
  for (int seed = 1; seed <= seeds; ++seed) {
    RunOptions options;
    options.seed = static_cast<std::uint64_t>(seed);
    const Result result = run_world(spec, options);
    if (result.deadlock) times.push_back(result.deadlock_report.at.seconds() * 1e6);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::string us_text(double from, double to) {
  return fixed_text(from, 0) + " to " + fixed_text(to, 0) + " us";
}

ValidationRow row_of(const Ring& ring, const std::vector<double>& times, int seeds) {
  ValidationRow row;
  row.id = "deadlock." + ring.id();
  row.got = std::to_string(times.size()) + " of " + std::to_string(seeds) + " seeds";
  if (!times.empty()) row.got += ", " + us_text(times.front(), times.back());
  row.source = "independent packet model, 10 seeds";
  return row;
}

ValidationRow must(const Ring& ring, double from_us, double to_us,
                   const InfinibandOptions& options) {
  const std::vector<double> times = deadlocks(ring_case(ring, "1ms"), options.seeds);
  ValidationRow row = row_of(ring, times, options.seeds);
  row.expected = "every seed, " + us_text(from_us, to_us);
  row.tolerance = "time x2";
  row.pass = times.size() == static_cast<std::size_t>(options.seeds) &&
             times.front() >= from_us / 2 && times.back() <= to_us * 2;
  return row;
}

ValidationRow must_not(const Ring& ring, const InfinibandOptions& options) {
  const ValidSpec spec = ring_case(ring, options.quick ? "1ms" : "10ms");
  const std::vector<double> times = deadlocks(spec, options.seeds);
  ValidationRow row = row_of(ring, times, options.seeds);
  row.expected = "no seed within " + to_text(spec.run.deadline);
  row.pass = times.empty();
  return row;
}

ValidationRow report(const Ring& ring, const InfinibandOptions& options) {
  ValidationRow row = must_not(ring, options);
  row.expected = "depends on the arbiter and on jitter";
  row.report_only = true;
  return row;
}

ValidationRow verdict(const Ring& ring, bool loop) {
  DeadlockCheckOptions options;
  options.workload_only = true;
  const DeadlockCheckResult result = check_deadlock(ring_case(ring, "1ms"), options);
  ValidationRow row;
  row.id = "static." + ring.id();
  row.expected = loop ? "a loop" : "no loop";
  row.got = result.can_deadlock() ? std::to_string(result.buffers_in_cycles) + " buffers on loops"
                                  : "no loop";
  row.pass = result.can_deadlock() == loop;
  row.source = "Dally and Seitz 1987 on the routes of the case";
  return row;
}

}  // namespace

std::vector<ValidationRow> credit_loop_rows(const InfinibandOptions& options) {
  std::vector<ValidationRow> rows;
  for (const int n : {3, 4, 5}) {
    rows.push_back(must({.switches = n, .gbps = 110}, 13, 16, options));
    rows.push_back(must({.switches = n, .gbps = 400}, 6, 14, options));
  }
  rows.push_back(must({.switches = 7, .hosts = 1, .hops = 3, .gbps = 200}, 8, 11, options));
  rows.push_back(must({.mode = "immediate"}, 6, 14, options));
  rows.push_back(must({.mode = "timer"}, 6, 14, options));
  rows.push_back(must({.order = "output_fifo"}, 6, 14, options));
  for (const int n : {3, 4, 5}) rows.push_back(must_not({.switches = n, .gbps = 95}, options));
  rows.push_back(must_not({.gbps = 80}, options));
  rows.push_back(must_not({.hosts = 4, .gbps = 47.5}, options));
  rows.push_back(must_not({.switches = 7, .hosts = 1, .hops = 3, .gbps = 126.7}, options));
  rows.push_back(must_not({.gbps = 400, .escape = Escape::Updn}, options));
  rows.push_back(must_not({.gbps = 400, .escape = Escape::Lanes}, options));
  rows.push_back(must_not({.gbps = 400, .escape = Escape::Dfsssp}, options));
  rows.push_back(report({.hosts = 1, .gbps = 400}, options));
  rows.push_back(verdict({.gbps = 400}, true));
  rows.push_back(verdict({.gbps = 95}, true));
  rows.push_back(verdict({.hosts = 1, .gbps = 400}, true));
  rows.push_back(verdict({.switches = 7, .hosts = 1, .hops = 3}, true));
  rows.push_back(verdict({.gbps = 400, .escape = Escape::Updn}, false));
  // The lanes above are of the data alone: what answers it goes round on one.
  rows.push_back(verdict({.gbps = 400, .escape = Escape::Dfsssp}, false));
  return rows;
}

}  // namespace spineleaf
