#include "models/switch/pfc_watchdog.hpp"

#include <algorithm>

namespace spineleaf {

PfcWatchdog::PfcWatchdog(Switch& sw, const WatchdogParams& params, std::uint32_t lossless)
    : switch_(sw),
      params_(params),
      lossless_(lossless),
      watches_(std::size_t{sw.ports().count()} * sw.ports().classes()) {}

void PfcWatchdog::poll(Time at, std::vector<WatchdogEvent>& events) {
  Ports& ports = switch_.ports();
  for (std::uint32_t port = 0; port < ports.count(); ++port) {
    for (std::uint32_t c = 0; c < ports.classes(); ++c) {
      if ((lossless_ >> c & 1U) == 0) continue;
      Watch& watch = watches_[std::size_t{port} * ports.classes() + c];
      if (!watch.stormed) {
        watch.bad_for = looks_stormed(watch, port, c, at) ? watch.bad_for + params_.poll : Time{0};
        if (watch.bad_for >= params_.detection) find(watch, port, c, at, events);
      } else if (over(watch, port, c, at)) {
        watch.stormed = false;
        watch.bad_for = Time{0};
        if (params_.action != WatchdogAction::Alert) ports.ignore_pauses(port, c, false, at);
        if (params_.action == WatchdogAction::Drop) switch_.set_discard(port, c, false);
        events.push_back({at, switch_.id(), static_cast<std::uint16_t>(port),
                          static_cast<std::uint8_t>(c), true, 0});
      }
    }
  }
}

bool PfcWatchdog::looks_stormed(Watch& watch, std::uint32_t port, std::uint32_t c, Time at) const {
  const Ports& ports = switch_.ports();
  const Watch before = watch;
  watch.packets = ports.packets_sent(port, c);
  watch.pauses = ports.class_counters(port, c).pauses_received;
  watch.resumes = ports.resumes_heard(port, c);
  watch.paused = ports.paused_time(port, c, at);
  watch.was_paused = ports.paused(port, c, at);
  if (params_.rule == WatchdogRule::Broadcom) {
    return watch.pauses > before.pauses && watch.resumes == before.resumes && watch.was_paused &&
           before.was_paused;
  }
  return ports.queued_bytes(port, c) > 0 && watch.packets == before.packets &&
         (watch.paused - before.paused) * 100 > params_.poll * 99;
}

void PfcWatchdog::find(Watch& watch, std::uint32_t port, std::uint32_t c, Time at,
                       std::vector<WatchdogEvent>& events) {
  Ports& ports = switch_.ports();
  watch.stormed = true;
  watch.stormed_at = at;
  const auto dropped = [&] {
    std::int64_t drops = 0;
    for (std::uint32_t p = 0; p < ports.count(); ++p) {
      drops += ports.counters(p).drops[static_cast<int>(DropCause::Watchdog)];
    }
    return drops;
  };
  const std::int64_t before = dropped();
  if (params_.action == WatchdogAction::Drop) {
    ports.discard_queue(port, c, at);
    switch_.set_discard(port, c, true);
  }
  if (params_.action != WatchdogAction::Alert) ports.ignore_pauses(port, c, true, at);
  events.push_back({at, switch_.id(), static_cast<std::uint16_t>(port),
                    static_cast<std::uint8_t>(c), false, dropped() - before});
}

bool PfcWatchdog::over(const Watch& watch, std::uint32_t port, std::uint32_t c, Time at) const {
  const bool counted = params_.action == WatchdogAction::Alert || !params_.false_restore;
  const Time heard = counted ? switch_.ports().pause_heard(port, c) : watch.stormed_at;
  return at - std::max(heard, watch.stormed_at) >= params_.restoration;
}

}  // namespace spineleaf
