// Curves: what a healthy node would show, what each cause would make of it, and which lies nearest.

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "scenarios/data_dir.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/statistics.hpp"
#include "validation/compare.hpp"
#include "validation/doctor/doctor.hpp"
#include "validation/doctor/question.hpp"
#include "validation/nccl/study.hpp"
#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kLarge = std::int64_t{64} << 20;
/// A curve below this share of the predicted one is slow. Measured sets that are known to be
/// healthy lie above, by their large sizes (tests/validation/doctor_test.cpp).
constexpr double kSlow = 0.72;
/// The same where files or settings name a cause: then less is needed.
constexpr double kNoticed = 0.88;
constexpr double kWorthwhile = 1.12;  ///< gain of a setting that is worth a line
constexpr double kSharpness = 0.09;   ///< misfit that halves a cause's weight, about

/// Mean distance of two curves in logarithms.
double misfit_of(const std::vector<ShownPoint>& points) {
  double sum = 0;
  for (const ShownPoint& point : points) {
    sum += std::fabs(std::log(point.predicted / point.measured));
  }
  return points.empty() ? 0 : sum / static_cast<double>(points.size());
}

class SweepJudge {
 public:
  SweepJudge(const Study& study, const NcclCatalog& catalog, const FoundSweep& found,
             const Examination& examination)
      : study_(study), catalog_(catalog), found_(found), examination_(examination) {}

  SweepVerdict judge(const std::string& expect) {
    SweepVerdict out;
    sweep_ = found_.sweep;
    out.name = found_.at.file;
    best_ = best_per_size(sweep_);
    std::string problem = take_expectation(expect, catalog_, sweep_);
    if (problem.empty() && (sweep_.nodes < 1 || sweep_.gpus_per_node < 1 || best_.empty())) {
      problem = "does not tell its nodes: add --expect hgx-h100:8x400:2n";
    }
    infer_collective(found_.at.file, sweep_);
    if (problem.empty() && sweep_.collective.empty()) {
      problem = "does not tell its collective: name the file after it, such as all_gather_perf.txt";
    }
    if (problem.empty() && !add_flags(sweep_.flags)) problem = "no platform for it";
    if (!problem.empty()) {
      out.text = problem;
      return out;
    }
    judge_curve(out);
    return out;
  }

 private:
  /// The platform with these settings, costs included; false where none is known.
  bool add_flags(const std::string& flags) {
    MeasuredSweep wanted = sweep_;
    wanted.flags = flags;
    std::string problem;
    auto platform = platform_of(catalog_, wanted, best_, problem);
    if (!platform) return false;
    platform_ = std::move(*platform);
    costs_ = study_.calibration.costs_of(platform_, nullptr);
    return true;
  }

  double busbw(const Platform& platform, std::int64_t bytes) const {
    const double us = platform_time(platform, costs_, bytes).time_us;
    return us <= 0
               ? 0
               : algbw_gbytes(Bytes{bytes}, us) * busbw_factor(sweep_.collective, sweep_.ranks());
  }

  /// The sizes at which a curve is compared: from 1 MiB on, where bandwidth is what counts.
  std::vector<ShownPoint> compared(const Platform& platform) const {
    std::vector<ShownPoint> points;
    for (const MeasuredPoint& point : best_) {
      if (point.bytes < kMebibyte && best_.back().bytes >= kMebibyte) continue;
      ShownPoint one{point.bytes, point.busbw, busbw(healthy_, point.bytes), 0};
      one.predicted = busbw(platform, point.bytes);
      if (one.measured > 0 && one.healthy > 0 && one.predicted > 0) points.push_back(one);
    }
    return points;
  }

  /// Measured over healthy at the largest sizes: the median.
  static double ratio_of(const std::vector<ShownPoint>& points) {
    std::vector<double> ratios;
    for (const ShownPoint& point : points) {
      if (point.bytes >= kLarge || points.back().bytes < kLarge) {
        ratios.push_back(point.measured / point.healthy);
      }
    }
    if (ratios.empty()) return 1;
    std::sort(ratios.begin(), ratios.end());
    return ratios[ratios.size() / 2];
  }

