// Rule 2: at one instant events run by (class, local before record, tie, id), ports last.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/script_actor.hpp"

namespace spineleaf::test {
namespace {

constexpr Time kInstant = Time::from_ns(1000);
constexpr std::uint32_t kSenders = 6;

std::string line(const std::string& what, std::uint32_t number) {
  return std::to_string(kInstant.ps) + " " + what + " " + std::to_string(number);
}

/// One receiver, and senders whose packet and link control all act at kInstant. The receiver has
/// local events of every class then, made in the least helpful order, and marked ports.
struct Meeting {
  explicit Meeting(std::uint64_t seed) : simulation(seed) {
    receiver = &simulation.add_actor<ScriptActor>("receiver");
    receiver->start = [](ScriptActor& self) {
      for (std::uint32_t c = 5; c >= 1; --c) {
        for (const std::uint32_t kind : {3U, 1U}) {
          for (const std::uint32_t row : {9U, 2U, 4U}) {
            self.schedule(kInstant, static_cast<EventClass>(c), kind, row);
          }
        }
      }
    };
    receiver->on_event = [](ScriptActor& self, const LocalEvent& event) { self.mark(event.row()); };
    for (std::uint32_t s = 0; s < kSenders; ++s) {
      ScriptActor& sender = simulation.add_actor<ScriptActor>("sender" + std::to_string(s));
      sender.start = [s](ScriptActor& self) {
        self.schedule(Time{100 + s}, EventClass::Timer, 0, 0);
      };
      sender.on_event = [s](ScriptActor& self, const LocalEvent&) {
        const auto port = static_cast<std::uint16_t>(s);
        self.send(0, record_at(kInstant, s, port));
        self.send(0, record_at(kInstant, s, port, RecordKind::PfcFrame));
      };
      simulation.add_link(link_between(s + 1, 0, static_cast<std::uint16_t>(s), Time{500'000}));
    }
    EXPECT_EQ(simulation.freeze(true), "");
  }

  /// Senders in the order in which their records must run.
  std::vector<std::uint32_t> by_tie() const {
    std::vector<std::uint32_t> order(kSenders);
    for (std::uint32_t s = 0; s < kSenders; ++s) order[s] = s;
    const auto tie = [&](std::uint32_t s) {  // links are numbered as senders are
      return mix64(simulation.seed(), static_cast<std::uint64_t>(kInstant.ps), s);
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return tie(a) < tie(b); });
    return order;
  }

  std::vector<std::string> expected() const {
    std::vector<std::string> lines;
    for (int c = 1; c <= 5; ++c) {
      for (const char* kind : {".1", ".3"}) {
        for (const std::uint32_t row : {2U, 4U, 9U}) {
          lines.push_back(line("local" + std::to_string(c) + kind, row));
        }
      }
      if (c != 1 && c != 3) continue;
      for (const std::uint32_t s : by_tie()) {
        lines.push_back(line(c == 1 ? "control" : "packet", s));
      }
    }
    for (const std::uint32_t port : {2U, 4U, 9U}) lines.push_back(line("arbitrate", port));
    return lines;
  }

  Simulation simulation;
  ScriptActor* receiver;
};

TEST(KeyOrder, EveryPairOfNeighbours) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    Meeting meeting(7);
    ListTicks ticks;
    EXPECT_EQ(run(meeting.simulation, ticks, executor).end, RunEnd::Quiescent);
    EXPECT_EQ(meeting.receiver->log, meeting.expected());
  }
}

TEST(KeyOrder, TiesFollowTheSeedAndFavourNoLink) {
  int first_before_second = 0;
  constexpr int kRuns = 400;
  for (int seed = 0; seed < kRuns; ++seed) {
    Meeting meeting(static_cast<std::uint64_t>(seed));
    ListTicks ticks;
    run(meeting.simulation, ticks, {});
    ASSERT_EQ(meeting.receiver->log, meeting.expected()) << "seed " << seed;
    const auto& log = meeting.receiver->log;
    first_before_second += std::find(log.begin(), log.end(), line("packet", 0)) <
                                   std::find(log.begin(), log.end(), line("packet", 1))
                               ? 1
                               : 0;
  }
  EXPECT_GT(first_before_second, kRuns * 42 / 100);
  EXPECT_LT(first_before_second, kRuns * 58 / 100);
}

/// Rule 5: a handler may make events of a lower class at its own instant; they run next.
TEST(KeyOrder, AnEventMadeAtItsInstantRunsByItsKey) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    Simulation simulation(1);
    ScriptActor& actor = simulation.add_actor<ScriptActor>("actor");
    actor.start = [](ScriptActor& self) {
      self.schedule(Time{10}, EventClass::Timer, 0, 0);
      self.schedule(Time{10}, EventClass::Timer, 0, 1);
      self.schedule(Time{10}, EventClass::Arbitration, 0, 0);
    };
    actor.on_event = [](ScriptActor& self, const LocalEvent& event) {
      if (event.event_class() != EventClass::Timer || event.row() != 0) return;
      self.mark(3);
      self.schedule(self.now(), EventClass::LinkControl, 2, 7);
      self.schedule_after(Time{0}, EventClass::Arrival, 2, 8);
    };
    EXPECT_EQ(simulation.freeze(false), "");
    ListTicks ticks;
    run(simulation, ticks, executor);
    EXPECT_EQ(actor.log,
              (std::vector<std::string>{"10 local4.0 0", "10 local1.2 7", "10 local3.2 8",
                                        "10 local4.0 1", "10 local5.0 0", "10 arbitrate 3"}));
  }
}

/// Rule 6: once an instant's ports are served, marks of the next instant are served there.
TEST(KeyOrder, APortIsServedOncePerInstantAndAgainAtTheNext) {
  for (const Executor& executor : all_executors()) {
    SCOPED_TRACE(executor.name);
    Simulation simulation(1);
    ScriptActor& actor = simulation.add_actor<ScriptActor>("actor");
    actor.start = [](ScriptActor& self) {
      for (const std::int64_t t : {10, 10, 11}) {
        self.schedule(Time{t}, EventClass::Release, 0, static_cast<std::uint32_t>(self.log.size()));
      }
    };
    actor.on_event = [](ScriptActor& self, const LocalEvent&) { self.mark(1); };
    EXPECT_EQ(simulation.freeze(false), "");
    ListTicks ticks;
    run(simulation, ticks, executor);
    EXPECT_EQ(actor.log,
              (std::vector<std::string>{"10 local2.0 0", "10 local2.0 0", "10 arbitrate 1",
                                        "11 local2.0 0", "11 arbitrate 1"}));
  }
}

}  // namespace
}  // namespace spineleaf::test
