// Host, sending half: messages to packets, round robin among connections, pacing, loss recovery.
#include <algorithm>
#include <array>

#include "models/host/host.hpp"
#include "models/parts/ports_hot.hpp"
#include "sim/mutants.hpp"

namespace spineleaf {
namespace {
/// Packet sequence numbers never wrap inside a run: 2^32 packets of one connection are refused.
constexpr std::int64_t kMaxPackets = INT64_C(1) << 31;
}  // namespace

void Host::post(SenderRow connection, Bytes bytes, std::uint32_t tag) {
  const auto row = static_cast<std::uint32_t>(connection);
  SenderQp& qp = senders_[row];
  const std::int64_t packets = (bytes.count + config_->mtu - 1) / config_->mtu;
  SIM_CHECK(bytes.count >= 1 && packets + qp.posted < kMaxPackets,
            "a message of no bytes, or over 2^31 packets on one connection", name());
  Nic& nic = nics_[nic_of_port_[qp.port]];
  nic.message_free = std::max(now(), nic.message_free) + config_->nic.message_cost;
  const Time ready = nic.message_free + config_->nic.send_latency;
  qp.messages.push({qp.posted, static_cast<std::uint32_t>(packets), bytes.count, tag, ready});
  qp.posted += static_cast<std::uint32_t>(packets);
  ++messages_open_;
  if (ready == now()) {
    message_ready(row);
  } else {
    schedule(ready, EventClass::Timer, kMessageReady, row);
  }
}

void Host::message_ready(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  for (std::size_t i = 0; i < qp.messages.size(); ++i) {
    const Message& message = qp.messages[i];
    if (message.first_seq + message.packets <= qp.sendable) continue;
    if (message.ready > now()) break;
    qp.sendable = message.first_seq + message.packets;
  }
  try_ready(row);
}

bool Host::may_send_more(const SenderQp& qp) const {
  if (qp.resends) return true;
  if (qp.next_seq >= qp.sendable) return false;
  return !window_full(qp);
}

bool Host::window_full(const SenderQp& qp) const {
  const std::int64_t in_flight = std::int64_t{qp.next_seq - qp.una} * config_->mtu;
  if (config_->transport.window.count != 0 && in_flight >= config_->transport.window.count) {
    return true;
  }
  return config_->own_windows &&
         in_flight >= window_of(static_cast<std::uint32_t>(&qp - senders_.data()));
}

/// Idle connection with something to send: into the round robin, or to a timer if paced.
void Host::try_ready(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  if (qp.state != QpState::Idle || !may_send_more(qp)) return;
  if (qp.next_send > now()) {
    qp.state = QpState::Waiting;
    schedule(qp.next_send, EventClass::Timer, kQpReady, row);
    return;
  }
  push_ready(row);
}

void Host::push_ready(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  qp.state = QpState::Ready;
  ReadyRing& ready = ring(qp);
  if (ready.tail == kNobody) {
    qp.next_ready = row;
    ready.size = 0;
    ports_.set_unqueued(qp.port, qp.traffic_class, true);
  } else {
    qp.next_ready = senders_[ready.tail].next_ready;
    senders_[ready.tail].next_ready = row;
  }
  ready.tail = row;
  if (!ports_.busy(qp.port)) mark(qp.port);
}

/// Takes the head of the round robin of the connection's (port, class) out.
void Host::pop_ready(const SenderQp& qp) {
  ReadyRing& ready = ring(qp);
  const std::uint32_t head = senders_[ready.tail].next_ready;
  ready.size = 0;
  if (head == ready.tail) {
    ready.tail = kNobody;
    ports_.set_unqueued(qp.port, qp.traffic_class, false);
  } else {
    senders_[ready.tail].next_ready = senders_[head].next_ready;
  }
}

/// Rate in bit/s the connection may send at; line rate when nothing limits it.
double Host::rate_of(std::uint32_t row, bool inclusive) {
  const SenderQp& qp = senders_[row];
  double rate = qp.limited ? static_cast<double>(qp.rate_limit) : 1e18;
  if (config_->rate_control) {
    rates_[row].catch_up(config_->dcqcn, now(), inclusive);
    if (!rates_[row].at_line_rate()) rate = std::min(rate, rates_[row].rate());
  } else if (control_ != nullptr) {
    rate = std::min(rate, control_->allowed(row).rate);
  }
  return rate;
}

Time Host::planned_send(const SenderQp& qp, double rate) const {
  const double gap = static_cast<double>(qp.last_wire_bytes) * 8e12 / rate;
  const auto ps = static_cast<std::int64_t>(gap);
  return qp.last_start + Time{config_->whole_nanoseconds ? ps / 1000 * 1000 : ps + 1};
}

void Host::qp_ready(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  if (qp.state != QpState::Waiting) return;
  if (config_->transport.recompute_gap && (config_->rate_control || control_ != nullptr)) {
    qp.next_send = planned_send(qp, rate_of(row, true));
  }
  if (qp.next_send > now()) {
    Time at = qp.next_send;
    if (config_->transport.recompute_gap && config_->rate_control) {
      at = std::min(at, std::max(rates_[row].next_increase(), now() + Time{1}));
    }
    schedule(at, EventClass::Timer, kQpReady, row);
    return;
  }
  qp.state = QpState::Idle;
  try_ready(row);
}

/// Makes the connection's cached message the one that packet `seq` belongs to.
void Host::locate_message(SenderQp& qp, std::uint32_t seq) const {
  if (seq - qp.message_first < qp.message_end - qp.message_first) return;
  // Messages are in order: halve. A connection seldom has more than a few.
  std::size_t low = 0;
  std::size_t high = qp.messages.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (qp.messages[middle].first_seq <= seq ? low : high) = middle;
  }
  const Message& message = qp.messages[low];
  qp.message_first = message.first_seq;
  qp.message_end = message.first_seq + message.packets;
  qp.message_rest =
      static_cast<std::uint16_t>(message.bytes - std::int64_t{message.packets - 1} * config_->mtu);
}

