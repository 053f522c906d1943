#pragma once
// The sheet on which measurements put what they fix, and those that write on it.

#include <map>
#include <set>
#include <string>

#include "validation/calibration/scenario_costs.hpp"

namespace spineleaf {

class CostSheet {
 public:
  explicit CostSheet(ScenarioCosts& out) : out_(out) {}

  /// A parameter, unless it is fixed already; its file counts as used.
  void fix(FixedParameter parameter, const Evidence& at);
  bool has_fixed(const std::string& key) const;
  /// Measured, and the scenario may stay as it is.
  void bound(const std::string& text, const Evidence& at);
  /// Part of a fit.
  void use(const Evidence& at) { used_.insert(at.file); }
  void warn(const std::string& text) { out_.warnings.push_back(text); }
  /// Why a file fixes nothing, if it turns out that it does not.
  void leave(const std::string& file, const std::string& why) { reasons_.emplace(file, why); }

  /// The files that nothing was taken from.
  void list_unused(const Collection& collection);

 private:
  ScenarioCosts& out_;
  std::set<std::string> used_;
  std::map<std::string, std::string> reasons_;
};

void take_nic_parameters(const Collection& collection, const ValidSpec& spec, CostSheet& sheet);
/// Blocks and launches of spineleaf-probe, then sweeps. Returns what is wrong with `expect`, or "".
std::string take_host_parameters(const Collection& collection, const ValidSpec& spec,
                                 const std::string& expect, CostSheet& sheet);

}  // namespace spineleaf
