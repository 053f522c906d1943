#include "models/parts/ports_hot.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "sim/random.hpp"

namespace spineleaf {
namespace {

std::uint32_t whole_ps_per_byte(const Link& link) {
  constexpr std::int64_t kBitPs = 8'000'000'000'000;
  if (link.whole_nanoseconds || kBitPs % link.rate.bits_per_second != 0) return 0;
  const std::int64_t ps = kBitPs / link.rate.bits_per_second;
  return ps <= UINT32_MAX ? static_cast<std::uint32_t>(ps) : 0;
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

void Ports::configure(Arena& arena, std::shared_ptr<const PortsConfig> config, std::int64_t pool,
                      const std::vector<PortSetup>& setups) {
  config_ = std::move(config);
  pool_cells_ = pool;
  classes_ = config_->classes;
  flow_control_ = config_->flow_control;
  voq_ = config_->voq;
  may_lose_ = config_->bit_error_rate > 0;
  gap_ = config_->gap;
  strict_ = config_->schedule.strict;
  quantum_ = config_->schedule.quantum.data();
  cell_inverse_ = ((std::uint64_t{1} << 32) + static_cast<std::uint64_t>(config_->cell) - 1) /
                  static_cast<std::uint64_t>(config_->cell);
  const std::size_t n = setups.size();
  ports_ = {arena, n};
  queues_ = {arena, n * classes_};
  ingress_ = {arena, n * classes_};
  if (voq_) turns_.resize(queues_.size());
  if (!config_->vl_tables.empty()) arbiters_.assign(n, VlArbiter(config_->vl_tables));
  cold_.resize(n);
  cold_class_.resize(n * classes_);
  for (std::uint32_t i = 0; i < n; ++i) {
    const PortSetup& setup = setups[i];
    Port& port = ports_[i];
    port.to = setup.out.to;
    port.to_port = setup.out.to_port;
    port.up = setup.up;
    port.latency_ps = static_cast<std::uint32_t>(setup.out.latency.ps);
    port.pipeline_ps =
        static_cast<std::uint32_t>((setup.out.latency - setup.out.control_latency).ps);
    cold_[i].out = setup.out;
    cold_[i].in = setup.in;
    cold_[i].in_cut_through = setup.in.header.count > 0;
    cold_[i].headroom = static_cast<std::int32_t>(setup.headroom);
    cold_[i].ns3_shift = static_cast<std::int8_t>(setup.ns3_shift);
    set_rates(i);
    for (std::uint32_t c = 0; c < classes_; ++c) {
      queue(i, c).fccl =
          static_cast<std::uint16_t>(std::min<std::int64_t>(setup.peer_blocks, 2048));
    }
  }
  find_mixed_speeds();
}

void Ports::set_rates(std::uint32_t i) {
  ColdPort& cold = cold_[i];
  ports_[i].ps_per_byte = whole_ps_per_byte(cold.out);
  cold.in_ps_per_byte = whole_ps_per_byte(cold.in);
  ports_[i].header_ps =
      static_cast<std::uint32_t>(cold.out.serialisation_of(cold.out.header.count).ps);
  cold.in_header_time = cold.in.serialisation_of(cold.in.header.count);
  cold.pause_quantum = serialisation(Bytes{64}, cold.out.rate);
}

void Ports::find_mixed_speeds() {
  mixed_speeds_ = false;
  for (const ColdPort& in : cold_) {
    for (const Port& out : ports_) {
      const bool equal = in.in_ps_per_byte == out.ps_per_byte && out.ps_per_byte != 0;
      mixed_speeds_ |= in.in_cut_through && !equal;
    }
  }
  never_passes_ = voq_ || mixed_speeds_ || annexes_ || !arbiters_.empty();
}

// --- arriving records

// Rule 9: lost iff a down tick X has transmission start < X <= acting instant. The receiver needs
// only its last down time: an earlier one would have been crossed by an earlier record.
bool Ports::lost_on_link(const Record& record) {
  if (record.kind == RecordKind::Annex) return false;  // its packet decides
  if (lost_on_failing_link(record)) {
    if (!is_link_control(record.kind)) drop(record, DropCause::LinkDown);
    return true;
  }
  if (!hit_by_bit_error(record)) return false;
  drop(record, DropCause::BitError);
  // Credits of what was thrown away go back; the sender's absolute counters would tell as much.
  if (flow_control_ == FlowControlKind::Credit) {
    charge(record.port, record.traffic_class, record.size);
    release(record.port, record.traffic_class, record.size);
  }
  return true;
}

/// 1 - (1 - rate)^bits of the frames are hit, headers and check sequences included.
bool Ports::hit_by_bit_error(const Record& record) const {
  if (config_->bit_error_rate <= 0 || is_link_control(record.kind)) return false;
  double intact = 1, power = 1 - config_->bit_error_rate;
  for (unsigned bits = 8U * record.size; bits != 0; bits /= 2) {
    if (bits % 2 != 0) intact *= power;
    power *= power;
  }
  const std::uint64_t bits = draw(actor_.seed(), Purpose::BitError,
                                  std::uint64_t{actor_.in_link(record.port)}, record.time.ps);
  return unit_fraction(bits) >= intact;
}

bool Ports::lost_on_failing_link(const Record& record) const {
  const ColdPort& cold = cold_[record.port];
  if (cold.last_down.ps < 0) return false;
  if (mutant(Mutant::LostIfDown)) return !ports_[record.port].up;
  // What had started by the down tick: its header, or all of it, had left when that transmission
  // ended; of what starts on the link that is up again, nothing had. (Speeds may differ.)
  const bool control = is_link_control(record.kind);
  const Time left = record.time - (control ? cold.in.control_latency : cold.in.latency);
  return left <= cold.lost_until && cold.last_down <= record.time;
}

Record& Ports::send_beside(std::uint32_t port, std::int32_t size) {
  const Port& p = ports_[port];
  const Time acting = actor_.now() + lead_ + acting_after(p, wire_time(port, size + gap_));
  Record& sent = actor_.send(p.to, acting);
  sent.time = acting;
  sent.port = p.to_port;
  return sent;
}

void Ports::drop(const Record& record, DropCause cause) {
  SIM_CHECK(record.port < count(), "a packet that came in nowhere was dropped", actor_.name());
  ++cold_[record.port].drops[static_cast<int>(cause)];
  note(actor_, Happening::Drop, record.time,
       mix64(static_cast<std::uint64_t>(cause), packet_of(record)));
}

void Ports::on_pfc_frame(const Record& frame) {
  for (std::uint32_t c = 0; c < classes_; ++c) {
    if ((frame.traffic_class >> c & 1U) == 0) continue;
    const std::uint32_t quanta = pfc_quanta(frame, c);
    if (config_->response_time == Time{0}) {
      apply_pause(frame.port, c, quanta);
    } else {
      actor_.schedule_after(config_->response_time, EventClass::LinkControl, kPfcApply,
                            class_row(frame.port, c),
                            (quanta << 16) | cold_[frame.port].incarnation);
    }
  }
}

void Ports::apply_pause(std::uint32_t port, std::uint32_t c, std::uint32_t quanta) {
  Queue& q = queue(port, c);
  ColdClass& cold = cold_class(port, c);
  const Time now = actor_.now();
  if (cold.paused_until > cold.paused_since) {
    cold.counters.paused += std::min(now, cold.paused_until) - cold.paused_since;
  }
  cold.paused_since = now;
  if (quanta != 0) cold.pause_heard = now;
  if (quanta == 0) ++cold.resumes_heard;
  if (quanta == 0 || cold.ignores_pauses) {
    cold.paused_until = now;
    actor_.mark(port);
    return;
  }
  ++cold.counters.pauses_received;
  note(actor_, Happening::Pause, now, class_row(port, c));
  const Time before = cold.paused_until;
  cold.paused_until = config_->never_expires
                          ? Time::max()
                          : now + cold_[port].pause_quantum * static_cast<std::int64_t>(quanta);
  q.state |= Queue::kPaused;
  if (cold.paused_until < before) actor_.mark(port);  // the wake is set for the longer pause
}

void Ports::on_credit_round(const Record& round) {
  for (std::uint32_t i = 0; i < round.size; ++i) {
    const CreditWord word = credit_word(round, i);
    SIM_CHECK(word.vl < classes_, "credit update for an unknown VL", actor_.name());
    Queue& q = queue(round.port, word.vl);
    q.fccl = static_cast<std::uint16_t>(word.fccl);
    SIM_CHECK(((q.fccl - q.fctbs) & 4095) <= 2048, "credit limit out of the window", actor_.name());
  }
  const Port& p = ports_[round.port];
  if (!p.busy && (p.ready | p.unqueued) != 0) actor_.mark(round.port);
}

bool Ports::charge_pfc_slowly(Ingress& in, std::uint32_t port, std::uint32_t c, std::int32_t n) {
  const auto shared_of = [&](std::int64_t used) {
    return std::max<std::int64_t>(0, used - in.headroom - config_->reserve);
  };
  const std::int64_t shared = shared_of(in.used);
  bool to_headroom = in.xoff || shared_used_ + n > pool_cells_;
  if (config_->ns3_thresholds) to_headroom = shared_of(in.used + n) > threshold(port);
  if (to_headroom && shared_of(in.used + n) > 0) {
    if (in.headroom + n > cold_[port].headroom) return false;
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
  ports_[port].due |= static_cast<std::uint16_t>(1U << c);
  actor_.mark(port);
}

// --- egress

void Ports::end_arbitration(std::uint32_t port) {
  Port& p = ports_[port];
  if (lead_ != Time{0}) {
    p.busy = true;
    cold_[port].sends_until = actor_.now() + lead_;
    actor_.schedule_after(lead_, EventClass::Release, kTxEnd, port,
                          release_payload(kNoIngress, 0, 0));
    return;
  }
  if (p.due != 0) wake_for_round(port);  // credits that the cadence holds back
  Time& wake = cold_[port].wake;
  if (wanted_wake_ == Time::max() || wake <= wanted_wake_) return;
  wake = wanted_wake_;
  actor_.schedule(wake, EventClass::Arbitration, kWake, port);
}

std::uint32_t Ports::push_turn(const Queue& q, std::uint32_t input, std::uint32_t i) {
  std::unique_ptr<InputTurns>& turns = turns_[static_cast<std::size_t>(&q - queues_.data())];
  if (turns == nullptr) turns = std::make_unique<InputTurns>(count() + 1);
  return turns->push(pool_, std::min(input, count()), i);  // the last one: from no input
}

std::uint32_t Ports::pop_turn(const Queue& q, std::uint32_t input) {
  const auto row = static_cast<std::size_t>(&q - queues_.data());
  const std::uint32_t list = std::min(input, count());
  if (lifetimes_ != nullptr) lifetimes_->rows[row].moved_up[list] = actor_.now();
  return turns_[row]->pop(pool_, list);
}

void Ports::wake_for_round(std::uint32_t port) {
  Port& p = ports_[port];
  if (p.round_wake) return;
  p.round_wake = true;
  actor_.schedule_near(p.open_at, config_->min_spacing, EventClass::Timer, kCreditOpen, port);
}

}  // namespace spineleaf
