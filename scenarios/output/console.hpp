#pragma once
// Text for a terminal: at most a few screens, plain ASCII, no colour codes, "\n" at every line's
// end.

#include <string>
#include <vector>

#include "scenarios/output/curve.hpp"
#include "scenarios/result.hpp"

namespace spineleaf {

/// What happened, first of all: verdict, what ran, what it cost, warnings; for a run without
/// progress the cycle of waits, else the first waits.
std::string verdict_block(const Result& result);

/// The table of nccl-tests (size count type redop root time algbw busbw #wrong), one block of time
/// columns per simulated curve side by side. When a curve is measured, its time and busbw follow,
/// and each block has the error of its time in percent (positive = simulated is slower). `#wrong`
/// is N/A: no data is moved. Elements are floats of four bytes.
std::string nccl_table(const CurveSet& set);

/// One row per run and job that has flows: FCT p50, p99, max, goodput; then pauses, marks, credit
/// stalls and drops of the whole run.
std::string fct_table(const std::vector<const Result*>& runs);

}  // namespace spineleaf
