#include <Eigen/Dense>  // expect: third-party
#include <CLI/CLI.hpp>
#include <leftpad/pad.hpp>  // expect: third-party
#include <pybind11/pybind11.h>  // expect: third-party
