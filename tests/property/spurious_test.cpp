// Rule 6: with nothing to start, arbitration changes nothing: no turn moves, no draw is made,
// nothing is counted. So a port may be marked at any instant by anybody.

#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/collect.hpp"
#include "scenarios/run_ticks.hpp"
#include "tests/property/compare.hpp"
#include "tests/property/random_world.hpp"
#include "tests/property/seeds.hpp"

namespace spineleaf::property {
namespace {

/// The ticks of a run, and at random instants between them every port of every device marked.
class MarkingTicks final : public Ticks {
 public:
  MarkingTicks(RunTicks& inner, Simulation& simulation, Fabric& fabric, std::uint64_t seed,
               bool mark)
      : inner_(inner), simulation_(simulation), fabric_(fabric), dice_(seed, Time{0}), mark_(mark) {
    go_on();
  }

  Time next() const override { return std::min(inner_.next(), at_); }
  bool on_tick(Time at) override {
    const bool result = at != inner_.next() || inner_.on_tick(at);
    if (at == at_) {
      if (mark_) mark_all(at);
      go_on();
    }
    return result;
  }
  bool change_pending() const override { return inner_.change_pending(); }
  bool poll(Time now) override { return inner_.poll(now); }

 private:
  void go_on() { at_ += Time{dice_.within(1, 400'000)}; }
  void mark_all(Time at) {
    for (const auto& actor : simulation_.actors()) {
      actor->set_now(at);
      const std::uint32_t ports = fabric_.ports_of(actor->id()).count();
      for (std::uint32_t p = 0; p < ports; ++p) actor->mark(p);
    }
  }

  RunTicks& inner_;
  Simulation& simulation_;
  Fabric& fabric_;
  Dice dice_;
  Time at_;
  bool mark_;
};

/// The same ticks in both runs, since the last of them may be the end of a quiet run.
Result run_marked(const Case& wanted, bool mark) {
  World world = random_world(wanted);
  FabricInput input;
  input.topology = &world.topology;
  input.routes = &world.routes;
  input.params = &world.params;
  input.seed = world.seed;
  input.workloads = std::move(world.workloads);
  input.paths = std::move(world.paths);
  input.reverse_paths = std::move(world.reverse_paths);
  const auto fabric = build_fabric(std::move(input));
  const RunOptions options;
  RunTicks inner(world, *fabric, options, nullptr);
  MarkingTicks ticks(inner, fabric->simulation, *fabric, wanted.seed, mark);
  const RunOutcome outcome = run_epochs(fabric->simulation, ticks, {});
  Result result;
  result.stop = outcome.end == RunEnd::StoppedByTick ? inner.reason()
                : inner.all_done()                   ? StopReason::Finished
                                                     : StopReason::Stuck;
  if (outcome.end == RunEnd::InvariantBroken) result.stop = StopReason::InvariantBroken;
  result.series = std::move(inner.series());
  collect_result(result, world, *fabric, outcome);
  return result;
}

TEST(SpuriousArbitration, ChangesNothing) {
  std::int64_t hops = 0;
  for (const std::uint64_t seed : cases_to_run()) {
    const Case wanted(seed);
    const std::string replay = how_to_replay(seed, "property_tests", "SpuriousArbitration.*");
    const RunningCase running(replay);
    const Result quiet = run_marked(wanted, false);
    const auto lines = differences(quiet, run_marked(wanted, true));
    ASSERT_TRUE(lines.empty()) << "marking every port changed the run:" << joined(lines) << "\n"
                               << describe(wanted, random_world(wanted)) << "\n"
                               << replay;
    ASSERT_NE(quiet.stop, StopReason::InvariantBroken);
    hops += quiet.totals.packet_hops;
  }
  if (!seed_asked_for()) {
    EXPECT_GT(hops, 100'000);
  }
}

}  // namespace
}  // namespace spineleaf::property
