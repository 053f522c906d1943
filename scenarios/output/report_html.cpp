#include "scenarios/output/report_html.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "scenarios/output/charts.hpp"
#include "scenarios/output/page.hpp"
#include "scenarios/output/report_fabric.hpp"
#include "scenarios/output/report_time.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr std::size_t kLinesShown = 8;
constexpr const char* kBoundsNote =
    "Thin lines are bounds of a ring, in GB/s: the line rate of all NICs of a host, and the NVLink "
    "rate of a GPU (k/(k-1) of it, as one in k GPUs of a host sends to a NIC instead). Trees and "
    "SHARP can exceed the first.";

std::string upper_words(std::string_view text) {
  std::string out = plain_words(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string_view verdict_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::Ok:
    case Verdict::AsExpected: return "verdict good";
    case Verdict::PhysicsAlarm:
    case Verdict::Invalid: return "verdict bad";
    case Verdict::BudgetExceeded:
    case Verdict::Incomplete: return "verdict warn";
  }
  return "verdict bad";
}

std::string verdict_lines(const LabelledRuns& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const Result& r = *runs.runs[i];
    out += "<p class=\"" + std::string(verdict_class(r.verdict)) + "\"><b>" +
           upper_words(to_text(r.verdict)) + "</b> ";
    if (runs.runs.size() > 1) out += escape_markup(runs.labels[i]) + ": ";
    out += escape_markup(r.verdict_text) + "</p>\n";
  }
  return out;
}

std::string what_ran(const LabelledRuns& runs) {
  std::vector<std::string> header{""};
  for (const std::string& label : runs.labels) header.push_back(label);
  HtmlTable table(header, 1 + runs.runs.size());
  const auto add = [&](const std::string& name, auto text) {
    std::vector<std::string> row{name};
    bool known = false;
    for (const Result* run : runs.runs) {
      row.push_back(text(*run));
      known = known || !row.back().empty();
    }
    if (known) table.row(row);
  };
  add("scenario", [](const Result& r) { return r.name; });
  add("fabric", [](const Result& r) { return r.fabric; });
  add("jobs", [](const Result& r) {
    std::string names;
    for (const std::string& name : r.job_names) names += (names.empty() ? "" : ", ") + name;
    return names;
  });
  add("stopped", [](const Result& r) { return plain_words(to_text(r.stop)); });
  add("simulated time", [](const Result& r) { return time_text(r.simulated); });
  add("payload delivered", [](const Result& r) { return bytes_text(r.totals.payload_delivered); });
  add("goodput", [](const Result& r) { return gbps_text(goodput_gbps(r)); });
  add("packet-hops", [](const Result& r) { return count_text(r.totals.packet_hops); });
  add("seed", [](const Result& r) { return std::to_string(r.seed); });
  add("fingerprint", [](const Result& r) { return fingerprint_text(r.fingerprint); });
  add("version", [](const Result& r) { return r.version; });
  return html_section("What ran", table.str());
}

std::string signed_percent(double value) {
  return (value > 0 ? "+" : "") + fixed_text(value, 1) + " %";
}

/// A row per size: the measured time and busbw, then those of every other curve with the error of
/// its time.
std::string curve_table(const CurveSet& set, const Curve* measured) {
  std::vector<std::string> header{"size"};
  if (measured != nullptr) header.insert(header.end(), {measured->label + " us", "busbw GB/s"});
  for (const Curve& curve : set.curves) {
    if (&curve == measured) continue;
    header.insert(header.end(), {curve.label + " us", "busbw GB/s"});
    if (measured != nullptr) header.push_back("error");
  }
  HtmlTable table(header, 1);
  for (const std::int64_t bytes : sizes_of(set)) {
    std::vector<std::string> row{bytes_text(Bytes{bytes})};
    const auto add = [&](double us) {
      row.push_back(us < 0 ? "-" : fixed_text(us, 1));
      row.push_back(us < 0 ? "-" : fixed_text(busbw_gbytes(set, {bytes, us}), 1));
    };
    const double reference = measured == nullptr ? -1 : time_at(*measured, bytes);
    if (measured != nullptr) add(reference);
    for (const Curve& curve : set.curves) {
      if (&curve == measured) continue;
      const double us = time_at(curve, bytes);
      add(us);
      if (measured == nullptr) continue;
      const bool both = us > 0 && reference > 0;
      row.push_back(both ? signed_percent(error_percent(us, reference)) : "-");
    }
    table.row(row);
  }
  return table.str();
}

