// When a run ends, what ends it early, and what it does not do.

#include <gtest/gtest.h>

#include "tests/sim/script_actor.hpp"

namespace spineleaf::test {
namespace {

constexpr Time kLatency = Time::from_ns(100);

/// Two actors that pass a packet to and fro `times` times, 100 ns a way.
struct PingPong {
  explicit PingPong(int times, std::uint32_t idle_actors = 0) : simulation(1) {
    for (const char* name : {"left", "right"}) {
      ScriptActor& actor = simulation.add_actor<ScriptActor>(name);
      actor.on_packet = [times](ScriptActor& self, const Record& record) {
        if (record.seq + 1 == static_cast<std::uint32_t>(times)) return;
        self.send(1 - self.id(), record_at(self.now() + kLatency, record.seq + 1));
      };
    }
    for (std::uint32_t i = 0; i < idle_actors; ++i) {
      simulation.add_actor<ScriptActor>("idle" + std::to_string(i));
    }
    left().start = [](ScriptActor& self) { self.schedule(Time{0}, EventClass::Timer, 0, 0); };
    left().on_event = [](ScriptActor& self, const LocalEvent&) {
      self.send(1, record_at(kLatency, 0));
    };
    simulation.add_link(link_between(0, 1, 0, kLatency));
    simulation.add_link(link_between(1, 0, 0, kLatency));
    EXPECT_EQ(simulation.freeze(false), "");
  }
  ScriptActor& left() { return static_cast<ScriptActor&>(*simulation.actors()[0]); }
  ScriptActor& right() { return static_cast<ScriptActor&>(*simulation.actors()[1]); }

  Simulation simulation;
};

std::vector<ListTicks::Entry> samples_every(Time interval, int count) {
  std::vector<ListTicks::Entry> entries;
  for (int i = 1; i <= count; ++i) entries.push_back({interval * i, false, {}});
  return entries;
}

TEST(Quiescence, SamplesDoNotKeepARunAlive) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    PingPong game(5);
    ListTicks ticks(samples_every(Time::from_ns(30), 1000));
    const RunOutcome outcome = run(game.simulation, ticks, executor);
    EXPECT_EQ(outcome.end, RunEnd::Quiescent);
    EXPECT_EQ(outcome.now, kLatency * 5) << "the last packet";
    EXPECT_EQ(ticks.done(), 16U) << "30 to 480 ns";
  }
}

TEST(Quiescence, APendingChangeKeepsARunAliveAndSamplesGoOnUntilThen) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    PingPong game(2);
    std::vector<ListTicks::Entry> entries = samples_every(Time::from_ns(300), 3);
    entries.push_back({Time::from_us(1), true, [&](Time at) {
                         game.right().set_now(at);
                         game.right().mark(4);
                       }});
    for (int i = 0; i < 5; ++i) entries.push_back({Time::from_us(2 + i), false, {}});
    ListTicks ticks(entries);
    const RunOutcome outcome = run(game.simulation, ticks, executor);
    EXPECT_EQ(outcome.end, RunEnd::Quiescent);
    EXPECT_EQ(ticks.done(), 4U);
    EXPECT_EQ(outcome.now, Time::from_us(1));
    EXPECT_EQ(game.right().log.back(), "1000000 arbitrate 4");
  }
}

TEST(Quiescence, AnEmptyFabricEndsAtOnceAndVisitsNobody) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    Simulation simulation(1);
    for (int i = 0; i < 100; ++i) simulation.add_actor<ScriptActor>("idle");
    EXPECT_EQ(simulation.freeze(false), "");
    ListTicks ticks(samples_every(Time{1}, 10));
    const RunOutcome outcome = run(simulation, ticks, executor);
    EXPECT_EQ(outcome.end, RunEnd::Quiescent);
    EXPECT_EQ(outcome.now, Time{0});
    EXPECT_EQ(outcome.visits, 0);
    EXPECT_EQ(ticks.done(), 0U);
  }
}

