#pragma once
// Mutants: wrong choices of the rules of time, to show that the tests notice them.
//
// Only the mutant tests are compiled with SPINELEAF_TEST_MUTANTS. There a test switches one wrong
// choice on for an epoch executor, and a case must then differ from the reference executor. In
// every other build mutant() is the constant false and nothing is left of the branches that ask for
// it.

#include <cstdint>

namespace spineleaf {

enum class Mutant : std::uint8_t {
  None,
  ArbitrateAtOnce,    ///< a marked port does not wait for the end of its instant
  TiesAsAppended,     ///< records of one (time, class) run in the order in which they were sent
  TiesByLink,         ///< ... in the order of their links
  TiesByHead,         ///< ... by a hash of the instant at which their head arrives
  TicksAfter,         ///< a tick comes after the events of its instant
  LostIfDown,         ///< a record is lost if its port is down when it acts
  CnpSeesDueTimers,   ///< a CNP finds the timers of its own instant fired
  RingUnsorted,       ///< events of one delay run in the order in which they were made
  RecordBeforeLocal,  ///< inside a class records run before local events
};

#ifdef SPINELEAF_TEST_MUTANTS
inline Mutant active_mutant = Mutant::None;
inline bool mutant(Mutant asked) { return active_mutant == asked; }
#else
constexpr bool mutant(Mutant) { return false; }
#endif

}  // namespace spineleaf
