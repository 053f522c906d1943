// The reference executor: one global priority queue, one event at a time, same actor code.
//
// Its ordering is written here a second time on purpose, from the rules of time and not from
// sim/advance.hpp: equal fingerprints then show that the order is well defined.
#include <queue>

#include "sim/simulation.hpp"

namespace spineleaf {
namespace {

struct GlobalEvent {
  Time time;
  unsigned stage = 0;  ///< 2 * class for local events, 2 * class + 1 for records, 20 = arbitrate
  std::uint64_t first = 0;   ///< local: kind; record: tie hash; arbitration: port
  std::uint64_t second = 0;  ///< local: row; record: link
  ActorId actor = 0;
  LocalEvent local;
  Record record;
};

struct After {
  bool operator()(const GlobalEvent& a, const GlobalEvent& b) const {
    if (a.time != b.time) return a.time > b.time;
    // Actors are independent inside an instant; taking them one after the other is as good as any.
    if (a.actor != b.actor) return a.actor > b.actor;
    if (a.stage != b.stage) return a.stage > b.stage;
    if (a.first != b.first) return a.first > b.first;
    return a.second > b.second;
  }
};

class ReferenceRun {
 public:
  ReferenceRun(Simulation& simulation, Ticks& ticks)
      : simulation_(simulation), ticks_(ticks), lane_(0, 1, EpochGrid(Time{1})) {
    lane_.direct = &sent_;
  }

  RunOutcome run() {
    for (const auto& actor : simulation_.actors()) {
      actor->set_lane(&lane_);
      actor->set_now(Time{-1});
      actor->on_start();
      collect(*actor);
    }
    while (true) {
      const Time head = queue_.empty() ? Time::max() : queue_.top().time;
      const Time tick = ticks_.next();
      if (queue_.empty() && !(tick != Time::max() && ticks_.change_pending())) break;
      if (tick <= head) {
        outcome_.now = tick;
        if (!ticks_.on_tick(tick)) {
          outcome_.end = RunEnd::StoppedByTick;
          break;
        }
        for (const auto& actor : simulation_.actors()) {
          if (actor->marked().any()) actor->set_now(tick);
          collect(*actor);
        }
        continue;
      }
      const GlobalEvent event = queue_.top();
      queue_.pop();
      outcome_.now = event.time;
      dispatch(event);
      if ((++outcome_.epochs & 4095) == 0 && !ticks_.poll(event.time)) {
        outcome_.end = RunEnd::Interrupted;
        break;
      }
    }
    return outcome_;
  }

  Time now() const { return outcome_.now; }

 private:
  static constexpr unsigned kArbitrate = 20;

  void dispatch(const GlobalEvent& event) {
    Actor& actor = *simulation_.actors()[event.actor];
    if (event.actor != last_actor_ || event.time != last_time_) at_instant_ = 0;
    last_actor_ = event.actor;
    last_time_ = event.time;
    SIM_CHECK(++at_instant_ < kInstantLimit, "too many events at one instant", actor.name());
    actor.set_now(event.time);
    if (event.stage == kArbitrate) {
      const auto port = static_cast<std::uint32_t>(event.first);
      if (!waiting_.test(event.actor, port)) return;
      waiting_.clear(event.actor, port);
      actor.set_arbitrating(true);
      actor.on_arbitrate(port);
      actor.set_arbitrating(false);
    } else if (event.stage % 2 == 1) {
      actor.on_record(event.record);
    } else {
      actor.on_local(event.local);
    }
    collect(actor);
  }

  /// Moves everything the handler left with the actor into the global queue.
  void collect(Actor& actor) {
    while (!actor.local_queue().empty()) {
      GlobalEvent e;
      e.local = actor.local_queue().pop();
      e.time = e.local.time;
      e.stage = 2 * static_cast<unsigned>(e.local.event_class());
      e.first = e.local.kind();
      e.second = e.local.row();
      e.actor = actor.id();
      queue_.push(e);
    }
    while (actor.marked().any()) {
      GlobalEvent e;
      e.time = actor.now();
      e.stage = kArbitrate;
      e.first = actor.marked().pop_first();
      e.actor = actor.id();
      if (waiting_.set(e.actor, static_cast<std::uint32_t>(e.first))) queue_.push(e);
    }
    for (const FarRecord& sent : sent_) {
      GlobalEvent e;
      e.record = sent.record;
      e.time = sent.at;
      e.stage = 2 * static_cast<unsigned>(class_of(sent.record.kind)) + 1;
      e.actor = sent.to;
      const Actor& receiver = *simulation_.actors()[sent.to];
      e.first = receiver.tie_of(sent.at, sent.record.port);
      e.second = receiver.in_link(sent.record.port);
      queue_.push(e);
    }
    sent_.clear();
  }

  /// Ports that wait for their arbitration at the current instant.
  class Waiting {
   public:
    bool set(ActorId actor, std::uint32_t port) {
      if (actor >= sets_.size()) sets_.resize(actor + std::size_t{1});
      if (sets_[actor].test(port)) return false;
      sets_[actor].set(port);
      return true;
    }
    bool test(ActorId actor, std::uint32_t port) const { return sets_[actor].test(port); }
    void clear(ActorId actor, std::uint32_t port) { sets_[actor].clear(port); }

   private:
    std::vector<PortSet> sets_;
  };

  Simulation& simulation_;
  Ticks& ticks_;
  Lane lane_;
  std::vector<FarRecord> sent_;
  std::priority_queue<GlobalEvent, std::vector<GlobalEvent>, After> queue_;
  Waiting waiting_;
  ActorId last_actor_ = 0;
  Time last_time_{-1};
  std::uint32_t at_instant_ = 0;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run_reference(Simulation& simulation, Ticks& ticks) {
  ReferenceRun run(simulation, ticks);
  RunOutcome outcome;
  try {
    outcome = run.run();
  } catch (const InvariantBroken& broken) {
    outcome.end = RunEnd::InvariantBroken;
    outcome.reason = broken.what();
    outcome.now = run.now();
  }
  return outcome;
}

}  // namespace spineleaf
