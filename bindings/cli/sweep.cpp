// spineleaf sweep: a scenario over a grid of values, in parallel, resumable.

#include "scenarios/sweep/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bindings/cli/interrupt.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/input/estimate.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/output/write.hpp"

namespace spineleaf::cli {

namespace {

struct SweepArguments {
  ScenarioArguments scenario;
  std::vector<std::string> grid;
  std::int64_t seeds = 1;
  std::string workers = "auto";
  std::string out;
  std::string budget;
  std::string until;
  bool resume = false;
  bool retry_failed = false;
  bool drop_invalid = false;
  bool keep_doubtful = false;
  bool dry_run = false;
  bool quiet = false;
};

void complain(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

/// "90s", "30min", "2h" in seconds; below zero where it is none.
double wall_clock(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || !(value > 0)) return -1;
  const std::string_view unit(at, static_cast<std::size_t>(end - at));
  if (unit == "s") return value;
  if (unit == "min") return value * 60;
  if (unit == "h") return value * 3600;
  return -1;
}

/// 0 = as many as there are cores; nothing where the text is no number of workers.
std::optional<unsigned> read_workers(const std::string& text) {
  if (text == "auto") return 0;
  unsigned workers = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, workers);
  if (error != std::errc{} || at != end || workers < 1 || workers > 1024) return std::nullopt;
  return workers;
}

/// False, and said, where an option can't be understood.
bool read_options(const SweepArguments& arguments, SweepOptions& options) {
  bool good = true;
  const auto refuse = [&](const std::string& text) {
    complain(text);
    good = false;
  };
  const auto workers = read_workers(arguments.workers);
  if (workers) options.workers = *workers;
  if (!workers) {
    refuse("--workers: " + in_quotes(arguments.workers) + "; expected auto or 1 to 1024");
  }
  if (!arguments.budget.empty()) {
    options.budget_seconds = wall_clock(arguments.budget);
    if (options.budget_seconds < 0) {
      refuse("--budget: " + in_quotes(arguments.budget) +
             " is no time; expected a wall-clock time such as 90s, 30min or 2h");
    }
  }
  if (!arguments.until.empty()) {
    std::string problem;
    options.stop = read_stop_rule(arguments.until, problem);
    if (!options.stop) refuse("--until: " + problem);
    if (options.stop && arguments.seeds < 4) {
      refuse("--until stops after three seeds at the earliest; expected --seeds of 4 or more");
    }
  }
  options.retry_failed = arguments.retry_failed;
  options.interrupt = &interrupted();
  return good;
}

void print_groups(const std::vector<GroupedProblem>& groups, std::size_t points) {
  for (const GroupedProblem& group : groups) {
    const std::string count = std::to_string(group.points) + " of " + std::to_string(points) +
                              " points, for example: " + to_string(group.problem);
    const bool error = group.problem.severity == Severity::Error;
    complain(coloured(stderr, error ? Colour::Red : Colour::Yellow, count));
  }
}

/// Tells of invalid points, and takes them out where that was asked for. False: nothing to run, or
/// the user has to decide.
bool settle_invalid(SweepPlan& plan, const SweepArguments& arguments, int& exit_code) {
  const std::size_t size = plan.points.size();
  print_groups(grouped_errors(plan.points), size);
  if (!arguments.keep_doubtful) print_groups(grouped_doubts(plan.points), size);
  const auto errors = [](const SweepPoint& point) { return !point.errors.empty(); };
  const auto doubts = [](const SweepPoint& point) { return !point.doubts.empty(); };
  const auto count = [&](auto test) {
    return std::count_if(plan.points.begin(), plan.points.end(), test);
  };
  const bool unsettled = count(errors) > 0 || (count(doubts) > 0 && !arguments.keep_doubtful);
  if (unsettled && !arguments.drop_invalid) {
    const char* const keep =
        count(doubts) > 0 ? ", --keep-doubtful runs those with warnings all the same" : "";
    std::fprintf(stderr, "nothing was run: --drop-invalid leaves these points out%s\n", keep);
    exit_code = kBadInput;
    return false;
  }
  std::erase_if(plan.points, [&](const SweepPoint& point) {
    return errors(point) || (doubts(point) && !arguments.keep_doubtful);
  });
  if (plan.points.size() < size) {
    std::fprintf(stderr, "%zu of %zu points are left out\n", size - plan.points.size(), size);
  }
  if (!plan.points.empty()) return true;
  complain("no point is left to run");
  exit_code = kBadInput;
  return false;
}

void print_plan(const SweepPlan& plan, const SweepArguments& arguments) {
  double cpu = 0;
  for (const SweepPoint& point : plan.points) {
    cpu += point.cpu_seconds * static_cast<double>(arguments.seeds);
  }
  std::printf("%s %s, %lld %s each: about %s of processor time\n",
              count_text(static_cast<std::int64_t>(plan.points.size())).c_str(),
              plan.points.size() == 1 ? "point" : "points", static_cast<long long>(arguments.seeds),
              arguments.seeds == 1 ? "seed" : "seeds", duration_text(cpu).c_str());
  std::fflush(stdout);
}

void print_outcome(const SweepOutcome& outcome) {
  std::string text = std::to_string(outcome.done) + " of " + std::to_string(outcome.total) +
                     " runs done in " + duration_text(outcome.wall_seconds);
  text +=
      " with " + std::to_string(outcome.workers) + (outcome.workers == 1 ? " worker" : " workers");
  if (outcome.found > 0) text += ", " + std::to_string(outcome.found) + " were there already";
  if (outcome.spared > 0) {
    text += ", " + std::to_string(outcome.spared) + " seeds were not needed";
  }
  if (outcome.failed > 0) text += ", " + std::to_string(outcome.failed) + " failed";
  std::printf("%s\n", text.c_str());
  if (outcome.missing == 0) return;
  std::printf("missing, because %s: %zu runs:",
              outcome.out_of_time ? "the time was up" : "the sweep was stopped", outcome.missing);
  for (const std::string& point : outcome.missing_points) std::printf("\n  %s", point.c_str());
  if (outcome.missing > outcome.missing_points.size()) std::printf("\n  ...");
  std::printf("\n--resume runs them\n");
}

void print_failures(const SweepData& data) {
  std::size_t shown = 0;
  for (const SweepRow& row : data.rows) {
    if (has_figures(row) || shown++ >= 5) continue;
    std::fprintf(stderr, "failed: seed %llu, %s: %s\n", static_cast<unsigned long long>(row.seed),
                 row.hash.c_str(), row.message.c_str());
  }
}

/// points.csv of all rows that lie in the folder. False where it can't be had.
bool write_points(const SweepArguments& arguments) {
  const SweepData data = read_sweep(arguments.out);
  print_problems(data.problems);
  if (has_errors(data.problems)) return false;
  print_failures(data);
  const auto points = std::filesystem::path(arguments.out) / "points.csv";
  const std::string problem =
      write_text_file(points, points_csv(data.columns, summarise(data.rows)));
  if (!problem.empty()) complain(problem);
  if (problem.empty() && !arguments.quiet) {
    std::printf("\nrows: %s; see them with: spineleaf pareto %s\n", points.c_str(),
                arguments.out.c_str());
  }
  return problem.empty();
}

std::string eta_text(const SweepProgress& progress) {
  std::string text =
      "sweep: " + std::to_string(progress.done) + " of " + std::to_string(progress.total) + " runs";
  if (progress.failed > 0) text += ", " + std::to_string(progress.failed) + " failed";
  if (progress.eta_seconds >= 0) text += ", " + duration_text(progress.eta_seconds) + " left";
  return text;
}

int run_plan(const SweepPlan& plan, const SweepArguments& arguments, SweepOptions& options) {
  SweepLog log;
  if (const std::string problem = log.open(arguments.out, plan, arguments.resume);
      !problem.empty()) {
    complain("--out: " + problem);
    return problem.find("--resume") != std::string::npos ? kBadInput : 1;
  }
  SweepOutcome outcome;
  {
    ProgressLine line(arguments.quiet);
    if (line.shown()) {
      options.progress = [&line](const SweepProgress& now) { line.show(eta_text(now)); };
    }
    outcome = run_sweep(plan, log, options);
  }
  if (!outcome.problem.empty()) complain(outcome.problem);
  if (!arguments.quiet) print_outcome(outcome);
  const bool written = write_points(arguments) && outcome.problem.empty();
  if (!written || outcome.failed > 0) return 1;
  if (outcome.missing == 0) return 0;
  return outcome.out_of_time ? kOverBudget : 1;
}

void run(const SweepArguments& arguments, int& exit_code) {
  SweepOptions options;
  std::vector<InputProblem> problems;
  SweepInput input;
  input.file = find_scenario(arguments.scenario.scenario);
  input.overrides = read_overrides(arguments.scenario.sets, problems);
  input.grid = arguments.grid;
  input.seeds = arguments.seeds;
  FileText file = read_file(input.file);
  input.text = std::move(file.text);
  problems.insert(problems.end(), file.problems.begin(), file.problems.end());
  print_problems(problems);
  print_shipped(arguments.scenario.scenario);
  exit_code = kBadInput;
  if (!read_options(arguments, options) || !problems.empty()) return;
  watch_interrupts();
  SweepPlan plan;
  {
    ProgressLine line(arguments.quiet);
    std::atomic<std::size_t> told{0};
    const auto checked = [&](std::size_t done, std::size_t total) {
      if (line.shown() && done % 100 == 0 && told.exchange(done) < done) {
        line.show("checking: " + std::to_string(done) + " of " + std::to_string(total) + " points");
      }
    };
    plan = plan_sweep(std::move(input), checked, &interrupted());
  }
  print_problems(plan.problems);
  if (!plan.problems.empty()) return;
  exit_code = 0;
  if (interrupted().load()) {
    exit_code = 1;
    return complain("stopped before anything was run");
  }
  if (!settle_invalid(plan, arguments, exit_code)) return;
  if (!arguments.quiet) print_plan(plan, arguments);
  if (arguments.dry_run) return;
  if (arguments.out.empty()) {
    exit_code = kBadInput;
    return complain("--out DIR is needed: rows are kept there as runs end");
  }
  exit_code = run_plan(plan, arguments, options);
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "sweep", "Run a scenario over a grid of values, in parallel; a stopped sweep can go on");
  verb->group(kRunGroup);
  const auto arguments = std::make_shared<SweepArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option("--grid", arguments->grid,
                   "An axis: KEY=a,b,c or KEY=a:b:log5 (lin5), or KEY=x2,x4 times the axis before")
      ->type_name("KEY=VALUES");
  verb->add_option("--seeds", arguments->seeds, "Runs per point (1 to 1000), each with its seed")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  verb->add_option("--workers", arguments->workers,
                   "Runs at a time; auto = one per core, fewer where memory is short")
      ->type_name("N|auto");
  verb->add_option("--out", arguments->out, "Keep rows and tables here")->type_name("DIR");
  verb->add_flag("--resume", arguments->resume, "Go on with what lies in the folder");
  verb->add_flag("--retry-failed", arguments->retry_failed, "Run failed points again");
  verb->add_option("--budget", arguments->budget,
                   "Wall-clock time, such as 90s, 30min, 2h; what is not done by then is named")
      ->type_name("TIME");
  verb->add_option("--until", arguments->until,
                   "No more seeds for a point once the 95 % interval of this figure is within "
                   "this share of its mean")
      ->type_name("FIGURE=SHARE");
  verb->add_flag("--drop-invalid", arguments->drop_invalid, "Leave out points that can't be run");
  verb->add_flag("--keep-doubtful", arguments->keep_doubtful,
                 "Run points with a warning about a swept key");
  verb->add_flag("--dry-run", arguments->dry_run, "Check and estimate only");
  verb->add_flag("--quiet", arguments->quiet, "Print nothing but problems");
  examples(*verb, {"sweep incast-dcqcn-paper --grid kmin=5KB:80KB:log3 kmax=x4 "
                   "pmax=1%,10% --out out/ecn",
                   "sweep incast-dcqcn-paper --grid senders=4,8 --seeds 4 "
                   "--until fct_p99_us=5% --out out/senders"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
