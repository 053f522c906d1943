#pragma once
// Ports: what runs once or more per packet, to be inlined into the devices' handlers.

#include <algorithm>
#include <bit>

#include "models/parts/ports.hpp"
#include "sim/mutants.hpp"

namespace spineleaf {

template <class SizeOf>
std::uint32_t Ports::choose_class(std::uint32_t port, std::uint32_t eligible,
                                  const SizeOf& size_of) {
  if (!arbiters_.empty()) [[unlikely]] {
    const std::uint32_t vl = arbiters_[port].choose(eligible);
    arbiters_[port].sent(size_of(vl));
    return vl;
  }
  if ((eligible & (eligible - 1)) == 0) [[likely]] {
    return static_cast<std::uint32_t>(std::countr_zero(eligible));
  }
  const std::uint32_t strict = eligible & strict_;
  if (strict != 0) return static_cast<std::uint32_t>(31 - std::countl_zero(strict));
  // Deficit round robin (Shreedhar & Varghese 1996): the turn stays with a class while its deficit
  // lasts; a class that is not eligible passes it on and keeps nothing.
  Queue* const queues = &queue(port, 0);
  std::uint8_t& turn = ports_[port].turn;
  for (;;) {
    Queue& q = queues[turn];
    const bool may = (eligible >> turn & 1U) != 0;
    if (may && q.deficit >= size_of(turn)) {
      q.deficit -= size_of(turn);
      return turn;
    }
    if (!may) q.deficit = 0;
    turn = turn + 1U == classes_ ? std::uint8_t{0} : static_cast<std::uint8_t>(turn + 1);
    if ((eligible >> turn & 1U) != 0) queues[turn].deficit += quantum_[turn];
  }
}

// --- ingress

inline bool Ports::charge(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if (flow_control_ == FlowControlKind::Pfc) return charge_pfc(port, c, size);
  if (flow_control_ == FlowControlKind::Credit) return charge_credit(port, c, size);
  return true;
}

inline bool Ports::charge_credit(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  Ingress& in = ingress(port, c);
  const std::int32_t n = blocks(size);
  in.used += n;
  in.abr = static_cast<std::uint16_t>((in.abr + n) & 4095);
  const std::int64_t free = config_->buffer_blocks - in.used;
  SIM_CHECK(free >= 0, "credit buffer overrun", actor_.name());
  in.max_used = std::max(in.max_used, in.used);
  // Only 2,048 blocks can be offered at once: with more free, an arrival alone moves the limit.
  if (free > 2048) credit_change(port, c);
  return true;
}

inline std::int64_t Ports::threshold(std::uint32_t port, std::int64_t shared) const {
  const std::int64_t free = pool_cells_ - shared;
  if (config_->ns3_thresholds) return free >> cold_[port].ns3_shift;
  if (config_->alpha_q16 != 0) return (free * config_->alpha_q16) >> 16;
  return config_->xoff;
}

inline bool Ports::charge_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if ((config_->lossless >> c & 1U) == 0) return true;
  Ingress& in = ingress(port, c);
  const std::int32_t n = cells(size);
  // The plain case: nothing in headroom, not paused, room in the pool.
  if (in.xoff || in.headroom != 0 || shared_used_ + n > pool_cells_ || config_->ns3_thresholds)
      [[unlikely]] {
    return charge_pfc_slowly(in, port, c, n);
  }
  const std::int64_t before = std::max<std::int64_t>(0, in.used - config_->reserve);
  in.used += n;
  const std::int64_t shared = std::max<std::int64_t>(0, in.used - config_->reserve);
  shared_used_ += shared - before;
  in.max_used = std::max(in.max_used, in.used);
  if (shared >= threshold(port)) set_xoff(port, c, true);
  return true;
}

inline void Ports::release(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if (flow_control_ == FlowControlKind::Credit) {
    Ingress& in = ingress(port, c);
    in.used -= blocks(size);
    SIM_CHECK(in.used >= 0, "credit buffer below zero", actor_.name());
    credit_change(port, c);
  } else if (flow_control_ == FlowControlKind::Pfc) {
    release_pfc(port, c, size);
  }
}

