// spineleaf validate sharp: aggregation in switches against its closed forms.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "bindings/cli/verbs.hpp"
#include "scenarios/output/write.hpp"
#include "validation/sharp/rows.hpp"

namespace spineleaf::cli {

namespace {

struct SharpArguments {
  std::string out;
  bool json = false;
  bool quick = false;
};

void run(const SharpArguments& arguments, int& exit_code) {
  const std::vector<ValidationRow> rows = sharp_rows(arguments.quick);
  const std::string text = arguments.json ? rows_json(rows) : rows_text(rows);
  if (!std::all_of(rows.begin(), rows.end(), [](const ValidationRow& row) { return row.pass; })) {
    exit_code = 1;
  }
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

void add_validate_sharp(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.get_subcommand("validate")
                       ->add_subcommand("sharp",
                                        "Aggregation in switches (SHARP) against closed forms of "
                                        "time, rate and bytes");
  const auto arguments = std::make_shared<SharpArguments>();
  verb->add_flag("--quick", arguments->quick, "Fewer trees and sizes");
  verb->add_flag("--json", arguments->json,
                 "Print an array of rows: id, expected, got, tolerance, pass, source");
  verb->add_option("-o,--out", arguments->out, "Write to this file instead")->type_name("FILE");
  examples(*verb, {"validate sharp --quick"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
