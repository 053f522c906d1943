#pragma once
// History: what a run did over time, kept only when pictures or traces are wanted.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace spineleaf {

/// A directed port over time. A bin holds the largest queue that samples saw in it, and the share
/// of it in which some class was held by PFC or had no credits.
struct PortHistory {
  std::string name;  ///< "leaf0:3 > host7"
  std::vector<float> queue_bytes;
  std::vector<float> held;  ///< 0..1, exact
};

/// The rate that DCQCN allowed a connection, at the last sample of each bin.
struct RateHistory {
  std::string name;  ///< "host3 > host0, connection 12"
  std::vector<float> gbps;
};

/// A slice step of a collective on one GPU, on the first channel.
struct StepRecord {
  std::uint32_t job = 0;
  std::uint32_t rank = 0;
  std::uint32_t role = 0;
  std::uint32_t iteration = 0;
  bool receives = false;
  bool sends = false;
  std::int64_t bytes = 0;
  Time start;
  Time end;
};

struct History {
  Time bin;                        ///< length of each bin; the first begins at 0
  std::vector<PortHistory> ports;  ///< those with the largest queues and those held longest
  std::size_t ports_of_all = 0;    ///< how many there are
  std::vector<float> held_nics;    ///< share of ports held, mean over all NICs; by bin
  std::vector<float> held_switches;
  std::vector<RateHistory> rates;
  std::vector<StepRecord> steps;
  /// Of each of Result::flows: no network could be faster (scenarios/flow_bounds.hpp).
  std::vector<Time> flow_bounds;
  bool steps_cut = false;  ///< there were more ranks or steps than are kept

  bool empty() const { return bin == Time{} && steps.empty(); }
};

}  // namespace spineleaf