TEST(Idle, OnlyActorsWithWorkAreVisited) {
  for (const Executor& executor : epoch_executors()) {
    SCOPED_TRACE(executor.name);
    constexpr int kPackets = 50;
    PingPong game(kPackets, 10'000);
    ListTicks ticks;
    const RunOutcome outcome = run(game.simulation, ticks, executor);
    EXPECT_EQ(game.left().log.size() + game.right().log.size(), kPackets + 1U);
    // A visit a packet, one for the start; a cut epoch may look again for what is left.
    EXPECT_GE(outcome.visits, kPackets + 1);
    EXPECT_LE(outcome.visits, executor.options.random_cuts == 0 ? kPackets + 1 : 3 * kPackets);
  }
}

/// A tick cuts an epoch: what acts at or after it stays with the receiver and is not lost.
TEST(Ticks, SeeEverythingBeforeTheirInstantAndNothingAtIt) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    Simulation simulation(1);
    ScriptActor& receiver = simulation.add_actor<ScriptActor>("receiver");
    ScriptActor& sender = simulation.add_actor<ScriptActor>("sender");
    sender.start = [](ScriptActor& self) { self.schedule(Time{0}, EventClass::Timer, 0, 0); };
    sender.on_event = [](ScriptActor& self, const LocalEvent&) {
      for (const std::uint32_t ns : {190U, 100U, 149U, 150U, 151U}) {
        self.send(0, record_at(Time::from_ns(ns), ns));
      }
    };
    simulation.add_link(link_between(1, 0, 0, kLatency));
    EXPECT_EQ(simulation.freeze(false), "");
    std::vector<std::size_t> seen;
    const auto observe = [&](Time) { seen.push_back(receiver.log.size()); };
    ListTicks ticks({{Time::from_ns(100), false, observe},
                     {Time::from_ns(150), false, observe},
                     {Time::from_ns(150), false, observe},
                     {Time{150'001}, false, observe}});
    run(simulation, ticks, executor);
    EXPECT_EQ(seen, (std::vector<std::size_t>{0, 2, 2, 3}));
    EXPECT_EQ(receiver.log, (std::vector<std::string>{"100000 packet 100", "149000 packet 149",
                                                      "150000 packet 150", "151000 packet 151",
                                                      "190000 packet 190"}));
  }
}

/// A far record: its link is as short as any, but its acting instant is a thousand epochs away.
TEST(Ticks, RecordsFarBeyondTheRingArriveOnTime) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    PingPong game(3);
    game.left().on_event = [](ScriptActor& self, const LocalEvent&) {
      self.send(1, record_at(Time::from_us(100), 2));
      self.send(1, record_at(Time::from_us(7), 2));
    };
    ListTicks ticks(samples_every(Time::from_us(30), 9));
    const RunOutcome outcome = run(game.simulation, ticks, executor);
    EXPECT_EQ(outcome.now, Time::from_us(100));
    EXPECT_EQ(game.right().log,
              (std::vector<std::string>{"7000000 packet 2", "100000000 packet 2"}));
    EXPECT_EQ(ticks.done(), 3U);
  }
}

RunOutcome run_broken(const std::function<void(ScriptActor&)>& spoil, const Executor& executor) {
  PingPong game(3);
  spoil(game.left());
  ListTicks ticks;
  return run(game.simulation, ticks, executor);
}

TEST(NamedErrors, ArbitrationMayNotMakeAnEventAtItsInstant) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    const RunOutcome outcome = run_broken(
        [](ScriptActor& actor) {
          actor.on_event = [](ScriptActor& self, const LocalEvent&) { self.mark(0); };
          actor.on_turn = [](ScriptActor& self, std::uint32_t) {
            self.schedule(self.now(), EventClass::Timer, 0, 1);
          };
        },
        executor);
    EXPECT_EQ(outcome.end, RunEnd::InvariantBroken);
    EXPECT_NE(outcome.reason.find(
                  "an event at its own instant in arbitration, or in the past, was made at left"),
              std::string::npos)
        << outcome.reason;
  }
}

TEST(NamedErrors, NothingIsScheduledInThePast) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    const RunOutcome outcome = run_broken(
        [](ScriptActor& actor) {
          actor.on_packet = [](ScriptActor& self, const Record&) {
            self.schedule(self.now() - Time{1}, EventClass::Timer, 0, 1);
          };
        },
        executor);
    EXPECT_EQ(outcome.end, RunEnd::InvariantBroken);
    EXPECT_NE(outcome.reason.find("at left"), std::string::npos) << outcome.reason;
  }
}

