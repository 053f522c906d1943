// Files of measurements and of other simulators, as plain columns.

#include <pybind11/stl.h>

#include <string>

#include "bindings/python/module.hpp"
#include "scenarios/input/csv_table.hpp"
#include "validation/readers/nccl_sweep.hpp"
#include "validation/readers/ns3_reference.hpp"

namespace spineleaf::python {

namespace {

py::tuple nccl_sweep(const std::string& path) {
  const MeasuredSweepResult read = read_nccl_sweep_file(path);
  py::list rows;
  for (const MeasuredPoint& p : read.sweep.points) {
    rows.append(py::make_tuple(p.bytes, p.in_place ? "in" : "out", p.time_us, p.algbw, p.busbw));
  }
  const MeasuredSweep& sweep = read.sweep;
  py::dict about;
  about["id"] = sweep.id;
  about["collective"] = sweep.collective;
  about["nodes"] = sweep.nodes;
  about["gpus_per_node"] = sweep.gpus_per_node;
  about["ranks"] = sweep.ranks();
  about["gpu"] = sweep.gpu;
  about["nic"] = sweep.nic;
  about["nic_gbps"] = sweep.nic_gbps;
  about["nics_per_node"] = sweep.nics_per_node;
  about["fabric"] = sweep.fabric;
  about["nccl_version"] = sweep.nccl_version;
  about["flags"] = sweep.flags;
  about["source"] = sweep.source;
  return py::make_tuple(rows, about, to_python(read.problems));
}

py::tuple ns3_config(const std::string& path) {
  const auto read = read_ns3_file(path, read_ns3_config);
  return py::make_tuple(read.value.raw, to_python(read.problems));
}

py::tuple ns3_topology(const std::string& path) {
  const auto read = read_ns3_file(path, read_ns3_topology);
  py::list rows;
  for (const Ns3Link& link : read.value) {
    rows.append(py::make_tuple(link.a, link.b, link.rate.gbps(), link.delay.microseconds()));
  }
  return py::make_tuple(rows, to_python(read.problems));
}

py::tuple ns3_flows(const std::string& path) {
  const auto read = read_ns3_file(path, read_ns3_flows);
  py::list rows;
  for (const Ns3Flow& flow : read.value) {
    rows.append(py::make_tuple(
        flow.variant, flow.from, flow.to, flow.source_port, flow.bytes.count,
        flow.start.microseconds(), flow.fct.microseconds(),
        flow.ideal.ps < 0 ? py::object(py::none()) : py::float_(flow.ideal.microseconds()),
        flow.path));
  }
  return py::make_tuple(rows, to_python(read.problems));
}

py::tuple ns3_pauses(const std::string& path) {
  const auto read = read_ns3_file(path, read_ns3_pauses);
  py::list rows;
  for (const Ns3PauseEvent& event : read.value) {
    rows.append(py::make_tuple(event.at.microseconds(), event.node, event.node_is_switch,
                               event.interface, event.pause));
  }
  return py::make_tuple(rows, to_python(read.problems));
}

py::tuple ns3_series(const std::string& path) {
  const auto read = read_ns3_file(path, read_ns3_series);
  py::list rows;
  for (const Ns3Sample& sample : read.value) {
    rows.append(py::make_tuple(sample.at.microseconds(), sample.largest_queue.count,
                               sample.last_queue.count, sample.packets, sample.marked,
                               sample.goodput_gbps));
  }
  return py::make_tuple(rows, to_python(read.problems));
}

/// A whole file as bytes, of at most the size of a scenario.
py::tuple file_bytes(const std::string& path) {
  const FileText file = read_file(path);
  return py::make_tuple(py::bytes(file.text), to_python(file.problems));
}

}  // namespace

void add_readers(py::module_& module) {
  module.def("file_bytes", &file_bytes, py::arg("path"));
  module.def("read_nccl_sweep", &nccl_sweep, py::arg("path"));
  module.def("read_ns3_config", &ns3_config, py::arg("path"));
  module.def("read_ns3_topology", &ns3_topology, py::arg("path"));
  module.def("read_ns3_flows", &ns3_flows, py::arg("path"));
  module.def("read_ns3_pauses", &ns3_pauses, py::arg("path"));
  module.def("read_ns3_series", &ns3_series, py::arg("path"));
}

}  // namespace spineleaf::python
