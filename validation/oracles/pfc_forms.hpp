#pragma once
// Closed forms of priority flow control (IEEE 802.1Qbb; IEEE 802.3 annex 31B).

#include "sim/units.hpp"

namespace spineleaf {

struct PfcLoop {
  Rate rate;                       ///< of the paused link; the reverse link has the same
  Time there;                      ///< sender's last bit out to receiver's decision
  Time back;                       ///< pause frame's last bit out to its receipt
  Time response;                   ///< receipt to a stopped transmitter
  std::int64_t frame = 0;          ///< largest frame of the paused sender, gap included
  std::int64_t reverse_frame = 0;  ///< largest frame that can hold up the pause frame
  std::int64_t pause_frame = 0;    ///< pause frame, gap included
};

/// Most bytes on the wire that can arrive after the packet that tripped XOFF:
/// (there + back + response) C + frame + reverse_frame + pause_frame.
double headroom_bytes(const PfcLoop& loop);

/// Pause time of `quanta` units of 512 bit times, exact.
Time pause_time(std::int64_t quanta, Rate rate);

/// Share of time each of k equal senders into one equal link is paused: 1 - 1/k.
constexpr double pause_share(double k) { return 1 - 1 / k; }

}  // namespace spineleaf
