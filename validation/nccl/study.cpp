#include "validation/nccl/study.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "scenarios/data_dir.hpp"
#include "scenarios/statistics.hpp"
#include "validation/compare.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

bool is_calibration(const NcclSet& set, const StudyOptions& options) {
  return set.split == SetSplit::Calibrate ||
         (options.multinode && set.split == SetSplit::CalibrateMultinode);
}

double estimate_of(const StudyRow& row, Predictor predictor) {
  switch (predictor) {
    case Predictor::Model: return row.predicted_us;
    case Predictor::LineRate: return row.line_rate_us;
    case Predictor::AlphaBeta: return row.alpha_beta_us;
    case Predictor::NcclCostModel: return row.nccl_us;
  }
  return -1;
}

/// Payload that the busiest NIC, or a GPU's NVLink on one node, has to move, at its full rate.
double line_rate_us(const Platform& platform, std::int64_t bytes) {
  const NcclNode& node = platform.system.node;
  const auto nodes = static_cast<double>(platform.system.setup.system.nodes);
  const auto gpus = static_cast<double>(node.gpus);
  const double ranks = nodes * gpus;
  const auto size = static_cast<double>(bytes);
  const double nic = node.nic_gbps / 8 * 1000 * static_cast<double>(node.nics);  // bytes/us, node
  const double moved = platform.function == NcclFunction::AllReduce ? 2 * size * (ranks - 1) / ranks
                       : platform.function                          ? size * (ranks - 1) / ranks
                                                                    : size;
  if (nodes < 2) return moved / (std::max(node.nvlink_gbytes, node.pcie_gbytes) * 1000);
  if (platform.function) return moved / nic;
  if (platform.collective == "alltoall") return size * gpus * (ranks - gpus) / ranks / nic;
  return size / (node.nic_gbps / 8 * 1000);  // sendrecv: one pair per node crosses the network
}

std::optional<StudySet> prepare(const NcclCatalog& catalog, const NcclSet& set,
                                std::vector<InputProblem>& problems) {
  std::string problem;
  auto platform = platform_of(catalog, set.sweep, set.best, problem);
  if (!platform) {
    append(problems, line_problem(set.sweep.id, 0, problem, "", Severity::Warning));
    return std::nullopt;
  }
  if (!platform->function && set.sweep.collective != "alltoall" &&
      set.sweep.collective != "sendrecv") {
    append(problems, line_problem(set.sweep.id, 0, set.sweep.collective + " is not modelled",
                                  "all_reduce, all_gather, reduce_scatter, broadcast, reduce, "
                                  "alltoall or sendrecv",
                                  Severity::Warning));
    return std::nullopt;
  }
  StudySet out;
  out.set = set;
  out.platform = std::move(*platform);
  return out;
}

void predict(Study& study, std::size_t index) {
  StudySet& set = study.sets[index];
  set.costs = study.calibration.costs_of(set.platform, &set.remarks);
  for (const std::string& remark : set.platform.remarks) set.remarks.push_back(remark);
  const AlphaBeta line = fit_alpha_beta(to_curve(set.set.sweep, "measured"));
  for (const MeasuredPoint& point : set.set.best) {
    const PlatformChoice choice = choice_of(set.platform, point.bytes);
    const EndpointTime time = time_of(set.platform, set.costs, choice, point.bytes);
    StudyRow row;
    row.set = index;
    row.bytes = point.bytes;
    row.measured_us = point.time_us;
    row.predicted_us = time.time_us;
    row.line_rate_us = line_rate_us(set.platform, point.bytes);
    row.alpha_beta_us = line.time_us(point.bytes);
    row.nccl_us = nccl_estimate_of(set.platform, point.bytes);
    row.choice = choice.name();
    row.bound = time.bound;
    row.channels =
        set.platform.function
            ? nccl_channels(set.platform.system.setup.system, choice.algorithm, choice.protocol,
                            point.bytes, set.platform.system.setup.nvls_channels)
            : set.platform.system.setup.channels_per_net_peer;
    study.rows.push_back(std::move(row));
  }
}

