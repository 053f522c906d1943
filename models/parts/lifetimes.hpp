#pragma once
// Lifetimes: how long a packet may wait in an InfiniBand switch before it is thrown away. What a
// credit loop ends in, where nothing else breaks it.

#include <cstdint>
#include <vector>

#include "sim/units.hpp"

namespace spineleaf {

/// IBTA vol. 1 ch. 7.6 and 18.2.5; names and defaults as in OpenSM (osm_base.h). Zero = no limit.
struct LifetimeRules {
  Time head;                      ///< at the head of a (port, VL) towards a switch, without credits
  Time leaf_head;                 ///< the same towards a host
  Time packet;                    ///< in the switch, measured when at the head
  std::uint32_t stall_count = 0;  ///< heads in a row, thrown away, that stall the VL; 0 = never

  bool any() const { return head != Time{0} || leaf_head != Time{0} || packet != Time{0}; }
};

/// A stalled VL throws away all that comes for it, so many lifetimes of its head long.
inline constexpr std::int64_t kStallLifetimes = 8;

struct Lifetimes {
  /// Per (port, class).
  struct Row {
    Time head;           ///< limit here; zero = none
    Time since;          ///< there are no credits for the queue
    Time stalled_until;  ///< zero = not stalled
    /// When a head came up, after another; with VOQ by input, else one.
    std::vector<Time> moved_up;
    std::uint32_t in_a_row = 0;
    bool armed = false;  ///< an event looks at the head
  };
  LifetimeRules rules;
  std::vector<Row> rows;
};

}  // namespace spineleaf
