// spineleaf probe: what one machine has and can do. `run` starts spineleaf-probe, which needs
// nothing of this command and may be copied to a node alone.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/verbs.hpp"
#include "scenarios/data_dir.hpp"
#include "scenarios/input/csv_table.hpp"

namespace spineleaf::cli {

namespace {

/// Beside this command, where both are built and installed together; else wherever PATH has it.
std::string probe_program() {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = own.parent_path() / "spineleaf-probe";
  return !error && std::filesystem::exists(beside, error) ? beside.string() : "spineleaf-probe";
}

/// Does not return where the probe can be started.
void run_probe(std::vector<std::string> arguments, int& exit_code) {
  const std::string program = probe_program();
  arguments.insert(arguments.begin(), program);
  std::vector<char*> line;
  for (std::string& word : arguments) line.push_back(word.data());
  line.push_back(nullptr);
  ::execvp(program.c_str(), line.data());
  std::fprintf(stderr, "can't start %s: %s; it is built beside the command\n", program.c_str(),
               std::strerror(errno));
  exit_code = 1;
}

void print_script(int& exit_code) {
  const FileText script = read_file(data_file("validation/data/probe/probe.sh"));
  for (const InputProblem& problem : script.problems) {
    std::fprintf(stderr, "%s\n", to_string(problem).c_str());
  }
  if (!script.problems.empty()) exit_code = 1;
  std::fputs(script.text.c_str(), stdout);
}

}  // namespace

void add_probe(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("probe", "What this machine has and can do, as a file");
  verb->group(kMeasureGroup);
  verb->require_subcommand(1);
  CLI::App* run = verb->add_subcommand(
      "run", "Run spineleaf-probe here; `spineleaf probe run --help` shows its options");
  run->prefix_command();
  run->set_help_flag();
  examples(*run, {"probe run --out out/n1.json"});
  run->callback([run, &exit_code] { run_probe(run->remaining(), exit_code); });
  CLI::App* script = verb->add_subcommand(
      "script", "Print a shell script that keeps the same facts as text files, to read and run");
  examples(*script, {"probe script > probe.sh"});
  script->callback([&exit_code] { print_script(exit_code); });
  examples(*verb, {"probe run --out out/n1.json", "probe script > probe.sh"});
}

}  // namespace spineleaf::cli
