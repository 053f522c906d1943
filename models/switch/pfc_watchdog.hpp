#pragma once
// PFC watchdog of a switch: finds lossless queues that stay paused, and frees what they hold up.
// Rules of detection and restoration as in SONiC (pfc_detect_*.lua, pfcwdorch.cpp); see
// WatchdogParams.

#include <vector>

#include "models/params.hpp"
#include "models/switch/switch.hpp"

namespace spineleaf {

/// Something that a watchdog did.
struct WatchdogEvent {
  Time at;
  std::uint32_t node = 0;  ///< the switch
  std::uint16_t port = 0;
  std::uint8_t traffic_class = 0;
  bool restored = false;       ///< else: a storm was found
  std::int64_t discarded = 0;  ///< packets, dropped at once from the queue
};

/// Watches one switch. Polled at ticks, which no epoch crosses.
class PfcWatchdog {
 public:
  PfcWatchdog(Switch& sw, const WatchdogParams& params, std::uint32_t lossless);

  void poll(Time at, std::vector<WatchdogEvent>& events);

 private:
  /// Of a (port, class): what was read at the last poll, and for how long it has been bad.
  struct Watch {
    std::int64_t packets = 0;
    std::int64_t pauses = 0;
    std::uint32_t resumes = 0;
    Time paused;
    Time bad_for;
    Time stormed_at;
    bool was_paused = false;
    bool stormed = false;
  };
  bool looks_stormed(Watch& watch, std::uint32_t port, std::uint32_t c, Time at) const;
  void find(Watch& watch, std::uint32_t port, std::uint32_t c, Time at,
            std::vector<WatchdogEvent>& events);
  bool over(const Watch& watch, std::uint32_t port, std::uint32_t c, Time at) const;

  Switch& switch_;
  const WatchdogParams& params_;
  std::uint32_t lossless_;
  std::vector<Watch> watches_;  ///< per (port, class)
};

}  // namespace spineleaf
