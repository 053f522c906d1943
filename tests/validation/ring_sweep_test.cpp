// The quick start's ring all-reduce beside the measurement, size by size, as the shipped scenario
// has it. The host parameters were fitted on this sweep: it shows that a few physical parameters
// describe all sizes, not that another system is predicted.

#include <gtest/gtest.h>

#include <cmath>

#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"
#include "validation/compare.hpp"
#include "validation/readers/nccl_sweep.hpp"

namespace spineleaf {
namespace {

constexpr std::int64_t kGibibyte = 1024 * kMebibyte;

Curve measured() {
  const MeasuredSweepResult read = read_nccl_sweep_file(
      SPINELEAF_SOURCE_DIR "/validation/data/nccl/sweeps/h100-2n-ibndr-b-ring.csv");
  for (const InputProblem& problem : read.problems) ADD_FAILURE() << to_string(problem);
  return to_curve(read.sweep, "measured");
}

Result run_size(std::int64_t bytes) {
  ReadOptions options;
  options.overrides.push_back({"workload.bytes", std::to_string(bytes) + "B"});
  const ValidateResult read = read_scenario_file(
      SPINELEAF_SOURCE_DIR "/scenarios/library/quickstart-ring-ndr.json", options);
  for (const InputProblem& problem : read.problems) ADD_FAILURE() << to_string(problem);
  return run_world(read.spec.value(), {});
}

/// Every measured size in [from, to]: simulated, and within its band.
void check_sizes(std::int64_t from, std::int64_t to) {
  const Curve reference = measured();
  std::size_t sizes = 0;
  for (std::int64_t bytes = from; bytes <= to; bytes *= 2, ++sizes) {
    const double time = time_at(reference, bytes);
    ASSERT_GT(time, 0) << bytes << " B was not measured";
    const Result result = run_size(bytes);
    ASSERT_EQ(result.verdict, Verdict::Ok) << result.verdict_text;
    const CurveSet curves = simulated_curves({"simulated"}, {{&result}});
    const double error = error_percent(time_at(curves.curves.at(0), bytes), time);
    EXPECT_LE(std::abs(error), bytes >= 64 * kMebibyte ? 5 : 10) << bytes / kMebibyte << " MiB";
    ::testing::Test::RecordProperty(std::to_string(bytes / kMebibyte) + "MiB",
                                    std::to_string(error));
  }
  EXPECT_GT(sizes, 0U);
}

TEST(RingSweep, From8MiBEverySizeIsInItsBand) { check_sizes(8 * kMebibyte, kGibibyte / 2); }

TEST(FullRingSweep, LargeSizesAreInTheirBand) { check_sizes(kGibibyte, 8 * kGibibyte); }

// What may be fitted are physical parameters, never a value per size: time must not fall and
// bandwidth must not jump where no protocol changes.
TEST(RingSweep, FollowsNoTableOfSizes) {
  double before = 0;
  for (const std::int64_t mib : {24, 32, 40, 48, 56}) {
    const Result result = run_size(mib * kMebibyte);
    const double time =
        time_at(simulated_curves({"simulated"}, {{&result}}).curves.at(0), mib * kMebibyte);
    if (before > 0) {
      EXPECT_GT(time, before) << mib << " MiB";
      EXPECT_LT(time, before + 60) << mib << " MiB: 8 MiB more take 40 us at line rate";
    }
    before = time;
  }
}

}  // namespace
}  // namespace spineleaf
