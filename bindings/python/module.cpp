#include "bindings/python/module.hpp"

#include <pybind11/stl.h>

#include "bindings/python/arrays.hpp"
#include "scenarios/data_dir.hpp"
#include "scenarios/input/explain.hpp"
#include "scenarios/input/schema.hpp"
#include "scenarios/version.hpp"

namespace spineleaf::python {

py::list to_python(const std::vector<InputProblem>& problems) {
  py::list list;
  for (const InputProblem& p : problems) {
    const char* const severity = p.severity == Severity::Error     ? "error"
                                 : p.severity == Severity::Warning ? "warning"
                                                                   : "note";
    list.append(py::make_tuple(severity, text(p.file), p.place.line, p.place.column, text(p.path),
                               text(p.what), text(p.expected), text(p.hint), p.budget,
                               text(to_string(p))));
  }
  return list;
}

PYBIND11_MODULE(_core, module) {
  module.doc() = "C++ side of the package spineleaf. Use the package, not this module.";
  module.def("version", [] { return std::string{program_version()}; });
  module.def("data_dir", &data_dir);
  module.def("set_data_dir", &set_data_dir, py::arg("folder"));
  module.def(
      "explain",
      [](const std::string& key) {
        const Explanation explanation = explain(key);
        return py::make_tuple(explanation.text, explanation.found);
      },
      py::arg("key"));
  module.def("schema_text", &schema_text);
  add_scenario(module);
  add_run(module);
  add_result(module);
  add_topology(module);
  add_readers(module);
}

}  // namespace spineleaf::python
