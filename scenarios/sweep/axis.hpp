#pragma once
// One axis of a sweep: a key of a scenario and the values that it takes.
//
//   ecn.kmin=100KB,400KB        a list; texts with commas in them are parted by ';'
//   kmin=100KB:1600KB:log5      5 values from end to end, evenly by ratio; lin5 by difference
//   kmax=x4  kmax=x2,x4*kmin    factors of another axis: the one before, or the one named
//
// A key may be written without its section where only one has it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"
#include "scenarios/spec.hpp"
#include "sim/param.hpp"

namespace spineleaf {

struct SweepAxis {
  std::string key;                  ///< in full, as --set takes it: "workload[1].bytes"
  const ParamDecl* decl = nullptr;  ///< null for "preset", whose values are names
  std::vector<ParamValue> values;   ///< canonical; empty where the axis has factors
  std::vector<double> factors;
  std::size_t base = 0;  ///< number of the axis that the factors are of

  std::size_t size() const { return factors.empty() ? values.size() : factors.size(); }
  /// The value as --set takes it.
  std::string text(const ParamValue& value) const;
};

/// Reads axes in order. Keys are looked up among the parameters of `scenario`: its models, the kind
/// of its topology, its workloads, its run. Problems name the axis as it was written.
std::vector<SweepAxis> read_axes(const std::vector<std::string>& texts,
                                 const ScenarioData& scenario, std::vector<InputProblem>& problems);

/// Values of all axes at one point, first axis slowest; `number` below the product of the sizes.
std::vector<ParamValue> axis_values(const std::vector<SweepAxis>& axes, std::size_t number);

/// Points of the grid; more than `limit` is limit + 1.
std::size_t grid_size(const std::vector<SweepAxis>& axes, std::size_t limit);

/// The column of an axis in tables of results: a number in the unit that ends the column's name.
struct SweepColumn {
  std::string key;     ///< "ecn.kmin"
  std::string column;  ///< "ecn.kmin_bytes"
  std::string suffix;  ///< cell + suffix is what --set takes: "B"
};
SweepColumn column_of(const SweepAxis& axis);
std::string axis_cell(const SweepAxis& axis, const ParamValue& value);

}  // namespace spineleaf