/// A level line for each different bound of the curves.
void add_bounds(const CurveSet& set, std::vector<Line>& lines) {
  const std::vector<std::int64_t> sizes = sizes_of(set);
  for (const auto& [name, bound] :
       {std::pair{"NICs of a host", &RingBounds::nics}, std::pair{"NVLink", &RingBounds::nvlink}}) {
    std::set<double> values;
    for (const Curve& curve : set.curves) values.insert(curve.bounds.*bound);
    for (const double value : values) {
      if (value <= 0) continue;
      Line line{name + std::string(": ") + fixed_text(value, 0), {}, false, false, true};
      for (const std::int64_t size : sizes) {
        line.points.push_back({static_cast<double>(size), value});
      }
      lines.push_back(std::move(line));
    }
  }
}

/// Bandwidth over size, and beside it the error where there is a measurement: curves that lie upon
/// each other hide how far they are apart.
std::string curve_pictures(const CurveSet& set, const Curve* measured) {
  const Axis sizes{"message size", Scale::Log2, TickText::Bytes};
  LineChart bandwidth{
      "Bus bandwidth of " + set.collective + ", " + std::to_string(set.ranks) + " ranks",
      sizes,
      {"busbw (GB/s)"},
      {},
      false};
  LineChart errors{"Error of the simulated time", sizes, {"time error (%)"}, {}, false};
  for (const Curve& curve : set.curves) {
    Line line{curve.label, {}, curve.measured, true};
    Line error{curve.label, {}, false, true};
    for (const CurvePoint& point : curve.points) {
      const double size = static_cast<double>(point.bytes);
      line.points.push_back({size, busbw_gbytes(set, point)});
      const double reference = measured == nullptr ? -1 : time_at(*measured, point.bytes);
      if (reference > 0) error.points.push_back({size, error_percent(point.time_us, reference)});
    }
    bandwidth.lines.push_back(std::move(line));
    if (!curve.measured) errors.lines.push_back(std::move(error));
  }
  add_bounds(set, bandwidth.lines);
  if (measured == nullptr || errors.lines.empty()) return line_chart(bandwidth);
  return "<div class=\"pair\">\n" + line_chart(bandwidth) + line_chart(errors) + "</div>\n";
}

std::string curves_section(const CurveSet& set) {
  const std::size_t sizes = sizes_of(set).size();
  if (sizes == 0) return {};
  const Curve* measured = measured_curve(set);
  std::string out;
  if (sizes > 1) out += curve_pictures(set, measured);
  out += curve_table(set, measured);
  const auto bound = [](const Curve& c) { return c.bounds.nics > 0 || c.bounds.nvlink > 0; };
  if (sizes > 1 && std::any_of(set.curves.begin(), set.curves.end(), bound)) {
    out += html_paragraph(kBoundsNote, "note");
  }
  if (measured != nullptr) {
    out += html_paragraph("Error: simulated time over measured time; + means simulated is slower.",
                          "note");
  }
  for (const Curve& curve : set.curves) {
    if (!curve.note.empty()) out += html_paragraph(curve.label + ": " + curve.note, "note");
  }
  return html_section(measured == nullptr ? "Collectives" : "Measured against simulated", out);
}

/// One line per run and job while they are few enough to tell apart, else one per run.
std::vector<Line> cdf_lines(const LabelledRuns& runs) {
  std::size_t groups = 0;
  for (const Result* run : runs.runs) groups += fct_by_job(*run).size();
  const bool by_job = groups <= kLinesShown;
  std::vector<Line> lines;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const Result& r = *runs.runs[i];
    std::map<std::uint32_t, std::vector<double>> fct_us;
    std::map<std::uint32_t, std::size_t> population;
    for (const FlowRecord& flow : r.flows) {
      const std::uint32_t group = by_job ? flow.job : 0;
      ++population[group];
      if (flow.start.ps < 0 || flow.received.ps < 0) continue;
      fct_us[group].push_back(to_us(flow.received - flow.start));
    }
    for (auto& [job, values] : fct_us) {
      const bool named = by_job && fct_us.size() > 1;
      const std::string label = runs.labels[i] + (named ? ", " + job_name(r, job) : "");
      lines.push_back({label, cdf_points(std::move(values), population[job]), false, false});
    }
  }
  return lines;
}