std::int32_t Host::next_size(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  const std::uint32_t seq = qp.resends ? qp.resend : qp.next_seq;
  locate_message(qp, seq);
  const bool last = seq + 1 == qp.message_end;
  auto size =
      static_cast<std::int32_t>(last ? qp.message_rest : config_->mtu) + config_->wire.header;
  if (seq == qp.message_first) size += config_->wire.reth;
  if (last && config_->transport.immediate) size += config_->wire.immediate;
  return size;
}

// An ACK can overtake a retransmission that waits in the round robin: nothing is left to send. The
// connection leaves at once, wherever it stands, and the port looks at who is next.
void Host::remove_ready(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  ReadyRing& ready = ring(qp);
  std::uint32_t before = ready.tail;
  ready.size = 0;
  while (senders_[before].next_ready != row) before = senders_[before].next_ready;
  if (before == row) {
    ready.tail = kNobody;
    ports_.set_unqueued(qp.port, qp.traffic_class, false);
  } else {
    senders_[before].next_ready = qp.next_ready;
    if (ready.tail == row) ready.tail = before;
  }
  qp.state = QpState::Idle;
  mark(qp.port);
}

void Host::on_arbitrate(std::uint32_t port) {
  if (!ports_.begin_arbitration(port)) return;
  const auto next_data = [&](std::uint32_t c) {
    ReadyRing& ready = ring(port, c);
    if (ready.size == 0) {
      ready.size = static_cast<std::uint16_t>(next_size(senders_[ready.tail].next_ready));
    }
    return std::int32_t{ready.size};
  };
  const bool memory_limits = config_->nic.pcie_rate.bits_per_second > 0;
  std::array<std::int32_t, Ports::kMaxClasses> sizes;
  const std::uint32_t control = ports_.ready(port);
  std::uint32_t eligible = 0;
  for (std::uint32_t mask = control | ports_.unqueued(port); mask != 0; mask &= mask - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(mask));
    const bool is_control = (control >> c & 1U) != 0;
    sizes[c] = is_control ? ports_.head_size(port, c) : next_data(c);
    const bool waits = memory_limits && !is_control;
    const Time not_before = waits ? nics_[nic_of_port_[port]].read_free : Time{0};
    if (ports_.may_start(port, c, sizes[c], not_before)) eligible |= 1U << c;
  }
  if (eligible == 0) return ports_.end_arbitration(port);
  const std::uint32_t c =
      ports_.choose_class(port, eligible, [&](std::uint32_t k) { return sizes[k]; });
  if ((control >> c & 1U) == 0) return send_data(port, c, sizes[c]);
  if (config_->telemetry) send_telemetry(port, c);
  ports_.start_head(port, c);
}

