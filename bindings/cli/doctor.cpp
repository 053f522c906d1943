// spineleaf doctor: what is wrong with a node or a job, by what its tools print. spineleaf import
// measurements: the same files as one.

#include <cstdio>
#include <memory>
#include <string>

#include "bindings/cli/measurement_verbs.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/output/write.hpp"
#include "validation/doctor/doctor.hpp"

namespace spineleaf::cli {

namespace {

/// False, and said, where nothing could be read.
bool shown_problems(const Collection& collection, int& exit_code) {
  for (const InputProblem& problem : collection.problems) {
    std::fprintf(stderr, "%s\n", to_string(problem).c_str());
  }
  if (has_errors(collection.problems)) exit_code = kBadInput;
  return !collection.files.empty();
}

void list_files(const Collection& collection) {
  for (const Collection::File& file : collection.files) {
    std::fprintf(stderr, "%s: %s\n", file.name.c_str(),
                 file.format.empty() ? "not known, left out" : file.format.c_str());
  }
}

}  // namespace

void add_import_measurements(CLI::App& import, int& exit_code) {
  CLI::App* verb = import.add_subcommand(
      "measurements", "What tools printed about nodes and jobs, as one file without names");
  const auto folder = std::make_shared<std::string>();
  const auto out = std::make_shared<std::string>();
  verb->add_option("folder", *folder, "Folder, or one file")->required()->type_name("DIR");
  verb->add_option("-o,--out", *out, "Write the JSON here")->type_name("FILE");
  examples(*verb, {"import measurements validation/data/examples -o out/meas.json"});
  verb->callback([folder, out, &exit_code] {
    const Collection collection = read_collection(*folder);
    list_files(collection);
    if (!shown_problems(collection, exit_code)) return;
    const std::string text = collection_json(collection);
    if (out->empty()) {
      std::fputs(text.c_str(), stdout);
    } else if (const std::string problem = write_text_file(*out, text); !problem.empty()) {
      std::fprintf(stderr, "%s\n", problem.c_str());
      exit_code = 1;
    }
  });
}

void add_doctor(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "doctor", "What is wrong, by what the tools of a node or a job print: checks and causes");
  verb->group(kMeasureGroup);
  const auto folder = std::make_shared<std::string>();
  const auto expect = std::make_shared<std::string>();
  verb->add_option("folder", *folder, "Folder of outputs of tools, or one file")
      ->required()
      ->type_name("DIR");
  verb->add_option("--expect", *expect,
                   "Node, NICs and nodes for sweeps that don't tell: hgx-h100:8x400:4n")
      ->type_name("NODE:NICS:Nn");
  examples(*verb, {"doctor validation/data/nccl/sweeps/h100-2n-ib-290.csv",
                   "doctor validation/data/examples --expect hgx-h100:8x400:2n"});
  verb->footer(
      verb->get_footer() +
      "\n\nExit codes: 0 whatever is found; 2 where a file can't be read. Lines begin with "
      "! for an alarm, . for what looks wrong and is not, ? for what is not told.");
  verb->callback([folder, expect, &exit_code] {
    const Collection collection = read_collection(*folder);
    if (!shown_problems(collection, exit_code)) return;
    const Diagnosis diagnosis = diagnose(collection, *expect);
    if (!diagnosis.problem.empty()) {
      std::fprintf(stderr, "%s\n", diagnosis.problem.c_str());
      exit_code = kBadInput;
      return;
    }
    std::fputs(diagnosis_text(diagnosis).c_str(), stdout);
  });
}

}  // namespace spineleaf::cli
