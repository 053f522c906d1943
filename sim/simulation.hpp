#pragma once
// Simulation: a value that owns actors, links and clock. Many can live in one process.
//
// Build: add actors, add links, freeze(). Run: one of the executors below. All executors give the
// same fingerprint; they differ in speed only.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/actor.hpp"
#include "sim/arena.hpp"

namespace spineleaf {

/// What happens at simulated instants that no epoch crosses (rules of time, rule 10).
class Ticks {
 public:
  virtual ~Ticks() = default;
  /// The next instant at which on_tick wants to be called; Time::max() = none.
  virtual Time next() const = 0;
  /// Every event before `at` is done, none at it. Returns false to stop the run.
  virtual bool on_tick(Time at) = 0;
  /// True while a tick that changes the run (a fault, a link coming up) is still to come: such a
  /// tick keeps a quiet run alive, samples do not.
  virtual bool change_pending() const = 0;
  /// Called about every hundred epochs of wall time; returns false to interrupt the run.
  virtual bool poll(Time now) = 0;
};

enum class RunEnd : std::uint8_t { Quiescent, StoppedByTick, Interrupted, InvariantBroken };

struct RunOutcome {
  RunEnd end = RunEnd::Quiescent;
  std::string reason;  ///< of a broken invariant
  Time now;            ///< quiescent: last event or tick; otherwise where the run stopped
  std::int64_t epochs = 0;
  std::int64_t visits = 0;  ///< (actor, epoch) pairs run
};

class Simulation {
 public:
  struct Destroy {
    void operator()(Actor* actor) const {
      void* const piece = dynamic_cast<void*>(actor);
      actor->~Actor();
      Arena::give(piece);
    }
  };
  using ActorPtr = std::unique_ptr<Actor, Destroy>;

  explicit Simulation(std::uint64_t seed) : seed_(seed) {}

  template <class A, class... Args>
  A& add_actor(std::string name, Args&&... args) {
    A* const actor = new (arena_.take(sizeof(A), alignof(A)))
        A(static_cast<ActorId>(actors_.size()), std::move(name), std::forward<Args>(args)...);
    actors_.push_back(ActorPtr(actor));
    return *actor;
  }
  LinkId add_link(const Link& link) {
    links_.push_back(link);
    return static_cast<LinkId>(links_.size() - 1);
  }
  /// Derives the lookahead, binds actors to their incoming links. Returns an error text ("" =
  /// fine): zero lookahead is refused with the link's actors named. `link_control`: whether control
  /// records travel (their latency then bounds the lookahead).
  std::string freeze(bool link_control);

  std::uint64_t seed() const { return seed_; }
  Time lookahead() const { return lookahead_; }
  const std::string& shortest_link() const { return shortest_link_; }
  /// Where actors lie, and may keep the rows that every visit touches.
  Arena& arena() { return arena_; }
  std::vector<ActorPtr>& actors() { return actors_; }
  const std::vector<ActorPtr>& actors() const { return actors_; }
  const std::vector<Link>& links() const { return links_; }
  /// Sum of the actors' fingerprints: order-free.
  std::uint64_t fingerprint() const;

 private:
  std::uint64_t seed_;
  Arena arena_;
  std::vector<ActorPtr> actors_;
  std::vector<Link> links_;
  Time lookahead_;
  std::string shortest_link_;
};

/// How the epoch executors cut time. Results never depend on it; tests vary it.
struct EpochOptions {
  std::int64_t divide = 1;        ///< epochs of W / divide
  std::uint64_t random_cuts = 0;  ///< non-zero: also cut at random instants, by this seed
  unsigned lanes = 1;             ///< 1 = serial; more = oneTBB threads, at most 8 or one per core
};

RunOutcome run_epochs(Simulation& simulation, Ticks& ticks, const EpochOptions& options);

/// One global priority queue, one event at a time, same actor code: the judge of the others.
RunOutcome run_reference(Simulation& simulation, Ticks& ticks);

}  // namespace spineleaf
