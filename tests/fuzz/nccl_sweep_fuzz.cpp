// Any bytes as a measured sweep: it is read or refused, and its curve rises in size with times
// above zero.

#include "tests/fuzz/csv_fuzz.hpp"
#include "validation/readers/nccl_sweep.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spineleaf;
  using fuzz::require;
  if (size > fuzz::kMostBytes) return 0;
  const MeasuredSweepResult result = read_nccl_sweep(fuzz::text_of(data, size), "fuzz.csv");
  fuzz::check_problems(result.problems);
  const Curve curve = to_curve(result.sweep, "measured");
  require(curve.points.size() <= result.sweep.points.size());
  std::int64_t before = -1;
  for (const CurvePoint& point : curve.points) {
    require(point.time_us > 0 && point.bytes > before);
    before = point.bytes;
  }
  if (has_errors(result.problems)) return 0;
  require(!result.sweep.points.empty() && result.sweep.ranks() > 0);
  return 0;
}
