#include "scenarios/output/report_fabric.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "scenarios/output/charts.hpp"
#include "scenarios/output/page.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/output/waits_picture.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kLinksShown = 10;
constexpr std::size_t kPlacesShown = 12;
constexpr std::size_t kSeriesShown = 12;
constexpr std::size_t kWaitsDrawn = 60;

std::string port_text(const std::string& node, std::uint16_t port) {
  return node + ":" + std::to_string(port);
}

/// The `most` first elements in the order of `before`, ties in table order.
template <typename Row, typename Before>
std::vector<const Row*> leading(const std::vector<Row>& rows, std::size_t most, Before before) {
  std::vector<const Row*> order;
  for (const Row& row : rows) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(),
                   [&](const Row* a, const Row* b) { return before(*a, *b); });
  order.resize(std::min(order.size(), most));
  return order;
}

/// How many links are how loaded, tier by tier: says in one picture whether the load is even.
std::string load_of_tiers(const Result& r) {
  std::map<std::uint8_t, std::vector<double>> by_tier;
  for (const LinkRow& link : r.links) by_tier[link.tier].push_back(link.utilisation);
  LineChart chart;
  chart.title = "Utilisation of all links, busiest first";
  chart.x = {"share of the tier's links", Scale::Linear, TickText::Percent};
  chart.y = {"utilisation", Scale::Linear, TickText::Percent};
  for (auto& [tier, values] : by_tier) {
    std::sort(values.begin(), values.end(), [](double a, double b) { return a > b; });
    const std::string count = count_text(static_cast<std::int64_t>(values.size()));
    Line line;
    line.label = "tier " + std::to_string(tier) + ": " + count + " links, mean " +
                 fixed_text(mean(values) * 100, 1) + " %";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double share =
          values.size() < 2 ? 0 : static_cast<double>(i) / static_cast<double>(values.size() - 1);
      line.points.push_back({share, values[i]});
    }
    line.points = thinned(line.points, 300);
    chart.lines.push_back(std::move(line));
  }
  return chart.lines.empty() ? "" : line_chart(chart);
}

std::string busiest_links(const Result& r, std::size_t series) {
  BarChart chart;
  chart.title = "Busiest links";
  const auto busier = [](const LinkRow& a, const LinkRow& b) {
    return a.utilisation > b.utilisation;
  };
  for (const LinkRow* link : leading(r.links, kLinksShown, busier)) {
    Bar bar;
    bar.label = port_text(link->from, link->from_port) + " > " + port_text(link->to, link->to_port);
    bar.value = link->utilisation;
    bar.text = fixed_text(link->utilisation * 100, 1) + " %";
    bar.detail = bytes_text(link->bytes);
    bar.series = static_cast<int>(series);
    chart.bars.push_back(std::move(bar));
  }
  return chart.bars.empty() ? "" : bar_chart(chart);
}

using Count = std::int64_t;

/// Totals that tell how a fabric kept or lost packets, a column per run.
std::string totals_table(const LabelledRuns& runs) {
  std::vector<std::string> header{""};
  header.insert(header.end(), runs.labels.begin(), runs.labels.end());
  HtmlTable table(header, 1);
  const auto add = [&](const std::string& name, auto pick) {
    std::vector<std::string> row{name};
    Count sum = 0;
    for (const Result* run : runs.runs) {
      const Count value = pick(*run);
      sum += value;
      row.push_back(count_text(value));
    }
    // Loss and its recovery are shown even when there is none; that is what one looks for first.
    const bool drops = name.rfind("drops", 0) == 0;
    table.row(row, drops && sum > 0 ? "hot" : "");
  };
  const auto total = [&](const std::string& name, Count Totals::*field) {
    add(name, [field](const Result& r) { return r.totals.*field; });
  };
  total("data packets sent", &Totals::packets_sent);
  total("packet-hops", &Totals::packet_hops);
  total("ECN marks", &Totals::marks);
  total("CNPs", &Totals::cnps);
  total("PFC pauses sent", &Totals::pauses);
  total("credit stalls", &Totals::credit_stalls);
  total("retransmissions", &Totals::retransmissions);
  total("timeouts", &Totals::timeouts);
  total("out of order", &Totals::out_of_order);
  total("drops", &Totals::drops_total);
  for (int i = 0; i < kDropCauses; ++i) {
    const auto pick = [i](const Result& r) { return r.totals.drops[i]; };
    Count sum = 0;
    for (const Result* run : runs.runs) sum += pick(*run);
    if (sum > 0) add("drops: " + plain_words(to_text(static_cast<DropCause>(i))), pick);
  }
  return table.str();
}

