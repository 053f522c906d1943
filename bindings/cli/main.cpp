// The `spineleaf` command.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/measurement_verbs.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/problems.hpp"

namespace {

/// False, and said, where the first word is to be a verb and is none.
bool known_verb(const CLI::App& app, std::string_view word) {
  std::vector<std::string_view> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return true;
  const std::string hint = spineleaf::did_you_mean(word, verbs);
  std::fprintf(stderr, "spineleaf: there is no verb %s. %s\n", spineleaf::in_quotes(word).c_str(),
               hint.empty() ? "`spineleaf --help` lists them." : hint.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace spineleaf::cli;
  CLI::App app{
      "Discrete-event, packet-level simulator of GPU-cluster fabrics.\n"
      "A scenario is a JSON file; `spineleaf explain` lists its keys. Exit codes: 0 fine or as\n"
      "expected, 1 trouble or incomplete, 2 bad input, 3 physics alarm, 4 budget exceeded."};
  app.name("spineleaf");
  app.require_subcommand(1);
  int exit_code = 0;
  add_new(app, exit_code);
  add_run(app, exit_code);
  add_quickstart(app, exit_code);
  add_whatif(app, exit_code);
  add_sweep(app, exit_code);
  add_pareto(app, exit_code);
  add_headroom(app, exit_code);
  add_lint(app, exit_code);
  add_import(app, exit_code);
  add_export(app, exit_code);
  add_topology(app, exit_code);
  add_routes(app, exit_code);
  add_check(app, exit_code);
  add_explain(app, exit_code);
  add_schema(app, exit_code);
  add_version(app, exit_code);
  add_ping(app, exit_code);
  add_probe(app, exit_code);
  add_inspect(app, exit_code);
  add_nccl_tests(app, exit_code);
  add_doctor(app, exit_code);
  add_expect(app, exit_code);
  add_calibrate(app, exit_code);
  add_validate(app, exit_code);
  add_validate_roce(app, exit_code);
  add_validate_sharp(app, exit_code);
  add_validate_infiniband(app, exit_code);
  add_claims(app, exit_code);
  add_bench(app, exit_code);
  add_completion(app, exit_code);
  add_man(app, exit_code);
  if (argc > 1 && argv[1][0] != '-' && !known_verb(app, argv[1])) return kBadInput;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help is no error; everything else on the command line is bad input.
    return app.exit(error) == 0 ? 0 : kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "spineleaf: %s\n", error.what());
    return 1;
  }
  return exit_code;
}
