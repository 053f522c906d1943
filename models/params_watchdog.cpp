// Section "watchdog".
#include <array>

#include "models/param_tables.hpp"
#include "models/params.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 3> kActions{"drop", "forward", "alert"};
constexpr std::array<std::string_view, 2> kRules{"nvidia", "broadcom"};

constexpr std::array kWatchdog{
    param<&WatchdogParams::detection>(
        "detection", Unit::Time, "0ms", 0, 100 * unit::s,
        "A lossless queue that is paused this long is stormed; 0 = no watchdog.",
        "SONiC PFC_WD detection_time, 100 to 5000 ms; pfcwd start_default: 200 ms"),
    param<&WatchdogParams::restoration>(
        "restoration", Unit::Time, "200ms", 1 * unit::us, 100 * unit::s,
        "A stormed queue is given back when no pause came for this long.",
        "SONiC PFC_WD restoration_time; pfcwd start_default: 200 ms"),
    param<&WatchdogParams::poll>("poll", Unit::Time, "100ms", 1 * unit::us, 10 * unit::s,
                                 "How often counters are read.",
                                 "SONiC PFC_WD POLL_INTERVAL, 100 to 1000 ms"),
    param<&WatchdogParams::action>(
        "action", Unit::Choice, "drop", 0, 2,
        "drop discards the stormed queue, all that goes to it and all that comes in by "
        "the port and class; forward sends it in spite of pauses; alert only counts. "
        "drop and forward ignore pauses until the queue is given back.",
        "SONiC PFC_WD action", kActions),
    param<&WatchdogParams::rule>(
        "rule", Unit::Choice, "nvidia", 0, 1,
        "nvidia: packets wait, none leave and the queue is paused for over 99 % of the "
        "time; broadcom: pauses came, the queue was never let go and is paused at two "
        "polls in a row.",
        "SONiC pfc_detect_mellanox.lua, pfc_detect_broadcom.lua", kRules),
    param<&WatchdogParams::false_restore>(
        "false_restore", Unit::Flag, "false", 0, 1,
        "Fault: pauses that are ignored are not counted, so that a storm seems "
        "over after restoration although it goes on.",
        "sonic-net/sonic-buildimage#29203"),
};

}  // namespace

ParamTable watchdog_table() {
  return {"watchdog", "PFC watchdog of the switches, for storms and deadlocks.", kWatchdog};
}

}  // namespace spineleaf
