// Ports, for the deadlock test: what an ingress still holds once all that can move has moved.
#include <algorithm>

#include "models/parts/ports_hot.hpp"

namespace spineleaf {

void Ports::add_queued_by_ingress(std::uint32_t port, std::uint32_t c,
                                  std::vector<std::int64_t>& units) const {
  const bool credits = flow_control_ == FlowControlKind::Credit;
  const auto add = [&](std::uint32_t first) {
    for (std::uint32_t i = first; i != PacketPool::kNone; i = pool_.next(i)) {
      if (pool_.ingress(i) == kNoIngress) continue;
      units[pool_.ingress(i)] += credits ? blocks(pool_.size(i)) : cells(pool_.size(i));
    }
  };
  if (!voq_) return add(queue(port, c).head);
  const InputTurns* turns = turns_[class_index(port, c)].get();
  for (std::uint32_t input = 0; turns != nullptr && input < count(); ++input) {
    add(turns->head(input));
  }
}

std::int64_t Ports::standing_shared(std::uint32_t port, std::uint32_t c,
                                    std::int64_t standing) const {
  const Ingress& in = ingress(port, c);
  const std::int64_t headroom = std::max<std::int64_t>(0, in.headroom - (in.used - standing));
  return std::max<std::int64_t>(0, standing - headroom - config_->reserve);
}

// What leaves is taken from headroom first (see release_pfc).
bool Ports::would_resume(std::uint32_t port, std::uint32_t c, std::int64_t standing,
                         std::int64_t shared) const {
  const Ingress& in = ingress(port, c);
  if (in.headroom > in.used - standing) return false;
  return lets_go_on(port, standing_shared(port, c, standing), shared);
}

}  // namespace spineleaf
