// spineleaf quickstart: a measured all-reduce beside both fabrics, then a permutation and an
// incast.

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/interrupt.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/data_dir.hpp"
#include "scenarios/output/console.hpp"
#include "scenarios/output/report_html.hpp"
#include "scenarios/output/topology_svg.hpp"
#include "scenarios/output/write.hpp"
#include "scenarios/run.hpp"
#include "validation/compare.hpp"
#include "validation/readers/nccl_sweep.hpp"

namespace spineleaf::cli {

namespace {

constexpr std::int64_t kMiB = 1024 * 1024, kGiB = 1024 * kMiB;
constexpr const char* kFabrics[] = {"ndr", "roce"};
constexpr const char* kWhyTheyDiffer =
    "Both fabrics run as their presets say. NDR sends each packet by the least loaded uplink and\n"
    "holds senders back with credits. RoCE keeps a flow on one path (ECMP); where flows meet,\n"
    "packets are marked and DCQCN cuts the senders. RoCE without the hash:";
constexpr const char* kWithoutTheHash =
    "spineleaf run quickstart-permutation-roce --set switch.forwarding=adaptive";

constexpr const char* kIncomplete =
    "INCOMPLETE: interrupted; only runs that had ended by then are shown.";

struct QuickstartArguments {
  std::string out = "out/quickstart";
  unsigned threads = 1;
};

class Quickstart {
 public:
  Quickstart(const QuickstartArguments& arguments, int& exit_code)
      : arguments_(arguments), exit_code_(exit_code) {}

  void run() {
    const MeasuredSweepResult measured =
        read_nccl_sweep_file(data_file("validation/data/nccl/sweeps/h100-2n-ibndr-b-ring.csv"));
    print_problems(measured.problems);
    if (has_errors(measured.problems)) {
      exit_code_ = kBadInput;
      return;
    }
    const std::string problem = try_folder(arguments_.out);
    if (!problem.empty()) {
      std::fprintf(stderr, "--out: %s\n", problem.c_str());
      exit_code_ = 1;
      return;
    }
    watch_interrupts();
    const bool whole = ring(measured.sweep) && workload("permutation") && workload("incast");
    if (whole || interrupted()) write_report(whole);
  }

 private:
  /// Adds to runs_; false where the scenario can't run or Ctrl-C ended it: half a run is no point
  /// of a curve.
  bool simulate(const std::string& scenario, const std::vector<std::string>& sets) {
    ScenarioArguments wanted;
    wanted.scenario = data_file("scenarios/library/" + scenario + ".json");
    wanted.sets = sets;
    const auto spec = load(wanted, true, exit_code_);
    if (!spec || interrupted()) return false;
    ProgressLine line(false);
    RunOptions options;
    options.threads = arguments_.threads;
    options.interrupt = &interrupted();
    options.record = scenario.find("ring") == std::string::npos;  // rings are shown as curves only
    if (line.shown()) {
      options.progress = [&](const Progress& progress) { line.show(scenario, progress); };
    }
    auto result = std::make_unique<Result>(run_world(*spec, options));
    if (result->stop == StopReason::Interrupted) return false;
    runs_.push_back(std::move(result));
    if (scenario == "quickstart-permutation-ndr") drawing_ = topology_svg(*spec->graph);
    const int code = spineleaf::exit_code(runs_.back()->verdict);
    if (code != 0) std::fputs(verdict_block(*runs_.back()).c_str(), stderr);
    exit_code_ = std::max(exit_code_, code);
    return true;
  }

  bool ring(const MeasuredSweep& measured) {
    std::printf(
        "Ring all_reduce, 2 x 8 H100, 8 x 400G, 24 channels, Simple. Measured: %s, %s.\n"
        "The RoCE columns stand beside an InfiniBand measurement.\n\n",
        measured.fabric.c_str(), measured.source.c_str());
    std::vector<std::vector<const Result*>> sweeps(2);
    const bool whole = sweep(0, sweeps[0]) && sweep(1, sweeps[1]);
    if (!whole && !interrupted()) return false;
    std::vector<std::string> names{"InfiniBand NDR", "RoCEv2 400G"};
    while (!sweeps.empty() && sweeps.back().empty()) {
      sweeps.pop_back();
      names.pop_back();
    }
    curves_ = simulated_curves(names, sweeps);
    if (whole) {
      compare(measured);
    } else if (!sweeps.empty()) {
      std::printf("%s\n", nccl_table(curves_).c_str());
    }
    return whole;
  }

  /// The ring on one fabric, size by size; false where simulate() is.
  bool sweep(std::size_t fabric, std::vector<const Result*>& results) {
    for (std::int64_t bytes = 8 * kMiB; bytes <= 8 * kGiB; bytes *= 2) {
      if (!simulate(std::string("quickstart-ring-") + kFabrics[fabric],
                    {"workload.bytes=" + std::to_string(bytes) + "B"})) {
        return false;
      }
      results.push_back(runs_.back().get());
    }
    return true;
  }

