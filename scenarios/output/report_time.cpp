#include "scenarios/output/report_time.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "scenarios/output/charts.hpp"
#include "scenarios/output/page.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kRowsShown = 24;
constexpr std::size_t kSizesShown = 40;
constexpr std::size_t kStepsShown = 20'000;

double as_us(Time time) { return static_cast<double>(time.ps) / 1e6; }

std::vector<std::string> bin_names(const History& history, std::size_t bins) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bins; ++i) {
    names.push_back(short_text(as_us(history.bin) * static_cast<double>(i)) + " us");
  }
  return names;
}

/// The rows that were highest, or longest high, at the top; rows of nothing are left out.
std::string ports_map(const History& history, const std::string& title, TickText text,
                      std::vector<float> PortHistory::*values, bool by_sum) {
  std::vector<std::pair<double, const PortHistory*>> order;
  HeatMap map;
  map.most = 0;
  for (const PortHistory& port : history.ports) {
    const std::vector<float>& v = port.*values;
    if (v.empty()) continue;
    const double peak = *std::max_element(v.begin(), v.end());
    const double rank = by_sum ? std::accumulate(v.begin(), v.end(), 0.0) : peak;
    if (peak > 0) order.push_back({-rank, &port});
    map.most = std::max(map.most, peak);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  order.resize(std::min(order.size(), kRowsShown));
  map.title = title;
  map.x_title = "simulated time, from";
  map.text = text;
  map.columns = bin_names(history, (order.front().second->*values).size());
  for (const auto& [rank, port] : order) {
    const std::vector<float>& v = port->*values;
    map.rows.push_back({port->name, {v.begin(), v.end()}});
  }
  return heat_map(map);
}

Line line_of(const std::string& label, const std::vector<float>& values, Time bin) {
  Line line{label, {}, false, false};
  for (std::size_t i = 0; i < values.size(); ++i) {
    line.points.push_back({as_us(bin) * (static_cast<double>(i) + 0.5), values[i]});
  }
  return line;
}

bool all_zero(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return v == 0; });
}

/// The share of ports that stood still, over time.
std::string held_chart(const Result& r) {
  const History& history = r.history;
  LineChart chart;
  chart.title =
      "Share of ports held by " + std::string(r.totals.pauses > 0          ? "pauses"
                                              : r.totals.credit_stalls > 0 ? "missing credits"
                                                                           : "flow control");
  chart.x = {"simulated time (us)", Scale::Linear, TickText::Number};
  chart.y = {"share of ports", Scale::Linear, TickText::Percent};
  chart.area = true;
  if (!all_zero(history.held_nics)) {
    chart.lines.push_back(line_of("NIC ports", history.held_nics, history.bin));
  }
  if (!all_zero(history.held_switches)) {
    chart.lines.push_back(line_of("switch ports", history.held_switches, history.bin));
  }
  return chart.lines.empty() ? "" : line_chart(chart);
}

std::string step_name(const StepRecord& step) {
  return step.receives && step.sends ? "receive and send" : step.sends ? "send" : "receive";
}

/// The steps of the first iteration that was recorded, a row per job and rank.
Gantt gantt_of(const Result& r) {
  Gantt gantt;
  gantt.title = "Steps of collectives on each rank: first channel, first iteration";
  gantt.x_title = "simulated time (us)";
  gantt.kinds = {"send", "receive", "receive and send"};
  std::map<std::uint32_t, std::uint32_t> first;  // iteration, by job
  for (const StepRecord& step : r.history.steps) {
    const auto [entry, isnew] = first.try_emplace(step.job, step.iteration);
    if (!isnew) entry->second = std::min(entry->second, step.iteration);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> rows;
  for (const StepRecord& step : r.history.steps) rows[{step.job, step.rank}] = 0;
  for (auto& [key, row] : rows) {
    row = gantt.rows.size();
    const std::string job = first.size() > 1 ? job_name(r, key.first) + ", " : "";
    gantt.rows.push_back(job + "rank " + std::to_string(key.second));
  }
  for (const StepRecord& step : r.history.steps) {
    if (step.iteration != first[step.job] || gantt.spans.size() >= kStepsShown) continue;
    const std::string name = step_name(step);
    const std::size_t kind = static_cast<std::size_t>(
        std::find(gantt.kinds.begin(), gantt.kinds.end(), name) - gantt.kinds.begin());
    gantt.spans.push_back({rows[{step.job, step.rank}], as_us(step.start), as_us(step.end), kind,
                           bytes_text(Bytes{step.bytes})});
  }
  return gantt;
}

}  // namespace

