// Any bytes as the files of a sweep: a description, a line of 0xff, the rows. What can be read is
// summarised and its front drawn.

#include "scenarios/sweep/pareto.hpp"
#include "tests/fuzz/csv_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  using fuzz::require;
  if (size > fuzz::kMostBytes) return 0;
  const std::vector<std::string> parts = fuzz::parts_of(data, size, 2);
  const SweepData sweep = parse_sweep("fuzz", parts[0], parts[1]);
  if (has_errors(sweep.problems)) return 0;
  const std::vector<PointSummary> points = summarise(sweep.rows);
  require(points.size() <= sweep.rows.size());
  const ParetoFront front =
      pareto_front(sweep.columns, points, {"max_queue", "goodput", "paused", {"drops>=0"}});
  require(front.problems.empty() && front.points.size() + front.left_out == points.size());
  if (!front.front.empty()) require(!pareto_svg(front, sweep.name).empty());
  require(!pareto_csv(front, sweep.columns, points).empty());
  return 0;
}
