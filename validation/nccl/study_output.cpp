// A study as JSON and as tables.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "validation/nccl/study.hpp"

namespace spineleaf {
namespace {

using Json = nlohmann::ordered_json;

constexpr Predictor kPredictors[] = {Predictor::Model, Predictor::LineRate, Predictor::AlphaBeta,
                                     Predictor::NcclCostModel};

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json json_of(const ErrorBands& bands) {
  Json out = Json::object();
  for (std::size_t i = 0; i < bands.size(); ++i) {
    out[std::string(kBandNames[i])] = {{"n", bands[i].n},
                                       {"median_abs_pct", rounded(bands[i].median_abs)},
                                       {"p90_abs_pct", rounded(bands[i].p90_abs)},
                                       {"bias_pct", rounded(bands[i].bias)}};
  }
  return out;
}

/// To six digits: what is read back predicts the same to far below any error.
double to_six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

Json costs_json(const Calibration& calibration) {
  Json list = Json::array();
  for (const FittedCost& cost : calibration.costs) {
    list.push_back({{"owner", cost.key.first},
                    {"cost", info_of(cost.key.second).name},
                    {"unit", info_of(cost.key.second).unit},
                    {"value", to_six_digits(cost.value)},
                    {"low_90", to_six_digits(cost.low)},
                    {"high_90", to_six_digits(cost.high)},
                    {"identified", cost.identified},
                    {"at_bound", cost.at_bound}});
  }
  return list;
}

std::vector<bool> only(const Study& study, std::size_t index) {
  std::vector<bool> taken(study.sets.size(), false);
  taken[index] = true;
  return taken;
}

std::vector<bool> fitted(const Study& study) {
  std::vector<bool> taken;
  for (const StudySet& set : study.sets) taken.push_back(set.fitted);
  return taken;
}

Json row_json(const Study& study, const StudyRow& row) {
  const StudySet& set = study.sets[row.set];
  const double factor = busbw_factor(set.set.sweep.collective, set.set.sweep.ranks());
  const auto busbw = [&](double time) {
    return rounded(algbw_gbytes(Bytes{row.bytes}, time) * factor);
  };
  Json out = {{"set", set.set.sweep.id},
              {"split", to_text(set.set.split)},
              {"fitted", set.fitted},
              {"collective", set.set.sweep.collective},
              {"ranks", set.set.sweep.ranks()},
              {"bytes", row.bytes},
              {"measured_us", rounded(row.measured_us)},
              {"predicted_us", rounded(row.predicted_us)},
              {"error_pct", rounded(error_percent(row.predicted_us, row.measured_us))},
              {"measured_busbw", busbw(row.measured_us)},
              {"predicted_busbw", busbw(row.predicted_us)},
              {"choice", row.choice},
              {"channels", row.channels},
              {"bound", row.bound},
              {"line_rate_us", rounded(row.line_rate_us)},
              {"alpha_beta_us", rounded(row.alpha_beta_us)}};
  if (row.nccl_us >= 0) out["nccl_cost_model_us"] = rounded(row.nccl_us);
  return out;
}

std::string cell(const ErrorBand& band) {
  if (band.n == 0) return "-";
  return fixed_text(band.median_abs, 1) + " / " + fixed_text(band.p90_abs, 1);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string line(const std::string& head, const ErrorBands& bands) {
  std::string text = padded(head, 34);
  for (const std::size_t i : {1U, 2U, 3U, 0U}) text += padded(cell(bands[i]), 15);
  while (text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

}  // namespace

std::string study_json(const Study& study) {
  const std::vector<bool> predicted = study.to_predict();
  Json out;
  Json& summary = out["summary"];
  summary["sets"] = std::count(predicted.begin(), predicted.end(), true);
  summary.update(json_of(study.bands_of(Predictor::Model, predicted)));
  for (const Predictor predictor : kPredictors) {
    if (predictor == Predictor::Model) continue;
    out["baselines"][std::string(kPredictorNames[static_cast<std::size_t>(predictor)])] =
        json_of(study.bands_of(predictor, predicted));
  }
  out["fitted"] = json_of(study.bands_of(Predictor::Model, fitted(study)));
  for (std::size_t i = 0; i < study.sets.size(); ++i) {
    const StudySet& set = study.sets[i];
    Json entry = {{"set", set.set.sweep.id},
                  {"split", to_text(set.set.split)},
                  {"fitted", set.fitted},
                  {"versions", set.platform.tuning->tuning.versions},
                  {"remarks", set.remarks}};
    entry.update(json_of(study.bands_of(Predictor::Model, only(study, i))));
    out["by_set"].push_back(std::move(entry));
  }
  out["costs"] = costs_json(study.calibration);
  out["rows"] = Json::array();
  for (const StudyRow& row : study.rows) out["rows"].push_back(row_json(study, row));
  return out.dump(1) + "\n";
}

std::string study_text(const Study& study) {
  const std::vector<bool> predicted = study.to_predict();
  std::string text = "|error| of the time in %, median / p90\n" + padded("", 34);
  for (const char* name : {"< 1 MiB", "1-64 MiB", ">= 64 MiB", "all"}) text += padded(name, 15);
  text += "\npredicted, not fitted\n";
  for (std::size_t i = 0; i < study.sets.size(); ++i) {
    if (!predicted[i]) continue;
    text +=
        line("  " + study.sets[i].set.sweep.id, study.bands_of(Predictor::Model, only(study, i)));
  }
  text += line("  all of them", study.bands_of(Predictor::Model, predicted));
  text += "the same sets by\n";
  text += line("  line rate", study.bands_of(Predictor::LineRate, predicted));
  text += line("  alpha + S/beta, fitted on each", study.bands_of(Predictor::AlphaBeta, predicted));
  text += line("  NCCL's own cost model", study.bands_of(Predictor::NcclCostModel, predicted));
  text += line("fitted (not a prediction)", study.bands_of(Predictor::Model, fitted(study)));
  for (std::size_t i = 0; i < study.sets.size(); ++i) {
    if (!predicted[i]) continue;
    for (const std::string& remark : study.sets[i].remarks) {
      text += study.sets[i].set.sweep.id + ": " + remark + "\n";
    }
  }
  return text;
}

std::string calibration_json(const Calibration& calibration) {
  Json out;
  out["points"] = calibration.points;
  out["costs"] = costs_json(calibration);
  out["correlated"] = Json::array();
  for (const CorrelatedCosts& pair : calibration.correlated) {
    out["correlated"].push_back({{"a", to_text(pair.a)},
                                 {"b", to_text(pair.b)},
                                 {"correlation", rounded(pair.correlation)}});
  }
  out["warnings"] = calibration.warnings;
  return out.dump(1) + "\n";
}

std::string calibration_text(const Calibration& calibration) {
  std::string text = std::to_string(calibration.points) + " points, " +
                     std::to_string(calibration.costs.size()) + " costs, " +
                     std::to_string(calibration.iterations) + " iterations\n" + padded("cost", 28) +
                     padded("value", 14) + "90 % interval\n";
  std::size_t kept = 0;
  for (const FittedCost& cost : calibration.costs) {
    if (!cost.identified) {
      ++kept;
      continue;
    }
    const std::string unit(info_of(cost.key.second).unit);
    text += padded(to_text(cost.key), 28) + padded(short_text(cost.value) + " " + unit, 14) +
            short_text(cost.low) + " to " + short_text(cost.high) + "\n";
  }
  text += std::to_string(kept) + " costs stay near their priors: the data do not tell them\n";
  for (const CorrelatedCosts& pair : calibration.correlated) {
    text += to_text(pair.a) + " and " + to_text(pair.b) + " move together (" +
            fixed_text(pair.correlation, 2) + "): only a combination of both is known\n";
  }
  for (const std::string& warning : calibration.warnings) text += "! " + warning + "\n";
  return text;
}

}  // namespace spineleaf
