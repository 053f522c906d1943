#include "scenarios/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace spineleaf {
namespace {

std::size_t nearest_rank(std::size_t count, int percent) {
  const std::size_t rank = (count * static_cast<std::size_t>(percent) + 99) / 100;
  return rank == 0 ? 0 : rank - 1;
}

/// Bytes over picoseconds in Gb/s: bits per nanosecond.
double gbps(Bytes bytes, Time time) {
  if (time.ps <= 0) return 0;
  return static_cast<double>(bytes.count) * 8000.0 / static_cast<double>(time.ps);
}

/// Two-sided 95 % quantiles of Student's t, by degrees of freedom from 1.
constexpr std::array<double, 30> kStudent{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                          2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                          2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                          2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

}  // namespace

Time percentile(std::span<const Time> ascending, int percent) {
  return ascending[nearest_rank(ascending.size(), percent)];
}

double percentile(std::span<const double> ascending, int percent) {
  return ascending[nearest_rank(ascending.size(), percent)];
}

Time mean(std::span<const Time> values) {
  if (values.empty()) return {};
  __int128 sum = 0;
  for (const Time value : values) sum += value.ps;
  const auto count = static_cast<__int128>(values.size());
  const __int128 half = sum < 0 ? -count / 2 : count / 2;
  return {static_cast<std::int64_t>((sum + half) / count)};
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double confidence_95(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto n = static_cast<double>(values.size());
  const std::size_t freedom = values.size() - 1;
  const double t = freedom <= kStudent.size() ? kStudent[freedom - 1] : 1.96;
  return t * std::sqrt(squares / (n - 1) / n);
}

double jain_index(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  if (squares <= 0) return 1;
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

double to_us(Time time) { return static_cast<double>(time.ps) / 1e6; }

FctStatistics fct_statistics(std::span<const FlowRecord> flows) {
  FctStatistics out;
  std::vector<Time> completion;
  std::vector<Time> acked;
  std::vector<double> rates;
  for (const FlowRecord& flow : flows) {
    ++out.flows;
    if (flow.start.ps < 0) continue;
    if (flow.acked.ps >= 0) acked.push_back(flow.acked - flow.start);
    if (flow.received.ps < 0) continue;
    ++out.finished;
    out.bytes += flow.bytes;
    completion.push_back(flow.received - flow.start);
    rates.push_back(gbps(flow.bytes, flow.received - flow.start));
    const bool first = out.first_start.ps < 0;
    out.first_start = first ? flow.start : std::min(out.first_start, flow.start);
    out.last_received = std::max(out.last_received, flow.received);
  }
  if (!acked.empty()) {
    std::sort(acked.begin(), acked.end());
    out.acked_p50 = percentile(acked, 50);
    out.acked_p99 = percentile(acked, 99);
    out.acked_max = acked.back();
  }
  if (completion.empty()) return out;
  std::sort(completion.begin(), completion.end());
  out.min = completion.front();
  out.p50 = percentile(completion, 50);
  out.p99 = percentile(completion, 99);
  out.max = completion.back();
  out.mean = mean(completion);
  out.goodput_gbps = gbps(out.bytes, out.last_received - out.first_start);
  out.flow_goodput_gbps = mean(rates);
  out.jain = jain_index(rates);
  return out;
}

std::vector<FctStatistics> fct_by_job(const Result& result) {
  std::map<std::uint32_t, std::vector<FlowRecord>> by_job;
  for (const FlowRecord& flow : result.flows) by_job[flow.job].push_back(flow);
  std::vector<FctStatistics> rows;
  for (const auto& [job, flows] : by_job) {
    rows.push_back(fct_statistics(flows));
    rows.back().job = job_name(result, job);
  }
  return rows;
}

std::string job_name(const Result& result, std::uint32_t job) {
  const bool named = job < result.job_names.size() && !result.job_names[job].empty();
  return named ? result.job_names[job] : "job " + std::to_string(job);
}

double goodput_gbps(const Result& result) {
  return gbps(result.totals.payload_delivered, result.simulated);
}

double busbw_factor(std::string_view collective, std::int64_t ranks) {
  if (ranks < 1) return 0;
  const double n = static_cast<double>(ranks);
  const double others = (n - 1) / n;
  if (collective == "all_reduce") return 2 * others;
  for (const std::string_view name :
       {"all_gather", "reduce_scatter", "alltoall", "gather", "scatter"}) {
    if (collective == name) return others;
  }
  for (const std::string_view name : {"sendrecv", "broadcast", "reduce"}) {
    if (collective == name) return 1;
  }
  return 0;
}

double algbw_gbytes(Bytes size, Time time) {
  if (time.ps <= 0) return 0;
  return static_cast<double>(size.count) * 1000.0 / static_cast<double>(time.ps);
}

double algbw_gbytes(Bytes size, double time_us) {
  if (!(time_us > 0)) return 0;
  return static_cast<double>(size.count) / (time_us * 1000.0);
}

std::vector<CollectiveStatistics> collective_statistics(const Result& result) {
  using Key = std::tuple<std::uint32_t, std::string, std::string, std::string, std::int64_t,
                         std::int64_t, std::int64_t>;
  std::map<Key, std::size_t> row_of;
  std::vector<CollectiveStatistics> rows;
  std::vector<std::vector<Time>> times;
  for (const CollectiveRecord& record : result.collectives) {
    const Key key{record.job,      record.collective, record.algorithm,  record.protocol,
                  record.channels, record.ranks,      record.bytes.count};
    const auto [it, fresh] = row_of.try_emplace(key, rows.size());
    if (fresh) {
      CollectiveStatistics row;
      row.job = job_name(result, record.job);
      row.collective = record.collective;
      row.algorithm = record.algorithm;
      row.protocol = record.protocol;
      row.channels = record.channels;
      row.ranks = record.ranks;
      row.bytes = record.bytes;
      rows.push_back(std::move(row));
      times.emplace_back();
    }
    ++rows[it->second].iterations;
    if (record.start.ps < 0 || record.end.ps < 0) continue;
    ++rows[it->second].finished;
    times[it->second].push_back(record.end - record.start);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (times[i].empty()) continue;
    CollectiveStatistics& row = rows[i];
    row.min = *std::min_element(times[i].begin(), times[i].end());
    row.max = *std::max_element(times[i].begin(), times[i].end());
    row.mean = mean(times[i]);
    row.algbw = algbw_gbytes(row.bytes, row.mean);
    row.busbw = row.algbw * busbw_factor(row.collective, row.ranks);
  }
  return rows;
}

std::vector<FlowRecord> merge_flows(std::vector<FlowRecord> senders,
                                    std::vector<FlowRecord> receivers) {
  const auto earlier = [](const FlowRecord& a, const FlowRecord& b) {
    return std::tie(a.job, a.flow) < std::tie(b.job, b.flow);
  };
  std::sort(senders.begin(), senders.end(), earlier);
  std::sort(receivers.begin(), receivers.end(), earlier);
  const std::size_t known = senders.size();
  std::size_t at = 0;
  for (const FlowRecord& half : receivers) {
    while (at < known && earlier(senders[at], half)) ++at;
    if (at < known && !earlier(half, senders[at])) {
      senders[at].received = half.received;
    } else {
      senders.push_back(half);
    }
  }
  const auto alone = senders.begin() + static_cast<std::ptrdiff_t>(known);
  std::inplace_merge(senders.begin(), alone, senders.end(), earlier);
  return senders;
}

std::vector<CollectiveRecord> merge_collectives(std::span<const CollectiveRecord> records) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, CollectiveRecord> merged;
  for (const CollectiveRecord& part : records) {
    const auto [it, fresh] = merged.try_emplace({part.job, part.iteration}, part);
    if (fresh) continue;
    CollectiveRecord& whole = it->second;
    if (whole.start.ps < 0 || (part.start.ps >= 0 && part.start < whole.start)) {
      whole.start = part.start;
    }
    const bool unfinished = whole.end.ps < 0 || part.end.ps < 0;
    whole.end = unfinished ? Time{-1} : std::max(whole.end, part.end);
  }
  std::vector<CollectiveRecord> all;
  all.reserve(merged.size());
  for (auto& [key, record] : merged) all.push_back(std::move(record));
  return all;
}

}  // namespace spineleaf
