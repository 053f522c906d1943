#include "models/parts/ports.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "sim/mutants.hpp"

namespace spineleaf {
namespace {

std::int64_t whole_ps_per_byte(const Link& link) {
  constexpr std::int64_t kBitPs = 8'000'000'000'000;
  if (link.whole_nanoseconds || kBitPs % link.rate.bits_per_second != 0) return 0;
  return kBitPs / link.rate.bits_per_second;
}

}  // namespace

ClassSchedule parse_schedule(const std::string& text, std::int64_t classes, Bytes mtu) {
  ClassSchedule schedule;
  const auto unit = static_cast<std::int32_t>(mtu.count + 128);
  schedule.quantum.assign(static_cast<std::size_t>(classes), unit);
  if (text == "dwrr") return schedule;
  std::size_t begin = 0;
  for (std::int64_t c = 0; c < classes; ++c) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (begin > text.size()) break;  // fewer words than classes: the rest has weight 1
    const std::string word = text.substr(begin, end - begin);
    int weight = 0;
    if (word == "strict") {
      schedule.strict |= 1U << c;
    } else if (std::from_chars(word.data(), word.data() + word.size(), weight).ec == std::errc{} &&
               weight >= 1 && weight <= 255) {
      schedule.quantum[static_cast<std::size_t>(c)] = unit * weight;
    } else {
      throw std::invalid_argument("\"" + word + "\" is neither \"strict\" nor a weight 1..255");
    }
    begin = end + 1;
  }
  return schedule;
}

