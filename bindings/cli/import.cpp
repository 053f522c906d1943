// spineleaf import: configurations of other programs as scenarios. spineleaf lint: what is wrong
// with them.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/measurement_verbs.hpp"
#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/terminal.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/import/hpcc.hpp"
#include "scenarios/import/htsim.hpp"
#include "scenarios/import/mlxconfig.hpp"
#include "scenarios/import/sonic.hpp"
#include "scenarios/input/csv_table.hpp"
#include "scenarios/lock.hpp"
#include "scenarios/output/write.hpp"

namespace spineleaf::cli {

namespace {

struct SonicArguments {
  std::vector<std::string> files;
  std::string lldp;
  std::string lookup;
  std::int64_t roce_dscp = 26;
  std::int64_t cnp_dscp = 48;
  std::string out;

  void add_to(CLI::App& verb) {
    verb.add_option("files", files, "config_db.json of each switch")->required()->type_name("FILE");
    verb.add_option("--lldp", lldp, "Neighbours by device and port, over DEVICE_NEIGHBOR")
        ->type_name("FILE");
    verb.add_option("--pg-lookup", lookup, "pg_profile_lookup.ini of the platform")
        ->type_name("FILE");
    const auto add_dscp = [&](const char* name, std::int64_t& value, const char* text) {
      verb.add_option(name, value, text)
          ->type_name("N")
          ->check(CLI::Range(0, 63).description(""))
          ->capture_default_str();
    };
    add_dscp("--roce-dscp", roce_dscp, "DSCP of RoCE data");
    add_dscp("--cnp-dscp", cnp_dscp, "DSCP of CNPs");
  }
};

NamedText read(const std::string& path, std::vector<InputProblem>& problems) {
  if (path.empty()) return {};
  FileText file = read_file(path);
  problems.insert(problems.end(), file.problems.begin(), file.problems.end());
  return {path, std::move(file.text)};
}

/// Nothing, and said, where a file can't be used.
std::optional<SonicFabric> load_sonic(const SonicArguments& arguments, int& exit_code) {
  std::vector<InputProblem> problems;
  std::vector<NamedText> configs;
  for (const std::string& file : arguments.files) configs.push_back(read(file, problems));
  const NamedText lldp = read(arguments.lldp, problems);
  const NamedText lookup = read(arguments.lookup, problems);
  SonicFabric fabric;
  if (problems.empty()) fabric = read_sonic(configs, lldp, lookup, problems);
  fabric.roce_dscp = arguments.roce_dscp;
  fabric.cnp_dscp = arguments.cnp_dscp;
  print_problems(problems);
  if (!has_errors(problems)) return fabric;
  exit_code = kBadInput;
  return std::nullopt;
}

/// To a file, or to standard output without one. Returns the exit code.
int write_scenario(const std::string& text, const std::string& out) {
  if (out.empty()) {
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  if (const std::string problem = write_text_file(out, text); !problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    return 1;
  }
  std::printf("scenario: %s; run it with: spineleaf run %s\n", out.c_str(), out.c_str());
  return 0;
}

void import_sonic(const SonicArguments& arguments, int& exit_code) {
  const auto fabric = load_sonic(arguments, exit_code);
  if (!fabric) return;
  std::vector<std::string> notes;
  const std::string text = sonic_scenario(*fabric, notes);
  for (const std::string& note : notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  const std::vector<InputProblem> findings = lint_sonic(*fabric);
  if (!findings.empty()) {
    std::fprintf(stderr, "%zu findings about the configuration: see `spineleaf lint`\n",
                 findings.size());
  }
  exit_code = write_scenario(text, arguments.out);
}

struct HpccArguments {
  std::string topology, flow, config, trace, out;
};

void import_hpcc(const HpccArguments& arguments, int& exit_code) {
  std::vector<InputProblem> problems;
  const NamedText topology = read(arguments.topology, problems);
  const NamedText flow = read(arguments.flow, problems);
  const NamedText config = read(arguments.config, problems);
  const NamedText trace = read(arguments.trace, problems);
  std::string text;
  if (problems.empty()) {
    const HpccSet set = read_hpcc(topology, flow, config, trace, problems);
    if (!has_errors(problems)) text = hpcc_scenario(set, arguments.config, problems);
  }
  print_problems(problems);
  exit_code = has_errors(problems) ? kBadInput : write_scenario(text, arguments.out);
}

struct HtsimArguments {
  std::string tree, matrix, out;
};

void import_htsim(const HtsimArguments& arguments, int& exit_code) {
  std::vector<InputProblem> problems;
  const NamedText tree_text = read(arguments.tree, problems);
  const NamedText matrix_text = read(arguments.matrix, problems);
  std::string text;
  if (problems.empty()) {
    const HtsimTree tree = read_htsim_tree(tree_text, problems);
    const HtsimMatrix matrix = read_htsim_matrix(matrix_text, problems);
    if (!has_errors(problems)) text = htsim_scenario(tree, matrix, arguments.matrix, problems);
  }
  print_problems(problems);
  exit_code = has_errors(problems) ? kBadInput : write_scenario(text, arguments.out);
}

struct MlxconfigArguments {
  std::string dump, scenario = "quickstart-incast-roce", out;
  int port = 1;
};

void import_mlxconfig(const MlxconfigArguments& arguments, int& exit_code) {
  std::vector<InputProblem> problems;
  const NamedText dump = read(arguments.dump, problems);
  ReadOptions options;
  if (problems.empty()) options.overrides = read_mlxconfig(dump, arguments.port, problems);
  ValidateResult result;
  if (!has_errors(problems)) {
    result = read_scenario_file(find_scenario(arguments.scenario), options);
    problems.insert(problems.end(), result.problems.begin(), result.problems.end());
  }
  print_problems(problems);
  const bool usable = !has_errors(problems) && result.spec.has_value();
  exit_code = usable ? write_scenario(lock_text(*result.spec), arguments.out) : kBadInput;
}

void lint(const SonicArguments& arguments, int& exit_code) {
  const auto fabric = load_sonic(arguments, exit_code);
  if (!fabric) return;
  const std::vector<InputProblem> findings = lint_sonic(*fabric);
  for (const InputProblem& finding : findings) {
    std::printf("%s\n", coloured(stdout, Colour::Yellow, to_string(finding)).c_str());
  }
  std::printf("%zu switches, %zu findings\n", fabric->devices.size(), findings.size());
  if (!findings.empty()) exit_code = 3;
}

}  // namespace

void add_import(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("import", "Configurations of other programs as scenarios");
  verb->group(kConvertGroup);
  verb->require_subcommand(1);
  CLI::App* sonic = verb->add_subcommand("sonic", "SONiC switches: config_db.json");
  const auto arguments = std::make_shared<SonicArguments>();
  arguments->add_to(*sonic);
  sonic->add_option("-o,--out", arguments->out, "Write the scenario here")->type_name("FILE");
  const char* const example =
      "import sonic scenarios/samples/sonic/new-style/*/config_db.json --pg-lookup "
      "scenarios/samples/sonic/pg_profile_lookup.ini -o out/fabric.json";
  examples(*sonic, {example});
  CLI::App* hpcc = verb->add_subcommand("hpcc", "HPCC ns-3 or ConWeave: topology, flows, config");
  const auto set = std::make_shared<HpccArguments>();
  const auto add = [&](const char* name, std::string& value, const char* text) {
    return hpcc->add_option(name, value, text)->type_name("FILE");
  };
  add("--topology", set->topology, "topology.txt")->required();
  add("--flow", set->flow, "flow.txt")->required();
  add("--config", set->config, "config.txt");
  add("--trace", set->trace, "trace.txt: checked, not used");
  add("-o,--out", set->out, "Write the scenario here");
  const char* const hpcc_example =
      "import hpcc --topology scenarios/samples/hpcc/star5/topology.txt --flow "
      "scenarios/samples/hpcc/star5/flow.txt --config scenarios/samples/hpcc/star5/config.txt -o "
      "out/star5.json";
  examples(*hpcc, {hpcc_example});
  hpcc->callback([set, &exit_code] { import_hpcc(*set, exit_code); });
  CLI::App* htsim = verb->add_subcommand("htsim", "htsim: a fat tree and a connection matrix");
  const auto pair = std::make_shared<HtsimArguments>();
  htsim->add_option("--topo", pair->tree, "Fat tree (.topo)")->required()->type_name("FILE");
  htsim->add_option("--cm", pair->matrix, "Connection matrix (.cm)")->required()->type_name("FILE");
  htsim->add_option("-o,--out", pair->out, "Write the scenario here")->type_name("FILE");
  const char* const htsim_example =
      "import htsim --topo scenarios/samples/htsim/topo/k4-16hosts-3tier-400g.topo --cm "
      "scenarios/samples/htsim/cm/incast-8to1-of-16.cm -o out/incast-htsim.json";
  examples(*htsim, {htsim_example});
  htsim->callback([pair, &exit_code] { import_htsim(*pair, exit_code); });
  CLI::App* mlxconfig = verb->add_subcommand(
      "mlxconfig", "ConnectX firmware: what mlxconfig query prints, over a scenario");
  const auto dump = std::make_shared<MlxconfigArguments>();
  mlxconfig->add_option("dump", dump->dump, "Output of mlxconfig -d DEVICE query")
      ->required()
      ->type_name("FILE");
  mlxconfig->add_option("--scenario", dump->scenario, "Scenario that gets its DCQCN settings")
      ->type_name("FILE")
      ->capture_default_str();
  mlxconfig->add_option("--port", dump->port, "Port of the adapter (1 to 8)")
      ->type_name("N")
      ->check(CLI::Range(1, 8).description(""))
      ->capture_default_str();
  mlxconfig->add_option("-o,--out", dump->out, "Write the scenario here")->type_name("FILE");
  const char* const mlxconfig_example =
      "import mlxconfig scenarios/samples/mlxconfig/connectx-defaults.txt -o out/connectx.json";
  examples(*mlxconfig, {mlxconfig_example});
  mlxconfig->callback([dump, &exit_code] { import_mlxconfig(*dump, exit_code); });
  add_import_measurements(*verb, exit_code);
  examples(*verb, {example, hpcc_example, htsim_example, mlxconfig_example});
  sonic->callback([arguments, &exit_code] { import_sonic(*arguments, exit_code); });
}

void add_lint(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "lint", "What in a SONiC configuration will lose packets, stall or never act");
  verb->group(kCheckGroup);
  const auto arguments = std::make_shared<SonicArguments>();
  arguments->add_to(*verb);
  examples(*verb, {"lint scenarios/samples/sonic/old-style/*/config_db.json --pg-lookup "
                   "scenarios/samples/sonic/pg_profile_lookup.ini"});
  verb->callback([arguments, &exit_code] { lint(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
