// spineleaf bench: packet-hops per second of this build on this machine.

#include "validation/bench/bench.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/interrupt.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/problems.hpp"

namespace spineleaf::cli {

namespace {

struct BenchArguments {
  BenchOptions options;
  std::vector<std::uint32_t> hosts;
  bool serial_only = false;
  bool list = false;
  bool json = false;
};

void print_list() {
  for (const BenchCase& bench : bench_cases()) {
    std::printf("%-16s %-5s %s\n", std::string{bench.name}.c_str(),
                std::string{bench.model}.c_str(), std::string{bench.text}.c_str());
  }
}

void run(const BenchArguments& arguments, int& exit_code) {
  if (arguments.list) return print_list();
  std::vector<std::string_view> names;
  for (const BenchCase& bench : bench_cases()) names.push_back(bench.name);
  const std::string& wanted = arguments.options.name;
  const bool known = std::find(names.begin(), names.end(), wanted) != names.end();
  if (!wanted.empty() && !known) {
    std::fprintf(stderr, "--case: there is no case %s; expected %s. %s\n",
                 in_quotes(wanted).c_str(), one_of(names).c_str(),
                 did_you_mean(wanted, names).c_str());
    exit_code = kBadInput;
    return;
  }
  std::vector<BenchRow> rows;
  bool cut_short = false;
  watch_interrupts();
  if (!arguments.json) std::printf("%s", bench_heading().c_str());
  for (const std::string_view name : names) {
    if (!wanted.empty() && name != wanted) continue;
    for (const std::uint32_t hosts : arguments.hosts) {
      cut_short = cut_short || interrupted();
      if (cut_short) break;  // the row that was under way is complete
      BenchOptions options = arguments.options;
      options.name = name;
      options.hosts = hosts;
      options.compare = !arguments.serial_only && !options.reference && options.threads == 1;
      rows.push_back(run_bench(options));
      if (!arguments.json) std::printf("%s", bench_line(rows.back()).c_str());
      std::fflush(stdout);
      if (rows.back().error.empty()) continue;
      std::fprintf(stderr, "%s at %u hosts: %s\n", options.name.c_str(), hosts,
                   rows.back().error.c_str());
      exit_code = 1;
    }
  }
  if (cut_short) {
    std::fprintf(stderr, "INCOMPLETE: interrupted; these are the rows that were finished\n");
    exit_code = 1;
  }
  std::printf("%s", (arguments.json ? bench_json(rows) : bench_footing()).c_str());
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "bench", "Speed of this build on this machine, in packet-hops per processor second");
  verb->group(kMeasureGroup);
  const auto arguments = std::make_shared<BenchArguments>();
  arguments->hosts = {128};
  verb->add_option("--case", arguments->options.name, "One case only (see --list)")
      ->type_name("NAME");
  verb->add_option("--hosts", arguments->hosts, "Sizes of the fabric; default 128")
      ->type_name("N")
      ->delimiter(',')
      ->check(CLI::Range(16, 524'288).description(""));
  verb->add_option("--bytes", arguments->options.bytes, "Bytes per host instead of the case's own")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  verb->add_option("--threads", arguments->options.threads, "Threads; default 1")->type_name("N");
  verb->add_option("--repeat", arguments->options.repeat,
                   "Runs, of which the best counts; default 3")
      ->type_name("N");
  verb->add_flag("--reference", arguments->options.reference,
                 "Use the reference executor: one global queue, one event at a time");
  verb->add_flag("--serial-only", arguments->serial_only,
                 "Do not also time the reference executor and two threads");
  verb->add_flag("--list", arguments->list, "List the cases");
  verb->add_flag("--json", arguments->json, "Print rows as a JSON array");
  examples(*verb, {"bench --list", "bench --case roce --hosts 64,128",
                   "bench --case roce --hosts 64 --reference"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
