#pragma once
// From actors to Result: counters, flows, collectives, verdict.

#include "scenarios/run.hpp"

namespace spineleaf {

/// Fills tables, totals, fingerprint and simulated time from a fabric that has stopped.
void collect_result(Result& result, const World& world, Fabric& fabric, const RunOutcome& outcome);

/// Sets verdict and its text from what happened and what was expected.
void judge(Result& result, const std::string& broken_invariant);

}  // namespace spineleaf