  void judge_curve(SweepVerdict& out) {
    healthy_ = platform_;
    const auto points = compared(healthy_);
    if (points.empty()) {
      out.text = "has no size to compare";
      return;
    }
    out.judged = true;
    out.ratio = ratio_of(points);
    const ShownPoint& last = points.back();
    const bool falls = find_cliff(points, out);
    const bool dips = find_dip(points, out);
    out.slow = out.ratio < kSlow || falls || (out.ratio < kNoticed && anything_proved());
    out.text = sweep_.collective + ", " + std::to_string(sweep_.nodes) + " x " +
               std::to_string(sweep_.gpus_per_node) + ": busbw " + short_text(last.measured) +
               " GB/s at " + bytes_text(Bytes{last.bytes}) + ", a healthy " + sweep_.gpu +
               " shows " + short_text(last.healthy) + " (" +
               choice_of(healthy_, last.bytes).name() + ")";
    out.text += out.slow ? ": " + fixed_text(100 * out.ratio, 0) + " %"
                : dips   ? ": healthy but for one size"
                         : ": healthy";
    if (out.slow) rank_faults(points, out);
    suggest_settings(points, out);
    finish(out);
  }

  /// Fast up to some tens of MiB, then less and less.
  bool find_cliff(const std::vector<ShownPoint>& points, SweepVerdict& out) {
    double best = 0;
    std::int64_t at = 0;
    for (const ShownPoint& point : points) {
      const double ratio = point.measured / point.healthy;
      if (point.bytes <= kLarge && ratio > best) best = ratio, at = point.bytes;
    }
    const double end = points.back().measured / points.back().healthy;
    double peak = 0;
    for (const ShownPoint& point : points) peak = std::max(peak, point.measured);
    if (at == 0 || end > 0.5 * best || points.back().measured > 0.6 * peak) return false;
    RankedCause cause;
    cause.info = cause_named("lossy");
    cause.detail = "bandwidth falls beyond " + bytes_text(Bytes{at});
    cause.misfit = 0;
    cause.weight = 3;
    cause.points = points;
    out.causes.push_back(std::move(cause));
    return true;
  }

