// spineleaf validate infiniband: credits, lanes and routing against values of independent models.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "bindings/cli/verbs.hpp"
#include "scenarios/output/write.hpp"
#include "validation/infiniband/row.hpp"

namespace spineleaf::cli {

namespace {

struct InfinibandArguments {
  std::string group;
  std::string out;
  bool json = false;
  InfinibandOptions options;
};

void run(const InfinibandArguments& arguments, int& exit_code) {
  const std::vector<ValidationRow> rows = infiniband_rows(arguments.group, arguments.options);
  const std::string text = arguments.json ? rows_json(rows) : rows_text(rows);
  const bool failed = std::any_of(rows.begin(), rows.end(), [](const ValidationRow& row) {
    return !row.pass && !row.report_only;
  });
  if (failed) exit_code = 1;
  if (arguments.out.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  const std::string problem = write_text_file(arguments.out, text);
  if (problem.empty()) return;
  std::fprintf(stderr, "%s\n", problem.c_str());
  exit_code = 1;
}

}  // namespace

void add_validate_infiniband(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.get_subcommand("validate")
                       ->add_subcommand("infiniband",
                                        "Credits, virtual lanes, credit loops and routing against "
                                        "independent models; minutes");
  const auto arguments = std::make_shared<InfinibandArguments>();
  verb->add_option("--only", arguments->group,
                   "latency, rate, ceiling, incast, deadlock, lifetime, victim, arbitration or "
                   "routing")
      ->type_name("GROUP")
      ->check(CLI::IsMember({"latency", "rate", "ceiling", "incast", "deadlock", "lifetime",
                             "victim", "arbitration", "routing"})
                  .description(""));
  verb->add_option("--seeds", arguments->options.seeds, "Seeds of a deadlock case; default 10")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  verb->add_flag("--quick", arguments->options.quick, "Shorter horizons, one seed for means");
  verb->add_flag("--json", arguments->json,
                 "Print an array of rows: id, expected, got, tolerance, pass, source");
  verb->add_option("-o,--out", arguments->out, "Write to this file instead")->type_name("FILE");
  examples(*verb, {"validate infiniband --only arbitration --quick"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
