// The `spineleaf` command.

#include <cstdio>
#include <exception>

#include "bindings/cli/verbs.hpp"

int main(int argc, char** argv) {
  using namespace spineleaf::cli;
  CLI::App app{
      "Discrete-event, packet-level simulator of GPU-cluster fabrics.\n"
      "A scenario is a JSON file; `spineleaf explain` lists its keys. Exit codes: 0 fine or as\n"
      "expected, 1 trouble or incomplete, 2 bad input, 3 physics alarm, 4 budget exceeded."};
  app.name("spineleaf");
  app.require_subcommand(1);
  int exit_code = 0;
  add_run(app, exit_code);
  add_quickstart(app, exit_code);
  add_topology(app, exit_code);
  add_explain(app, exit_code);
  add_schema(app, exit_code);
  add_version(app, exit_code);
  add_ping(app, exit_code);
  add_bench(app, exit_code);
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
