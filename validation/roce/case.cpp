#include "validation/roce/case.hpp"

#include <stdexcept>

#include "scenarios/data_dir.hpp"

namespace spineleaf {

ValidSpec roce_case(const std::string& name, const std::vector<Override>& overrides) {
  ReadOptions options;
  options.overrides = overrides;
  ValidateResult read =
      read_scenario_file(data_file("scenarios/library/" + name + ".json"), options);
  if (read.spec) return *std::move(read.spec);
  std::string all = name + " can't be used";
  for (const InputProblem& problem : read.problems) all += "\n" + to_string(problem);
  throw std::runtime_error(all);
}

std::vector<Override> preset_overrides(std::string_view name) {
  std::vector<Override> overrides;
  for (const Preset& preset : model_presets()) {
    if (preset.name != name) continue;
    for (const PresetEntry& entry : preset.entries) {
      overrides.push_back({std::string(entry.key), std::string(entry.value)});
    }
  }
  return overrides;
}

std::vector<Override> flow_rates(int flows, const std::string& rate) {
  std::vector<Override> overrides;
  for (int f = 0; f < flows; ++f) {
    overrides.push_back({"workload.flows[" + std::to_string(f) + "].rate", rate});
  }
  return overrides;
}

double mean_after(const Result& result, std::string_view series, Time from, Time to) {
  double sum = 0;
  std::size_t count = 0;
  for (const Series& s : result.series) {
    if (s.name != series) continue;
    for (const SeriesPoint& point : s.points) {
      if (point.at <= from || point.at > to) continue;
      sum += point.value;
      ++count;
    }
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

Result run_case(const ValidSpec& spec, std::uint64_t seed) {
  RunOptions options;
  options.seed = seed;
  return run_world(spec, options);
}

}  // namespace spineleaf
