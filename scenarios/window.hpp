#pragma once
// The measurement window of a run: what starts outside it is left out of the records.

#include "scenarios/result.hpp"

namespace spineleaf {

/// What is measured: records that start in [warmup, warmup + length). Length 0 = to the end.
struct MeasurementWindow {
  Time warmup;
  Time length;
};

/// Drops flows and collectives that start outside the window, or never, and says in a warning how
/// many. Totals and port counters stay those of the whole run.
void keep_window(Result& result, const MeasurementWindow& window);

}  // namespace spineleaf
