#pragma once
// spineleaf._core: the C++ side of the Python package. Thin on purpose: it hands over handles,
// arrays and texts, and everything that reads like Python is written in Python beside it.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "scenarios/result.hpp"
#include "scenarios/spec.hpp"

namespace spineleaf::python {

namespace py = pybind11;

/// A scenario that is fit to run. Never changes, so that any number of threads may run it.
struct CompiledScenario {
  std::shared_ptr<const ValidSpec> spec;
};

/// A finished run with what is needed to write its files.
struct FinishedRun {
  std::shared_ptr<const ValidSpec> spec;
  Result result;
};

/// Each problem as a tuple in the order of the fields of spineleaf.errors.Problem.
py::list to_python(const std::vector<InputProblem>& problems);

void add_scenario(py::module_& module);
void add_run(py::module_& module);
void add_result(py::module_& module);
void add_topology(py::module_& module);
void add_readers(py::module_& module);

}  // namespace spineleaf::python
