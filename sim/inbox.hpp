#pragma once
// Gathering an actor's records of one epoch into the total order of the rules of time.

#include <span>

#include "sim/actor.hpp"

namespace spineleaf {

/// Takes all records of `actor` binned in the current epoch, leftovers of a cut epoch included,
/// into lane.batch, sorted by (time, class, tie, link). Index = position before sorting.
/// The records stay in their chunks until release_batch().
void gather_batch(Lane& lane, Actor& actor, Time from);

/// Gives the chunks back; records from position `done` on act at or after `to` and stay with the
/// actor as leftovers.
void release_batch(Lane& lane, Actor& actor, std::size_t done);

}  // namespace spineleaf