inline void Ports::release_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if ((config_->lossless >> c & 1U) == 0) return;
  Ingress& in = ingress(port, c);
  const std::int32_t n = cells(size);
  const std::int64_t before = std::max<std::int64_t>(0, in.used - in.headroom - config_->reserve);
  in.headroom -= std::min(n, in.headroom);
  in.used -= n;
  SIM_CHECK(in.used >= 0, "ingress occupancy below zero", actor_.name());
  const std::int64_t shared = std::max<std::int64_t>(0, in.used - in.headroom - config_->reserve);
  shared_used_ += shared - before;
  if (in.xoff && in.headroom == 0 && lets_go_on(port, shared, shared_used_)) {
    set_xoff(port, c, false);
  }
}

/// XON rule: an ingress that holds `shared_here` cells of a pool that has lent `shared`.
inline bool Ports::lets_go_on(std::uint32_t port, std::int64_t shared_here,
                              std::int64_t shared) const {
  return shared_here == 0 || shared_here + config_->xon_offset <= threshold(port, shared);
}

inline void Ports::credit_change(std::uint32_t port, std::uint32_t c) {
  Port& p = ports_[port];
  p.due |= static_cast<std::uint16_t>(1U << c);
  if (p.busy) return;  // the end of the transmission looks at it
  if (round_open(p)) {
    actor_.mark(port);
  } else {
    wake_for_round(port);
  }
}

inline Time Ports::earliest_start(const Record& record, std::uint32_t out) const {
  if (!mixed_speeds_) return record.time;
  const ColdPort& cold = cold_[record.port];
  if (!cold.in_cut_through) return record.time;
  const std::int64_t wire = record.size + gap_;
  const Time whole = cold.in.serialisation_of(wire);
  const Time tail = record.time + (whole - std::min(cold.in_header_time, whole));
  return std::max(record.time, tail - wire_time(out, wire));
}

// --- egress

inline Record& Ports::enqueue(std::uint32_t port, const Record& record) {
  Port& p = ports_[port];
  const std::uint32_t c = record.traffic_class;
  const std::uint32_t size = record.size;
  Queue& q = queue(port, c);
  const std::uint32_t i = pool_.put(record);
  if (settled_ && p.ready == 0) p.open_at = std::max(p.open_at, actor_.now());
  p.ready |= static_cast<std::uint16_t>(1U << c);
  if (voq_) {
    q.head = push_turn(q, record.port, i);
    q.head_size = pool_.size(q.head);
  } else if (q.head == PacketPool::kNone) {
    q.head = i;
    q.head_size = record.size;
  } else {
    pool_.append(q.tail, i, record.size);
  }
  q.tail = i;
  q.bytes += size;
  p.load += size;
  SIM_CHECK(p.load >= size, "over 4 GiB wait at one port", actor_.name());
  if (q.bytes > q.max_bytes) {
    q.max_bytes = q.bytes;
    class_counters(port, c).max_queue_at = actor_.now();
  }
  if (!p.busy && !settled_) actor_.mark(port);
  return pool_[i];
}

inline bool Ports::begin_arbitration(std::uint32_t port) {
  Port& p = ports_[port];
  if (p.busy || !p.up) return false;
  wanted_wake_ = Time::max();
  lead_ = Time{0};
  if (p.due != 0 && round_open(p)) start_link_control(port);
  return true;
}

inline bool Ports::may_start(std::uint32_t port, std::uint32_t c, std::int32_t size,
                             Time not_before) {
  return may_start(queue(port, c), port, c, size, not_before);
}

inline bool Ports::may_start(Queue& q, std::uint32_t port, std::uint32_t c, std::int32_t size,
                             Time not_before) {
  const Time now = actor_.now();
  if ((q.state & Queue::kPaused) != 0) {
    const Time until = cold_class(port, c).paused_until;
    if (until > now) {
      if (until != Time::max()) wanted_wake_ = std::min(wanted_wake_, until);
      return false;
    }
    q.state &= static_cast<std::uint16_t>(~Queue::kPaused);
  }
  if (flow_control_ == FlowControlKind::Credit && blocks(size) > ((q.fccl - q.fctbs) & 4095)) {
    if ((q.state & Queue::kStalled) == 0) {
      q.state |= Queue::kStalled;
      ColdClass& cold = cold_class(port, c);
      cold.stalled_since = now;
      ++cold.counters.credit_stalls;
      if (lifetimes_ != nullptr) head_waits(port, c);
    }
    return false;
  }
  if (not_before > now) {
    wanted_wake_ = std::min(wanted_wake_, not_before);
    return false;
  }
  return true;
}