  /// Puts the measurement in front of the simulated curves and says how far they are from it.
  void compare(const MeasuredSweep& measured) {
    Curve reference = to_curve(measured, "measured (NDR)");
    reference.note = "Ring all_reduce on 2 x 8 H100, 8 x 400G, " + measured.source;
    std::erase_if(reference.points, [](const CurvePoint& p) { return p.bytes < 8 * kMiB; });
    const Comparison comparison = compare_curves(reference, curves_.curves.front());
    curves_.curves[0].note = "24 channels, Simple; " + band_note(comparison);
    curves_.curves[1].note =
        "the same job on another fabric; its error is against the InfiniBand measurement, as no "
        "RoCE measurement is in that set.";
    curves_.curves.insert(curves_.curves.begin(), reference);
    std::fputs(nccl_table(curves_).c_str(), stdout);
    print_bands(comparison);
  }

  static std::string band_note(const Comparison& comparison) {
    char text[300];
    std::snprintf(text, sizeof text,
                  "median error of the time %.1f %% at 8-32 MiB and %.1f %% above; the best "
                  "two-parameter fit of the same points has %.1f %% and %.1f %%. Fitted: the host "
                  "parameters were chosen with this measurement in view.",
                  comparison.band(8 * kMiB, 64 * kMiB).median,
                  comparison.band(64 * kMiB, INT64_MAX).median,
                  comparison.fit_band(8 * kMiB, 64 * kMiB).median,
                  comparison.fit_band(64 * kMiB, INT64_MAX).median);
    return text;
  }

  static void print_bands(const Comparison& comparison) {
    const auto large = comparison.band(64 * kMiB, INT64_MAX);
    const auto middle = comparison.band(8 * kMiB, 64 * kMiB);
    const auto fit_large = comparison.fit_band(64 * kMiB, INT64_MAX);
    const auto fit_middle = comparison.fit_band(8 * kMiB, 64 * kMiB);
    std::printf(
        "\n|error| of NDR time, median / p90 (this set is in the calibration split: "
        "fitted)\n"
        "  8-32 MiB   %5.1f / %5.1f %%   best two-parameter fit of the same points "
        "%5.1f / %5.1f %%\n"
        "  >= 64 MiB  %5.1f / %5.1f %%   best two-parameter fit of the same points "
        "%5.1f / %5.1f %%\n\n",
        middle.median, middle.p90, fit_middle.median, fit_middle.p90, large.median, large.p90,
        fit_large.median, fit_large.p90);
  }

  bool workload(const std::string& kind) {
    std::vector<const Result*> pair;
    for (const char* fabric : kFabrics) {
      if (!simulate("quickstart-" + kind + "-" + fabric, {})) break;
      pair.push_back(runs_.back().get());
    }
    if (pair.empty()) return false;
    std::printf("%s\n%s\n",
                kind == "incast" ? "Incast, 32 x 1 MiB to one host of 128"
                                 : "Permutation, 128 hosts x 2 MiB",
                fct_table(pair).c_str());
    shown_.insert(shown_.end(), pair.begin(), pair.end());
    return pair.size() == std::size(kFabrics);
  }

  void write_report(bool whole) {
    ReportInput input;
    input.title = "Spineleaf quick start";
    if (whole) {
      std::printf("%s\n  %s\n\n", kWhyTheyDiffer, kWithoutTheHash);
      input.notes = {kWhyTheyDiffer, kWithoutTheHash};
    } else {
      std::printf("%s\n\n", kIncomplete);
      input.title += " (incomplete)";
      input.notes = {kIncomplete};
      exit_code_ = std::max(exit_code_, 1);
    }
    input.runs = shown_;
    input.curves = curves_;
    input.topology_svg = drawing_;
    const auto path = std::filesystem::absolute(arguments_.out).lexically_normal() / "report.html";
    const std::string problem = write_text_file(path, report_html(input));
    if (!problem.empty()) {
      std::fprintf(stderr, "%s\n", problem.c_str());
      exit_code_ = std::max(exit_code_, 1);
      return;
    }
    std::printf("report: %s\n", path.string().c_str());
  }

  const QuickstartArguments& arguments_;
  int& exit_code_;
  std::vector<std::unique_ptr<Result>> runs_;
  std::vector<const Result*> shown_;
  CurveSet curves_;
  std::string drawing_;
};

}  // namespace

void add_quickstart(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "quickstart", "A measured 16-GPU all-reduce beside both fabrics; a permutation; an incast");
  verb->group(kRunGroup);
  const auto arguments = std::make_shared<QuickstartArguments>();
  verb->add_option("--out", arguments->out, "Folder of the report; default out/quickstart")
      ->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "Threads; default 1")->type_name("N");
  examples(*verb, {"quickstart --out out/first-look"});
  verb->callback([arguments, &exit_code] { Quickstart(*arguments, exit_code).run(); });
}

}  // namespace spineleaf::cli
