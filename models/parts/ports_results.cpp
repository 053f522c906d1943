// Ports, between epochs: faults, and what a run leaves behind.
#include <algorithm>
#include <iterator>

#include "models/parts/ports.hpp"

namespace spineleaf {

// --- faults

// Down and up change both ends in one tick. Up clears pause state and starts credits afresh: what
// was in flight is lost, so both ends agree on an empty link.
void Ports::set_link(Ports& a, std::uint32_t port_a, Ports& b, std::uint32_t port_b, bool up,
                     Time at) {
  if (a.up(port_a) == up) return;
  if (up) {
    a.bring_up(port_a, at);
    b.bring_up(port_b, at);
  } else {
    const Time from_a = a.sends_until(port_a, at);
    a.take_down(port_a, at, b.sends_until(port_b, at));
    b.take_down(port_b, at, from_a);
  }
}

/// When the transmission ends that is under way; `at` if none is. The next one, on a link that is
/// up again by then, waits for that.
Time Ports::sends_until(std::uint32_t port, Time at) const {
  const Port& p = ports_[port];
  if (settled_) return std::max(at, p.open_at);
  return p.busy ? std::max(at, cold_[port].sends_until) : at;
}

void Ports::take_down(std::uint32_t port, Time at, Time far_end_sends_until) {
  SIM_CHECK(may_lose_, "a link went down that was not expected to", actor_.name());
  ports_[port].up = false;
  cold_[port].last_down = at;
  cold_[port].lost_until = far_end_sends_until;
  ++cold_[port].incarnation;
}

void Ports::bring_up(std::uint32_t port, Time at) {
  Port& p = ports_[port];
  p.up = true;
  for (std::uint32_t c = 0; c < classes_; ++c) {
    Queue& q = queue(port, c);
    class_counters(port, c).paused = paused_time(port, c, at);
    cold_class(port, c).paused_until = cold_class(port, c).paused_since = at;
    // The far end restarts its count of received blocks at the same tick.
    q.fctbs = 0;
    cold_class(port, c).resumes_told = cold_class(port, c).resumes_heard = 0;
    Ingress& in = ingress(port, c);
    in.abr = 0;
    q.fccl = 0;
    if (flow_control_ == FlowControlKind::Credit) {
      p.due |= static_cast<std::uint16_t>(1U << c);
    }
    if (in.xoff) p.due |= static_cast<std::uint16_t>(1U << c);
  }
  if (settled_) p.open_at = std::max(p.open_at, at);  // nothing has started while the link was down
  actor_.set_now(at);
  actor_.mark(port);
}

void Ports::set_link_rate(std::uint32_t port, Rate out_rate, Rate in_rate) {
  cold_[port].out.rate = out_rate;
  cold_[port].in.rate = in_rate;
  set_rates(port);
  find_mixed_speeds();
}

// --- results

std::int64_t Ports::packets_sent(std::uint32_t port) const {
  std::int64_t packets = 0;
  for (std::uint32_t c = 0; c < classes_; ++c) packets += packets_sent(port, c);
  return packets;
}

PortCounters Ports::counters(std::uint32_t port) const {
  PortCounters counters;
  const Port& p = ports_[port];
  const ColdPort& cold = cold_[port];
  const std::int64_t controls = (std::int64_t{cold.controls_high} << 32) + p.controls;
  if (flow_control_ == FlowControlKind::Credit) {
    counters.credit_rounds = controls;
    counters.control_bytes =
        ((std::int64_t{cold.control_words_high} << 32) + p.control_words) * kCreditWordBytes;
  } else {
    counters.control_bytes = controls * (kPfcFrameBytes + gap_);
  }
  std::copy(std::begin(cold_[port].drops), std::end(cold_[port].drops), counters.drops);
  return counters;
}

std::uint64_t Ports::counted() const {
  std::uint64_t sum = 0;
  for (std::uint32_t p = 0; p < count(); ++p) {
    sum += mix64(p, static_cast<std::uint64_t>(ports_[p].bytes));
    for (std::uint32_t c = 0; c < classes_; ++c) {
      sum += mix64(class_row(p, c), static_cast<std::uint64_t>(packets_sent(p, c)),
                   mix64(queue(p, c).max_bytes, static_cast<std::uint64_t>(marks(p, c))));
    }
  }
  return sum;
}

bool Ports::anything_queued() const {
  return std::any_of(ports_.begin(), ports_.end(), [](const Port& p) { return p.ready != 0; });
}

std::int64_t Ports::total_queued_bytes() const {
  std::int64_t bytes = 0;
  for (const Queue& q : queues_) bytes += q.bytes;
  return bytes;
}

Time Ports::last_settled() const {
  Time last;
  for (const Port& p : ports_) last = std::max(last, p.open_at);
  return last;
}

bool Ports::credit_blocked(std::uint32_t port, std::uint32_t c) const {
  const Record* first = head(port, c);
  if (first == nullptr || flow_control_ != FlowControlKind::Credit) return false;
  const Queue& q = queue(port, c);
  return blocks(first->size) > ((q.fccl - q.fctbs) & 4095);
}

Time Ports::paused_time(std::uint32_t port, std::uint32_t c, Time at) const {
  const ColdClass& cold = cold_class(port, c);
  Time total = cold.counters.paused;
  if (cold.paused_until > cold.paused_since) {
    total += std::min(at, cold.paused_until) - cold.paused_since;
  }
  return total;
}

Time Ports::stalled_time(std::uint32_t port, std::uint32_t c, Time at) const {
  const ColdClass& cold = cold_class(port, c);
  Time total = cold.counters.credit_stalled;
  if ((queue(port, c).state & Queue::kStalled) != 0) total += at - cold.stalled_since;
  return total;
}

std::vector<std::uint32_t> Ports::egress_ports_of(std::uint32_t ingress_port,
                                                  std::uint32_t c) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t p = 0; p < count(); ++p) {
    if (voq_) {
      const InputTurns* turns = turns_[p * classes_ + c].get();
      if (turns != nullptr && turns->has(ingress_port)) found.push_back(p);
      continue;
    }
    for (std::uint32_t i = queue(p, c).head; i != PacketPool::kNone; i = pool_.next(i)) {
      if (pool_.ingress(i) != ingress_port) continue;
      found.push_back(p);
      break;
    }
  }
  return found;
}

std::vector<std::span<const std::byte>> Ports::hot_memory() const {
  std::vector<std::span<const std::byte>> all = {std::as_bytes(std::span(ports_)),
                                                 std::as_bytes(std::span(queues_))};
  if (flow_control_ != FlowControlKind::None) all.push_back(std::as_bytes(std::span(ingress_)));
  return all;
}

std::string Ports::check_idle() const {
  for (std::uint32_t p = 0; p < count(); ++p) {
    for (std::uint32_t c = 0; c < classes_; ++c) {
      const Ingress& in = ingress(p, c);
      const Queue& q = queue(p, c);
      if (q.head == PacketPool::kNone && q.bytes != 0) return "bytes without packets";
      if (!anything_queued() && (in.used != 0 || in.headroom != 0)) {
        return actor_.name() + " port " + std::to_string(p) + ": " + std::to_string(in.used) +
               " cells or blocks charged with nothing queued";
      }
    }
  }
  if (!anything_queued() && shared_used_ != 0) return actor_.name() + ": shared pool not empty";
  return {};
}

}  // namespace spineleaf
