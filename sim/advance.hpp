#pragma once
// run_epoch: the inner loop. Runs one actor through all instants of [from, to).
//
// Key order (rule 2): (time, class, local before record, tie, id). Marked ports are arbitrated when
// nothing of class 1-4 is pending at the instant (rule 6).

#include "sim/inbox.hpp"
#include "sim/mutants.hpp"

namespace spineleaf {

/// How many records ahead an actor is told of what it will need.
inline constexpr std::ptrdiff_t kLookAhead = 12;

template <class A>
void arbitrate_marked(A& actor) {
  actor.set_arbitrating(true);
  PortSet& marked = actor.marked();
  do {
    actor.on_arbitrate(marked.pop_first());
  } while (marked.any());
  actor.set_arbitrating(false);
}

/// Whether a record runs before a local event of its instant: where classes are equal it does not.
inline bool runs_before(EventClass record, EventClass local) {
  return record < local || (mutant(Mutant::RecordBeforeLocal) && record == local);
}

template <class A>
void run_epoch(A& actor, Lane& lane, Time from, Time to) {
  gather_batch(lane, actor, from);
  LocalQueue& local = actor.local_queue();
  PortSet& marked = actor.marked();
  const Lane::BatchEntry* entry = lane.batch.data();
  const Lane::BatchEntry* const end = entry + lane.batch.size();
  Time record_time = entry != end ? entry->record->time : Time::max();
  EventClass record_class = entry != end ? class_of(entry->record->kind) : EventClass::Arbitration;
  for (std::ptrdiff_t i = 0; i < kLookAhead && entry + i < end; ++i) {
    actor.prefetch_for(*entry[i].record);
  }
  std::uint32_t at_instant = 0;
  const bool asks = lane.requests.spread_over(2 * lane.batch.size());
  for (;;) {
    // The least pending key of records and local events; local first where (time, class) are equal.
    const LocalEvent& head = local.peek();
    const bool take_record =
        record_time < head.time ||
        (record_time == head.time && entry != end && runs_before(record_class, head.event_class()));
    const Time time = take_record ? record_time : head.time;
    if (time != actor.now()) {
      if (marked.any()) {
        arbitrate_marked(actor);
        continue;
      }
      if (time >= to) break;
      actor.set_now(time);
      at_instant = 0;
    }
    if (asks) lane.requests.ask();
    SIM_CHECK(++at_instant < kInstantLimit, "too many events at one instant", actor.name());
    if (take_record) {
      const Record& record = *entry->record;
      if (++entry != end) {
        record_time = entry->record->time;
        record_class = class_of(entry->record->kind);
        if (entry + kLookAhead < end) actor.prefetch_for(*entry[kLookAhead].record);
      } else {
        record_time = Time::max();
      }
      actor.set_next_record(record_time);
      actor.on_record(record);
    } else {
      actor.on_local(local.pop());
    }
    if (mutant(Mutant::ArbitrateAtOnce) && marked.any()) arbitrate_marked(actor);
  }
  lane.requests.finish();
  actor.on_epoch_end(to);
  release_batch(lane, actor, static_cast<std::size_t>(entry - lane.batch.data()));
}

}  // namespace spineleaf
