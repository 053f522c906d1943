// spineleaf expect, calibrate and validate: NCCL as measured, and as it is predicted.

#include <cstdio>
#include <memory>
#include <string>

#include "bindings/cli/measurement_verbs.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/data_dir.hpp"
#include "scenarios/output/write.hpp"
#include "validation/nccl/expect.hpp"
#include "validation/nccl/study.hpp"

namespace spineleaf::cli {

namespace {

struct StudyArguments {
  std::string folder;
  std::string out;
  bool json = false;
  StudyOptions options;
};

/// The study, or nothing where its data can't be read; problems are shown.
bool shown_problems(const Study& study, int& exit_code) {
  for (const InputProblem& problem : study.problems) {
    std::fprintf(stderr, "%s\n", to_string(problem).c_str());
  }
  if (has_errors(study.problems)) exit_code = kBadInput;
  return study.sets.empty();
}

void write_or_print(const std::string& out, const std::string& text, int& exit_code) {
  if (out.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  const std::string problem = write_text_file(out, text);
  if (problem.empty()) return;
  std::fprintf(stderr, "%s\n", problem.c_str());
  exit_code = 1;
}

Study study_of(StudyArguments& arguments) {
  if (arguments.folder.empty()) arguments.folder = data_file("validation/data/nccl");
  return run_study(arguments.folder, arguments.options);
}

void add_study_options(CLI::App& verb, StudyArguments& arguments) {
  verb.add_flag("--multinode", arguments.options.multinode,
                "Fit the sets calibrate-multinode too: one measurement of 4 nodes or more of a "
                "site is known");
  verb.add_option("--starts", arguments.options.starts,
                  "Starts of the fit, the first from the priors; default 1, of calibrate 3")
      ->type_name("N")
      ->check(CLI::Range(1, 100));
}

}  // namespace

void add_expect(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "expect", "Bandwidth that a healthy cluster shows in nccl-tests, by size and algorithm");
  verb->group(kMeasureGroup);
  const auto query = std::make_shared<ExpectQuery>();
  verb->add_option("--node", query->node,
                   "Server: one of the node presets that explain lists; default hgx-h100")
      ->type_name("NAME");
  verb->add_option("--nics", query->nics,
                   "NICs of a server, such as 8x400 or 6x400,2x324; default the node's")
      ->type_name("NxGBPS");
  verb->add_option("--nodes", query->nodes, "Servers; default 2")->type_name("N");
  verb->add_option("--collective", query->collective, "As in nccl-tests; default all_reduce")
      ->type_name("NAME");
  verb->add_option("--network", query->network, "IB, RoCE, CXI, ...; default IB")
      ->type_name("NAME");
  verb->add_option("--nccl", query->nccl, "Version; default 2.26.2")->type_name("VERSION");
  verb->add_option("--env", query->flags, "NCCL variables, such as \"NCCL_ALGO=Ring\"")
      ->type_name("VARS");
  examples(*verb, {"expect --node hgx-h100 --nics 8x400 --nodes 4",
                   "expect --node hgx-b200 --nodes 2 --collective all_gather --nccl 2.30.4"});
  verb->callback([query, &exit_code] {
    const Expectation answer = expect(*query);
    if (!answer.problem.empty()) {
      std::fprintf(stderr, "%s\n", answer.problem.c_str());
      exit_code = kBadInput;
      return;
    }
    std::fputs(expectation_text(*query, answer).c_str(), stdout);
  });
}

void add_calibrate(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "calibrate", "Fit costs on measurements: of GPUs, networks and NCCL, or of a scenario");
  verb->group(kMeasureGroup);
  const auto arguments = std::make_shared<StudyArguments>();
  const auto own = std::make_shared<ScenarioCalibration>();
  arguments->options.starts = 3;
  verb->add_option("--meas", arguments->folder,
                   "Folder with sets.json and sweeps; its sets calibrate are fitted together with "
                   "the shipped ones, which are the default. With --scenario: meas.json, a file of "
                   "spineleaf-probe, or a folder of what tools printed")
      ->type_name("PATH");
  CLI::Option* scenario =
      verb->add_option("--scenario", own->scenario,
                       "Put what the measurements fix into this scenario, a file or a shipped one")
          ->type_name("SCENARIO")
          ->needs("--meas");
  verb->add_option("--expect", own->expect,
                   "Node, NICs and nodes for sweeps that don't tell: hgx-h100:8x400:4n")
      ->type_name("NODE:NICS:Nn")
      ->needs(scenario);
  verb->add_option("-o,--out", arguments->out,
                   "Write the costs as JSON, or the calibrated scenario, to this file")
      ->type_name("FILE");
  add_study_options(*verb, *arguments);
  examples(*verb, {"calibrate --meas validation/data/nccl --out out/costs.json",
                   "calibrate --meas validation/data/examples/verbs --scenario "
                   "quickstart-ring-ndr -o out/mine.cal.json"});
  verb->callback([arguments, own, &exit_code] {
    if (!own->scenario.empty()) {
      own->measurements = arguments->folder;
      own->out = arguments->out;
      calibrate_scenario(*own, exit_code);
      return;
    }
    const Study study = study_of(*arguments);
    if (shown_problems(study, exit_code)) return;
    std::fputs(calibration_text(study.calibration).c_str(), stdout);
    if (!arguments->out.empty()) {
      write_or_print(arguments->out, calibration_json(study.calibration), exit_code);
    }
  });
}

void add_validate(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("validate", "Predict measured sets that were not fitted; errors by size");
  verb->group(kCheckGroup);
  verb->require_subcommand(1);
  CLI::App* nccl = verb->add_subcommand("nccl", "Sweeps of nccl-tests");
  const auto arguments = std::make_shared<StudyArguments>();
  nccl->add_option("--data", arguments->folder,
                   "Folder with sets.json and sweeps; default the shipped measurements")
      ->type_name("DIR");
  nccl->add_flag("--json", arguments->json, "Print JSON: summary, baselines, by_set, costs, rows");
  nccl->add_option("-o,--out", arguments->out, "Write to this file instead")->type_name("FILE");
  add_study_options(*nccl, *arguments);
  examples(*nccl, {"validate nccl", "validate nccl --data validation/data/nccl --json"});
  examples(*verb, {"validate nccl"});
  nccl->callback([arguments, &exit_code] {
    const Study study = study_of(*arguments);
    if (shown_problems(study, exit_code)) return;
    write_or_print(arguments->out, arguments->json ? study_json(study) : study_text(study),
                   exit_code);
  });
}

}  // namespace spineleaf::cli
