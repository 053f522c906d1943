#include "validation/calibration/scenario_costs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validation/calibration/parameters.hpp"

namespace spineleaf {

void CostSheet::fix(FixedParameter parameter, const Evidence& at) {
  used_.insert(at.file);
  if (has_fixed(parameter.key)) return;
  parameter.fixed_by += " (" + at.text() + ")";
  out_.fixed.push_back(std::move(parameter));
}

bool CostSheet::has_fixed(const std::string& key) const {
  return std::any_of(out_.fixed.begin(), out_.fixed.end(),
                     [&](const FixedParameter& one) { return one.key == key; });
}

void CostSheet::bound(const std::string& text, const Evidence& at) {
  used_.insert(at.file);
  out_.bounds.push_back(text + " (" + at.text() + ")");
}

void CostSheet::list_unused(const Collection& collection) {
  for (const Collection::File& file : collection.files) {
    if (used_.count(file.name) > 0 || file.format == "spineleaf-measurements") continue;
    const auto reason = reasons_.find(file.name);
    const std::string why = reason != reasons_.end() ? reason->second
                            : file.format.empty()    ? "no reader knows it"
                                                     : file.format + ", tells no cost";
    out_.unused.push_back(file.name + ": " + why);
  }
}

ScenarioCosts scenario_costs(const Collection& collection, const ValidSpec& spec,
                             const std::string& expect) {
  ScenarioCosts out;
  CostSheet sheet(out);
  take_nic_parameters(collection, spec, sheet);
  out.problem = take_host_parameters(collection, spec, expect, sheet);
  sheet.list_unused(collection);
  return out;
}

std::string scenario_costs_text(const ScenarioCosts& costs) {
  std::size_t width = 0;
  std::size_t value_width = 0;
  const auto value_of = [](const FixedParameter& one) {
    if (one.low.empty() && one.high.empty()) return one.value;
    return one.value + " (" + (one.low.empty() ? "?" : one.low) + " to " +
           (one.high.empty() ? "?" : one.high) + ")";
  };
  for (const FixedParameter& one : costs.fixed) {
    width = std::max(width, one.key.size());
    value_width = std::max(value_width, value_of(one).size());
  }
  std::string text;
  for (const FixedParameter& one : costs.fixed) {
    std::string key = one.key;
    std::string value = value_of(one);
    key.resize(width, ' ');
    value.resize(value_width, ' ');
    text += "  " + key + "  " + value + "  fixed by " + one.fixed_by + "\n";
  }
  if (costs.fixed.empty()) text += "No measurement fixes a parameter of this scenario.\n";
  const auto list = [&](const char* head, const char* mark, const std::vector<std::string>& lines) {
    if (!lines.empty()) text += std::string("\n") + head + "\n";
    for (const std::string& line : lines) text += std::string(mark) + line + "\n";
  };
  list("Measured, and the scenario may stay as it is:", "  ", costs.bounds);
  list("Not told by these measurements:", "? ", costs.warnings);
  list("Fixes nothing:", ". ", costs.unused);
  return text;
}

std::string calibrated_scenario(const std::string& text, const ScenarioCosts& costs) {
  // With comments, which stay behind.
  nlohmann::ordered_json scenario = nlohmann::ordered_json::parse(text, nullptr, true, true);
  std::string told;
  for (const FixedParameter& one : costs.fixed) {
    const std::size_t dot = one.key.find('.');
    scenario[one.key.substr(0, dot)][one.key.substr(dot + 1)] = one.value;
    told += (told.empty() ? "" : "; ") + one.key + " by " + one.fixed_by;
  }
  if (!told.empty()) {
    const std::string before = scenario.value("description", std::string());
    scenario["description"] = before + (before.empty() ? "" : " ") + "Calibrated: " + told + ".";
  }
  return scenario.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace spineleaf