void Ports::configure(PortsConfig config, std::vector<PortSetup> setups) {
  config_ = std::move(config);
  cell_inverse_ = ((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(config_.cell) - 1) /
                  static_cast<std::uint64_t>(config_.cell);
  const std::size_t n = setups.size();
  ports_.resize(n);
  in_.resize(n);
  cold_.resize(n);
  port_counters_.resize(n);
  queues_.resize(n * config_.classes);
  ingress_.resize(n * config_.classes);
  cold_class_.resize(n * config_.classes);
  class_counters_.resize(n * config_.classes);
  for (std::uint32_t i = 0; i < n; ++i) {
    const PortSetup& setup = setups[i];
    Port& port = ports_[i];
    port.to = setup.out.to;
    port.to_port = setup.out.to_port;
    port.up = setup.up;
    port.latency = setup.out.latency;
    port.cut_through = setup.out.header.count > 0;
    cold_[i].out = setup.out;
    cold_[i].in = setup.in;
    in_[i].cut_through = setup.in.header.count > 0;
    in_[i].headroom = static_cast<std::int32_t>(setup.headroom);
    in_[i].ns3_shift = static_cast<std::int8_t>(setup.ns3_shift);
    set_rates(i);
    for (std::uint32_t c = 0; c < config_.classes; ++c) {
      queue(i, c).fccl =
          static_cast<std::uint16_t>(std::min<std::int64_t>(setup.peer_blocks, 2048));
    }
  }
}

void Ports::set_rates(std::uint32_t i) {
  ColdPort& cold = cold_[i];
  ports_[i].ps_per_byte = whole_ps_per_byte(cold.out);
  in_[i].ps_per_byte = whole_ps_per_byte(cold.in);
  cold.header_time = cold.out.serialisation_of(cold.out.header.count);
  cold.in_header_time = cold.in.serialisation_of(cold.in.header.count);
  cold.pause_quantum = serialisation(Bytes{64}, cold.out.rate);
}

// --- arriving records

// Rule 9: lost iff a down tick X has transmission start < X <= acting instant. The receiver needs
// only its last down time: an earlier one would have been crossed by an earlier record.
bool Ports::lost_on_failing_link(const Record& record) {
  const InSide& in = in_[record.port];
  const bool control = is_link_control(record.kind);
  std::int64_t wire = record.size + config_.gap;
  if (record.kind == RecordKind::CreditRound) wire = 8 * record.size;
  const ColdPort& cold = cold_[record.port];
  const Time whole = cold.in.serialisation_of(wire);
  const Time offset = !control && in.cut_through ? std::min(cold.in_header_time, whole) : whole;
  const Time start = record.time - offset - (control ? cold.in.control_latency : cold.in.latency);
  const bool lost = mutant(Mutant::LostIfDown)
                        ? !ports_[record.port].up
                        : start < in.last_down && in.last_down <= record.time;
  if (!lost) return false;
  if (!control) {
    ++port_counters_[record.port].drops[2];
    actor_.add_fingerprint(mix64(2, static_cast<std::uint64_t>(record.time.ps), record.seq));
  }
  return true;
}

void Ports::on_pfc_frame(const Record& frame) {
  for (std::uint32_t c = 0; c < config_.classes; ++c) {
    if ((frame.traffic_class >> c & 1U) == 0) continue;
    const std::uint32_t quanta = pfc_quanta(frame, c);
    if (config_.response_time == Time{0}) {
      apply_pause(frame.port, c, quanta);
    } else {
      actor_.schedule_after(config_.response_time, EventClass::LinkControl, kPfcApply,
                            class_row(frame.port, c),
                            (quanta << 16) | cold_[frame.port].incarnation);
    }
  }
}

void Ports::apply_pause(std::uint32_t port, std::uint32_t c, std::uint32_t quanta) {
  Queue& q = queue(port, c);
  ClassCounters& counters = class_counters(port, c);
  Time& since = cold_class_[port * config_.classes + c].paused_since;
  const Time now = actor_.now();
  if (q.paused_until > since) counters.paused += std::min(now, q.paused_until) - since;
  since = now;
  if (quanta == 0) {
    q.paused_until = now;
    actor_.mark(port);
    return;
  }
  ++counters.pauses_received;
  actor_.add_fingerprint(mix64(3, static_cast<std::uint64_t>(now.ps), class_row(port, c)));
  const Time before = q.paused_until;
  q.paused_until = config_.never_expires
                       ? Time::max()
                       : now + cold_[port].pause_quantum * static_cast<std::int64_t>(quanta);
  if (q.paused_until < before) actor_.mark(port);  // the wake is set for the longer pause
}

void Ports::on_credit_round(const Record& round) {
  for (std::uint32_t i = 0; i < round.size; ++i) {
    const CreditWord word = credit_word(round, i);
    SIM_CHECK(word.vl < config_.classes, "credit update for an unknown VL at " + actor_.name());
    Queue& q = queue(round.port, word.vl);
    q.fccl = static_cast<std::uint16_t>(word.fccl);
    SIM_CHECK(((q.fccl - q.fctbs) & 4095) <= 2048,
              "credit limit out of the window at " + actor_.name());
  }
  actor_.mark(round.port);
}

bool Ports::charge(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if (config_.flow_control == FlowControlKind::Pfc) return charge_pfc(port, c, size);
  if (config_.flow_control == FlowControlKind::Credit) {
    Ingress& in = ingress(port, c);
    const std::int32_t n = blocks(size);
    in.used += n;
    in.abr = static_cast<std::uint16_t>((in.abr + n) & 4095);
    SIM_CHECK(in.used <= config_.buffer_blocks,
              "credit buffer overrun at " + actor_.name() + " port " + std::to_string(port));
    in.max_used = std::max(in.max_used, in.used);
    // Only 2,048 blocks can be offered at once: with more free, an arrival alone moves the limit.
    if (config_.buffer_blocks - in.used > 2048) credit_change(port, c);
  }
  return true;
}

std::int64_t Ports::threshold(std::uint32_t port) const {
  const std::int64_t free = config_.pool - shared_used_;
  if (in_[port].ns3_shift >= 0) return free >> in_[port].ns3_shift;
  if (config_.alpha_q16 != 0) return (free * config_.alpha_q16) >> 16;
  return config_.xoff;
}

bool Ports::charge_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if ((config_.lossless >> c & 1U) == 0) return true;
  Ingress& in = ingress(port, c);
  const std::int32_t n = cells(size);
  const auto shared_of = [&](std::int64_t used) {
    return std::max<std::int64_t>(0, used - in.headroom - config_.reserve);
  };
  const std::int64_t shared = shared_of(in.used);
  bool to_headroom = in.xoff || shared_used_ + n > config_.pool;
  if (in_[port].ns3_shift >= 0) to_headroom = shared_of(in.used + n) > threshold(port);
  if (to_headroom && shared_of(in.used + n) > 0) {
    if (in.headroom + n > in_[port].headroom) return false;
    in.headroom += n;
    in.used += n;
  } else {
    in.used += n;
    shared_used_ += shared_of(in.used) - shared;
  }
  in.max_used = std::max(in.max_used, in.used);
  if (!in.xoff && (in.headroom > 0 || shared_of(in.used) >= threshold(port))) {
    set_xoff(port, c, true);
  }
  return true;
}