void Host::send_data(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  ReadyRing& ready = ring(port, c);
  const std::uint32_t row = senders_[ready.tail].next_ready;
  SenderQp& qp = senders_[row];
  const bool again = qp.resends;
  const std::uint32_t seq = again ? qp.resend : qp.next_seq;
  std::uint32_t flags = qp.flags;
  if (seq + 1 == qp.message_end) {
    flags |= record_flags::kLast | record_flags::kAckRequest;
  }
  if (seq < qp.highest) {
    ++counters_.retransmissions;
    flags |= record_flags::kRetransmit | record_flags::kAckRequest;
  } else {
    qp.highest = seq + 1;
  }
  if (again) {
    qp.resends = false;
  } else {
    ++qp.next_seq;
  }
  // A full window asks for the ACK that opens it, however seldom ACKs are sent otherwise.
  if (window_full(qp)) flags |= record_flags::kAckRequest;
  ++counters_.packets_sent;
  const Time start = now() + ports_.lead();
  const Time line_end = start + ports_.serialisation_on(port, size);
  qp.last_start = start;
  qp.last_wire_bytes = static_cast<std::uint16_t>(size + config_->wire.gap);
  qp.next_send = line_end;
  if (config_->nic.pcie_rate.bits_per_second > 0) {
    Nic& nic = nics_[nic_of_port_[port]];
    nic.read_free = std::max(nic.read_free, start) +
                    serialisation(Bytes{size - config_->wire.header}, config_->nic.pcie_rate);
  }
  Record& record = ports_.start_unqueued(port, c, size);
  record.kind = RecordKind::Data;
  record.size = static_cast<std::uint16_t>(size);
  record.qp = qp.remote;
  record.seq = seq;
  record.dst = qp.dst;
  record.entropy = qp.entropy;
  record.traffic_class = static_cast<std::uint8_t>(c);
  record.flags = static_cast<std::uint8_t>(flags);
  record.ttl = config_->ttl;
  if (!qp.timer_pending) arm_retransmit(row);
  if (control_ != nullptr) {
    // Every packet asks for its ACK: a window that shrinks must not wait for those of others.
    record.flags |= record_flags::kAckRequest;
    const bool sent_before = (flags & record_flags::kRetransmit) != 0;
    send_times_[row].sent(seq, qp.una, sent_before, start);
  }
  double rate = rate_of(row, true);
  if (config_->rate_control) {
    rates_[row].on_bytes_sent(config_->dcqcn, qp.last_wire_bytes);
    if (config_->dcqcn.byte_reset != 0) rate = rate_of(row, true);
  }
  if (rate < 1e18) qp.next_send = std::max(line_end, planned_send(qp, rate));
  if (!may_send_more(qp)) {
    pop_ready(qp);
    qp.state = QpState::Idle;
  } else if (qp.next_send > line_end) {
    pop_ready(qp);
    qp.state = QpState::Waiting;
    Time at = qp.next_send;
    if (config_->transport.recompute_gap && config_->rate_control) {
      at = std::min(at, std::max(rates_[row].next_increase(), now() + Time{1}));
    }
    schedule(at, EventClass::Timer, kQpReady, row);
  } else {
    ready.tail = row;  // the round robin moves on
    ready.size = 0;
    const std::uint32_t next = qp.next_ready;
    __builtin_prefetch(&senders_[next]);
    if (config_->rate_control) __builtin_prefetch(&rates_[next]);
  }
}

// --- acknowledgement and loss recovery