/// Shares of what was lost, by what lost it; "" where nothing was.
std::string drops_chart(const LabelledRuns& runs) {
  BarChart chart;
  chart.title = "Lost packets by cause: share of a run's drops";
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const Result& r = *runs.runs[i];
    for (int cause = 0; cause < kDropCauses; ++cause) {
      const Count drops = r.totals.drops[cause];
      if (drops == 0) continue;
      const std::string name = plain_words(to_text(static_cast<DropCause>(cause)));
      Bar bar;
      bar.label = runs.runs.size() < 2 ? name : runs.labels[i] + ": " + name;
      bar.value = static_cast<double>(drops) / static_cast<double>(r.totals.drops_total);
      bar.text = count_text(drops);
      bar.detail = "of " + count_text(r.totals.drops_total);
      bar.series = static_cast<int>(i);
      chart.bars.push_back(std::move(bar));
    }
  }
  return chart.bars.empty() ? "" : bar_chart(chart);
}

/// Columns about pauses and credit stalls appear only in runs that have them.
std::string waiting_places(const Result& r) {
  const auto key = [](const PortClassRow& row) {
    return std::tuple(row.paused + row.credit_stalled, row.marks);
  };
  const auto worse = [&](const PortClassRow& a, const PortClassRow& b) { return key(a) > key(b); };
  std::vector<const PortClassRow*> rows = leading(r.port_classes, kPlacesShown, worse);
  std::erase_if(rows,
                [&](const PortClassRow* row) { return key(*row) == std::tuple(Time{}, Count{0}); });
  if (rows.empty()) return {};
  const bool pauses = r.totals.pauses > 0;
  const bool stalls = r.totals.credit_stalls > 0;
  std::vector<std::string> header{"egress queue", "class"};
  if (pauses) header.insert(header.end(), {"paused", "pauses received"});
  if (stalls) header.insert(header.end(), {"credit stalled", "stalls"});
  header.insert(header.end(), {"marks", "largest queue"});
  HtmlTable table(header, 1);
  for (const PortClassRow* row : rows) {
    std::vector<std::string> cells{port_text(row->node, row->port),
                                   std::to_string(row->traffic_class)};
    const auto add = [&](Time time, Count count) {
      cells.push_back(time_text(time));
      cells.push_back(count_text(count));
    };
    if (pauses) add(row->paused, row->pauses_received);
    if (stalls) add(row->credit_stalled, row->credit_stalls);
    cells.push_back(count_text(row->marks));
    cells.push_back(bytes_text(row->max_queue));
    table.row(cells);
  }
  return table.str();
}

Count drops_of(const LinkRow& link) {
  Count sum = 0;
  for (const Count drops : link.drops) sum += drops;
  return sum;
}

std::string drop_places(const Result& r) {
  HtmlTable table({"lost on or after link", "drops", "causes"}, 1);
  const auto worse = [](const LinkRow& a, const LinkRow& b) { return drops_of(a) > drops_of(b); };
  for (const LinkRow* link : leading(r.links, kPlacesShown, worse)) {
    if (drops_of(*link) == 0) break;
    std::string causes;
    for (int i = 0; i < kDropCauses; ++i) {
      if (link->drops[i] == 0) continue;
      causes += (causes.empty() ? "" : ", ") + plain_words(to_text(static_cast<DropCause>(i))) +
                " " + count_text(link->drops[i]);
    }
    table.row({port_text(link->from, link->from_port) + " > " + port_text(link->to, link->to_port),
               count_text(drops_of(*link)), causes});
  }
  return table.empty() ? "" : table.str();
}

std::vector<XY> points_of(const Series& series, double unit_ps) {
  std::vector<XY> points;
  for (const SeriesPoint& point : series.points) {
    points.push_back({static_cast<double>(point.at.ps) / unit_ps, point.value});
  }
  return thinned(points);
}

LineChart series_chart(const LabelledRuns& runs, const std::string& name, const std::string& unit,
                       bool in_ms) {
  LineChart chart;
  chart.title = name;
  std::replace(chart.title.begin(), chart.title.end(), '_', ' ');
  chart.x.title = in_ms ? "simulated time (ms)" : "simulated time (us)";
  chart.y.title = unit == "B" ? "bytes" : unit == "1" ? "count" : unit;
  chart.y.text = unit == "B" ? TickText::Bytes : TickText::Number;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    for (const Series& series : runs.runs[i]->series) {
      if (series.name != name || series.unit != unit) continue;
      const std::string label = runs.runs.size() < 2 ? "" : runs.labels[i];
      chart.lines.push_back({label, points_of(series, in_ms ? 1e9 : 1e6), false, false});
    }
  }
  return chart;
}

