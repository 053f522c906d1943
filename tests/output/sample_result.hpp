#pragma once
// A small Result that has something of everything, made by hand: no simulation behind it.

#include <string>

#include "scenarios/output/curve.hpp"
#include "scenarios/result.hpp"

namespace spineleaf::test {

/// Two jobs (a permutation of 100 flows, an all-reduce of two iterations), links, pauses, series.
Result sample_result(const std::string& fabric = "RoCEv2 (PFC)");

/// The same run ended in a deadlock of three queues.
Result deadlocked_result();

/// Names that try to break out of HTML, CSV and JSON.
Result hostile_result();

/// Measured and two simulated all-reduce curves from 8 MiB to 8 GiB, 16 ranks.
CurveSet sample_curves();

}  // namespace spineleaf::test
