// The epoch executors: serial (one lane) and oneTBB threads (several lanes, same code).
//
// A lane owns a fixed set of actors. In an epoch each lane runs its actors that have work; lanes
// meet at the epoch's end. An MPI executor would be one more such loop: a lane per rank, with an
// exchange of mailbox bins where the lanes meet here.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <bit>
#include <span>
#include <thread>

#include "sim/fork_join.hpp"
#include "sim/mutants.hpp"
#include "sim/simulation.hpp"

namespace spineleaf {
namespace {

/// Records that act up to this far ahead are binned directly; later ones wait as far records.
std::uint32_t slots_for(const Simulation& simulation, Time epoch) {
  Time longest{0};
  for (const Link& link : simulation.links()) {
    longest = std::max(longest, link.latency + link.serialisation_of(10'000));
  }
  const std::int64_t needed = longest / epoch + 3;
  return std::bit_ceil(static_cast<std::uint32_t>(std::clamp<std::int64_t>(needed, 4, 64)));
}

class EpochRun {
 public:
  EpochRun(Simulation& simulation, Ticks& ticks, const EpochOptions& options)
      : simulation_(simulation),
        ticks_(ticks),
        options_(options),
        grid_(Time{std::max<std::int64_t>(1, simulation.lookahead().ps / options.divide)}),
        prefetcher_(simulation),
        owned_(std::max(1U, options.lanes)) {
    const std::size_t actors = simulation.actors().size();
    const std::uint32_t slots = slots_for(simulation, grid_.length());
    for (unsigned l = 0; l < owned_.size(); ++l) {
      lanes_.push_back(std::make_unique<Lane>(actors, slots, grid_));
      owned_[l].words.assign((actors + 63) / 64, 0);
    }
    for (auto& lane : lanes_) {
      for (auto& source : lanes_) lane->sources.push_back(&source->mailbox);
    }
    assign_owners();
  }

  RunOutcome run();
  Time last_instant() const;

 private:
  struct Owned {
    std::vector<std::uint64_t> words;     ///< bit per actor this lane owns
    std::vector<std::uint32_t> visiting;  ///< actors with work in this epoch
    std::vector<std::uint32_t> revisit;   ///< actors with work left in a cut epoch
  };

  void assign_owners();
  void start();
  void run_lane(unsigned l, Time from, Time to);
  void list_work(unsigned l, std::vector<std::uint32_t>& ids) const;
  void visit_actor(unsigned l, std::uint32_t id, Time from, Time to);
  bool find_epoch();
  Time cut(Time from, Time to);
  void run_epoch_once(Time from, Time to);
  void balance_chunks();

  Simulation& simulation_;
  Ticks& ticks_;
  EpochOptions options_;
  EpochGrid grid_;
  Prefetcher prefetcher_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Owned> owned_;
  std::vector<std::uint16_t> owner_;
  std::int64_t epoch_ = 0;
  Time now_;
  Time last_tick_;
  RunOutcome outcome_;
};

// Contiguous runs of actors, balanced by number of links: neighbours in a pod stay together,
// since builders number hosts and switches pod by pod within each tier.
void EpochRun::assign_owners() {
  const std::size_t actors = simulation_.actors().size();
  std::vector<std::int64_t> weight(actors, 1);
  for (const Link& link : simulation_.links()) weight[link.to] += 1;
  std::vector<std::size_t> starts{0};
  for (std::size_t a = 1; a < actors; ++a) {
    if (weight[a] != weight[a - 1]) starts.push_back(a);
  }
  starts.push_back(actors);
  owner_.assign(actors, 0);
  const std::size_t lanes = lanes_.size();
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    const std::size_t n = starts[s + 1] - starts[s];
    for (std::size_t i = 0; i < n; ++i) {
      const auto lane = static_cast<std::uint16_t>(i * lanes / n);
      const std::size_t a = starts[s] + i;
      owner_[a] = lane;
      owned_[lane].words[a / 64] |= std::uint64_t{1} << (a % 64);
    }
  }
}

void EpochRun::start() {
  for (const auto& actor : simulation_.actors()) {
    Lane& lane = *lanes_[owner_[actor->id()]];
    actor->set_lane(&lane);
    actor->set_now(Time{-1});
    actor->on_start();
    const Time next = actor->local_queue().peek().time;
    if (next != Time::max()) lane.mailbox.visit(actor->id(), next);
    actor->set_next_visit(next);
  }
}

void EpochRun::visit_actor(unsigned l, std::uint32_t id, Time from, Time to) {
  Lane& lane = *lanes_[l];
  Actor& actor = *simulation_.actors()[id];
  ++lane.visits;
  actor.advance(lane, from, to);
  const Time next = actor.local_queue().peek().time;
  const bool in_this_epoch = next != Time::max() && grid_.epoch_of(next) == epoch_;
  if (!actor.leftovers().empty() || in_this_epoch) owned_[l].revisit.push_back(id);
  // An actor is visited for its least local event; a visit already planned for that instant stands.
  if (next != Time::max() && !in_this_epoch &&
      (next != actor.next_visit() || grid_.epoch_of(next) <= epoch_)) {
    lane.mailbox.visit(id, next);
  }
  actor.set_next_visit(next);
}

void EpochRun::run_lane(unsigned l, Time from, Time to) {
  Lane& lane = *lanes_[l];
  lane.epoch = epoch_;
  lane.least_acting = grid_.start_of(epoch_ + 1);
  std::vector<std::uint32_t>& ids = owned_[l].visiting;
  list_work(l, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    prefetcher_.look_ahead(lane, ids, i);
    visit_actor(l, ids[i], from, to);
  }
}

/// The lane's own actors that have work in this epoch, in ascending order.
void EpochRun::list_work(unsigned l, std::vector<std::uint32_t>& ids) const {
  const Lane& lane = *lanes_[l];
  const std::vector<std::uint64_t>& mine = owned_[l].words;
  ids.clear();
  const std::size_t summaries = lane.mailbox.work(epoch_).summary_size();
  for (std::size_t s = 0; s < summaries; ++s) {
    std::uint64_t busy = 0;
    for (const Mailbox* source : lane.sources) busy |= source->work(epoch_).summary(s);
    for (; busy != 0; busy &= busy - 1) {
      const std::size_t w = s * 64 + static_cast<std::size_t>(std::countr_zero(busy));
      std::uint64_t work = 0;
      for (const Mailbox* source : lane.sources) work |= source->work(epoch_).word(w);
      for (work &= mine[w]; work != 0; work &= work - 1) {
        ids.push_back(static_cast<std::uint32_t>(w * 64) +
                      static_cast<std::uint32_t>(std::countr_zero(work)));
      }
    }
  }
}

/// Moves epoch_ on to the next epoch with work; false when there is none anywhere.
bool EpochRun::find_epoch() {
  const auto busy = [&](std::int64_t e) {
    for (auto& lane : lanes_) {
      if (lane->mailbox.work(e).any()) return true;
    }
    return false;
  };
  const std::int64_t reach = lanes_[0]->mailbox.slots();
  for (std::int64_t e = epoch_; e < epoch_ + reach; ++e) {
    if (busy(e)) {
      epoch_ = e;
      return true;
    }
  }
  Time far = Time::max();
  for (auto& lane : lanes_) far = std::min(far, lane->mailbox.far_min());
  if (far == Time::max()) return false;
  epoch_ = grid_.epoch_of(far);
  return true;
}

Time EpochRun::cut(Time from, Time to) {
  if (options_.random_cuts == 0 || to - from < Time{2}) return to;
  const std::uint64_t draw = mix64(options_.random_cuts, static_cast<std::uint64_t>(from.ps));
  if ((draw & 3) == 0) return to;
  return from + Time{1 + static_cast<std::int64_t>((draw >> 2) %
                                                   static_cast<std::uint64_t>((to - from).ps - 1))};
}

void EpochRun::run_epoch_once(Time from, Time to) {
  ++outcome_.epochs;
  if (lanes_.size() == 1) {
    run_lane(0, from, to);
  } else {
    fork_join(static_cast<unsigned>(lanes_.size()), [&](unsigned l) { run_lane(l, from, to); });
  }
  for (auto& lane : lanes_) lane->mailbox.end_epoch(epoch_);
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    for (const std::uint32_t id : owned_[l].revisit) {
      lanes_[l]->mailbox.visit(id, grid_.start_of(epoch_));
    }
    owned_[l].revisit.clear();
  }
}

// A lane that mostly receives gathers free chunks that the sending lanes then lack.
void EpochRun::balance_chunks() {
  constexpr std::size_t kSlack = 256;
  for (auto& rich : lanes_) {
    for (auto& poor : lanes_) {
      const std::size_t have = rich->mailbox.pool.free_count();
      const std::size_t lack = poor->mailbox.pool.free_count();
      if (have > lack + 2 * kSlack) {
        poor->mailbox.pool.take_from(rich->mailbox.pool, (have - lack) / 2);
      }
    }
  }
}

/// The instant of the last event or tick: unlike the end of the last epoch it is the same however
/// time was cut.
Time EpochRun::last_instant() const {
  Time last = last_tick_;
  for (const auto& actor : simulation_.actors()) last = std::max(last, actor->last_instant());
  return last;
}

RunOutcome EpochRun::run() {
  start();
  bool finished = false;
  while (!finished) {
    const bool work = find_epoch();
    const Time tick = ticks_.next();
    const Time from = work ? std::max(now_, grid_.start_of(epoch_)) : Time::max();
    if (!work && !(tick != Time::max() && ticks_.change_pending())) break;
    // No epoch crosses a tick: events before it are done then, those of its instant are not.
    const bool late = mutant(Mutant::TicksAfter) && tick != Time::max();
    const Time barrier = late ? tick + Time{1} : tick;
    if (barrier <= from) {
      now_ = last_tick_ = tick;
      epoch_ = grid_.epoch_of(now_);
      for (auto& lane : lanes_) lane->mailbox.begin_epoch(epoch_);
      for (const auto& actor : simulation_.actors()) actor->lane().epoch = epoch_;
      if (!ticks_.on_tick(tick)) {
        outcome_.end = RunEnd::StoppedByTick;
        break;
      }
      // A change may have marked ports or set timers: every actor touched is seen again.
      for (const auto& actor : simulation_.actors()) {
        const Time next = actor->marked().any() ? now_ : actor->local_queue().peek().time;
        if (next != Time::max() && next != actor->next_visit()) {
          actor->lane().mailbox.visit(actor->id(), next);
          actor->set_next_visit(next);
        }
      }
      continue;
    }
    for (auto& lane : lanes_) lane->mailbox.begin_epoch(epoch_);
    const Time end = grid_.start_of(epoch_ + 1);
    const Time to = cut(from, std::min(end, barrier));
    run_epoch_once(from, to);
    now_ = to;
    if (to == end) ++epoch_;
    if ((outcome_.epochs & 127) == 0) {
      balance_chunks();
      if (!ticks_.poll(now_)) {
        outcome_.end = RunEnd::Interrupted;
        finished = true;
      }
    }
  }
  outcome_.now = outcome_.end == RunEnd::Quiescent ? last_instant() : now_;
  for (auto& lane : lanes_) outcome_.visits += lane->visits;
  return outcome_;
}

}  // namespace

RunOutcome run_epochs(Simulation& simulation, Ticks& ticks, const EpochOptions& wanted) {
  // A few more than there are cores do no harm (tests want several lanes anywhere); many would.
  constexpr unsigned kAlways = 8;
  EpochOptions options = wanted;
  options.lanes = std::min(wanted.lanes, std::max(kAlways, std::thread::hardware_concurrency()));
  EpochRun run(simulation, ticks, options);
  RunOutcome outcome;
  try {
    if (options.lanes > 1) {
      const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                        options.lanes);
      tbb::task_arena arena(static_cast<int>(options.lanes));
      outcome = arena.execute([&] { return run.run(); });
    } else {
      outcome = run.run();
    }
  } catch (const InvariantBroken& broken) {
    outcome.end = RunEnd::InvariantBroken;
    outcome.reason = broken.what();
    outcome.now = run.last_instant();
  }
  return outcome;
}

}  // namespace spineleaf