  /// One size far below both of its neighbours.
  static bool find_dip(const std::vector<ShownPoint>& points, SweepVerdict& out) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const double lower = std::min(points[i - 1].measured, points[i + 1].measured);
      if (points[i].bytes < kLarge || points[i].measured > 0.75 * lower) continue;
      RankedCause cause;
      cause.info = cause_named("dip");
      cause.detail = short_text(points[i].measured) + " GB/s at " +
                     bytes_text(Bytes{points[i].bytes}) + " between " +
                     short_text(points[i - 1].measured) + " and " +
                     short_text(points[i + 1].measured);
      cause.misfit = 0;
      cause.weight = 3;
      out.causes.push_back(std::move(cause));
      return true;
    }
    return false;
  }

  void rank_faults(const std::vector<ShownPoint>& points, SweepVerdict& out) {
    for (const CauseInfo& info : cause_infos()) {
      if (std::string_view(info.id) == "rails") {
        add_rails(info, out);
      } else if (info.high > 0) {
        add_rate(info, points, out);
      }
    }
    // What only files can prove, where they do.
    for (const CauseInfo& info : cause_infos()) {
      const bool there = std::any_of(out.causes.begin(), out.causes.end(),
                                     [&](const RankedCause& one) { return one.info == &info; });
      const bool proved =
          std::any_of(examination_.clues.begin(), examination_.clues.end(),
                      [&](const Clue& clue) { return clue.cause == info.id && !clue.against; });
      if (there || !proved) continue;
      RankedCause cause;
      cause.info = &info;
      cause.weight = info.prior * 0.2;
      out.causes.push_back(std::move(cause));
    }
  }

  /// Fewer NICs on the user's own node: the number that fits best.
  void add_rails(const CauseInfo& info, SweepVerdict& out) {
    RankedCause best;
    const std::int64_t all = healthy_.system.node.nics;
    for (std::int64_t left = 1; left < all; ++left) {
      Platform fewer = healthy_;
      fewer.system.node.nics = left;
      std::vector<ShownPoint> points = compared(fewer);
      const double misfit = misfit_of(points);
      if (best.info != nullptr && misfit >= best.misfit) continue;
      best.info = &info;
      best.misfit = misfit;
      best.points = std::move(points);
      best.detail =
          std::to_string(left) + " of " + std::to_string(all) + " rails would carry as much";
    }
    if (best.info == nullptr) return;
    best.weight = info.prior * std::exp(-best.misfit / kSharpness);
    out.causes.push_back(std::move(best));
  }

  /// The NICs' rate cut down to what reports measured; the nearest rate within their range.
  void add_rate(const CauseInfo& info, const std::vector<ShownPoint>& points, SweepVerdict& out) {
    RankedCause cause;
    cause.info = &info;
    const double rate = std::clamp(ratio_of(points), info.low, info.high);
    Platform slower = healthy_;
    slower.system.node.nic_gbps *= rate;
    cause.points = compared(slower);
    // Where the NIC does not bind, the path still carries no more than its share.
    for (ShownPoint& point : cause.points) {
      if (point.bytes >= kLarge) point.predicted = std::min(point.predicted, point.healthy * rate);
    }
    cause.misfit = misfit_of(cause.points);
    cause.detail = "the path to the NIC at " + fixed_text(100 * rate, 0) + " % of its rate";
    cause.weight = info.prior * std::exp(-cause.misfit / kSharpness);
    out.causes.push_back(std::move(cause));
  }

  /// Settings that would make it faster, by the model.
  void suggest_settings(const std::vector<ShownPoint>& points, SweepVerdict& out) {
    struct Change {
      const char* cause;
      const char* flags;
    };
    static constexpr Change kChanges[] = {{"peer-channels", "NCCL_NCHANNELS_PER_NET_PEER=4"},
                                          {"ctas", "NCCL_MIN_CTAS=24"}};
    for (const Change& change : kChanges) {
      if (!add_flags(sweep_.flags + " " + change.flags)) continue;
      consider(change.cause, std::string("with ") + change.flags, points, out);
    }
    std::string free;
    for (const std::string_view word : words_of(sweep_.flags)) {
      const bool forces = word.starts_with("NCCL_ALGO=") || word.starts_with("NCCL_PROTO=") ||
                          word.starts_with("NCCL_NVLS_ENABLE=0");
      if (!forces) free += std::string(word) + " ";
    }
    if (words_of(free).size() != words_of(sweep_.flags).size() && add_flags(free)) {
      consider("forced", "without the setting that forces it", points, out);
    }
    add_flags(sweep_.flags);
  }

  void consider(const char* id, const std::string& detail, const std::vector<ShownPoint>& points,
                SweepVerdict& out) const {
    const ShownPoint& last = points.back();
    const double gain = busbw(platform_, last.bytes) / last.healthy;
    if (gain < kWorthwhile) return;
    RankedCause cause;
    cause.info = cause_named(id);
    cause.detail = detail + " the model gives " + short_text(busbw(platform_, last.bytes)) +
                   " GB/s at " + bytes_text(Bytes{last.bytes});
    cause.gain = gain;
    // A curve that the model explains as it is leaves nothing for a fault to explain.
    cause.misfit = misfit_of(points);
    cause.weight = cause.info->prior * std::exp(-cause.misfit / kSharpness) + 0.02;
    out.causes.push_back(std::move(cause));
  }

  /// Files weigh more than curves; then order and shares.
  void finish(SweepVerdict& out) const {
    double sum = 0;
    for (RankedCause& cause : out.causes) {
      for (const Clue& clue : examination_.clues) {
        if (clue.cause != cause.info->id) continue;
        cause.clues.push_back(clue);
        cause.weight *= clue.against ? 0.05 : 20;
      }
      for (const std::string& word : words_that_prove(cause.info->id)) {
        if (says(word)) {
          cause.weight *= 20;
          cause.clues.push_back(
              {cause.info->id, false, "the sweep says \"" + word + "\"", found_.at});
        }
      }
      if (cause.gain == 0 && out.ratio > 0) cause.gain = 1 / out.ratio;
      sum += cause.weight;
    }
    for (RankedCause& cause : out.causes) cause.weight /= std::max(sum, 1e-300);
    std::stable_sort(out.causes.begin(), out.causes.end(),
                     [](const auto& a, const auto& b) { return a.weight > b.weight; });
  }

  /// What the owner of a sweep writes beside it.
  static std::vector<std::string> words_that_prove(std::string_view cause) {
    if (cause == "acs") return {"passthrough", "ACS on", "ACS redirect"};
    if (cause == "tcp") return {"TCP", "sockets"};
    if (cause == "fec") return {"FEC None"};
    if (cause == "split") return {"SPLIT_DATA_ON_QPS=1", "SPLIT=1"};
    if (cause == "gdr") return {"NET_GDR_LEVEL=0"};
    if (cause == "cpu-set") return {"CPUSET"};
    return {};
  }
  bool anything_proved() const {
    const auto& causes = cause_infos();
    return std::any_of(causes.begin(), causes.end(), [&](const CauseInfo& info) {
      const auto words = words_that_prove(info.id);
      return std::any_of(words.begin(), words.end(), [&](const auto& one) { return says(one); });
    });
  }
  bool says(const std::string& word) const {
    return sweep_.flags.find(word) != std::string::npos ||
           sweep_.fabric.find(word) != std::string::npos;
  }

  const Study& study_;
  const NcclCatalog& catalog_;
  const FoundSweep& found_;
  const Examination& examination_;
  MeasuredSweep sweep_;
  std::vector<MeasuredPoint> best_;
  Platform platform_, healthy_;
  EndpointCosts costs_;
};

