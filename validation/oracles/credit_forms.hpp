#pragma once
// Closed forms of InfiniBand link-level credits (IBTA vol. 1, 7.9).

#include "sim/units.hpp"

namespace spineleaf {

/// One-way traffic over a cable into a switch whose output is idle; cut-through.
struct CreditLoop {
  Rate rate;
  Time cable;               ///< propagation + PHY and FEC, one way
  Time pipeline;            ///< receiving switch
  std::int64_t packet = 0;  ///< bytes on the wire
  std::int64_t buffer = 0;  ///< bytes per port and VL
};

/// Packets that the receiver can have granted: min(buffer, 2,048 blocks) in whole packets.
std::int64_t credit_window(const CreditLoop& loop);

/// A packet's first bit out to its credits back: 2 cable + pipeline + packet + update of 8 B.
Time credit_loop_time(const CreditLoop& loop);

/// Wire rate in Gb/s where a loop takes `time`: min(line, window x packet / time).
double credit_rate(const CreditLoop& loop, Time time);

}  // namespace spineleaf