ErrorBand band_of(std::vector<double> errors) {
  ErrorBand band;
  band.n = errors.size();
  if (errors.empty()) return band;
  for (const double error : errors) band.bias += error / static_cast<double>(errors.size());
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  band.median_abs = percentile(errors, 50);
  band.p90_abs = percentile(errors, 90);
  return band;
}

}  // namespace

std::vector<bool> Study::to_predict() const {
  std::vector<bool> taken;
  for (const StudySet& set : sets) {
    taken.push_back(!set.fitted && set.set.split == SetSplit::Validate);
  }
  return taken;
}

ErrorBands Study::bands_of(Predictor predictor, const std::vector<bool>& sets_taken) const {
  std::array<std::vector<double>, 4> errors;
  for (const StudyRow& row : rows) {
    const double estimate = estimate_of(row, predictor);
    if (!sets_taken[row.set] || estimate < 0) continue;
    const double error = error_percent(estimate, row.measured_us);
    const std::size_t band = row.bytes < kMebibyte ? 1 : row.bytes < 64 * kMebibyte ? 2 : 3;
    errors[0].push_back(error);
    errors[band].push_back(error);
  }
  ErrorBands bands;
  for (std::size_t i = 0; i < bands.size(); ++i) bands[i] = band_of(std::move(errors[i]));
  return bands;
}

Study run_study(const NcclCatalog& catalog, const std::vector<NcclSet>& known,
                const std::vector<NcclSet>& data, const StudyOptions& options) {
  Study study;
  if (options.shipped_fit) {
    CalibrationResult fit = shipped_calibration();
    study.calibration = std::move(fit.calibration);
    study.problems = std::move(fit.problems);
  }
  std::vector<CalibrationSet> fitted;
  const auto fit_set = [&](const NcclSet& set) {
    std::vector<InputProblem> told;  // sets that are predicted tell their problems there
    if (auto ready = prepare(catalog, set, told)) {
      fitted.push_back({set.sweep.id, std::move(ready->platform), set.best});
    }
  };
  for (const NcclSet& set : known) {
    if (is_calibration(set, options)) fit_set(set);
  }
  for (const NcclSet& set : data) {
    const bool shipped = std::any_of(known.begin(), known.end(), [&](const NcclSet& other) {
      return other.sweep.id == set.sweep.id;
    });
    if (is_calibration(set, options) && !shipped) fit_set(set);
  }
  if (!options.shipped_fit) study.calibration = calibrate(fitted, {options.starts, 1});
  for (const NcclSet& set : data) {
    if (auto ready = prepare(catalog, set, study.problems)) {
      ready->fitted = is_calibration(set, options);
      study.sets.push_back(std::move(*ready));
      predict(study, study.sets.size() - 1);
    }
  }
  return study;
}

Study run_study(const std::string& data_folder, const StudyOptions& options) {
  NcclCatalogResult catalog = shipped_nccl_catalog();
  const std::string shipped = data_file("validation/data/nccl");
  NcclSetsResult known = read_nccl_sets(shipped);
  NcclSetsResult data;
  std::error_code ignored;
  const bool same = std::filesystem::equivalent(shipped, data_folder, ignored);
  if (same) {
    data = known;
  } else {
    data = read_nccl_sets(data_folder);
  }
  std::vector<InputProblem> problems = std::move(catalog.problems);
  for (InputProblem& problem : known.problems) {
    if (!same) append(problems, std::move(problem));
  }
  for (InputProblem& problem : data.problems) append(problems, std::move(problem));
  Study study;
  if (!catalog.catalog.classes.empty() && !data.sets.empty()) {
    study = run_study(catalog.catalog, known.sets, data.sets, options);
  }
  for (InputProblem& problem : study.problems) append(problems, std::move(problem));
  study.problems = std::move(problems);
  return study;
}

}  // namespace spineleaf