TEST(NamedErrors, ATimerRearmedForItsOwnInstantEndsTheRun) {
  for (const Executor& executor : {all_executors()[0], all_executors()[1]}) {
    SCOPED_TRACE(executor.name);
    const RunOutcome outcome = run_broken(
        [](ScriptActor& actor) {
          actor.on_event = [](ScriptActor& self, const LocalEvent&) {
            self.log.clear();
            self.schedule(self.now(), EventClass::Timer, 0, 0);
          };
        },
        executor);
    EXPECT_EQ(outcome.end, RunEnd::InvariantBroken);
    EXPECT_NE(outcome.reason.find("too many events at one instant at left"), std::string::npos)
        << outcome.reason;
  }
}

/// Only an executor with epochs can tell; the sender is named.
TEST(NamedErrors, ARecordInsideTheEpochIsRefused) {
  for (const Executor& executor : epoch_executors()) {
    SCOPED_TRACE(executor.name);
    const RunOutcome outcome = run_broken(
        [](ScriptActor& actor) {
          actor.on_event = [](ScriptActor& self, const LocalEvent&) {
            self.send(1, record_at(Time{1}, 0));
          };
        },
        executor);
    EXPECT_EQ(outcome.end, RunEnd::InvariantBroken);
    EXPECT_NE(outcome.reason.find("a record that acts inside the current epoch was sent at left"),
              std::string::npos)
        << outcome.reason;
  }
}

TEST(Lookahead, IsTheShortestLinkWithOrWithoutLinkControl) {
  Simulation simulation(1);
  for (const char* name : {"a", "b", "c"}) simulation.add_actor<ScriptActor>(name);
  Link far = link_between(0, 1, 0, Time::from_ns(900));
  far.control_latency = Time::from_ns(200);
  simulation.add_link(far);
  simulation.add_link(link_between(1, 2, 0, Time::from_ns(500)));
  EXPECT_EQ(simulation.freeze(false), "");
  EXPECT_EQ(simulation.lookahead(), Time::from_ns(500));
  EXPECT_EQ(simulation.shortest_link(), "b -> c");
  EXPECT_EQ(simulation.freeze(true), "");
  EXPECT_EQ(simulation.lookahead(), Time::from_ns(200));
  EXPECT_EQ(simulation.shortest_link(), "a -> b");
}

TEST(Lookahead, OfZeroIsRefusedByTheNameOfTheLink) {
  Simulation simulation(1);
  for (const char* name : {"leaf3", "spine1"}) simulation.add_actor<ScriptActor>(name);
  simulation.add_link(link_between(0, 1, 0, kLatency));
  simulation.add_link(link_between(1, 0, 0, Time{0}));
  EXPECT_EQ(simulation.freeze(false).find("link spine1 -> leaf3 takes no time"), 0U);
}

/// The shortest lookahead there is: every instant is an epoch of its own.
TEST(Lookahead, OfOnePicosecondWorks) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    Simulation simulation(1);
    for (const char* name : {"left", "right"}) {
      ScriptActor& actor = simulation.add_actor<ScriptActor>(name);
      actor.on_packet = [](ScriptActor& self, const Record& record) {
        if (record.seq < 20) {
          self.send(1 - self.id(), record_at(self.now() + Time{1}, record.seq + 1));
        }
      };
      actor.start = [](ScriptActor& self) { self.schedule(Time{5}, EventClass::Timer, 0, 0); };
      actor.on_event = [](ScriptActor& self, const LocalEvent&) {
        self.send(1 - self.id(), record_at(self.now() + Time{1}, 0));
      };
    }
    simulation.add_link(link_between(0, 1, 0, Time{1}));
    simulation.add_link(link_between(1, 0, 0, Time{1}));
    EXPECT_EQ(simulation.freeze(false), "");
    ListTicks ticks;
    const RunOutcome outcome = run(simulation, ticks, executor);
    EXPECT_EQ(outcome.end, RunEnd::Quiescent) << outcome.reason;
    EXPECT_EQ(outcome.now, Time{26});
  }
}

}  // namespace
}  // namespace spineleaf::test