void Ports::set_xoff(std::uint32_t port, std::uint32_t c, bool xoff) {
  ingress(port, c).xoff = xoff;
  ports_[port].pfc_due |= static_cast<std::uint16_t>(1U << c);
  actor_.mark(port);
}

void Ports::release(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if (config_.flow_control == FlowControlKind::Credit) {
    Ingress& in = ingress(port, c);
    in.used -= blocks(size);
    SIM_CHECK(in.used >= 0, "credit buffer below zero at " + actor_.name());
    credit_change(port, c);
  } else if (config_.flow_control == FlowControlKind::Pfc) {
    release_pfc(port, c, size);
  }
}

void Ports::release_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size) {
  if ((config_.lossless >> c & 1U) == 0) return;
  Ingress& in = ingress(port, c);
  const std::int32_t n = cells(size);
  const std::int64_t shared_before =
      std::max<std::int64_t>(0, in.used - in.headroom - config_.reserve);
  in.headroom -= std::min(n, in.headroom);
  in.used -= n;
  SIM_CHECK(in.used >= 0, "ingress occupancy below zero at " + actor_.name());
  const std::int64_t shared = std::max<std::int64_t>(0, in.used - in.headroom - config_.reserve);
  shared_used_ += shared - shared_before;
  if (in.xoff && in.headroom == 0 &&
      (shared == 0 || shared + config_.xon_offset <= threshold(port))) {
    set_xoff(port, c, false);
  }
}

void Ports::credit_change(std::uint32_t port, std::uint32_t c) {
  Port& p = ports_[port];
  p.credit_changed |= static_cast<std::uint16_t>(1U << c);
  if (p.round_open) actor_.mark(port);
}

Time Ports::earliest_start(const Record& record, std::uint32_t out) const {
  const InSide& in = in_[record.port];
  if (!in.cut_through) return record.time;
  if (in.ps_per_byte == ports_[out].ps_per_byte && in.ps_per_byte != 0) return record.time;
  const ColdPort& cold = cold_[record.port];
  const std::int64_t wire = record.size + config_.gap;
  const Time whole = cold.in.serialisation_of(wire);
  const Time tail = record.time + (whole - std::min(cold.in_header_time, whole));
  return std::max(record.time, tail - wire_time(out, wire));
}

// --- egress

void Ports::enqueue(std::uint32_t port, const Record& record) {
  Port& p = ports_[port];
  const std::uint32_t c = record.traffic_class;
  Queue& q = queue(port, c);
  const std::uint32_t i = pool_.put(record);
  if (q.head == PacketPool::kNone) {
    q.head = i;
    p.ready |= static_cast<std::uint16_t>(1U << c);
  } else {
    pool_.next(q.tail) = i;
  }
  q.tail = i;
  q.bytes += record.size;
  p.load += record.size;
  queued_bytes_ += record.size;
  ++queued_packets_;
  if (q.bytes > q.max_bytes) {
    q.max_bytes = q.bytes;
    class_counters(port, c).max_queue_at = actor_.now();
  }
  if (!p.busy) actor_.mark(port);
}

