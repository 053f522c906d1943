// Rule 11: who only looks evaluates a copy. A sample that fires the clocks of a rate in place,
// those of its own instant included, fires before a notification of that instant what comes after
// it.

#include <gtest/gtest.h>

#include <bit>

#include "models/host/dcqcn.hpp"
#include "tests/property/dice.hpp"
#include "tests/property/seeds.hpp"
#include "tests/sim/script_actor.hpp"

namespace spineleaf::property {
namespace {

constexpr Time kStep = Time::from_ns(100);

enum class Observer { None, OfACopy, InPlace };

/// A rate whose clocks, notifications and samples all lie on one grid.
class RatedActor final : public Actor {
 public:
  RatedActor(ActorId id, std::string name, const DcqcnConfig& config)
      : Actor(id, std::move(name)), config_(config), rate_(400e9) {}

  void advance(Lane& lane, Time from, Time to) override { run_epoch(*this, lane, from, to); }
  void on_record(const Record&) override {
    rate_.catch_up(config_, now(), false);
    rate_.on_cnp(config_, now());
    note();
  }
  void on_local(const LocalEvent&) override {
    rate_.catch_up(config_, now(), true);
    note();
  }
  void on_arbitrate(std::uint32_t) override {}

  void observe(Observer observer, Time at) {
    if (observer == Observer::InPlace) {
      rate_.catch_up(config_, at, true);
    } else {
      Dcqcn copy = rate_;
      copy.catch_up(config_, at, false);
      seen_ = copy.rate();
    }
  }

 private:
  void note() { add_fingerprint(mix64(std::bit_cast<std::uint64_t>(rate_.rate()), 1)); }

  const DcqcnConfig& config_;
  Dcqcn rate_;
  double seen_ = 0;
};

DcqcnConfig config_of(Dice& dice) {
  DcqcnParams params = default_model_params().dcqcn;
  params.g = 0.25;
  params.alpha_timer = dice.delay(kStep, kStep * 4);
  params.rate_reduce_monitor_period = dice.delay(kStep, kStep * 4);
  params.rpg_time_reset = dice.delay(kStep, kStep * 8);
  return {params, dice.one_in(2) ? CongestionControlKind::DcqcnPaper
                                 : CongestionControlKind::DcqcnConnectx};
}

std::uint64_t run_observed(std::uint64_t seed, Observer observer) {
  Dice dice(seed, kStep);
  const DcqcnConfig config = config_of(dice);
  Simulation simulation(seed);
  auto& rated = simulation.add_actor<RatedActor>("rated", config);
  auto& notifier = simulation.add_actor<test::ScriptActor>("notifier");
  notifier.start = [&](test::ScriptActor& self) {
    self.schedule(Time{0}, EventClass::Timer, 0, 0);
  };
  notifier.on_event = [&](test::ScriptActor& self, const LocalEvent&) {
    Time at = kStep;
    for (int i = 0; i < 20; ++i) {
      at += dice.delay(kStep, kStep * 6);
      self.send(0, test::record_at(at, 0));
    }
  };
  simulation.add_link(test::link_between(1, 0, 0, kStep));
  if (!simulation.freeze(false).empty()) return 0;
  std::vector<test::ListTicks::Entry> samples;
  for (int i = 1; i < 60; ++i) {
    if (observer == Observer::None) break;
    samples.push_back({kStep * i, false, [&](Time at) { rated.observe(observer, at); }});
  }
  test::ListTicks ticks(samples);
  run_epochs(simulation, ticks, {});
  return simulation.fingerprint();
}

TEST(Observers, LeaveNoTraceWhenTheyCopy) {
  for (const std::uint64_t seed : cases_to_run()) {
    ASSERT_EQ(run_observed(seed, Observer::OfACopy), run_observed(seed, Observer::None))
        << how_to_replay(seed, "mutant_tests", "Observers.*");
  }
}

TEST(Observers, AreNoticedWhenTheyFireClocksInPlace) {
  int noticed = 0;
  for (std::uint64_t seed = 0; seed < kDefaultCases; ++seed) {
    noticed += run_observed(seed, Observer::InPlace) != run_observed(seed, Observer::None) ? 1 : 0;
  }
  EXPECT_GT(noticed, 0);
}

}  // namespace
}  // namespace spineleaf::property
