// spineleaf ping: idle latency between two hosts, a row per hop, both fabrics side by side.

#include "validation/ping.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"

namespace spineleaf::cli {

namespace {

struct PingArguments {
  ScenarioArguments scenario;
  std::string from;
  std::string to;
  std::int64_t bytes = 8;
  std::vector<std::string> presets{"ib-ndr", "roce-400g"};
};

void run(const PingArguments& arguments, int& exit_code) {
  std::vector<PingReport> reports;
  for (const std::string& preset : arguments.presets) {
    ScenarioArguments scenario = arguments.scenario;
    if (preset != "own") scenario.sets.push_back("preset=" + preset);
    const auto spec = load(scenario, false, exit_code);
    if (!spec) return;
    const Topology& topology = *spec->graph;
    const std::string from = arguments.from.empty() ? topology.nodes[0].name : arguments.from;
    const std::string to =
        arguments.to.empty() ? topology.nodes[topology.host_count - 1].name : arguments.to;
    reports.push_back(ping(*spec, from, to, Bytes{arguments.bytes}));
    if (!reports.back().error.empty()) {
      std::fprintf(stderr, "ping: %s\n", reports.back().error.c_str());
      exit_code = kBadInput;
      return;
    }
    if (reports.back().closed_form != reports.back().simulated) exit_code = 3;
  }
  std::fputs(ping_table(reports).c_str(), stdout);
}

}  // namespace

void add_ping(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("ping", "Idle latency between two hosts, a row per hop, on both fabrics");
  verb->group(kMeasureGroup);
  const auto arguments = std::make_shared<PingArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option("--from", arguments->from, "Sending host; default the first")->type_name("HOST");
  verb->add_option("--to", arguments->to, "Receiving host; default the last")->type_name("HOST");
  verb->add_option("--bytes", arguments->bytes, "Payload of the message, one packet; default 8")
      ->type_name("N");
  verb->add_option("--preset", arguments->presets,
                   "Presets to compare, default ib-ndr,roce-400g; own = the scenario as it is")
      ->type_name("NAME")
      ->delimiter(',');
  examples(*verb, {"ping quickstart-permutation-ndr",
                   "ping dual-tor --from host0 --to host9 --preset own"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
