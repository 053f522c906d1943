// spineleaf run: a scenario from file to result.

#include "scenarios/run.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bindings/cli/interrupt.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/seed_table.hpp"
#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/estimate.hpp"
#include "scenarios/lock.hpp"
#include "scenarios/output/console.hpp"
#include "scenarios/output/curve.hpp"
#include "scenarios/output/link_map.hpp"
#include "scenarios/output/prometheus.hpp"
#include "scenarios/output/trace_json.hpp"
#include "scenarios/output/write.hpp"

namespace spineleaf::cli {

namespace {

constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;  // as of run.seed

struct RunArguments {
  ScenarioArguments scenario;
  std::string out;
  std::string trace;
  std::string prometheus;
  std::optional<std::int64_t> seed;
  std::int64_t seeds = 1;
  std::optional<unsigned> threads;
  bool quiet = false;
};

void print_estimate(const RunEstimate& estimate) {
  if (estimate.cpu_seconds < 10 && estimate.memory_bytes < 1e9) return;
  std::fprintf(stderr, "estimate: about %s of processor time, %s of memory\n",
               duration_text(estimate.cpu_seconds).c_str(),
               memory_text(estimate.memory_bytes).c_str());
}

unsigned threads_of(const RunArguments& arguments, const ValidSpec& spec) {
  const unsigned wanted = arguments.threads.value_or(static_cast<unsigned>(spec.run.threads));
  return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

/// Runs the scenario with the seed that it carries.
Result run_once(const ValidSpec& spec, const RunArguments& arguments) {
  ProgressLine line(arguments.quiet);
  RunOptions options;
  options.threads = threads_of(arguments, spec);
  options.interrupt = &interrupted();
  options.record = !arguments.out.empty() || !arguments.trace.empty();
  if (line.shown()) {
    const std::string what = spec.name.empty() ? "run" : spec.name;
    options.progress = [&line, what](const Progress& progress) { line.show(what, progress); };
  }
  return run_world(spec, options);
}

void print_result(const Result& result) {
  std::fputs(verdict_block(result).c_str(), stdout);
  if (!result.flows.empty()) std::printf("\n%s", fct_table({&result}).c_str());
  const CurveSet curves = simulated_curves({result.fabric}, {{&result}});
  if (!curves.curves.empty() && !curves.curves.front().points.empty()) {
    std::printf("\n%s", nccl_table(curves).c_str());
  }
}

/// False, and said, where results could not be kept: better known before the run than after it.
bool can_write_to(const std::string& out) {
  const std::string problem = out.empty() ? "" : try_folder(out);
  if (!problem.empty()) std::fprintf(stderr, "--out: %s\n", problem.c_str());
  return problem.empty();
}

/// False where a file could not be written.
bool write_result(const Result& result, const ValidSpec& spec, const std::string& out) {
  if (out.empty()) return true;
  const std::vector<std::string> problems =
      write_outputs(result, lock_text(spec), out, link_map(result, *spec.graph));
  for (const std::string& problem : problems) std::fprintf(stderr, "%s\n", problem.c_str());
  return problems.empty();
}

/// Files that are written only when asked for by name; false where one could not be.
bool write_extra(const Result& result, const ValidSpec& spec, const RunArguments& arguments) {
  bool written = true;
  const auto write = [&](const std::string& path, const char* option, auto text) {
    if (path.empty()) return;
    const std::string problem = write_text_file(path, text(result, *spec.graph));
    if (!problem.empty()) std::fprintf(stderr, "%s: %s\n", option, problem.c_str());
    written = written && problem.empty();
  };
  write(arguments.trace, "--trace",
        [](const Result& r, const Topology& topology) { return trace_json(r, topology); });
  write(arguments.prometheus, "--prometheus", prometheus_text);
  return written;
}

void run_seeds(ValidSpec spec, const RunArguments& arguments, int& exit_code) {
  const std::int64_t first = spec.run.seed;
  SeedTable table;
  bool written = true;
  for (std::int64_t i = 0; i < arguments.seeds && !interrupted().load(); ++i) {
    spec.run.seed = first + i;
    const Result result = run_once(spec, arguments);
    exit_code = std::max(exit_code, spineleaf::exit_code(result.verdict));
    table.add(result);
    std::string out = arguments.out;
    if (!out.empty()) {
      out = (std::filesystem::path(out) / ("seed-" + std::to_string(spec.run.seed))).string();
    }
    written = write_result(result, spec, out) && written;
  }
  std::fputs(table.text().c_str(), stdout);
  if (!arguments.out.empty()) {
    const std::string problem =
        write_text_file(std::filesystem::path(arguments.out) / "seeds.csv", table.csv());
    if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
    written = written && problem.empty();
  }
  if (!written && exit_code == 0) exit_code = 1;
}

void run(const RunArguments& arguments, int& exit_code) {
  auto spec = load(arguments.scenario, true, exit_code);
  if (!spec) return;
  if (arguments.seed) spec->run.seed = *arguments.seed;
  if (!can_write_to(arguments.out)) {
    exit_code = 1;
    return;
  }
  if (!arguments.quiet) print_estimate(spec->estimate);
  watch_interrupts();
  if (arguments.seeds > 1) return run_seeds(std::move(*spec), arguments, exit_code);
  const Result result = run_once(*spec, arguments);
  if (!arguments.quiet) print_result(result);
  exit_code = spineleaf::exit_code(result.verdict);
  const bool extra = write_extra(result, *spec, arguments);
  const bool written = write_result(result, *spec, arguments.out) && extra;
  if (!written && exit_code == 0) exit_code = 1;
  if (written && !arguments.out.empty() && !arguments.quiet) {
    const auto out = std::filesystem::absolute(arguments.out).lexically_normal();
    std::printf("\nreport: %s; tables and summary are beside it\n", (out / "report.html").c_str());
  }
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("run", "Run a scenario and report what happened");
  verb->group(kRunGroup);
  const auto arguments = std::make_shared<RunArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option("--out", arguments->out, "Write summary, tables, lock file and report here")
      ->type_name("DIR");
  verb->add_option("--trace", arguments->trace,
                   "Write a trace for ui.perfetto.dev or chrome://tracing to this file")
      ->type_name("FILE");
  verb->add_option("--prometheus", arguments->prometheus,
                   "Write counters under SONiC's and mlx5's names to this file")
      ->type_name("FILE");
  verb->add_option("--seed", arguments->seed, "Seed instead of the scenario's, from 0")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, kMostSeed).description(""));
  verb->add_option("--seeds", arguments->seeds,
                   "Run this many seeds in a row (1 to 100000), with intervals")
      ->type_name("N")
      ->excludes("--trace")
      ->excludes("--prometheus")
      ->check(CLI::Range(1, 100'000).description(""));
  verb->add_option("--threads", arguments->threads,
                   "Threads (0 to 1024); 0 = one per core. More than cores and 8 are not used")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""));
  verb->add_flag("--quiet", arguments->quiet, "Print nothing but problems");
  examples(*verb,
           {"run quickstart-incast-roce --out out/incast",
            "run quickstart-incast-roce --trace incast.json --prometheus incast.prom",
            "run quickstart-incast-roce --set fabric.mtu=1KiB --set pfc.alpha=0.5 --seeds 5"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
