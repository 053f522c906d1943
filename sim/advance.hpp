#pragma once
// run_epoch: the inner loop. Runs one actor through all instants of [from, to).
//
// Key order (rule 2): (time, class, local before record, tie, id). Marked ports are arbitrated when
// nothing of class 1-4 is pending at the instant (rule 6).

#include "sim/inbox.hpp"
#include "sim/mutants.hpp"

namespace spineleaf {

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
  const std::size_t count = lane.batch.size();
  std::size_t next = 0;
  std::uint32_t at_instant = 0;
  for (;;) {
    // The least pending key of records and local events; local first where (time, class) are equal.
    const LocalEvent& head = local.peek();
    Time time = head.time;
    bool take_record = false;
    if (next < count) {
      const Record& record = *lane.batch[next].record;
      if (record.time < time ||
          (record.time == time && runs_before(class_of(record.kind), head.event_class()))) {
        time = record.time;
        take_record = true;
      }
    }
    if (time != actor.now()) {
      if (marked.any()) {
        arbitrate_marked(actor);
        continue;
      }
      if (time >= to) break;
      actor.set_now(time);
      at_instant = 0;
    }
    SIM_CHECK(++at_instant < kInstantLimit,
              "too many events at one instant in actor " + actor.name());
    if (take_record) {
      Record record = *lane.batch[next].record;
      ++next;
      if (next < count) __builtin_prefetch(lane.batch[next].record);
      actor.on_record(record);
    } else {
      const LocalEvent event = local.pop();
      actor.on_local(event);
    }
    if (mutant(Mutant::ArbitrateAtOnce) && marked.any()) arbitrate_marked(actor);
  }
  release_batch(lane, actor, next);
}

}  // namespace spineleaf
