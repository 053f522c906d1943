#pragma once
// The measurement window of a run: what starts outside it is left out of the records.

#include "scenarios/result.hpp"
#include "scenarios/spec.hpp"

namespace spineleaf {

/// Drops flows and collectives that start before run.warmup or at and after run.warmup +
/// run.window, and says in a warning how many. Totals and port counters stay those of the whole
/// run. Without a warm-up and a window nothing is dropped.
void keep_window(Result& result, const RunParams& run);

}  // namespace spineleaf
