// spineleaf export: ECN and DCQCN settings in the words of a switch or a NIC.

#include "scenarios/export.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/values.hpp"
#include "scenarios/output/write.hpp"
#include "scenarios/sweep/results.hpp"

namespace spineleaf::cli {

namespace {

struct ExportArguments {
  ScenarioArguments scenario;
  std::string format = "sonic";
  std::string queue_buffer;
  std::string out;
  std::int64_t point = -1;
  ExportOptions options;
};

/// The scenario named, or point `--point` of the sweep in the folder named.
std::optional<ValidSpec> scenario_of(const ExportArguments& arguments, int& exit_code) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(arguments.scenario.scenario, ignored);
  if (!folder && arguments.point < 0) return load(arguments.scenario, false, exit_code);
  exit_code = kBadInput;
  const SweepData data = read_sweep(arguments.scenario.scenario);
  print_problems(data.problems);
  if (has_errors(data.problems)) return std::nullopt;
  const std::vector<PointSummary> points = summarise(data.rows);
  if (arguments.point < 0 || arguments.point >= static_cast<std::int64_t>(points.size())) {
    std::fprintf(stderr, "--point: expected 0 to %zu, as column \"point\" of points.csv counts\n",
                 points.empty() ? 0 : points.size() - 1);
    return std::nullopt;
  }
  ValidateResult read = sweep_scenario(arguments.scenario.scenario, data,
                                       points[static_cast<std::size_t>(arguments.point)]);
  print_problems(read.problems);
  if (read.spec) exit_code = 0;
  return std::move(read.spec);
}

void run(const ExportArguments& arguments, int& exit_code) {
  const auto format = find_export_format(arguments.format);
  ExportOptions options = arguments.options;
  if (!arguments.queue_buffer.empty()) {
    ParamDecl decl;
    decl.unit = Unit::Bytes;
    decl.min = 1;
    decl.max = 1e12;
    JsonNode node;
    node.kind = JsonNode::Kind::String;
    node.text = arguments.queue_buffer;
    ParamValue value;
    if (const auto error = read_value(decl, node, value)) {
      std::fprintf(stderr, "--queue-buffer: %s; expected %s\n", error->what.c_str(),
                   error->expected.c_str());
      exit_code = kBadInput;
      return;
    }
    options.queue_bytes = value.integer;
  }
  const auto spec = scenario_of(arguments, exit_code);
  if (!spec || !format) return;
  const Exported exported = export_settings(spec->models, *format, options);
  for (const std::string& warning : exported.warnings) {
    std::fprintf(stderr, "note: %s\n", warning.c_str());
  }
  if (!exported.problem.empty()) {
    std::fprintf(stderr, "%s\n", exported.problem.c_str());
    exit_code = kBadInput;
  } else if (arguments.out.empty()) {
    std::fputs(exported.text.c_str(), stdout);
  } else if (const std::string problem = write_text_file(arguments.out, exported.text);
             !problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    exit_code = 1;
  }
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "export", "ECN and DCQCN settings of a scenario or of a sweep's point, for a device");
  verb->group(kConvertGroup);
  const auto arguments = std::make_shared<ExportArguments>();
  arguments->scenario.add_to(*verb);
  verb->add_option("--point", arguments->point,
                   "FILE is the folder of a sweep; this point of its points.csv")
      ->type_name("N");
  verb->add_option("--format", arguments->format, "sonic, nvue, junos, arista or mlxconfig")
      ->type_name("NAME")
      ->check(CLI::IsMember({"sonic", "nvue", "junos", "arista", "mlxconfig"}).description(""));
  ExportOptions& options = arguments->options;
  verb->add_option("--profile", options.profile, "Name of the profile that is written")
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--traffic-class", options.traffic_class, "RoCE's traffic class and queue")
      ->type_name("N")
      ->check(CLI::Range(0, 7).description(""))
      ->capture_default_str();
  verb->add_option("--queue-buffer", arguments->queue_buffer,
                   "Junos: the queue's buffer, of which thresholds are percentages")
      ->type_name("SIZE");
  verb->add_option("--out", arguments->out, "Write here in place of standard output")
      ->type_name("FILE");
  examples(*verb, {"export ecn-incast-16 --format sonic",
                   "export ecn-incast-16 --set ecn.kmin=150KB --set ecn.kmax=1500KB --format junos "
                   "--queue-buffer 4MB"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