inline void Ports::end_stall(Queue& q, std::uint32_t port, std::uint32_t c) {
  if ((q.state & Queue::kStalled) == 0) return;
  q.state &= static_cast<std::uint16_t>(~Queue::kStalled);
  ColdClass& cold = cold_class(port, c);
  cold.counters.credit_stalled += actor_.now() - cold.stalled_since;
}

/// Returns the acting instant at the far end.
inline Time Ports::begin_transmission(Queue& q, std::uint32_t port, std::uint32_t c,
                                      std::int32_t size, std::uint32_t ingress_port) {
  Port& p = ports_[port];
  const std::int64_t wire = size + gap_;
  const Time whole = wire_time(port, wire);
  if (++q.packets == 0) ++cold_class(port, c).packets_high;
  if (flow_control_ == FlowControlKind::Credit) {
    q.fctbs = static_cast<std::uint16_t>((q.fctbs + blocks(size)) & 4095);
    if ((q.state & Queue::kStalled) != 0) {
      end_stall(q, port, c);
      if (lifetimes_ != nullptr) lifetimes_->rows[class_index(port, c)].in_a_row = 0;
    }
    if (config_->credit_mode != CreditMode::Immediate) {
      p.due |= static_cast<std::uint16_t>(1U << c);
    }
  }
  p.busy = true;
  if (may_lose_) [[unlikely]]
    cold_[port].sends_until = actor_.now() + lead_ + whole;
  p.bytes += wire;
  actor_.schedule_after(lead_ + whole, EventClass::Release, kTxEnd, port,
                        release_payload(ingress_port, c, static_cast<std::uint32_t>(size)));
  return actor_.now() + lead_ + acting_after(p, whole);
}

/// Sends the head of a queue on its way and takes it out. The copy is patched, not the original:
/// reading a record just after writing parts of it would stall.
inline void Ports::send_head(Queue& q, Port& p, std::uint32_t c, std::uint8_t flags, Time acting) {
  const std::uint32_t i = q.head;
  const Record& head = pool_[i];
  const std::uint32_t next = voq_ ? pop_turn(q, head.port) : pool_.next(i);
  const std::uint16_t next_size =
      voq_ && next != PacketPool::kNone ? pool_.size(next) : pool_.next_size(i);
  Record& sent = actor_.send(p.to, acting);
  sent = head;
  sent.time = acting;
  sent.port = p.to_port;
  sent.flags = head.flags | flags;
  q.bytes -= q.head_size;
  q.head = next;
  pool_.free(i);
  if (next == PacketPool::kNone) {
    p.ready &= static_cast<std::uint16_t>(~(1U << c));
    q.deficit = 0;
  } else {
    q.head_size = next_size;
    pool_.prefetch(next);
  }
}

inline void Ports::start_head(std::uint32_t port, std::uint32_t c) {
  Queue& q = queue(port, c);
  const Time acting = begin_transmission(q, port, c, q.head_size, kNoIngress);
  send_head(q, ports_[port], c, 0, acting);
}

inline Record& Ports::start_unqueued(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  Port& p = ports_[port];
  p.load += static_cast<std::uint32_t>(size);
  const Time acting = begin_transmission(queue(port, c), port, c, size, kNoIngress);
  Record& sent = actor_.send(p.to, acting);
  sent.time = acting;
  sent.port = p.to_port;
  return sent;
}

template <class Mark>
void Ports::arbitrate(std::uint32_t port, const Mark& mark) {
  if (!begin_arbitration(port)) return;
  Port& p = ports_[port];
  Queue* const queues = &queue(port, 0);
  std::uint32_t eligible = 0;
  for (std::uint32_t ready = p.ready; ready != 0; ready &= ready - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(ready));
    Queue& q = queues[c];
    const Time not_before = mixed_speeds_ ? pool_[q.head].time : Time{0};
    if (may_start(q, port, c, q.head_size, not_before)) eligible |= 1U << c;
  }
  if (eligible == 0) return end_arbitration(port);
  const std::uint32_t c =
      choose_class(port, eligible, [queues](std::uint32_t k) { return queues[k].head_size; });
  Queue& q = queues[c];
  const std::uint8_t flags = mark(pool_[q.head], std::int64_t{q.bytes} - q.head_size, actor_.now());
  if ((flags & record_flags::kCongestion) != 0) count_mark(port, c);
  const Time acting = begin_transmission(q, port, c, q.head_size, pool_.ingress(q.head));
  send_head(q, p, c, flags, acting);
}

