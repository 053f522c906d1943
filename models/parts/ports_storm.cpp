// Ports, between epochs: receivers that pause for ever, and senders that no longer listen.
#include <algorithm>

#include "models/parts/ports_hot.hpp"

namespace spineleaf {

void Ports::set_storm(std::uint32_t port, std::uint32_t c, bool on, Time at) {
  ColdClass& cold = cold_class(port, c);
  if (cold.storms == on) return;
  cold.storms = on;
  Ingress& in = ingress(port, c);
  in.used += on ? kStormCells : -kStormCells;
  actor_.set_now(at);
  const std::int64_t held = in.used - in.headroom - config_->reserve;
  const bool go_on =
      !on && in.headroom == 0 && lets_go_on(port, std::max<std::int64_t>(0, held), shared_used_);
  if (on || go_on) set_xoff(port, c, on);
}

void Ports::ignore_pauses(std::uint32_t port, std::uint32_t c, bool ignore, Time at) {
  ColdClass& cold = cold_class(port, c);
  cold.ignores_pauses = ignore;
  if (!ignore) return;
  cold.counters.paused = paused_time(port, c, at);
  cold.paused_until = cold.paused_since = at;
  actor_.set_now(at);
  actor_.mark(port);
}

void Ports::discard_queue(std::uint32_t port, std::uint32_t c, Time at) {
  actor_.set_now(at);
  Queue& q = queue(port, c);
  while (q.head != PacketPool::kNone) drop_head(port, c, q.head, DropCause::Watchdog);
}

}  // namespace spineleaf