std::string flows_section(const LabelledRuns& runs) {
  HtmlTable table({"run", "job", "flows", "FCT p50", "p99", "max", "mean", "last ACK p99",
                   "total goodput", "fairness"},
                  2);
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    for (const FctStatistics& s : fct_by_job(*runs.runs[i])) {
      const std::string flows = s.finished == s.flows
                                    ? count_text(s.flows)
                                    : count_text(s.finished) + " of " + count_text(s.flows);
      table.row({runs.labels[i], s.job, flows, time_text(s.p50), time_text(s.p99), time_text(s.max),
                 time_text(s.mean), time_text(s.acked_p99), gbps_text(s.goodput_gbps),
                 s.finished > 0 ? fixed_text(s.jain, 3) : "-"},
                s.finished == s.flows ? "" : "hot");
    }
  }
  if (table.empty()) return {};
  std::string out;
  LineChart chart;
  chart.title = "Flow completion times: share of flows finished within a time";
  chart.lines = cdf_lines(runs);
  double low = 0;
  double high = 0;
  for (const Line& line : chart.lines) {
    low = low > 0 ? std::min(low, line.points.front().x) : line.points.front().x;
    high = std::max(high, line.points.back().x);
  }
  chart.x = {"FCT (us)", high > 5 * low ? Scale::Log10 : Scale::Linear, TickText::Number, false};
  chart.y = {"share of flows", Scale::Linear, TickText::Percent};
  if (!chart.lines.empty()) out += line_chart(chart);
  const std::string slowdown = slowdown_chart(runs);
  out += slowdown;
  out += table.str();
  out += html_paragraph(
      "FCT runs from posting to the receiver's last byte. Percentiles are by nearest rank. Goodput "
      "is the payload of finished flows over first start to last byte; fairness is Jain's index of "
      "their rates.",
      "note");
  if (!slowdown.empty()) {
    out += html_paragraph(
        "The least a flow could take: link latencies of a shortest path, and its payload at the "
        "rate "
        "of the slower NIC. Points are percentiles of flows of one size, or of neighbouring sizes.",
        "note");
  }
  return html_section("Flows", out);
}

void append_list(std::string& out, const LabelledRuns& runs,
                 std::vector<std::string> Result::*texts) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    for (const std::string& text : runs.runs[i]->*texts) {
      if (std::find(lines.begin(), lines.end(), text) == lines.end()) lines.push_back(text);
    }
  }
  if (lines.empty()) return;
  out += "<ul class=\"plain\">\n";
  for (const std::string& line : lines) out += "<li>" + escape_markup(line) + "</li>\n";
  out += "</ul>\n";
}

std::string topology_section(const std::string& svg) {
  // Only a picture may come in unescaped; anything else would be a mistake of the caller.
  if (svg.rfind("<svg", 0) != 0) return {};
  return html_section("Topology", "<div class=\"topology\">" + svg + "</div>\n");
}

}  // namespace

std::string report_html(const ReportInput& input) {
  const LabelledRuns runs{input.runs, run_labels(input.runs)};
  CurveSet curves = input.curves;
  if (curves.curves.empty()) {
    std::vector<std::vector<const Result*>> sweeps;
    for (const Result* run : input.runs) sweeps.push_back({run});
    curves = simulated_curves(runs.labels, sweeps);
  }
  std::string limits;
  append_list(limits, runs, &Result::not_modelled);
  std::string warnings;
  append_list(warnings, runs, &Result::warnings);
  std::string body =
      "<header>\n<h1>" + escape_markup(input.title) + "</h1>\n" + verdict_lines(runs);
  for (const std::string& note : input.notes) body += html_paragraph(note);
  body += "</header>\n";
  body += html_section("Warnings", warnings);
  body += waits_section(runs);
  body += curves_section(curves);
  body += flows_section(runs);
  if (!runs.runs.empty()) {
    body += what_ran(runs) + links_section(runs) + losses_section(runs) + series_section(runs) +
            history_section(runs) + rates_section(runs) + steps_section(runs);
  }
  body += topology_section(input.topology_svg);
  body += html_section("What this run does not model", limits);
  body += "<footer>" +
          html_paragraph(
              "Written by Spineleaf, a packet-level simulator of GPU-cluster fabrics. "
              "All numbers: summary.json and the CSV tables beside this page.",
              "note") +
          "</footer>\n";
  return html_page(input.title, body);
}

}  // namespace spineleaf