/// Causes that files name by themselves.
std::vector<RankedCause> causes_of_files(const Examination& examination) {
  std::vector<RankedCause> causes;
  double sum = 0;
  for (const CauseInfo& info : cause_infos()) {
    RankedCause cause;
    cause.info = &info;
    cause.weight = info.prior;
    bool proved = false;
    for (const Clue& clue : examination.clues) {
      if (clue.cause != info.id) continue;
      proved = proved || !clue.against;
      cause.weight *= clue.against ? 0.05 : 2;
      cause.clues.push_back(clue);
    }
    if (!proved) continue;
    sum += cause.weight;
    causes.push_back(std::move(cause));
  }
  for (RankedCause& cause : causes) cause.weight /= std::max(sum, 1e-300);
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return causes;
}

}  // namespace

bool Diagnosis::alarm() const {
  const auto& checks = examination.checks;
  return std::any_of(sweeps.begin(), sweeps.end(), [](const auto& one) { return one.slow; }) ||
         std::any_of(checks.begin(), checks.end(),
                     [](const auto& one) { return one.state == CheckState::Alarm; });
}

Diagnosis diagnose(const Collection& collection, const std::string& expect) {
  Diagnosis out;
  out.examination = examine(collection);
  if (!collection.sweeps.empty()) {
    const NcclCatalogResult catalog = shipped_nccl_catalog();
    const NcclSetsResult known = read_nccl_sets(data_file("validation/data/nccl"));
    if (has_errors(catalog.problems) || has_errors(known.problems)) {
      out.problem = to_string(has_errors(catalog.problems) ? catalog.problems.front()
                                                           : known.problems.front());
      return out;
    }
    MeasuredSweep none;
    out.problem = take_expectation(expect, catalog.catalog, none);
    if (!out.problem.empty()) return out;
    const Study study = run_study(catalog.catalog, known.sets, known.sets, {.shipped_fit = true});
    for (const FoundSweep& found : collection.sweeps) {
      SweepJudge judge(study, catalog.catalog, found, out.examination);
      out.sweeps.push_back(judge.judge(expect));
    }
  }
  out.causes = causes_of_files(out.examination);
  return out;
}

}  // namespace spineleaf
