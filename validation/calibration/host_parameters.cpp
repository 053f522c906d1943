// Parameters of section host: from the blocks and launches of spineleaf-probe, and from sweeps of
// nccl-tests by the fit of the end-point model.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "scenarios/input/values.hpp"
#include "scenarios/output/text.hpp"
#include "validation/calibration/parameters.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/doctor/question.hpp"
#include "validation/nccl/calibrate.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr double kNarrowed = 0.67;  ///< of the prior's spread: then the data told something
constexpr double kNormal90Percent = 1.645;
constexpr double kMoves = 0.002;  ///< of the time, by 5 % of a cost: less is no measurement of it
constexpr std::int64_t kMostBlocks = 8;  ///< beyond, the GPU's memory may bind, not a block

enum class Form { Time, Rate, Ratio };

/// A parameter of the scenario as a product of costs of the end-point model.
struct CostTarget {
  const char* key;
  Cost cost;
  std::optional<Cost> times;
  double scale;
  Form form;
};
constexpr CostTarget kTargets[] = {
    {"host.launch", Cost::Launch, std::nullopt, 1, Form::Time},
    {"host.step_overhead", Cost::HopSimple, Cost::Hop, 0.5, Form::Time},
    {"host.intra_hop", Cost::HopSimple, Cost::Hop, 0.5, Form::Time},
    {"host.channel_rate", Cost::ChannelRate, std::nullopt, 8, Form::Rate},
    {"host.ll128_channel_rate", Cost::RateLl128, std::nullopt, 8, Form::Rate},
    {"host.ll128_overhead", Cost::HopLl128, Cost::Hop, 1, Form::Time},
    {"host.proxy_send", Cost::ProxyStep, std::nullopt, 1, Form::Time},
    {"host.proxy_receive", Cost::ProxyStep, std::nullopt, 1, Form::Time},
    {"host.nvlink_efficiency", Cost::NvlinkShare, std::nullopt, 1, Form::Ratio},
};

std::string value_text(Form form, double value) {
  if (form == Form::Ratio) return short_text(value);
  if (form == Form::Rate) {
    return to_text(Rate{static_cast<std::int64_t>(std::llround(value * 1e3)) * 1'000'000});
  }
  return to_text(Time{std::llround(value * 1e3) * 1000});
}

class HostParameters {
 public:
  HostParameters(const Collection& collection, const ValidSpec& spec, CostSheet& sheet)
      : collection_(collection), spec_(spec), sheet_(sheet) {}

  std::string take(const std::string& expect) {
    for (const FoundFacts& found : collection_.facts) {
      take_blocks(found);
      take_launch(found);
    }
    return collection_.sweeps.empty() ? "" : take_sweeps(expect);
  }

 private:
  /// The rate of one block where blocks add up: the median over one to eight.
  void take_blocks(const FoundFacts& found) {
    constexpr std::string_view kName = "reduce_by_blocks.";
    std::vector<double> rates;
    Evidence at;
    for (const Fact& fact : found.facts.all()) {
      if (!fact.name.starts_with(kName)) continue;
      const auto blocks = to_integer(std::string_view(fact.name).substr(kName.size()));
      const auto gbytes = to_number(fact.value);
      if (!blocks || !gbytes || *blocks < 1 || *blocks > kMostBlocks || *gbytes <= 0) continue;
      if (rates.empty()) at = {found.at.file, fact.line};
      rates.push_back(8 * *gbytes / static_cast<double>(*blocks));
    }
    if (rates.empty()) return;
    std::sort(rates.begin(), rates.end());
    sheet_.fix({"host.channel_rate", value_text(Form::Rate, rates[rates.size() / 2]),
                value_text(Form::Rate, rates.front()), value_text(Form::Rate, rates.back()),
                "reduce_by_blocks, 1 to 8 blocks"},
               at);
  }

  void take_launch(const FoundFacts& found) {
    for (const Fact& fact : found.facts.all()) {
      const auto us = fact.name == "launch.us" ? to_number(fact.value) : std::nullopt;
      if (!us || *us <= 0) continue;
      const std::string floor = value_text(Form::Time, *us);
      sheet_.bound("host.launch is at least " + floor +
                       ", what an empty kernel takes; start and end of a collective come on top",
                   {found.at.file, fact.line});
      return;
    }
  }

  std::string take_sweeps(const std::string& expect) {
    const NcclCatalogResult catalog = shipped_nccl_catalog();
    if (has_errors(catalog.problems)) return to_string(catalog.problems.front());
    const Diagnosis judged = diagnose(collection_, expect);
    if (!judged.problem.empty()) return judged.problem;
    for (std::size_t i = 0; i < collection_.sweeps.size(); ++i) {
      const FoundSweep& found = collection_.sweeps[i];
      const SweepVerdict& verdict = judged.sweeps[i];
      if (!verdict.judged || verdict.slow) {
        sheet_.leave(found.at.file, verdict.text + (verdict.slow ? ", a fault is no cost" : ""));
        continue;
      }
      add_set(catalog.catalog, found, expect);
    }
    if (!sets_.empty()) fit();
    return {};
  }

