#pragma once
// Chaos: actors that follow no model but the rules. Each keeps a hash of every event it has seen,
// in order, and lets that hash decide what it does next: one event out of order changes everything
// after it. So two executors agree only if they run every actor's events in the same order.

#include <cstdint>
#include <vector>

#include "tests/sim/script_actor.hpp"

namespace spineleaf::test {

class ChaosActor final : public Actor {
 public:
  ChaosActor(ActorId id, std::string name, Time quantum)
      : Actor(id, std::move(name)), quantum_(quantum) {}

  void advance(Lane& lane, Time from, Time to) override { run_epoch(*this, lane, from, to); }
  void on_start() override;
  void on_record(const Record& record) override;
  void on_local(const LocalEvent& event) override;
  void on_arbitrate(std::uint32_t port) override;

  /// A change at a tick: a marked port or an event, at once or later.
  void disturb(Time at);
  void add_out_link(const Link& link) { out_.push_back({link, Time{-1}}); }
  /// Everything seen so far, in order.
  std::uint64_t history() const { return history_; }
  std::int64_t events() const { return events_; }

 private:
  struct Out {
    Link link;
    Time last_acting;  ///< records of one link act at different instants
  };
  void see(std::uint64_t what, std::uint64_t detail);
  void react(std::uint32_t energy, bool arbitrating);
  void schedule_something(std::uint32_t energy, bool arbitrating);
  void send_something(std::uint32_t energy);
  std::uint32_t draw(std::uint32_t n);
  Time round(Time t) const;

  Time quantum_;  ///< above zero: every delay is a multiple of it
  std::vector<Out> out_;
  std::uint64_t history_ = 0;
  std::uint64_t draws_ = 0;
  std::uint32_t next_row_ = 0;
  std::int64_t events_ = 0;
};

/// A random graph of such actors; half of the seeds tie-rich. The simulation is frozen.
struct ChaosWorld {
  explicit ChaosWorld(std::uint64_t seed);

  /// Samples and disturbances at random instants, the same for every executor.
  ListTicks ticks();
  ChaosActor& actor(std::size_t i) { return static_cast<ChaosActor&>(*simulation.actors()[i]); }

  std::uint64_t seed;
  Time quantum;
  Simulation simulation;
  std::vector<std::uint64_t> samples;  ///< what the sampling ticks saw
};

/// All that must not depend on the executor.
struct ChaosResult {
  RunEnd end{};
  std::string reason;
  Time now;
  std::uint64_t fingerprint = 0;
  std::vector<std::uint64_t> histories;
  std::vector<std::uint64_t> samples;
  std::int64_t events = 0;

  bool operator==(const ChaosResult&) const = default;
};
ChaosResult run_chaos(std::uint64_t seed, const Executor& executor);

}  // namespace spineleaf::test
