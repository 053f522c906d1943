// spineleaf pareto: the points of a sweep that no other beats, as table, CSV and picture.

#include "scenarios/sweep/pareto.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/scenario_arguments.hpp"
#include "bindings/cli/verbs.hpp"
#include "scenarios/lock.hpp"
#include "scenarios/output/text.hpp"
#include "scenarios/output/write.hpp"
#include "scenarios/sweep/metrics.hpp"

namespace spineleaf::cli {

namespace {

struct ParetoArguments {
  std::string folder;
  ParetoRequest request{"max_queue_bytes", "goodput_gbps", "paused_us", {}};
  std::string out;
};

void print_front(const ParetoFront& front) {
  std::printf("%-7s %16s %16s", "point", front.x.c_str(), front.y.c_str());
  if (!front.colour.empty()) std::printf(" %16s", front.colour.c_str());
  std::printf("  axes\n");
  for (const std::size_t i : front.front) {
    const ParetoPoint& point = front.points[i];
    const bool best = front.best == i;
    std::printf("%-6zu%c %16s %16s", point.point, best ? '*' : ' ', short_text(point.x).c_str(),
                short_text(point.y).c_str());
    if (!front.colour.empty()) std::printf(" %16s", short_text(point.colour).c_str());
    std::printf("  %s%s%s\n", point.label.c_str(), point.preset.empty() ? "" : "  = ",
                point.preset.c_str());
  }
  std::printf("%zu of %zu points are on the front", front.front.size(), front.points.size());
  if (front.left_out > 0) std::printf("; %zu were left out", front.left_out);
  std::printf("; * is nearest to the best of both\n");
}

/// best.json: the scenario of the starred point, resolved.
bool write_best(const ParetoArguments& arguments, const SweepData& data, const PointSummary& point,
                const std::filesystem::path& file) {
  const ValidateResult scenario = sweep_scenario(arguments.folder, data, point);
  if (!scenario.spec) {
    print_problems(scenario.problems);
    return false;
  }
  const std::string problem = write_text_file(file, lock_text(*scenario.spec));
  if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
  return problem.empty();
}

void run(const ParetoArguments& arguments, int& exit_code) {
  const SweepData data = read_sweep(arguments.folder);
  print_problems(data.problems);
  exit_code = kBadInput;
  if (has_errors(data.problems)) return;
  const std::vector<PointSummary> points = summarise(data.rows);
  const ParetoFront front = pareto_front(data.columns, points, arguments.request);
  for (const std::string& problem : front.problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!front.problems.empty()) return;
  if (front.front.empty()) {
    std::fprintf(stderr,
                 "no point is left: of %zu, %zu did not pass the filters or have no %s "
                 "and %s\n",
                 points.size(), front.left_out, front.x.c_str(), front.y.c_str());
    return;
  }
  print_front(front);
  const std::filesystem::path out = arguments.out.empty() ? arguments.folder : arguments.out;
  const std::string title = data.name.empty() ? "sweep" : data.name;
  exit_code = 0;
  for (const auto& [name, text] :
       {std::pair{"pareto.svg", pareto_svg(front, title)},
        std::pair{"pareto.csv", pareto_csv(front, data.columns, points)}}) {
    const std::string problem = write_text_file(out / name, text);
    if (problem.empty()) continue;
    std::fprintf(stderr, "%s\n", problem.c_str());
    exit_code = 1;
  }
  const PointSummary& best = points[front.points[*front.best].point];
  if (!write_best(arguments, data, best, out / "best.json")) exit_code = 1;
  if (exit_code == 0) {
    std::printf("picture: %s; the starred point as a scenario: %s\n", (out / "pareto.svg").c_str(),
                (out / "best.json").c_str());
  }
}

}  // namespace

void add_pareto(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "pareto", "The points of a sweep that no other beats in two figures, with a picture");
  verb->group(kRunGroup);
  const auto arguments = std::make_shared<ParetoArguments>();
  verb->add_option("sweep", arguments->folder, "Folder that `spineleaf sweep` has written")
      ->required()
      ->type_name("DIR");
  verb->add_option("--x", arguments->request.x, "Figure to the right: " + metric_names())
      ->type_name("FIGURE")
      ->capture_default_str();
  verb->add_option("--y", arguments->request.y, "Figure upward, of the same")
      ->type_name("FIGURE")
      ->capture_default_str();
  verb->add_option("--color,--colour", arguments->request.colour,
                   "Figure or axis that shades the points")
      ->type_name("FIGURE")
      ->capture_default_str();
  verb->add_option("--filter", arguments->request.filters,
                   "Only points for which this holds, such as drops==0; repeatable")
      ->type_name("FIGURE<VALUE")
      ->allow_extra_args(false);
  verb->add_option("--out", arguments->out,
                   "Write pareto.svg, pareto.csv and best.json here; "
                   "without, into the sweep's folder")
      ->type_name("DIR");
  examples(*verb, {"pareto out/ecn --x max_queue --y goodput --color paused --filter drops==0"});
  verb->callback([arguments, &exit_code] { run(*arguments, exit_code); });
}

}  // namespace spineleaf::cli
