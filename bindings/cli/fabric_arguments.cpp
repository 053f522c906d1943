#include "bindings/cli/fabric_arguments.hpp"

#include <cstdio>
#include <filesystem>

#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/csv_table.hpp"
#include "topologies/readers/subnet_reader.hpp"

namespace spineleaf::cli {

namespace {

/// A file that is no scenario: those are JSON, perhaps with a comment at the top.
bool is_dump(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const FileText read = read_file(path);
  if (!read.problems.empty()) return false;
  const std::size_t first = read.text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first == std::string::npos || (read.text[first] != '{' && read.text[first] != '/') ||
         recognise_subnet(read.text) != nullptr;
}

}  // namespace

void FabricArguments::add_to(CLI::App& verb) {
  verb.add_option("fabric", scenario.scenario,
                  "A dump of ibnetdiscover (plain or -p), the input of ibsim, opensm-subnet.lst; "
                  "or a scenario: file or shipped name")
      ->required()
      ->type_name("FILE");
  verb.add_option("--set", scenario.sets, "Set a key of the scenario; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_flag("--adapters-apart", adapters_apart,
                "In a dump: make every adapter a host, also where names say they share a server");
}

std::optional<std::string> load_text(const std::string& path, int& exit_code) {
  FileText read = read_file(path);
  if (read.problems.empty()) return std::move(read.text);
  print_problems(read.problems);
  exit_code = kBadInput;
  return std::nullopt;
}

int print_problems(std::FILE* stream, const std::vector<Problem>& problems) {
  int errors = 0;
  for (const Problem& problem : problems) {
    const bool error = problem.severity == Severity::Error;
    errors += error ? 1 : 0;
    const char* const word = error                                   ? "error"
                             : problem.severity == Severity::Warning ? "warning"
                                                                     : "note";
    const std::string line = std::string{word} + ": " + to_string(problem);
    const bool note = problem.severity == Severity::Note;
    const Colour colour = error ? Colour::Red : Colour::Yellow;
    std::fprintf(stream, "%s\n", note ? line.c_str() : coloured(stream, colour, line).c_str());
  }
  return errors;
}

std::optional<LoadedFabric> load_fabric(const FabricArguments& arguments, int& exit_code) {
  if (is_dump(arguments.scenario.scenario)) {
    const auto text = load_text(arguments.scenario.scenario, exit_code);
    if (!text) return std::nullopt;
    ImportOptions options;
    options.group_adapters = !arguments.adapters_apart;
    SubnetRead read = read_subnet(*text, arguments.scenario.scenario, options);
    if (!arguments.scenario.sets.empty()) {
      read.problems.push_back(make_error("--set", "a dump has no keys to set"));
    }
    if (print_problems(stderr, read.problems) == 0) {
      return LoadedFabric{std::move(read.subnet), arguments.scenario.scenario};
    }
  } else {
    const auto spec = load(arguments.scenario, false, exit_code);
    if (!spec) return std::nullopt;
    MadeSubnet made = make_subnet(*spec->graph);
    return LoadedFabric{std::move(made.subnet), spec->name, std::move(made.problems)};
  }
  exit_code = kBadInput;
  return std::nullopt;
}

}  // namespace spineleaf::cli