  void add_set(const NcclCatalog& catalog, const FoundSweep& found, const std::string& expect) {
    MeasuredSweep sweep = found.sweep;
    take_expectation(expect, catalog, sweep);
    infer_collective(found.at.file, sweep);
    const std::vector<MeasuredPoint> best = best_per_size(sweep);
    std::string problem;
    auto platform = platform_of(catalog, sweep, best, problem);
    if (!platform) {
      sheet_.leave(found.at.file, problem);
    } else if (!sets_.empty() && platform->gpu_group != sets_.front().platform.gpu_group) {
      sheet_.leave(found.at.file, "is of " + platform->gpu_group + ", others are of " +
                                      sets_.front().platform.gpu_group +
                                      ": a scenario has one kind of host");
    } else {
      sets_.push_back({found.at.file, std::move(*platform), best});
    }
  }

  void fit() {
    calibration_ = calibrate(sets_, {1, 1});
    for (const CalibrationSet& set : sets_) {
      sheet_.leave(set.id, "healthy, and no cost of section host hangs on it");
    }
    for (const CostTarget& target : kTargets) put(target);
    for (const std::string& warning : calibration_.warnings) sheet_.warn(warning);
    if (!untold_.empty()) sheet_.warn(untold_ + ": the sweeps do not tell them apart from others");
    if (sheet_.has_fixed("host.intra_hop")) {
      sheet_.warn("host.step_overhead and host.intra_hop: only their sum is known, halves assumed");
    }
  }

  const FittedCost* fitted(Cost cost) const {
    const auto it = std::find_if(calibration_.costs.begin(), calibration_.costs.end(),
                                 [&](const FittedCost& one) { return one.key.second == cost; });
    return it == calibration_.costs.end() ? nullptr : &*it;
  }

  void put(const CostTarget& target) {
    const FittedCost* cost = fitted(target.cost);
    const FittedCost* times = target.times ? fitted(*target.times) : nullptr;
    if (cost == nullptr || (target.times && times == nullptr)) return;
    double value = cost->value * target.scale;
    double deviation = cost->deviation;
    double spread = info_of(target.cost).spread;
    if (times != nullptr) {
      value *= times->value;
      const auto covariance = [&](const FittedCost* a, const FittedCost* b) {
        const FittedCost* first = calibration_.costs.data();
        return calibration_
            .covariance[static_cast<std::size_t>(a - first) * calibration_.costs.size() +
                        static_cast<std::size_t>(b - first)];
      };
      deviation = std::sqrt(covariance(cost, cost) + 2 * covariance(cost, times) +
                            covariance(times, times));
      spread = std::hypot(spread, info_of(*target.times).spread);
    }
    if (target.form == Form::Ratio) {
      value *= sets_.front().platform.system.node.nvlink_gbytes * 8 /
               spec_.models.host.nvlink_rate.gbps();
    }
    std::string by;
    const Evidence at = tightest(target, by);
    if (deviation >= kNarrowed * spread || by.empty()) {
      if (!sheet_.has_fixed(target.key)) {
        untold_ += (untold_.empty() ? "" : ", ") + std::string(target.key);
      }
      return;
    }
    const double factor = std::exp(kNormal90Percent * deviation);
    sheet_.fix({target.key, value_text(target.form, value), value_text(target.form, value / factor),
                value_text(target.form, value * factor), by},
               at);
  }

  /// The size of the sweep whose time moves most with the cost.
  Evidence tightest(const CostTarget& target, std::string& by) const {
    Evidence at;
    double most = kMoves;
    for (const CalibrationSet& set : sets_) {
      const EndpointCosts costs = calibration_.costs_of(set.platform, nullptr);
      EndpointCosts moved = costs;
      moved[target.cost] *= 1.05;
      for (const MeasuredPoint& point : set.points) {
        const double change =
            std::fabs(std::log(platform_time(set.platform, moved, point.bytes).time_us /
                               platform_time(set.platform, costs, point.bytes).time_us));
        if (change <= most) continue;
        most = change;
        at = {set.id, 0};
        by = set.platform.collective + " of " + bytes_text(Bytes{point.bytes});
      }
    }
    return at;
  }

  const Collection& collection_;
  const ValidSpec& spec_;
  CostSheet& sheet_;
  std::vector<CalibrationSet> sets_;
  Calibration calibration_;
  std::string untold_;
};

}  // namespace

std::string take_host_parameters(const Collection& collection, const ValidSpec& spec,
                                 const std::string& expect, CostSheet& sheet) {
  return HostParameters(collection, spec, sheet).take(expect);
}

}  // namespace spineleaf
