// What a credit loop ends in: heads that wait for longer than their lifetime are thrown away, and
// under a standing load that alone does not open the loop. Expected values: an independent packet
// model, lifetimes of 1 ms in place of OpenSM's 1.07 s, 10 seeds; it has no transport, so what is
// lost stays lost there.

#include <algorithm>

#include "scenarios/output/text.hpp"
#include "validation/infiniband/ring_case.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf {

namespace {

const std::vector<Override> kHeads = {{"credit.head_of_queue_lifetime", "1ms"},
                                      {"credit.leaf_head_of_queue_lifetime", "1ms"},
                                      {"credit.vl_stall_count", "0"},
                                      {"run.until_deadlock", "false"}};

Ring ring_of(Ring ring, const std::vector<Override>& more = {}) {
  ring.sets = kHeads;
  ring.sets.insert(ring.sets.end(), more.begin(), more.end());
  return ring;
}

Result run_seed(const ValidSpec& spec, int seed) {
  RunOptions options;
  options.seed = static_cast<std::uint64_t>(seed);
  return run_world(spec, options);
}

Result run_for(const Ring& ring, Time deadline, int seed) {
  ValidSpec spec = ring_case(ring, "1ms");
  spec.run.deadline = deadline;
  return run_seed(spec, seed);
}

ValidationRow row_named(const std::string& id) {
  ValidationRow row;
  row.id = "lifetime." + id;
  row.source = "independent packet model, 10 seeds, lifetime 1 ms";
  return row;
}

std::string range_text(double low, double high, int digits) {
  return fixed_text(low, digits) + " to " + fixed_text(high, digits);
}

/// Least and most of what seeds give.
struct Range {
  double low = 1e300;
  double high = -1e300;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// The first packet is lost a lifetime after the loop closed, or up to 5 us earlier.
ValidationRow first_drop(int switches, const InfinibandOptions& options) {
  const Ring ring = ring_of({.switches = switches});
  ValidationRow row = row_named("first-drop.ring" + std::to_string(switches));
  int good = 0;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const Result closes = run_seed(ring_case({.switches = switches}, "1ms"), seed);
    const Time lapse = closes.deadlock_report.at + Time::from_us(1000);
    const Result before = run_for(ring, lapse - Time::from_us(6), seed);
    const Result after = run_for(ring, lapse + Time::from_us(1), seed);
    if (closes.deadlock && before.totals.drops_total == 0 && after.totals.drops_total > 0) ++good;
  }
  row.expected = "at the deadlock and 1 ms, up to 5 us earlier";
  row.got = std::to_string(good) + " of " + std::to_string(options.seeds) + " seeds";
  row.tolerance = "1 us";
  row.pass = good == options.seeds;
  return row;
}

/// Drops a lifetime and what is delivered, in Gb/s, from the second lifetime on.
struct Standing {
  Range drops;
  Range gbps;
};

Standing standing(const Ring& ring, const InfinibandOptions& options) {
  const int lifetimes = options.quick ? 4 : 18;
  Standing found;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const Result from = run_for(ring, Time::from_us(1500), seed);
    const Result to = run_for(ring, Time::from_us(1500 + 1000 * lifetimes), seed);
    const auto drops = static_cast<double>(to.totals.drops_total - from.totals.drops_total);
    const auto bytes = static_cast<double>(to.totals.payload_delivered.count -
                                           from.totals.payload_delivered.count);
    found.drops.add(drops / lifetimes);
    found.gbps.add(bytes * 8e-6 / lifetimes);
  }
  return found;
}

/// Of each switch's egress of the ring, one head an input is lost a lifetime: k hosts and the ring.
/// In some seeds one of the inputs has nothing for it.
ValidationRow drops_of_heads(int switches, const InfinibandOptions& options) {
  const Standing found = standing(ring_of({.switches = switches}), options);
  ValidationRow row = row_named("head-only.ring" + std::to_string(switches));
  const double low = 2.0 * switches;
  const double high = 3.0 * switches;
  row.expected = range_text(low, high, 0) + " lost a lifetime, under 9 Gb/s delivered";
  row.got = range_text(found.drops.low, found.drops.high, 1) + " lost, " +
            range_text(found.gbps.low, found.gbps.high, 2) + " Gb/s";
  row.tolerance = "5 %";
  row.pass =
      found.drops.low >= 0.95 * low && found.drops.high <= 1.05 * high && found.gbps.high < 9;
  return row;
}

ValidationRow with_packet_lifetime(bool stalls, const std::string& expected,
                                   const InfinibandOptions& options) {
  const Ring ring = ring_of(
      {}, {{"credit.packet_life_time", "1ms"}, {"credit.vl_stall_count", stalls ? "7" : "0"}});
  const Standing found = standing(ring, options);
  ValidationRow row = row_named(stalls ? "packet-and-stall.ring5" : "packet.ring5");
  row.expected = expected;
  row.got = range_text(found.drops.low, found.drops.high, 0) + " lost a lifetime, " +
            range_text(found.gbps.low, found.gbps.high, 1) + " Gb/s";
  row.report_only = true;
  row.pass = true;
  return row;
}

/// Nothing is lost where no loop closes.
ValidationRow nothing_lost(const std::string& name, const Ring& ring,
                           const InfinibandOptions& options) {
  ValidationRow row = row_named("no-loop." + name);
  std::int64_t drops = 0;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    drops += run_for(ring_of(ring), Time::from_us(3000), seed).totals.drops_total;
  }
  row.expected = "nothing lost";
  row.got = std::to_string(drops) + " packets";
  row.pass = drops == 0;
  return row;
}

/// A finite load drains once heads are lost, and the transport sends again what was; without
/// lifetimes it stays where it is.
ValidationRow finite_load(bool lifetimes, const InfinibandOptions& options) {
  Ring ring = lifetimes ? ring_of({}) : Ring{};
  ring.bytes = "400KiB";
  ring.sets.push_back({"run.until_deadlock", "false"});
  ring.sets.push_back({"transport.timeout", "4ms"});
  ring.sets.push_back({"transport.retry_cnt", "1000"});
  ring.sets.push_back({"run.no_progress", "20ms"});
  int finished = 0;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const Result result = run_for(ring, Time::from_us(3'000'000), seed);
    if (result.stop == StopReason::Finished) ++finished;
  }
  ValidationRow row = row_named(lifetimes ? "finite-load.head" : "finite-load.none");
  row.expected = lifetimes ? "all seeds end, all delivered" : "no seed ends";
  row.got = std::to_string(finished) + " of " + std::to_string(options.seeds) + " seeds";
  row.pass = finished == (lifetimes ? options.seeds : 0);
  return row;
}

}  // namespace

std::vector<ValidationRow> lifetime_rows(const InfinibandOptions& options) {
  std::vector<ValidationRow> rows;
  for (const int n : {3, 4, 5}) rows.push_back(first_drop(n, options));
  for (const int n : {3, 4, 5}) rows.push_back(drops_of_heads(n, options));
  rows.push_back(with_packet_lifetime(false, "121 to 131 lost a lifetime, 1.3 Gb/s", options));
  rows.push_back(
      with_packet_lifetime(true, "36000 to 65000 lost a lifetime, 140 to 204 Gb/s", options));
  rows.push_back(nothing_lost("updn", {.escape = Escape::Updn}, options));
  rows.push_back(nothing_lost("2vl", {.escape = Escape::Lanes}, options));
  rows.push_back(nothing_lost("95G", {.gbps = 95}, options));
  rows.push_back(finite_load(true, options));
  rows.push_back(finite_load(false, options));
  return rows;
}

}  // namespace spineleaf
