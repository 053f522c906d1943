// Ports, what packets in an InfiniBand switch die of: a head that waits too long for credits, a
// packet that is in the switch for too long, and a VL that is stalled because of the former.
#include <algorithm>

#include "models/parts/ports_hot.hpp"

namespace spineleaf {

void Ports::use_lifetimes(const LifetimeRules& rules, const std::vector<PortSetup>& ports) {
  if (!rules.any() || flow_control_ != FlowControlKind::Credit) return;
  lifetimes_ = std::make_unique<Lifetimes>();
  lifetimes_->rules = rules;
  lifetimes_->rows.resize(queues_.size());
  for (std::uint32_t p = 0; p < count(); ++p) {
    for (std::uint32_t c = 0; c < classes_; ++c) {
      Lifetimes::Row& row = lifetimes_->rows[class_index(p, c)];
      row.head = ports[p].to_host ? rules.leaf_head : rules.head;
      row.moved_up.resize(voq_ ? count() + 1 : 1);
    }
  }
}

/// Heads of a queue: one, or with VOQ one an input. What SHARP makes here is left out: nothing
/// would send it again.
template <class See>
void Ports::each_head(std::uint32_t port, std::uint32_t c, const See& see) const {
  const Queue& q = queue(port, c);
  if (q.head == PacketPool::kNone) return;
  if (!voq_) {
    if (pool_.ingress(q.head) != kNoIngress) see(0U, q.head);
    return;
  }
  const InputTurns& turns = *turns_[class_index(port, c)];
  for (std::uint32_t input = 0; input < count(); ++input) {
    if (turns.has(input)) see(input, turns.head(input));
  }
}

/// When the wait of a head began: once it was at the head or, without VOQ, once there were no
/// credits for it.
Time Ports::waits_since(const Lifetimes::Row& row, std::uint32_t list, std::uint32_t i) const {
  const Time there = std::max(row.moved_up[list], pool_[i].time);
  return voq_ ? there : std::max(there, row.since);
}

/// When the first head of a queue is due, which may only be about to be queued.
Time Ports::first_lapse(std::uint32_t port, std::uint32_t c) const {
  const Lifetimes::Row& row = lifetimes_->rows[class_index(port, c)];
  const Time packet = lifetimes_->rules.packet;
  Time due = Time::max();
  const auto look = [&](Time since, Time arrived) {
    if (row.head != Time{0}) due = std::min(due, since + row.head);
    if (packet != Time{0}) due = std::min(due, arrived + packet);
  };
  if (queue(port, c).head == PacketPool::kNone) look(actor_.now(), actor_.now());
  each_head(port, c, [&](std::uint32_t list, std::uint32_t i) {
    look(waits_since(row, list, i), pool_[i].time);
  });
  return due;
}

/// There are no credits for the queue's head from now on.
void Ports::head_waits(std::uint32_t port, std::uint32_t c) {
  Lifetimes::Row& row = lifetimes_->rows[class_index(port, c)];
  row.since = actor_.now();
  if (!row.armed) arm_lapse(port, c, std::max(first_lapse(port, c), row.since + Time{1}));
}

void Ports::arm_lapse(std::uint32_t port, std::uint32_t c, Time at) {
  if (at == Time::max()) return;
  lifetimes_->rows[class_index(port, c)].armed = true;
  actor_.schedule(at, EventClass::Timer, kLapse, class_row(port, c));
}

void Ports::lapse(std::uint32_t port, std::uint32_t c) {
  Lifetimes::Row& row = lifetimes_->rows[class_index(port, c)];
  const LifetimeRules& rules = lifetimes_->rules;
  const Time now = actor_.now();
  const Queue& q = queue(port, c);
  row.armed = false;
  if (row.stalled_until != Time{0}) {
    if (row.stalled_until > now) return arm_lapse(port, c, row.stalled_until);
    row.stalled_until = Time{0};
    row.in_a_row = 0;
  }
  const auto waits = [&] { return (q.state & Queue::kStalled) != 0; };
  bool stalls = false;
  if (waits() && row.head != Time{0}) {
    each_head(port, c, [&](std::uint32_t list, std::uint32_t i) {
      if (stalls || waits_since(row, list, i) + row.head > now) return;
      drop_head(port, c, i, DropCause::HeadOfQueue);
      row.moved_up[list] = now;
      stalls = ++row.in_a_row == rules.stall_count;
    });
  }
  if (stalls) return stall_vl(port, c);
  if (!waits() || expire_class(port, c) || !waits()) return;
  arm_lapse(port, c, first_lapse(port, c));
}

void Ports::stall_vl(std::uint32_t port, std::uint32_t c) {
  Lifetimes::Row& row = lifetimes_->rows[class_index(port, c)];
  row.stalled_until = actor_.now() + row.head * kStallLifetimes;
  bool more = true;
  while (more) {
    more = false;
    each_head(port, c, [&](std::uint32_t list, std::uint32_t i) {
      drop_head(port, c, i, DropCause::VlStall);
      row.moved_up[list] = actor_.now();
      more = true;
    });
  }
  arm_lapse(port, c, row.stalled_until);
}

// Only of a port that could start a packet now: an arbitration that changes nothing must not.
bool Ports::expire_heads(std::uint32_t port) {
  const Port& p = ports_[port];
  if (p.busy || !p.up) return false;
  bool stalled = false;
  for (std::uint32_t ready = p.ready; ready != 0; ready &= ready - 1) {
    stalled |= expire_class(port, static_cast<std::uint32_t>(std::countr_zero(ready)));
  }
  return stalled;
}

/// True if that stalls the VL.
bool Ports::expire_class(std::uint32_t port, std::uint32_t c) {
  Lifetimes::Row& row = lifetimes_->rows[class_index(port, c)];
  const LifetimeRules& rules = lifetimes_->rules;
  const Time now = actor_.now();
  bool stalls = false;
  bool more = rules.packet != Time{0};
  while (more && !stalls) {
    more = false;
    each_head(port, c, [&](std::uint32_t list, std::uint32_t i) {
      if (stalls || pool_[i].time + rules.packet > now) return;
      drop_head(port, c, i, DropCause::PacketLifetime);
      row.moved_up[list] = now;
      more = true;
      stalls = row.head != Time{0} && ++row.in_a_row == rules.stall_count;
    });
  }
  if (stalls) stall_vl(port, c);
  return stalls;
}

std::uint32_t Ports::stalled_vls() const {
  std::uint32_t mask = 0;
  if (lifetimes_ == nullptr) return mask;
  for (std::uint32_t i = 0; i < lifetimes_->rows.size(); ++i) {
    if (lifetimes_->rows[i].stalled_until != Time{0}) mask |= 1U << (i % classes_);
  }
  return mask;
}

/// Throws away packet `i`, a head of the queue; its credits go back to whoever sent it. What comes
/// up in its place may need fewer.
void Ports::drop_head(std::uint32_t port, std::uint32_t c, std::uint32_t i, DropCause cause) {
  Queue& q = queue(port, c);
  Port& p = ports_[port];
  const std::uint16_t input = pool_.ingress(i);
  const std::uint16_t size = pool_.size(i);
  drop(pool_[i], cause);
  if (voq_) {
    q.head = turns_[class_index(port, c)]->remove(pool_, std::min<std::uint32_t>(input, count()));
  } else {
    q.head = pool_.next(i);
  }
  pool_.free(i);
  q.bytes -= size;
  p.load -= size;
  if (q.head != PacketPool::kNone) {
    q.head_size = pool_.size(q.head);
  } else {
    q.deficit = 0;
    p.ready &= static_cast<std::uint16_t>(~(1U << c));
    end_stall(q, port, c);
  }
  if (input != kNoIngress) release(input, c, size);
  if (!p.busy) actor_.mark(port);
}

}  // namespace spineleaf
