#include "scenarios/sweep/metrics.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr std::array<Metric, 15> kMetrics{{
    {"simulated_us", "time us", "simulated time until the last completion", Better::Lower},
    {"fct_p50_us", "FCT p50", "median flow completion time", Better::Lower},
    {"fct_p99_us", "FCT p99", "99th percentile of flow completion times", Better::Lower},
    {"fct_max_us", "FCT max", "longest flow completion time", Better::Lower},
    {"goodput_gbps", "Gb/s", "payload delivered over simulated time", Better::Higher},
    {"collective_us", "coll us", "mean time of the collectives' iterations", Better::Lower},
    {"jain", "", "Jain's fairness index of the flows' rates", Better::Higher},
    {"max_queue_bytes", "", "longest egress queue of any port and class", Better::Lower},
    {"queue_p99_bytes", "", "99th percentile of run.sample_every's samples of the longest queue",
     Better::Lower},
    {"paused_us", "", "time that PFC held transmitters, summed over ports and classes",
     Better::Lower},
    {"pauses", "", "XOFF frames sent", Better::Lower},
    {"marks", "", "packets marked by ECN", Better::Lower},
    {"cnps", "", "congestion notifications sent", Better::Lower},
    {"retransmissions", "", "packets sent again", Better::Lower},
    {"drops", "drops", "packets lost, all causes", Better::Lower},
}};

double us_or_none(Time time) { return time.ps < 0 ? kNone : to_us(time); }

double collective_time(const Result& result) {
  std::vector<Time> times;
  for (const CollectiveRecord& record : result.collectives) {
    if (record.end.ps >= 0) times.push_back(record.end - record.start);
  }
  return times.empty() ? kNone : to_us(mean(std::span<const Time>(times)));
}

double sampled_queue(const Result& result) {
  for (const Series& series : result.series) {
    if (series.name != "largest_queue" || series.points.empty()) continue;
    std::vector<double> values;
    for (const SeriesPoint& point : series.points) values.push_back(point.value);
    std::sort(values.begin(), values.end());
    return percentile(std::span<const double>(values), 99);
  }
  return kNone;
}

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

std::vector<double> metric_values(const Result& result) {
  const FctStatistics fct = fct_statistics(result.flows);
  const Totals& totals = result.totals;
  std::int64_t longest = 0;
  double paused = 0;
  for (const PortClassRow& row : result.port_classes) {
    longest = std::max(longest, row.max_queue.count);
    paused += to_us(row.paused);
  }
  return {to_us(result.simulated),
          us_or_none(fct.p50),
          us_or_none(fct.p99),
          us_or_none(fct.max),
          goodput_gbps(result),
          collective_time(result),
          fct.finished > 0 ? fct.jain : kNone,
          static_cast<double>(longest),
          sampled_queue(result),
          paused,
          static_cast<double>(totals.pauses),
          static_cast<double>(totals.marks),
          static_cast<double>(totals.cnps),
          static_cast<double>(totals.retransmissions),
          static_cast<double>(totals.drops_total)};
}

std::optional<std::size_t> find_metric(std::string_view name) {
  std::optional<std::size_t> found;
  if (name.empty()) return found;
  for (std::size_t i = 0; i < kMetrics.size(); ++i) {
    if (kMetrics[i].name == name) return i;
    if (!kMetrics[i].name.starts_with(name)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::string metric_names() {
  std::string out;
  for (const Metric& metric : kMetrics) out += (out.empty() ? "" : ", ") + std::string(metric.name);
  return out;
}

}  // namespace spineleaf
