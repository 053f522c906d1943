// The fabric of a scenario: nodes, cables and endpoints as views, audit, buffer cycles, drawing.

#include <pybind11/stl.h>

#include <string>

#include "bindings/python/arrays.hpp"
#include "bindings/python/module.hpp"
#include "scenarios/output/topology_svg.hpp"
#include "scenarios/run.hpp"
#include "topologies/audit.hpp"
#include "topologies/channel_graph.hpp"
#include "topologies/paths.hpp"
#include "topologies/routes.hpp"

namespace spineleaf::python {

namespace {

const Topology& graph(const CompiledScenario& scenario) { return *scenario.spec->graph; }

py::array node_rows(const CompiledScenario& scenario) {
  return view<Node>(graph(scenario).nodes,
                    {{"kind", "u1", offsetof(Node, kind)},
                     {"tier", "u1", offsetof(Node, tier)},
                     {"plane", "u2", offsetof(Node, plane)},
                     {"group", "u4", offsetof(Node, group)},
                     {"ports", "u2", offsetof(Node, ports)},
                     {"radix", "u2", offsetof(Node, radix)}},
                    py::cast(scenario));
}

py::array cable_rows(const CompiledScenario& scenario) {
  return view<Cable>(graph(scenario).cables,
                     {{"a", "u4", offsetof(Cable, a) + offsetof(PortRef, node)},
                      {"a_port", "u2", offsetof(Cable, a) + offsetof(PortRef, port)},
                      {"b", "u4", offsetof(Cable, b) + offsetof(PortRef, node)},
                      {"b_port", "u2", offsetof(Cable, b) + offsetof(PortRef, port)},
                      {"rate_bps", "i8", offsetof(Cable, rate)},
                      {"propagation_ps", "i8", offsetof(Cable, propagation)},
                      {"tier", "u1", offsetof(Cable, tier)},
                      {"up", "?", offsetof(Cable, up)}},
                     py::cast(scenario));
}

py::array endpoint_rows(const CompiledScenario& scenario) {
  return view<Endpoint>(graph(scenario).endpoints,
                        {{"host", "u4", offsetof(Endpoint, host)},
                         {"nic", "u2", offsetof(Endpoint, nic)},
                         {"port", "u2", offsetof(Endpoint, port)}},
                        py::cast(scenario));
}

py::list texts_of(const std::vector<Problem>& problems) {
  py::list list;
  for (const Problem& problem : problems) {
    const char* const severity = problem.severity == Severity::Error     ? "error"
                                 : problem.severity == Severity::Warning ? "warning"
                                                                         : "note";
    list.append(py::make_tuple(severity, to_string(problem)));
  }
  return list;
}

py::dict audit_of(const CompiledScenario& scenario) {
  AuditReport report;
  {
    const py::gil_scoped_release released;
    report = audit(graph(scenario));
  }
  py::list tiers;
  for (const TierCapacity& tier : report.tiers) {
    py::dict row;
    row["tier"] = tier.tier;
    row["switches"] = tier.switches;
    row["cables_down"] = tier.cables_down;
    row["cables_up"] = tier.cables_up;
    row["cables_across"] = tier.cables_across;
    row["down_gbps"] = tier.down_gbps;
    row["up_gbps"] = tier.up_gbps;
    row["oversubscription"] = tier.oversubscription;
    tiers.append(row);
  }
  py::dict out;
  out["hosts"] = report.hosts;
  out["switches"] = report.switches;
  out["endpoints"] = report.endpoints;
  out["cables"] = report.cables;
  out["cables_down"] = report.cables_off;
  out["connected"] = report.connected;
  out["bisection_gbps"] = report.bisection.gbps;
  out["bisection_ratio"] = report.bisection.ratio();
  out["bisection_method"] =
      report.bisection.method == BisectionMethod::MaxFlow ? "maximum flow" : "thinnest tier";
  out["tiers"] = tiers;
  out["findings"] = texts_of(report.problems);
  return out;
}

/// Whether buffers can wait for each other in a circle: over every route, and over pinned paths.
py::tuple buffer_cycles(const CompiledScenario& scenario) {
  CycleReport report;
  {
    const py::gil_scoped_release released;
    const Topology& topology = graph(scenario);
    const Routes routes = routes_of(*scenario.spec);
    const PathsResult paths = make_paths(topology, scenario.spec->paths);
    report = find_cycles(topology, channel_dependencies(topology, &routes, &paths.table));
  }
  return py::make_tuple(report.has_cycle, report.channels_in_cycles, texts_of(report.problems));
}

std::string drawing(const CompiledScenario& scenario, const std::string& title,
                    const std::vector<double>& utilisation) {
  const py::gil_scoped_release released;
  TopologySvgOptions options;
  options.title = title;
  if (!utilisation.empty() && utilisation.size() != graph(scenario).cables.size()) {
    throw py::value_error("utilisation has another length than the cables");
  }
  options.utilisation = utilisation;
  return topology_svg(graph(scenario), options);
}

}  // namespace

void add_topology(py::module_& module) {
  module.def("topology_name", [](const CompiledScenario& s) { return graph(s).name; });
  module.def("node_names",
             [](const CompiledScenario& s) { return texts(graph(s).nodes, &Node::name); });
  module.def("nodes", &node_rows, py::arg("scenario"));
  module.def("cables", &cable_rows, py::arg("scenario"));
  module.def("endpoints", &endpoint_rows, py::arg("scenario"));
  module.def("audit", &audit_of, py::arg("scenario"));
  module.def("buffer_cycles", &buffer_cycles, py::arg("scenario"));
  module.def("topology_svg", &drawing, py::arg("scenario"), py::arg("title"),
             py::arg("utilisation"));
}

}  // namespace spineleaf::python
