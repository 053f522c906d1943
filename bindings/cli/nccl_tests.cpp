// spineleaf nccl-tests: the user's own command line on a simulated fabric.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bindings/cli/interrupt.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/output/console.hpp"
#include "scenarios/output/text.hpp"
#include "validation/nccl/simulate.hpp"
#include "validation/readers/nccl_tests.hpp"

namespace spineleaf::cli {

namespace {

struct NcclTestsArguments {
  ScenarioArguments scenario;
  std::vector<std::string> command;
  std::string compare;
  unsigned threads = 1;
  SimulateQuery query;
};

/// The run in the log that is of the same collective; false, and said, where there is none.
bool add_measured(const std::string& file, const std::string& collective, CurveSet& curves) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "--compare: %s can't be read\n", file.c_str());
    return false;
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const NcclTestsResult read = read_nccl_tests(text, file);
  print_problems(read.problems);
  if (has_errors(read.problems)) return false;
  for (const NcclTestsRun& run : read.runs) {
    if (!run.collective.empty() && run.collective != collective) continue;
    Curve curve;
    curve.label = "measured";
    curve.measured = true;
    curve.note = file;
    for (const NcclTestsRow& row : run.rows) {
      double time = 0;
      for (const NcclTestsTiming* timing : {&row.out_of_place, &row.in_place}) {
        if (!timing->present || timing->time_us <= 0) continue;
        time = time > 0 ? std::min(time, timing->time_us) : timing->time_us;
      }
      if (row.bytes <= 0 || time <= 0) continue;
      if (!curve.points.empty() && curve.points.back().bytes >= row.bytes) continue;
      curve.points.push_back({row.bytes, time});
    }
    if (curve.points.empty()) continue;
    curves.curves.push_back(std::move(curve));
    return true;
  }
  std::fprintf(stderr, "--compare: %s holds no run of %s\n", file.c_str(), collective.c_str());
  return false;
}

void run(NcclTestsArguments& arguments, int& exit_code) {
  arguments.query.command = parse_nccl_tests_command(arguments.command);
  if (!arguments.query.command.problem.empty()) {
    std::fprintf(stderr, "nccl-tests: %s\n", arguments.query.command.problem.c_str());
    exit_code = kBadInput;
    return;
  }
  CurveSet measured;
  if (!arguments.compare.empty() &&
      !add_measured(arguments.compare, arguments.query.command.collective, measured)) {
    exit_code = kBadInput;
    return;
  }
  const auto spec = load(arguments.scenario, false, exit_code);
  if (!spec) return;
  watch_interrupts();
  RunOptions options;
  options.threads =
      arguments.threads > 0 ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  options.interrupt = &interrupted();
  Simulated simulated = simulate_nccl_tests(*spec, arguments.query, options,
                                            [](std::int64_t) { return !interrupted().load(); });
  if (!simulated.problem.empty()) {
    std::fprintf(stderr, "nccl-tests: %s\n", simulated.problem.c_str());
    exit_code = kBadInput;
    return;
  }
  exit_code = spineleaf::exit_code(simulated.worst);
  for (Curve& curve : measured.curves) simulated.curves.curves.push_back(std::move(curve));
  std::printf("# %s on %s, %lld ranks\n", simulated.curves.collective.c_str(), spec->name.c_str(),
              static_cast<long long>(simulated.curves.ranks));
  if (!simulated.curves.curves.empty()) {
    std::fputs(nccl_table(simulated.curves).c_str(), stdout);
  }
  std::fputs(simulated_text(simulated).c_str(), stdout);
}

}  // namespace

void add_nccl_tests(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("nccl-tests", "Your own nccl-tests command line, on a simulated fabric");
  verb->group(kMeasureGroup);
  const auto arguments = std::make_shared<NcclTestsArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option("command", arguments->command,
                   "After --: the command as you type it, launcher and all")
      ->type_name("COMMAND")
      ->required();
  verb->add_option("--compare", arguments->compare, "Output of a real run, to stand beside")
      ->type_name("LOG");
  verb->add_option(
          "--node", arguments->query.node,
          "Server, for NCCL's choice; default: the one that the scenario's presets name, else "
          "hgx-h100")
      ->type_name("NAME");
  verb->add_option("--nccl", arguments->query.nccl, "Version of NCCL; default 2.26.2")
      ->type_name("VERSION");
  verb->add_option("--threads", arguments->threads, "Threads (0 to 1024); 0 = one per core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""));
  examples(*verb,
           {"nccl-tests quickstart-ring-ndr -- mpirun -np 16 all_reduce_perf -b 1M -e 16M -f 4",
            "nccl-tests quickstart-ring-ndr -- NCCL_ALGO=Ring NCCL_PROTO=Simple "
            "all_reduce_perf -b 8M -e 8M"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