std::string history_section(const LabelledRuns& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const History& history = runs.runs[i]->history;
    const std::string pictures =
        ports_map(history, "Queues over time: largest of each stretch", TickText::Bytes,
                  &PortHistory::queue_bytes, false) +
        ports_map(history, "Held over time: share of each stretch paused or without credits",
                  TickText::Percent, &PortHistory::held, true) +
        held_chart(*runs.runs[i]);
    if (pictures.empty()) continue;
    out += run_heading(runs, i) + pictures;
    out +=
        html_paragraph("Rows are the " + std::to_string(kRowsShown) +
                           " egress ports that were fullest, or held "
                           "longest, of " +
                           count_text(static_cast<std::int64_t>(history.ports_of_all)) +
                           "; a column is " + time_text(history.bin) +
                           ". Queues are seen at samples (run.sample_every), times held are exact.",
                       "note");
  }
  return html_section("Queues and pauses over time", out);
}

std::string rates_section(const LabelledRuns& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const History& history = runs.runs[i]->history;
    LineChart chart;
    chart.title =
        "Rates that DCQCN allows, of " + std::to_string(history.rates.size()) + " connections";
    chart.x = {"simulated time (us)", Scale::Linear, TickText::Number};
    chart.y = {"Gb/s", Scale::Linear, TickText::Number};
    for (const RateHistory& rate : history.rates) {
      if (!rate.gbps.empty()) chart.lines.push_back(line_of(rate.name, rate.gbps, history.bin));
    }
    if (chart.lines.empty()) continue;
    out += run_heading(runs, i) + line_chart(chart);
  }
  if (out.empty()) return {};
  out += html_paragraph(
      "Connections are taken evenly over all. The rate is what a connection may send at, whether "
      "or "
      "not it has anything to send; the queues that answer it are above.",
      "note");
  return html_section("DCQCN", out);
}

std::string steps_section(const LabelledRuns& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const Result& r = *runs.runs[i];
    if (r.history.steps.empty()) continue;
    out += run_heading(runs, i) + gantt_chart(gantt_of(r));
    if (r.history.steps_cut) {
      out += html_paragraph("There are more ranks or steps: the first are shown.", "note");
    }
  }
  return html_section("Steps of collectives", out);
}

std::string slowdown_chart(const LabelledRuns& runs) {
  LineChart chart;
  chart.title = "Slow-down by flow size: completion time over the least that it could be";
  chart.x = {"flow size", Scale::Log2, TickText::Bytes};
  chart.y = {"slow-down", Scale::Log10, TickText::Number, false};
  std::size_t most_sizes = 0;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const Result& r = *runs.runs[i];
    if (r.history.flow_bounds.size() != r.flows.size()) continue;
    std::vector<std::pair<std::int64_t, double>> points;
    for (std::size_t f = 0; f < r.flows.size(); ++f) {
      const FlowRecord& flow = r.flows[f];
      const Time bound = r.history.flow_bounds[f];
      if (bound.ps <= 0 || flow.start.ps < 0 || flow.received.ps < 0) continue;
      points.push_back({flow.bytes.count, as_us(flow.received - flow.start) / as_us(bound)});
    }
    std::sort(points.begin(), points.end());
    // Flows in groups of neighbouring sizes: one group a size, or equal parts where there are many.
    std::map<std::int64_t, std::vector<double>> groups;
    std::size_t sizes = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (p == 0 || points[p].first != points[p - 1].first) ++sizes;
    }
    const std::size_t part = sizes <= kSizesShown ? 1 : points.size() / kSizesShown + 1;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const std::size_t end = std::min(points.size() - 1, p / part * part + part - 1);
      groups[points[part == 1 ? p : end].first].push_back(points[p].second);
    }
    most_sizes = std::max(most_sizes, groups.size());
    for (const auto& [percent, name] : {std::pair{50, "p50"}, std::pair{99, "p99"}}) {
      Line line{runs.labels[i] + " " + name, {}, false, true};
      for (auto& [size, values] : groups) {
        std::sort(values.begin(), values.end());
        const std::size_t rank = (values.size() * static_cast<std::size_t>(percent) + 99) / 100;
        line.points.push_back(
            {static_cast<double>(size), values[std::max<std::size_t>(rank, 1) - 1]});
      }
      if (!line.points.empty()) chart.lines.push_back(std::move(line));
    }
  }
  // Of a single size the table of flows says all.
  return most_sizes < 2 ? "" : line_chart(chart);
}

}  // namespace spineleaf