inline void Ports::on_tx_end(std::uint32_t port, std::uint32_t payload) {
  Port& p = ports_[port];
  SIM_CHECK(p.busy, "transmission ended twice", actor_.name());
  p.busy = false;
  const auto size = static_cast<std::int32_t>(payload & 0xffffU);
  p.load -= static_cast<std::uint32_t>(size);
  if ((p.ready | p.unqueued | p.due) != 0) actor_.mark(port);
  const std::uint32_t ingress_port = payload >> (kSizeBits + kClassBits);
  if (ingress_port != kNoIngress) release(ingress_port, (payload >> kSizeBits) & 15U, size);
}

inline bool Ports::pass(std::uint32_t port, const Record& record, std::uint8_t flags,
                        std::uint8_t ttl) {
  Port& p = ports_[port];
  if (p.ready != 0 || p.busy || !p.up || never_passes_) return false;
  if ((settled_ && p.open_at > actor_.now()) || !actor_.instant_is_complete()) return false;
  const std::uint32_t c = record.traffic_class;
  Queue& q = queue(port, c);
  if (!settled_ && !may_start(q, port, c, record.size, Time{0})) return false;
  if (record.size > q.max_bytes) {
    q.max_bytes = record.size;
    class_counters(port, c).max_queue_at = actor_.now();
  }
  q.deficit = 0;
  q.head_size = record.size;
  p.load += record.size;
  Time acting;
  if (settled_) {
    acting = begin_settled(q, port, c, actor_.now());
  } else {
    begin_arbitration(port);
    acting = begin_transmission(q, port, c, record.size, record.port);
  }
  Record& sent = actor_.send(p.to, acting);
  sent = record;
  sent.time = acting;
  sent.port = p.to_port;
  sent.flags = flags;
  sent.ttl = ttl;
  return true;
}

// --- settled egress

// What is queued came before the port was free, or found it free (see enqueue); only between
// unequal speeds may a head have to wait longer.
inline Time Ports::next_start(std::uint32_t port) const {
  const Port& p = ports_[port];
  if (p.ready == 0 || !p.up) return Time::max();
  if (!mixed_speeds_) return p.open_at;
  Time first = Time::max();
  for (std::uint32_t mask = p.ready; mask != 0; mask &= mask - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(mask));
    first = std::min(first, pool_[queue(port, c).head].time);
  }
  return std::max(first, p.open_at);
}

/// Class of the packet that starts at `at` = next_start().
inline std::uint32_t Ports::choose_settled(std::uint32_t port, Time at) {
  Queue* const queues = &queue(port, 0);
  std::uint32_t eligible = 0;
  for (std::uint32_t ready = ports_[port].ready; ready != 0; ready &= ready - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(ready));
    if (!mixed_speeds_ || pool_[queues[c].head].time <= at) eligible |= 1U << c;
  }
  return choose_class(port, eligible, [queues](std::uint32_t k) { return queues[k].head_size; });
}

inline Time Ports::begin_settled(Queue& q, std::uint32_t port, std::uint32_t c, Time at) {
  Port& p = ports_[port];
  const std::int64_t wire = q.head_size + gap_;
  const Time whole = wire_time(port, wire);
  if (++q.packets == 0) ++cold_class(port, c).packets_high;
  p.load -= q.head_size;
  p.last_size = q.head_size;
  p.open_at = at + whole;
  p.bytes += wire;
  return at + acting_after(p, whole);
}

template <class Mark>
void Ports::settle(std::uint32_t port, Time before, const Mark& mark) {
  Port& p = ports_[port];
  while (p.ready != 0) {
    const Time at = next_start(port);
    if (at >= before) return;
    const std::uint32_t c = classes_ == 1 ? 0 : choose_settled(port, at);
    Queue& q = queue(port, c);
    const std::uint8_t flags = mark(pool_[q.head], std::int64_t{q.bytes} - q.head_size, at);
    if (flags != 0) count_mark(port, c);
    const Time acting = begin_settled(q, port, c, at);
    send_head(q, p, c, flags, acting);
  }
}

}  // namespace spineleaf
