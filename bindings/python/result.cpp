// A finished run: rows as numpy views, texts, and the files that the command writes as well.

#include <pybind11/stl.h>

#include <cstdint>
#include <string>

#include "bindings/python/arrays.hpp"
#include "bindings/python/module.hpp"
#include "scenarios/lock.hpp"
#include "scenarios/output/console.hpp"
#include "scenarios/output/link_map.hpp"
#include "scenarios/output/report_html.hpp"
#include "scenarios/output/summary_json.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/output/write.hpp"
#include "scenarios/statistics.hpp"
#include "scenarios/sweep/metrics.hpp"

namespace spineleaf::python {

namespace {

using Run = std::shared_ptr<FinishedRun>;

py::array flow_rows(const Run& run) {
  return view<FlowRecord>(run->result.flows,
                          {{"job", "u4", offsetof(FlowRecord, job)},
                           {"flow", "u4", offsetof(FlowRecord, flow)},
                           {"from_endpoint", "u4", offsetof(FlowRecord, from)},
                           {"to_endpoint", "u4", offsetof(FlowRecord, to)},
                           {"traffic_class", "u1", offsetof(FlowRecord, traffic_class)},
                           {"size_bytes", "i8", offsetof(FlowRecord, bytes)},
                           {"start_ps", "i8", offsetof(FlowRecord, start)},
                           {"received_ps", "i8", offsetof(FlowRecord, received)},
                           {"acked_ps", "i8", offsetof(FlowRecord, acked)}},
                          py::cast(run));
}

py::array collective_rows(const Run& run) {
  return view<CollectiveRecord>(run->result.collectives,
                                {{"job", "u4", offsetof(CollectiveRecord, job)},
                                 {"iteration", "u4", offsetof(CollectiveRecord, iteration)},
                                 {"channels", "i8", offsetof(CollectiveRecord, channels)},
                                 {"ranks", "i8", offsetof(CollectiveRecord, ranks)},
                                 {"size_bytes", "i8", offsetof(CollectiveRecord, bytes)},
                                 {"start_ps", "i8", offsetof(CollectiveRecord, start)},
                                 {"end_ps", "i8", offsetof(CollectiveRecord, end)}},
                                py::cast(run));
}

py::array link_rows(const Run& run) {
  const std::string drops = std::to_string(kDropCauses) + "i8";  // a number per cause
  return view<LinkRow>(run->result.links,
                       {{"from_port", "u2", offsetof(LinkRow, from_port)},
                        {"to_port", "u2", offsetof(LinkRow, to_port)},
                        {"tier", "u1", offsetof(LinkRow, tier)},
                        {"cable", "u4", offsetof(LinkRow, cable)},
                        {"rate_bps", "i8", offsetof(LinkRow, rate)},
                        {"packets", "i8", offsetof(LinkRow, packets)},
                        {"wire_bytes", "i8", offsetof(LinkRow, bytes)},
                        {"control_bytes", "i8", offsetof(LinkRow, control_bytes)},
                        {"utilisation", "f8", offsetof(LinkRow, utilisation)},
                        {"drops", drops.c_str(), offsetof(LinkRow, drops)}},
                       py::cast(run));
}

py::array port_class_rows(const Run& run) {
  return view<PortClassRow>(run->result.port_classes,
                            {{"port", "u2", offsetof(PortClassRow, port)},
                             {"traffic_class", "u1", offsetof(PortClassRow, traffic_class)},
                             {"packets", "i8", offsetof(PortClassRow, packets)},
                             {"ecn_marks", "i8", offsetof(PortClassRow, marks)},
                             {"max_queue_bytes", "i8", offsetof(PortClassRow, max_queue)},
                             {"max_queue_at_ps", "i8", offsetof(PortClassRow, max_queue_at)},
                             {"pauses_sent", "i8", offsetof(PortClassRow, pauses_sent)},
                             {"pauses_received", "i8", offsetof(PortClassRow, pauses_received)},
                             {"paused_ps", "i8", offsetof(PortClassRow, paused)},
                             {"credit_stalls", "i8", offsetof(PortClassRow, credit_stalls)},
                             {"credit_stalled_ps", "i8", offsetof(PortClassRow, credit_stalled)},
                             {"max_ingress_bytes", "i8", offsetof(PortClassRow, max_ingress)}},
                            py::cast(run));
}

py::array wait_rows(const Run& run) {
  return view<WaitsFor>(run->result.waits,
                        {{"queued_bytes", "i8", offsetof(WaitsFor, queued)},
                         {"on_cycle", "?", offsetof(WaitsFor, on_cycle)}},
                        py::cast(run));
}

/// (name, unit, view of the points) of every series.
py::list series(const Run& run) {
  py::list list;
  for (const Series& one : run->result.series) {
    list.append(py::make_tuple(one.name, one.unit,
                               view<SeriesPoint>(one.points,
                                                 {{"at_ps", "i8", offsetof(SeriesPoint, at)},
                                                  {"value", "f8", offsetof(SeriesPoint, value)}},
                                                 py::cast(run))));
  }
  return list;
}

py::dict text_columns(const FinishedRun& run) {
  const Result& result = run.result;
  py::dict columns;
  columns["collective"] = texts(result.collectives, &CollectiveRecord::collective);
  columns["algorithm"] = texts(result.collectives, &CollectiveRecord::algorithm);
  columns["protocol"] = texts(result.collectives, &CollectiveRecord::protocol);
  columns["from"] = texts(result.links, &LinkRow::from);
  columns["to"] = texts(result.links, &LinkRow::to);
  columns["node"] = texts(result.port_classes, &PortClassRow::node);
  columns["waiting"] = texts(result.waits, &WaitsFor::waiting);
  columns["waits_for"] = texts(result.waits, &WaitsFor::waits_for);
  columns["reason"] = texts(result.waits, &WaitsFor::reason);
  return columns;
}

std::vector<std::string> drop_causes() {
  std::vector<std::string> names;
  for (int i = 0; i < kDropCauses; ++i) {
    names.emplace_back(to_text(static_cast<DropCause>(i)));
  }
  return names;
}

/// Writes the files and returns what went wrong.
py::list save(const FinishedRun& run, const std::string& folder) {
  std::vector<std::string> problems;
  {
    const py::gil_scoped_release released;
    problems = write_outputs(run.result, lock_text(*run.spec), folder,
                             link_map(run.result, *run.spec->graph));
  }
  py::list list;
  for (const std::string& problem : problems) list.append(text(problem));
  return list;
}

/// The figures of a sweep's columns; not a number where the run has none.
py::dict metrics_of(const FinishedRun& run) {
  const std::vector<double> values = metric_values(run.result);
  py::dict figures;
  for (std::size_t i = 0; i < values.size(); ++i) {
    figures[text(std::string{metrics()[i].name})] = values[i];
  }
  return figures;
}

std::string report(const std::string& title, const std::vector<Run>& runs) {
  const py::gil_scoped_release released;
  ReportInput input;
  input.title = title;
  for (const Run& run : runs) input.runs.push_back(&run->result);
  if (runs.size() == 1)
    input.topology_svg = link_map(runs.front()->result, *runs.front()->spec->graph);
  return report_html(input);
}

std::string fct_text(const std::vector<Run>& runs) {
  std::vector<const Result*> results;
  for (const Run& run : runs) results.push_back(&run->result);
  return fct_table(results);
}

std::vector<std::string> labels(const std::vector<Run>& runs) {
  std::vector<const Result*> results;
  for (const Run& run : runs) results.push_back(&run->result);
  return run_labels(results);
}

}  // namespace

void add_result(py::module_& module) {
  py::class_<FinishedRun, Run>(module, "FinishedRun")
      .def("flows", &flow_rows)
      .def("collectives", &collective_rows)
      .def("links", &link_rows)
      .def("port_classes", &port_class_rows)
      .def("waits", &wait_rows)
      .def("series", &series)
      .def("text_columns", &text_columns)
      .def_property_readonly("job_names", [](const FinishedRun& r) { return r.result.job_names; })
      .def_property_readonly(
          "fingerprint",
          [](const FinishedRun& r) { return fingerprint_text(r.result.fingerprint); })
      .def("scenario", [](const FinishedRun& r) { return CompiledScenario{r.spec}; })
      .def("summary_json", [](const FinishedRun& r) { return summary_json(r.result); })
      .def("verdict_block", [](const FinishedRun& r) { return verdict_block(r.result); })
      .def("metrics", &metrics_of)
      .def("lock_text", [](const FinishedRun& r) { return lock_text(*r.spec); })
      .def("save", &save, py::arg("folder"));
  module.def("busbw_factor", &busbw_factor, py::arg("collective"), py::arg("ranks"));
  module.def("drop_causes", &drop_causes);
  module.def("report", &report, py::arg("title"), py::arg("runs"));
  module.def("fct_table", &fct_text, py::arg("runs"));
  module.def("run_labels", &labels, py::arg("runs"));
}

}  // namespace spineleaf::python