bool is_zero(const LineChart& chart) {
  for (const Line& line : chart.lines) {
    for (const XY& point : line.points) {
      if (point.y != 0) return false;
    }
  }
  return true;
}

/// The cycle as a chain of names, beginning anywhere on it; "" if the edges form no single chain.
std::string cycle_text(const Result& r) {
  std::map<std::string, std::string> next;
  for (const WaitsFor& edge : r.waits) {
    if (edge.on_cycle) next.try_emplace(edge.waiting, edge.waits_for);
  }
  if (next.empty()) return {};
  std::string at = next.begin()->first;
  std::string text = at;
  for (std::size_t steps = 0; steps < next.size(); ++steps) {
    const auto it = next.find(at);
    if (it == next.end()) return {};
    at = it->second;
    text += " \xE2\x86\x92 " + at;
    if (at == next.begin()->first) return text;
  }
  return {};
}

}  // namespace

std::string run_heading(const LabelledRuns& runs, std::size_t i) {
  return runs.runs.size() < 2 ? "" : "<h3>" + escape_markup(runs.labels[i]) + "</h3>\n";
}

std::string links_section(const LabelledRuns& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const std::string pictures = load_of_tiers(*runs.runs[i]) + busiest_links(*runs.runs[i], i);
    if (pictures.empty()) continue;
    // Two runs stand side by side; of a single one, the two pictures do.
    out += runs.runs.size() < 2 ? pictures : "<div>" + run_heading(runs, i) + pictures + "</div>\n";
  }
  if (out.empty()) return {};
  return html_section("Links", "<div class=\"pair\">\n" + out + "</div>\n");
}

std::string losses_section(const LabelledRuns& runs) {
  std::string out = totals_table(runs) + drops_chart(runs);
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const std::string waiting = waiting_places(*runs.runs[i]);
    const std::string lost = drop_places(*runs.runs[i]);
    if (waiting.empty() && lost.empty()) continue;
    out += run_heading(runs, i);
    if (!waiting.empty()) out += html_paragraph("Queues held longest, then marked most:") + waiting;
    if (!lost.empty()) out += html_paragraph("Where packets were lost:") + lost;
  }
  return html_section("Pauses, marks, credit stalls and drops", out);
}

std::string series_section(const LabelledRuns& runs) {
  Time longest;
  std::vector<std::pair<std::string, std::string>> names;  // in the order of first occurrence
  for (const Result* run : runs.runs) {
    for (const Series& series : run->series) {
      const std::pair<std::string, std::string> name{series.name, series.unit};
      if (series.points.empty()) continue;
      longest = std::max(longest, series.points.back().at);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::string pictures;
  std::string zero;
  std::size_t shown = 0;
  for (const auto& [name, unit] : names) {
    const LineChart chart = series_chart(runs, name, unit, longest >= Time::from_ms(2));
    if (is_zero(chart)) {
      zero += (zero.empty() ? "" : ", ") + chart.title;
    } else if (++shown <= kSeriesShown) {
      pictures += line_chart(chart);
    }
  }
  std::string out;
  if (!pictures.empty()) out += "<div class=\"pair\">\n" + pictures + "</div>\n";
  if (!zero.empty()) out += html_paragraph("Zero throughout: " + zero + ".", "note");
  if (shown > kSeriesShown) {
    out += html_paragraph(std::to_string(shown - kSeriesShown) + " more series are in series.csv.",
                          "note");
  }
  return html_section("Over time", out);
}

std::string waits_section(const LabelledRuns& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const Result& r = *runs.runs[i];
    if (r.waits.empty()) continue;
    out += run_heading(runs, i);
    const std::string cycle = cycle_text(r);
    if (!cycle.empty()) out += html_paragraph("Cycle: " + cycle, "verdict bad");
    out += waits_picture(r.waits);
    HtmlTable table({"waiting queue", "waits for", "reason", "on the cycle", "queued"}, 4);
    const auto first = [](const WaitsFor& a, const WaitsFor& b) { return a.on_cycle > b.on_cycle; };
    for (const WaitsFor* edge : leading(r.waits, kWaitsDrawn, first)) {
      table.row({edge->waiting, edge->waits_for, edge->reason, edge->on_cycle ? "yes" : "",
                 bytes_text(edge->queued)},
                edge->on_cycle ? "hot" : "");
    }
    out += table.str();
    if (r.waits.size() > kWaitsDrawn) {
      out += html_paragraph(
          std::to_string(r.waits.size() - kWaitsDrawn) + " more edges are in waits.csv.", "note");
    }
  }
  return html_section("Who waits for whom", out);
}

}  // namespace spineleaf