Record Ports::dequeue(std::uint32_t port, std::uint32_t c) {
  Queue& q = queue(port, c);
  const std::uint32_t i = q.head;
  const Record record = pool_[i];
  q.head = pool_.next(i);
  pool_.free(i);
  q.bytes -= record.size;
  queued_bytes_ -= record.size;
  ports_[port].load -= record.size;
  --queued_packets_;
  if (q.head == PacketPool::kNone) {
    ports_[port].ready &= static_cast<std::uint16_t>(~(1U << c));
    q.deficit = 0;
  }
  return record;
}

bool Ports::begin_arbitration(std::uint32_t port) {
  Port& p = ports_[port];
  if (p.busy || !p.up) return false;
  wanted_wake_ = Time::max();
  if ((p.pfc_due | p.credit_changed) == 0) return true;
  return !start_link_control(port);
}

bool Ports::may_start(std::uint32_t port, std::uint32_t c, std::int32_t size, Time not_before) {
  Queue& q = queue(port, c);
  const Time now = actor_.now();
  if (q.paused_until > now) {
    if (q.paused_until != Time::max()) wanted_wake_ = std::min(wanted_wake_, q.paused_until);
    return false;
  }
  if (config_.flow_control == FlowControlKind::Credit &&
      blocks(size) > ((q.fccl - q.fctbs) & 4095)) {
    if (q.stalled_since.ps < 0) {
      q.stalled_since = now;
      ++class_counters(port, c).credit_stalls;
    }
    return false;
  }
  if (not_before > now) {
    wanted_wake_ = std::min(wanted_wake_, not_before);
    return false;
  }
  return true;
}

void Ports::end_arbitration(std::uint32_t port) {
  Port& p = ports_[port];
  if (wanted_wake_ == Time::max() || p.wake <= wanted_wake_) return;
  p.wake = wanted_wake_;
  actor_.schedule(p.wake, EventClass::Arbitration, kWake, port);
}

void Ports::start(std::uint32_t port, Record& record, std::uint32_t ingress_port) {
  Port& p = ports_[port];
  const std::int64_t wire = record.size + config_.gap;
  const Time whole = wire_time(port, wire);
  const std::uint32_t c = record.traffic_class;
  Queue& q = queue(port, c);
  ++q.packets;
  if (config_.flow_control == FlowControlKind::Credit) {
    q.fctbs = static_cast<std::uint16_t>((q.fctbs + blocks(record.size)) & 4095);
    if (q.stalled_since.ps >= 0) {
      class_counters(port, c).credit_stalled += actor_.now() - q.stalled_since;
      q.stalled_since = Time{-1};
    }
    if (config_.credit_mode == CreditMode::MinSpacing) {
      p.credit_changed |= static_cast<std::uint16_t>(1U << c);
    }
  }
  const std::uint32_t payload = release_payload(ingress_port, c, record.size);
  record.time =
      actor_.now() + p.latency + (p.cut_through ? std::min(cold_[port].header_time, whole) : whole);
  record.port = p.to_port;
  p.busy = true;
  p.load += record.size;
  ++p.packets;
  p.bytes += wire;
  actor_.schedule_after(whole, EventClass::Release, kTxEnd, port, payload);
  actor_.send(p.to, record);
}

void Ports::on_tx_end(std::uint32_t port, std::uint32_t payload) {
  Port& p = ports_[port];
  SIM_CHECK(p.busy, "transmission ended twice at " + actor_.name());
  p.busy = false;
  const auto size = static_cast<std::int32_t>(payload & 0xffffU);
  p.load -= size;
  if (p.ready != 0 || p.pfc_due != 0 || (p.credit_changed != 0 && p.round_open)) {
    actor_.mark(port);
  }
  const std::uint32_t ingress_port = payload >> (kSizeBits + kClassBits);
  if (ingress_port != kNoIngress) release(ingress_port, (payload >> kSizeBits) & 15U, size);
}

}  // namespace spineleaf
