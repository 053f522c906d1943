// Reading a scenario: text, changed keys and lists of flows in, a handle or problems out.

#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>

#include "bindings/python/module.hpp"
#include "models/workloads/kinds.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/read.hpp"
#include "scenarios/lock.hpp"

namespace spineleaf::python {

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

template <typename Number>
using Column = py::array_t<Number, py::array::c_style | py::array::forcecast>;

/// One list of flows as columns; times and rates in the simulator's units.
WorkloadSpec flow_list(std::string name, const std::vector<std::string>& from,
                       const std::vector<std::string>& to, const Column<std::int64_t>& bytes,
                       const Column<std::int64_t>& start_ps, const Column<std::int64_t>& bits,
                       const Column<std::int32_t>& traffic_class) {
  const auto rows = static_cast<py::ssize_t>(from.size());
  if (to.size() != from.size() || bytes.size() != rows || start_ps.size() != rows ||
      bits.size() != rows || traffic_class.size() != rows) {
    throw py::value_error("columns of different lengths");
  }
  auto params = std::make_shared<FlowsParams>();
  params->flows.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    FlowEntry& flow = params->flows[i];
    flow.from = from[i];
    flow.to = to[i];
    flow.bytes = {bytes.data()[i]};
    flow.start = {start_ps.data()[i]};
    flow.rate = {bits.data()[i]};
    flow.traffic_class = traffic_class.data()[i];
  }
  return {"flows", std::move(name), std::move(params)};
}

py::tuple read(std::string text, std::string file, const Overrides& overrides,
               std::vector<WorkloadSpec> workloads, bool workload_required) {
  ReadOptions options;
  options.workload_required = workload_required;
  options.workloads = std::move(workloads);
  for (const auto& [path, value] : overrides) options.overrides.push_back({path, value});
  ValidateResult read;
  {
    const py::gil_scoped_release released;
    read = read_scenario(std::move(text), std::move(file), options);
  }
  py::object handle = py::none();
  if (read.spec) {
    handle = py::cast(CompiledScenario{std::make_shared<const ValidSpec>(std::move(*read.spec))});
  }
  return py::make_tuple(handle, to_python(read.problems));
}

/// A value as Python has it. Numbers stay as exact as they are written.
py::object value_of(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::Null: return py::none();
    case JsonNode::Kind::Boolean: return py::bool_(node.text == "true");
    case JsonNode::Kind::String: return py::str(node.text.data(), node.text.size());
    case JsonNode::Kind::Number: {
      const py::str text(node.text.data(), node.text.size());
      if (node.text.find_first_of(".eE") == std::string_view::npos) return py::int_(text);
      return py::float_(text);
    }
    case JsonNode::Kind::Array: {
      py::list list;
      for (const JsonNode& child : node.children) list.append(value_of(child));
      return list;
    }
    case JsonNode::Kind::Object: break;
  }
  py::dict members;
  for (const JsonNode& child : node.children) {
    members[py::str(child.key.data(), child.key.size())] = value_of(child);
  }
  return members;
}

/// The text with the changed keys in it, as dictionaries and lists.
py::object tree(std::string text, const Overrides& overrides) {
  std::vector<InputProblem> ignored;
  JsonSource source("", std::move(text), ignored, JsonComments::Allowed);
  for (const auto& [path, value] : overrides) source.set(path, value, ignored);
  return source.root() == nullptr ? py::object(py::dict()) : value_of(*source.root());
}

py::list resolved(const CompiledScenario& scenario) {
  py::list rows;
  for (const ResolvedValue& value : scenario.spec->resolved) {
    rows.append(py::make_tuple(value.key, value.value, value.origin));
  }
  return rows;
}

}  // namespace

void add_scenario(py::module_& module) {
  py::class_<WorkloadSpec>(module, "FlowList")
      .def(py::init(&flow_list), py::arg("name"), py::arg("sources"), py::arg("targets"),
           py::arg("bytes"), py::arg("start_ps"), py::arg("bits_per_second"),
           py::arg("traffic_class"));
  py::class_<CompiledScenario>(module, "CompiledScenario")
      .def_property_readonly("name", [](const CompiledScenario& s) { return s.spec->name; })
      .def_property_readonly("description",
                             [](const CompiledScenario& s) { return s.spec->description; })
      .def_property_readonly("workloads",
                             [](const CompiledScenario& s) { return s.spec->workloads.size(); })
      .def_property_readonly("seed", [](const CompiledScenario& s) { return s.spec->run.seed; })
      .def_property_readonly("threads",
                             [](const CompiledScenario& s) { return s.spec->run.threads; })
      .def_property_readonly("estimate",
                             [](const CompiledScenario& s) {
                               const RunEstimate& estimate = s.spec->estimate;
                               return py::make_tuple(estimate.packet_hops, estimate.cpu_seconds,
                                                     estimate.memory_bytes);
                             })
      .def("resolved", &resolved)
      .def("lock_text", [](const CompiledScenario& s) { return lock_text(*s.spec); });
  module.def("tree", &tree, py::arg("text"), py::arg("overrides"));
  module.def("read", &read, py::arg("text"), py::arg("file"), py::arg("overrides"),
             py::arg("workloads"), py::arg("workload_required"));
}

}  // namespace spineleaf::python
