// Host, receiving half: buffer and PCIe, order of packets, acknowledgements, completions.
#include <algorithm>
#include <bit>

#include "models/host/host.hpp"
#include "models/parts/ports_hot.hpp"

namespace spineleaf {
namespace {
/// Marks packet expected + 1 + `bit` as arrived; false if it already was.
bool note_beyond(ReceiverQp& qp, std::uint32_t bit) {
  std::uint64_t* word = &qp.beyond;
  if (bit >= 64) {
    std::vector<std::uint64_t>& farther = qp.detail().farther;
    if (bit / 64 > farther.size()) farther.resize(bit / 64);
    word = &farther[bit / 64 - 1];
  }
  const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
  const bool fresh = (*word & mask) == 0;
  *word |= mask;
  return fresh;
}

/// Packets that follow the one expected without a gap.
std::uint32_t run_beyond(const ReceiverQp& qp) {
  auto run = static_cast<std::uint32_t>(std::countr_one(qp.beyond));
  if (run < 64 || qp.more == nullptr) return run;
  for (const std::uint64_t word : qp.more->farther) {
    const auto ones = static_cast<std::uint32_t>(std::countr_one(word));
    run += ones;
    if (ones < 64) break;
  }
  return run;
}

/// Drops the lowest `count` bits; false if no bit is left.
bool shift_beyond(ReceiverQp& qp, std::uint32_t count) {
  if (qp.more == nullptr || qp.more->farther.empty()) {
    qp.beyond = count < 64 ? qp.beyond >> count : 0;
    return qp.beyond != 0;
  }
  std::vector<std::uint64_t>& farther = qp.more->farther;
  const std::size_t words = count / 64;
  const std::uint32_t shift = count % 64;
  const auto word = [&](std::size_t w) {
    if (w == 0) return qp.beyond;
    return w <= farther.size() ? farther[w - 1] : 0;
  };
  const auto shifted = [&](std::size_t w) {
    const std::uint64_t low = word(w + words);
    const std::uint64_t high = word(w + words + 1);
    return shift == 0 ? low : (low >> shift) | (high << (64 - shift));
  };
  qp.beyond = shifted(0);
  std::uint64_t any = 0;
  for (std::size_t w = 1; w <= farther.size(); ++w) any |= farther[w - 1] = shifted(w);
  if (any == 0) farther.clear();
  return (any | qp.beyond) != 0;
}
}  // namespace

void Host::on_data(const Record& record) {
  const std::uint32_t c = record.traffic_class;
  if (config_->telemetry) note_telemetry(record);
  if (!ports_.charge(record.port, c, record.size)) {
    ports_.drop(record, DropCause::HeadroomFull);
    return;
  }
  if (config_->nic.pcie_rate.bits_per_second == 0) {
    ports_.release(record.port, c, record.size);
    deliver(record);
    return;
  }
  // Memory is reached in order of arrival at the PCIe rate; until then the packet holds its buffer.
  Nic& nic = nics_[nic_of_port_[record.port]];
  const bool lossy = (ports_.config().lossy_classes() >> c & 1U) != 0;
  const Time backlog = nic.write_free - now();
  if (lossy && backlog > serialisation(config_->nic.receive_buffer, config_->nic.pcie_rate)) {
    ports_.drop(record, DropCause::ReceiverFull);
    return;
  }
  nic.write_free = std::max(now(), nic.write_free) +
                   serialisation(Bytes{record.size - config_->wire.header}, config_->nic.pcie_rate);
  draining_[record.port].push_back(record);
  schedule(nic.write_free, EventClass::Release, kDrain, record.port);
}

void Host::deliver(const Record& record) {
  ReceiverQp& qp = receivers_[record.qp];
  ++counters_.packets_delivered;
  note_progress();
  note(*this, Happening::Delivery, now(), packet_of(record) ^ (std::uint64_t{record.qp} << 16));
  if ((record.flags & record_flags::kCongestion) != 0) {
    qp.congestion = true;
    if (config_->rate_control && !config_->transport.ack_carries_cnp &&
        (qp.last_cnp.ps < 0 || now() - qp.last_cnp >= config_->cnp_interval)) {
      qp.last_cnp = now();
      ++counters_.cnps;
      send_control(qp, RecordKind::Cnp, 0, false);
    }
  }
  if (record.seq == qp.expected) {
    const std::uint32_t first = qp.message_first;
    in_order(qp, record.qp, record);
    // The packet that asked for an ACK may have come before this one, which completes its message.
    acknowledge_data(qp, record, qp.message_first != first);
    // Of a burst that was lost, the next hole is asked for as soon as the one before is filled.
    if (config_->transport.recovery == LossRecovery::SelectiveRepeat && qp.holes) ask_again(qp);
  } else if (record.seq > qp.expected) {
    ++counters_.out_of_order;
    out_of_order(qp, record);
  } else {
    acknowledge_data(qp, record, true);  // a duplicate
  }
}

std::uint32_t Host::payload_of(const Record& record, bool first) const {
  std::int32_t size = record.size - config_->wire.header;
  if (first) size -= config_->wire.reth;
  if (config_->transport.immediate && (record.flags & record_flags::kLast) != 0)
    size -= config_->wire.immediate;
  return static_cast<std::uint32_t>(size);
}

void Host::in_order(ReceiverQp& qp, std::uint32_t row, const Record& record) {
  ++qp.expected;
  ++qp.unacked;
  qp.asked = false;
  std::uint32_t payload = config_->mtu;
  if ((record.flags & record_flags::kLast) != 0) {
    payload = payload_of(record, record.seq == qp.message_first);
    complete_message(qp, row, {record.seq, payload});
  }
  counters_.payload_accepted += payload;
  if (qp.holes) absorb_beyond(qp, row);
}

void Host::complete_message(ReceiverQp& qp, std::uint32_t row, MessageEnd end) {
  const std::int64_t bytes = std::int64_t{end.seq - qp.message_first} * config_->mtu + end.bytes;
  qp.message_first = end.seq + 1;
  counters_.payload_delivered += bytes;
  qp.detail().completed.push_back(bytes);
  if (config_->nic.receive_latency == Time{0}) {
    schedule(now(), EventClass::Timer, kCompletion, row);
  } else {
    schedule_after(config_->nic.receive_latency, EventClass::Timer, kCompletion, row);
  }
}

void Host::on_completion(std::uint32_t row) {
  ReceiverQp& qp = receivers_[row];
  ReceiverDetail& more = *qp.more;
  const Bytes bytes{more.completed[more.completed_first++]};
  if (more.completed_first == more.completed.size()) {
    more.completed.clear();
    more.completed_first = 0;
  }
  current_app_ = qp.app;
  apps_[qp.app]->on_received(*this, qp.cookie, qp.messages++, bytes);
}

// Packets that overtook others (adaptive routing, spraying, selective repeat) are placed at once
// and remembered in a bitmap; otherwise they are thrown away and a NAK asks for the missing one.
void Host::out_of_order(ReceiverQp& qp, const Record& record) {
  const bool lossless_reorder =
      config_->reorder && config_->transport.recovery != LossRecovery::SelectiveRepeat;
  if (config_->reorder) {
    const bool fresh = note_beyond(qp, record.seq - qp.expected - 1);
    qp.holes = true;
    const bool last = (record.flags & record_flags::kLast) != 0;
    if (fresh && last) {
      // A message of one packet carries RETH too; its first packet is found when it is absorbed.
      qp.detail().ends_beyond.push_back({record.seq, payload_of(record, false)});
    }
    if (fresh) counters_.payload_accepted += last ? payload_of(record, false) : config_->mtu;
    if (lossless_reorder) return;
  } else if (config_->transport.recovery == LossRecovery::GoBack0) {
    // The whole message is asked for, and what has come of it is forgotten.
    counters_.payload_accepted -= std::int64_t{qp.expected - qp.message_first} * config_->mtu;
    qp.expected = qp.message_first;
  }
  ask_again(qp);
}

/// A NAK for the packet expected next, unless one was sent lately.
void Host::ask_again(ReceiverQp& qp) {
  Time& nak_at = qp.detail().nak_at;
  if (qp.asked && now() - nak_at < config_->transport.nak_interval) return;
  qp.asked = true;
  nak_at = now();
  ++counters_.naks;
  send_control(qp, RecordKind::Nak, qp.expected, qp.congestion && config_->echoes_congestion);
}

/// The packet expected was accepted: takes in those that follow it without a hole.
void Host::absorb_beyond(ReceiverQp& qp, std::uint32_t row) {
  const std::uint32_t run = run_beyond(qp);  // bit 0 is the packet expected now
  for (std::uint32_t i = 0; i < run; ++i) {
    const std::uint32_t seq = qp.expected++;
    ++qp.unacked;
    if (qp.more == nullptr || qp.more->ends_beyond.empty()) continue;
    std::vector<MessageEnd>& ends = qp.more->ends_beyond;
    const auto end =
        std::find_if(ends.begin(), ends.end(), [&](const MessageEnd& e) { return e.seq == seq; });
    if (end == ends.end()) continue;
    MessageEnd found = *end;
    ends.erase(end);
    if (seq == qp.message_first) {
      found.bytes -= static_cast<std::uint32_t>(config_->wire.reth);
      counters_.payload_accepted -= config_->wire.reth;
    }
    complete_message(qp, row, found);
  }
  qp.holes = shift_beyond(qp, run + 1);
}

void Host::acknowledge_data(ReceiverQp& qp, const Record& record, bool at_once) {
  const bool asked = (record.flags & record_flags::kAckRequest) != 0;
  if (!at_once && !asked && qp.unacked < config_->transport.ack_every) return;
  qp.unacked = 0;
  ++counters_.acks;
  send_control(qp, RecordKind::Ack, qp.expected, qp.congestion && config_->echoes_congestion);
  qp.congestion = false;
}

void Host::send_control(const ReceiverQp& qp, RecordKind kind, std::uint32_t seq, bool congestion) {
  Record record;
  record.kind = kind;
  record.qp = qp.remote;
  record.seq = seq;
  record.dst = qp.sender;
  record.entropy = qp.entropy;
  record.size =
      static_cast<std::uint16_t>(kind == RecordKind::Cnp ? config_->wire.cnp : config_->wire.ack);
  record.traffic_class = kind == RecordKind::Cnp ? config_->cnp_class : qp.ack_class;
  record.flags = static_cast<std::uint8_t>(qp.flags | (congestion ? record_flags::kCongestion : 0));
  record.ttl = config_->ttl;
  record.time = now();
  if (config_->telemetry && kind != RecordKind::Cnp) record.flags |= record_flags::kTelemetry;
  ports_.enqueue(qp.port, record);
  if (config_->telemetry) carry_telemetry(qp, record);
}

}  // namespace spineleaf
