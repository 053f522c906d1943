// spineleaf whatif: the same run with cures for deadlocks and storms as one table.

#include "scenarios/whatif.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/interrupt.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/write.hpp"

namespace spineleaf::cli {

namespace {

struct WhatIfArguments {
  ScenarioArguments scenario;
  std::string watchdog;
  std::string out;
};

const ParamTable& watchdog_section() {
  const auto tables = model_param_tables();
  return *std::find_if(tables.begin(), tables.end(),
                       [](const ParamTable& table) { return table.name == "watchdog"; });
}

/// "detection=200us,poll=100us": keys of the section "watchdog".
bool read_watchdog(const std::string& text, WatchdogParams& watchdog) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    const std::size_t equal = std::min(item.find('='), item.size());
    at = end + 1;
    const ParamDecl* decl = find_param(watchdog_section(), item.substr(0, equal));
    if (decl == nullptr) {
      std::string keys;
      for (const ParamDecl& known : watchdog_section().params) {
        keys += (keys.empty() ? "" : ", ") + std::string(known.name);
      }
      std::fprintf(stderr, "--watchdog: %s is no key; expected %s\n",
                   in_quotes(item.substr(0, equal)).c_str(), keys.c_str());
      return false;
    }
    JsonNode node;
    node.kind = JsonNode::Kind::String;
    node.text = item.substr(std::min(equal + 1, item.size()));
    ParamValue value;
    if (const auto error = read_value(*decl, node, value)) {
      std::fprintf(stderr, "--watchdog: %s: %s; expected %s\n", std::string(decl->name).c_str(),
                   error->what.c_str(), error->expected.c_str());
      return false;
    }
    decl->set(&watchdog, value);
  }
  return true;
}

void run(const WhatIfArguments& arguments, int& exit_code) {
  WhatIfOptions options;
  if (!read_watchdog(arguments.watchdog, options.watchdog)) {
    exit_code = kBadInput;
    return;
  }
  const auto spec = load(arguments.scenario, true, exit_code);
  if (!spec) return;
  const Time end = spec->run.deadline;
  if (end > Time{0} && options.watchdog.detection >= end) {
    std::fprintf(stderr, "warning: the watchdog waits %s, the run ends at %s: it can never fire\n",
                 to_text(options.watchdog.detection).c_str(), to_text(end).c_str());
  }
  watch_interrupts();
  RunOptions run_options;
  run_options.interrupt = &interrupted();
  std::vector<WhatIfVariant> variants = whatif_variants(*spec, options);
  std::vector<WhatIfRow> rows;
  for (const WhatIfVariant& variant : variants) {
    const Result result = run_world(variant.spec, run_options);
    if (interrupted().load()) break;
    if (result.verdict == Verdict::Invalid) {
      std::fprintf(stderr, "%s: %s\n", variant.name.c_str(), result.verdict_text.c_str());
      exit_code = 1;
    }
    rows.push_back(whatif_row(variant, result));
  }
  std::printf("%s\n%s", spec->name.c_str(), whatif_table(variants, rows).c_str());
  if (!arguments.out.empty()) {
    const auto file = std::filesystem::path(arguments.out) / "whatif.csv";
    const std::string problem = write_text_file(file, whatif_csv(rows));
    if (!problem.empty()) {
      std::fprintf(stderr, "%s\n", problem.c_str());
      exit_code = 1;
    }
  }
  if (interrupted().load()) exit_code = 1;
}

}  // namespace

void add_whatif(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "whatif",
      "The same run with cures for deadlocks and storms, side by side: watchdog, thresholds,\n"
      "up-down routes, more classes, rate limit, DCQCN, PFC off. \"cycle\" is the static check\n"
      "of the workload's traffic.");
  verb->group(kRunGroup);
  const auto arguments = std::make_shared<WhatIfArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option(
          "--watchdog", arguments->watchdog,
          "Keys of the watchdog's variant, such as detection=1ms,restoration=5ms,action=forward")
      ->type_name("KEY=VALUE,...");
  verb->add_option("--out", arguments->out, "Write whatif.csv here")->type_name("DIR");
  examples(*verb, {"whatif deadlock-dl1b --set run.deadline=3ms"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