void Host::arm_retransmit(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  qp.deadline = now() + config_->transport.timeout;
  qp.timer_pending = true;
  schedule(qp.deadline, EventClass::Timer, kRetransmit, row);
}

void Host::on_retransmit(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  qp.timer_pending = false;
  if (qp.una == qp.next_seq || qp.state == QpState::Failed) return;
  if (qp.deadline > now()) {
    qp.timer_pending = true;
    schedule(qp.deadline, EventClass::Timer, kRetransmit, row);
    return;
  }
  // A retransmission held up at its own port is not lost: nothing left since the timer was set.
  if (qp.state == QpState::Ready && qp.last_start < qp.deadline - config_->transport.timeout) {
    return arm_retransmit(row);
  }
  ++counters_.timeouts;
  note(*this, Happening::Timeout, now(), row);
  if (qp.retries >= config_->transport.retry_cnt) {
    if (qp.state == QpState::Ready) remove_ready(row);
    qp.state = QpState::Failed;
    ++counters_.failed;
    return;
  }
  ++qp.retries;
  if (control_ != nullptr) tell_control_of_timeout(row);
  rewind(qp, qp.una);
  arm_retransmit(row);
  try_ready(row);
}

void Host::rewind(SenderQp& qp, std::uint32_t seq) {
  qp.next_seq = seq;
  qp.resends = false;
  if (qp.state != QpState::Ready) return;
  // The next packet may be smaller than the one that waited for credits.
  ring(qp).size = 0;
  mark(qp.port);
}

void Host::on_ack(const Record& record) {
  SenderQp& qp = senders_[record.qp];
  if ((record.flags & record_flags::kCongestion) != 0) on_congestion(record.qp);
  const std::uint32_t una = qp.una;
  const std::uint32_t next = qp.next_seq;
  acknowledge(qp, record.qp, record.seq);
  if (control_ != nullptr) tell_control(record, una, next);
  // With windows of their own connections count what is in flight from `una` on: a NAK that an ACK
  // has overtaken asks for nothing.
  const bool overtaken = config_->own_windows && record.seq < qp.una &&
                         config_->transport.recovery != LossRecovery::GoBack0;
  if (record.kind == RecordKind::Nak && record.seq < qp.next_seq && !overtaken) {
    if (config_->transport.recovery == LossRecovery::SelectiveRepeat) {
      qp.resend = record.seq;
      qp.resends = true;
    } else if (config_->transport.recovery == LossRecovery::GoBack0) {
      if (qp.messages.empty() || record.seq < qp.messages.front().first_seq) return;  // stale
      qp.una = record.seq;
      rewind(qp, record.seq);
    } else {
      rewind(qp, record.seq);
    }
  }
  if (qp.state == QpState::Ready) {
    // What waits next may be another packet now, or none.
    ring(qp).size = 0;
    if (may_send_more(qp)) {
      mark(qp.port);
    } else {
      remove_ready(record.qp);
    }
  }
  try_ready(record.qp);
}

void Host::acknowledge(SenderQp& qp, std::uint32_t row, std::uint32_t seq) {
  if (seq <= qp.una) return;
  SIM_CHECK(seq <= qp.highest, "an ACK for a packet never sent", name());
  qp.una = seq;
  if (qp.next_seq < seq) qp.next_seq = seq;
  qp.retries = 0;
  qp.deadline = now() + config_->transport.timeout;
  if (qp.resend < seq) qp.resends = false;
  while (!qp.messages.empty() &&
         qp.messages.front().first_seq + qp.messages.front().packets <= seq) {
    const std::uint32_t tag = qp.messages.front().tag;
    qp.messages.pop();
    --messages_open_;
    current_app_ = qp.app;
    apps_[qp.app]->on_sent(*this, senders_[row].cookie, tag);
  }
}

void Host::on_congestion(std::uint32_t row) {
  if (!config_->rate_control) return;
  rates_[row].catch_up(config_->dcqcn, now(), mutant(Mutant::CnpSeesDueTimers));
  rates_[row].on_cnp(config_->dcqcn, now());
}

}  // namespace spineleaf
