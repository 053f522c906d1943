#pragma once
// Actors and ticks for tests of the engine alone: they do what the test says and note what happens.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/advance.hpp"
#include "sim/simulation.hpp"

namespace spineleaf::test {

/// Notes every event as a line and then does what the test asked for.
class ScriptActor final : public Actor {
 public:
  using Actor::Actor;

  void advance(Lane& lane, Time from, Time to) override { run_epoch(*this, lane, from, to); }
  void on_start() override {
    if (start) start(*this);
  }
  void on_record(const Record& record) override {
    note(is_link_control(record.kind) ? "control" : "packet", record.seq);
    if (on_packet) on_packet(*this, record);
  }
  void on_local(const LocalEvent& event) override {
    note("local" + std::to_string(static_cast<int>(event.event_class())) + "." +
             std::to_string(event.kind()),
         event.row());
    if (on_event) on_event(*this, event);
  }
  void on_arbitrate(std::uint32_t port) override {
    note("arbitrate", port);
    if (on_turn) on_turn(*this, port);
  }

  /// "1000 packet 7": picoseconds, what, number.
  std::vector<std::string> log;
  std::function<void(ScriptActor&)> start;
  std::function<void(ScriptActor&, const Record&)> on_packet;
  std::function<void(ScriptActor&, const LocalEvent&)> on_event;
  std::function<void(ScriptActor&, std::uint32_t)> on_turn;

 private:
  void note(const std::string& what, std::uint32_t number) {
    log.push_back(std::to_string(now().ps) + " " + what + " " + std::to_string(number));
  }
};

/// Ticks at listed instants, each with what it does.
class ListTicks final : public Ticks {
 public:
  struct Entry {
    Time at;
    bool change = false;
    std::function<void(Time)> act;
  };
  explicit ListTicks(std::vector<Entry> entries = {}) : entries_(std::move(entries)) {}

  Time next() const override { return done_ < entries_.size() ? entries_[done_].at : Time::max(); }
  bool on_tick(Time at) override {
    while (done_ < entries_.size() && entries_[done_].at == at) {
      const Entry& entry = entries_[done_++];
      if (entry.act) entry.act(at);
    }
    return true;
  }
  bool change_pending() const override {
    for (std::size_t i = done_; i < entries_.size(); ++i) {
      if (entries_[i].change) return true;
    }
    return false;
  }
  bool poll(Time) override { return true; }
  std::size_t done() const { return done_; }

 private:
  std::vector<Entry> entries_;
  std::size_t done_ = 0;
};

/// A way of running that must not matter.
struct Executor {
  std::string name;
  bool reference = false;
  EpochOptions options;
};

inline std::vector<Executor> all_executors() {
  return {{"reference", true, {}},
          {"epochs W", false, {}},
          {"epochs W/3", false, {.divide = 3}},
          {"random cuts", false, {.random_cuts = 17}},
          {"2 threads", false, {.lanes = 2}},
          {"4 threads", false, {.lanes = 4}}};
}
inline std::vector<Executor> epoch_executors() {
  std::vector<Executor> all = all_executors();
  all.erase(all.begin());
  return all;
}

inline RunOutcome run(Simulation& simulation, Ticks& ticks, const Executor& executor) {
  if (executor.reference) return run_reference(simulation, ticks);
  return run_epochs(simulation, ticks, executor.options);
}

/// Link from one actor to a port of another; 100 Gb/s.
inline Link link_between(ActorId from, ActorId to, std::uint16_t to_port, Time latency) {
  Link link;
  link.from = from;
  link.to = to;
  link.to_port = to_port;
  link.rate = Rate::from_gbps(100);
  link.latency = link.control_latency = latency;
  return link;
}

inline Record record_at(Time at, std::uint32_t seq, std::uint16_t port = 0,
                        RecordKind kind = RecordKind::Data) {
  Record record;
  record.time = at;
  record.seq = seq;
  record.port = port;
  record.kind = kind;
  return record;
}

}  // namespace spineleaf::test
