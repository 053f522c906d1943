#pragma once
// Closed forms of aggregation in switches, on an idle fabric with equal links and equal starts.
//
// Store-and-forward upwards, cut-through downwards. A packet's time at an aggregation node is the
// switch's core latency plus the reduction; downwards it stays the core latency plus the header.
// Derived by hand; a max-plus simulation of the same tree agrees to the picosecond.

#include <cstdint>

#include "sim/units.hpp"

namespace spineleaf {

struct SharpTree {
  std::int64_t levels = 1;  ///< of switches
  Rate rate;
  Time cable;                ///< propagation + PHY and FEC of a link, one way
  Time core;                 ///< switch.core_latency
  Time reduction;            ///< sharp.latency
  std::int64_t head = 64;    ///< switch.header: bytes before a packet goes on downwards
  std::int64_t header = 26;  ///< bytes of a packet beside its payload
};

/// `bytes` in packets of `payload`, each member's, from the first bit up to the last bit down.
/// T = (N-1) s + d (P + s + A) + d P + (d-1) R + s_last, A = core + reduction, R = core + head.
Time sharp_stream_time(const SharpTree& tree, std::int64_t bytes, std::int64_t payload);

/// Payload a second with a window of `packets`: min(window x payload / T(1 packet), line rate).
double sharp_window_rate(const SharpTree& tree, std::int64_t packets, std::int64_t payload);

/// Time per packet where the first switch has buffer for `packets` and returns credits at once:
/// max(s, (2 P + s + A + 8 B) / packets), and 8 B more on the wire where results come down.
double sharp_credit_ps(const SharpTree& tree, std::int64_t packets, std::int64_t payload);

}  // namespace spineleaf
