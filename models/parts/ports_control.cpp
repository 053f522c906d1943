// Ports, link control: PFC frames and credit rounds as they leave, and the ports' local events.
#include <algorithm>
#include <bit>

#include "models/parts/ports_hot.hpp"
#include "sim/random.hpp"

namespace spineleaf {

// --- link control: built in class 5, from the state then (rule 7)

void Ports::start_link_control(std::uint32_t port) {
  if (flow_control_ == FlowControlKind::Pfc) return start_pfc_frame(port);
  Port& p = ports_[port];
  if (config_->credit_mode == CreditMode::Timer && !tick_has_come(port)) return;
  // A round of more VLs than one record holds goes on with the next record.
  while (p.due != 0) start_credit_round(port);
  if (config_->credit_mode == CreditMode::MinSpacing)
    p.open_at = actor_.now() + config_->min_spacing;
}

/// Credit mode timer: whether the tick that the port's changes wait for is over. If they wait for
/// none yet, they now wait for the next one. Ports tick out of step.
bool Ports::tick_has_come(std::uint32_t port) {
  Port& p = ports_[port];
  const bool waited = p.open_at != Time{0};
  if (waited) {
    p.open_at = Time{0};
    return true;
  }
  const std::int64_t period = config_->min_spacing.ps;
  const auto phase = static_cast<std::int64_t>(mix64(0x71c4, actor_.id(), port) %
                                               static_cast<std::uint64_t>(period));
  p.open_at = Time{(actor_.now().ps + period - phase) / period * period + phase};
  wake_for_round(port);
  return false;
}

void Ports::start_pfc_frame(std::uint32_t port) {
  Port& p = ports_[port];
  Record& frame = send_control(p, kPfcFrameBytes + gap_);
  frame.kind = RecordKind::PfcFrame;
  frame.size = kPfcFrameBytes;
  frame.traffic_class = static_cast<std::uint8_t>(p.due);
  for (std::uint32_t c = 0; c < classes_; ++c) {
    if ((p.due >> c & 1U) == 0) continue;
    Ingress& in = ingress(port, c);
    set_pfc_quanta(frame, c, in.xoff ? static_cast<std::uint16_t>(config_->quanta) : 0);
    ClassCounters& counters = class_counters(port, c);
    ++(in.xoff ? counters.pauses_sent : counters.resumes_sent);
    if (!in.xoff) ++cold_class(port, c).resumes_told;
    if (in.xoff && !config_->never_expires) {
      const std::int64_t standing = cold_[port].pause_quantum.ps * config_->quanta;
      const Time at = actor_.now() + Time{standing * config_->refresh_q16 / 65536 + 1};
      cold_class(port, c).refresh_at = at;
      actor_.schedule(at, EventClass::Timer, kPfcRefresh, class_row(port, c));
    }
  }
  p.due = 0;
}

void Ports::start_credit_round(std::uint32_t port) {
  Port& p = ports_[port];
  std::uint32_t due = p.due;
  const auto all = std::min(kCreditWords, static_cast<unsigned>(std::popcount(due)));
  Record& round = send_control(p, std::int64_t{kCreditWordBytes} * all);
  round.kind = RecordKind::CreditRound;
  std::uint16_t words = 0;
  for (; due != 0 && words < kCreditWords; due &= due - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(due));
    const Ingress& in = ingress(port, c);
    const std::int64_t offered = std::min<std::int64_t>(config_->buffer_blocks - in.used, 2048);
    set_credit_word(round, words++,
                    {c, queue(port, c).fctbs, static_cast<std::uint32_t>(in.abr + offered) & 4095});
  }
  p.due = static_cast<std::uint16_t>(due);
  round.size = words;
  p.control_words += words;
  if (p.control_words < words) ++cold_[port].control_words_high;
}

/// Link control goes onto the wire at once, behind other link control of this instant; the packet
/// that the same arbitration starts follows it without a gap.
/// Returns the record, to be filled in but for time and port.
Record& Ports::send_control(Port& p, std::int64_t wire_bytes) {
  const Time whole = p.ps_per_byte != 0 ? Time{wire_bytes * p.ps_per_byte}
                                        : cold_[port_number(p)].out.serialisation_of(wire_bytes);
  lead_ += whole;
  p.bytes += wire_bytes;
  if (++p.controls == 0) ++cold_[port_number(p)].controls_high;
  const Time acting = actor_.now() + lead_ + Time{p.latency_ps} - Time{p.pipeline_ps};
  Record& sent = actor_.send(p.to, acting);
  sent = Record{};
  sent.time = acting;
  sent.port = p.to_port;
  return sent;
}

// --- local events

/// A standing pause is asked for again, unless the pool has got room since: with a dynamic
/// threshold an ingress may go on although nothing of its own has left.
void Ports::refresh_pause(std::uint32_t port, std::uint32_t c) {
  const Ingress& in = ingress(port, c);
  if (!in.xoff || cold_class(port, c).refresh_at != actor_.now()) return;
  const std::int64_t held = in.used - in.headroom - config_->reserve;
  const bool go_on =
      in.headroom == 0 && lets_go_on(port, std::max<std::int64_t>(0, held), shared_used_);
  set_xoff(port, c, !go_on);
}

void Ports::on_local(const LocalEvent& event) {
  const std::uint32_t row = event.row();
  switch (event.kind()) {
    case kTxEnd: on_tx_end(row, event.payload); break;
    case kPfcApply:
      if ((event.payload & 0xffffU) == cold_[row / kMaxClasses].incarnation) {
        apply_pause(row / kMaxClasses, row % kMaxClasses, event.payload >> 16);
      }
      break;
    case kPfcRefresh: refresh_pause(row / kMaxClasses, row % kMaxClasses); break;
    case kCreditOpen:
      ports_[row].round_wake = false;
      if (ports_[row].due != 0) actor_.mark(row);
      break;
    case kLapse: lapse(row / kMaxClasses, row % kMaxClasses); break;
    case kWake:
      if (cold_[row].wake == event.time) cold_[row].wake = Time::max();
      actor_.mark(row);
      break;
    default: SIM_CHECK(false, "unknown port event", actor_.name());
  }
}

}  // namespace spineleaf
