// spineleaf inspect: what measurements and logs of other tools say, a few lines each.

#include "validation/inspect.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/csv_table.hpp"

namespace spineleaf::cli {

namespace {

void run(const std::vector<std::string>& files, int& exit_code) {
  for (const std::string& file : files) {
    const FileText read = read_file(file);
    const Inspection seen =
        read.problems.empty() ? inspect(read.text, file) : Inspection{"", {}, read.problems};
    if (!seen.format.empty()) std::printf("%s: %s\n", file.c_str(), seen.format.c_str());
    for (const auto& [severity, line] : seen.lines) {
      const bool warning = severity == Severity::Warning;
      const std::string mark = warning ? coloured(stdout, Colour::Yellow, "!") : " ";
      std::printf("%s %s\n", mark.c_str(), line.c_str());
    }
    for (const InputProblem& problem : seen.problems) {
      std::fprintf(stderr, "%s\n", to_string(problem).c_str());
    }
    if (has_errors(seen.problems)) exit_code = kBadInput;
  }
}

}  // namespace

void add_inspect(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "inspect", "What outputs and logs of nccl-tests, NCCL, perftest, OSU, nvidia-smi say");
  verb->group(kMeasureGroup);
  const auto files = std::make_shared<std::vector<std::string>>();
  verb->add_option("files", *files,
                   "nccl-tests (text, JSON, CSV), NCCL_DEBUG=INFO logs, NCCL topology and graph "
                   "XML, perftest (text, JSON), OSU, nvidia-smi topo -m; what a file is, is seen "
                   "from its content")
      ->type_name("FILE")
      ->required();
  examples(*verb, {"inspect validation/data/examples/nccl-debug.log",
                   "inspect validation/data/examples/nccl-tests.txt "
                   "validation/data/nccl/sweeps/h100-2n-ibndr-b-ring.csv"});
  verb->callback([files, &exit_code] { run(*files, exit_code); });
}

}  // namespace spineleaf::cli
