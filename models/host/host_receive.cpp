// Host, receiving half: buffer and PCIe, order of packets, acknowledgements, completions.
#include <algorithm>

#include "models/host/host.hpp"

namespace spineleaf {
namespace {
constexpr int kHeadroomFull = 1, kReceiverFull = 5;
}  // namespace

void Host::on_data(const Record& record) {
  const std::uint32_t c = record.traffic_class;
  if (!ports_.charge(record.port, c, record.size)) {
    ++ports_.counters(record.port).drops[kHeadroomFull];
    add_fingerprint(mix64(5, static_cast<std::uint64_t>(now().ps), record.seq));
    return;
  }
  if (nic_params_.pcie_rate.bits_per_second == 0) {
    ports_.release(record.port, c, record.size);
    deliver(record);
    return;
  }
  // Memory is reached in order of arrival at the PCIe rate; until then the packet holds its buffer.
  Nic& nic = nics_[nic_of_port_[record.port]];
  const bool lossy = (ports_.config().lossy_classes() >> c & 1U) != 0;
  const Time backlog = nic.write_free - now();
  if (lossy && backlog > serialisation(nic_params_.receive_buffer, nic_params_.pcie_rate)) {
    ++ports_.counters(record.port).drops[kReceiverFull];
    add_fingerprint(mix64(6, static_cast<std::uint64_t>(now().ps), record.seq));
    return;
  }
  nic.write_free = std::max(now(), nic.write_free) +
                   serialisation(Bytes{record.size - wire_.header}, nic_params_.pcie_rate);
  draining_[record.port].push_back(record);
  schedule(nic.write_free, EventClass::Release, kDrain, record.port);
}

void Host::deliver(const Record& record) {
  ReceiverQp& qp = receivers_[record.qp];
  ++counters_.packets_delivered;
  note_progress();
  add_fingerprint(mix64(static_cast<std::uint64_t>(now().ps),
                        (std::uint64_t{record.dst} << 32) | record.qp, record.seq));
  if ((record.flags & record_flags::kCongestion) != 0) {
    qp.congestion = true;
    if (rate_control_on_ && !transport_.ack_carries_cnp &&
        (qp.last_cnp.ps < 0 || now() - qp.last_cnp >= cnp_interval_)) {
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
    if (transport_.recovery == LossRecovery::SelectiveRepeat && !qp.beyond.empty()) ask_again(qp);
  } else if (record.seq > qp.expected) {
    ++counters_.out_of_order;
    out_of_order(qp, record);
  } else {
    acknowledge_data(qp, record, true);  // a duplicate
  }
}

std::uint32_t Host::payload_of(const Record& record, bool first) const {
  std::int32_t size = record.size - wire_.header;
  if (first) size -= wire_.reth;
  if (transport_.immediate && (record.flags & record_flags::kLast) != 0) size -= wire_.immediate;
  return static_cast<std::uint32_t>(size);
}

void Host::in_order(ReceiverQp& qp, std::uint32_t row, const Record& record) {
  ++qp.expected;
  ++qp.unacked;
  qp.nak_seq = UINT32_MAX;
  std::uint32_t payload = mtu_;
  if ((record.flags & record_flags::kLast) != 0) {
    payload = payload_of(record, record.seq == qp.message_first);
    complete_message(qp, row, {record.seq, payload});
  }
  counters_.payload_accepted += payload;
  if (!qp.beyond.empty()) absorb_beyond(qp, row);
}

void Host::complete_message(ReceiverQp& qp, std::uint32_t row, MessageEnd end) {
  const std::int64_t bytes = std::int64_t{end.seq - qp.message_first} * mtu_ + end.bytes;
  qp.message_first = end.seq + 1;
  counters_.payload_delivered += bytes;
  qp.completed.push_back(bytes);
  if (nic_params_.receive_latency == Time{0}) {
    schedule(now(), EventClass::Timer, kCompletion, row);
  } else {
    schedule_after(nic_params_.receive_latency, EventClass::Timer, kCompletion, row);
  }
}

void Host::on_completion(std::uint32_t row) {
  ReceiverQp& qp = receivers_[row];
  const Bytes bytes{qp.completed[qp.completed_first++]};
  if (qp.completed_first == qp.completed.size()) {
    qp.completed.clear();
    qp.completed_first = 0;
  }
  current_app_ = qp.app;
  apps_[qp.app]->on_received(*this, qp.cookie, qp.messages++, bytes);
}

// Packets that overtook others (adaptive routing, spraying, selective repeat) are placed at once
// and remembered in a bitmap; otherwise they are thrown away and a NAK asks for the missing one.
void Host::out_of_order(ReceiverQp& qp, const Record& record) {
  const bool lossless_reorder = reorder_ && transport_.recovery == LossRecovery::GoBackN;
  if (reorder_) {
    const std::uint32_t bit = record.seq - qp.expected - 1;
    if (bit / 64 >= qp.beyond.size()) qp.beyond.resize(bit / 64 + std::size_t{1});
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    const bool seen = (qp.beyond[bit / 64] & mask) != 0;
    qp.beyond[bit / 64] |= mask;
    const bool last = (record.flags & record_flags::kLast) != 0;
    if (!seen && last) {
      // A message of one packet carries RETH too; its first packet is found when it is absorbed.
      qp.ends_beyond.push_back({record.seq, payload_of(record, false)});
    }
    if (!seen) counters_.payload_accepted += last ? payload_of(record, false) : mtu_;
    if (lossless_reorder) return;
  }
  ask_again(qp);
}

/// A NAK for the packet expected next, unless one was sent lately.
void Host::ask_again(ReceiverQp& qp) {
  if (qp.nak_seq == qp.expected && now() - qp.nak_at < transport_.nak_interval) return;
  qp.nak_seq = qp.expected;
  qp.nak_at = now();
  ++counters_.naks;
  send_control(qp, RecordKind::Nak, qp.expected, qp.congestion && transport_.ack_carries_cnp);
}

void Host::absorb_beyond(ReceiverQp& qp, std::uint32_t row) {
  // Bit 0 is the packet after the one just accepted.
  const auto shift_one = [&] {
    std::uint64_t carry = 0;
    for (std::size_t w = qp.beyond.size(); w-- > 0;) {
      const std::uint64_t low = qp.beyond[w] & 1U;
      qp.beyond[w] = (qp.beyond[w] >> 1) | (carry << 63);
      carry = low;
    }
    return carry != 0;
  };
  bool present = shift_one();
  while (present) {
    const std::uint32_t seq = qp.expected++;
    ++qp.unacked;
    const auto end = std::find_if(qp.ends_beyond.begin(), qp.ends_beyond.end(),
                                  [&](const MessageEnd& e) { return e.seq == seq; });
    if (end != qp.ends_beyond.end()) {
      MessageEnd found = *end;
      qp.ends_beyond.erase(end);
      if (seq == qp.message_first) {
        found.bytes -= static_cast<std::uint32_t>(wire_.reth);
        counters_.payload_accepted -= wire_.reth;
      }
      complete_message(qp, row, found);
    }
    present = shift_one();
  }
  if (std::all_of(qp.beyond.begin(), qp.beyond.end(), [](std::uint64_t w) { return w == 0; })) {
    qp.beyond.clear();
  }
}

void Host::acknowledge_data(ReceiverQp& qp, const Record& record, bool at_once) {
  const bool asked = (record.flags & record_flags::kAckRequest) != 0;
  if (!at_once && !asked && qp.unacked < transport_.ack_every) return;
  qp.unacked = 0;
  ++counters_.acks;
  send_control(qp, RecordKind::Ack, qp.expected, qp.congestion && transport_.ack_carries_cnp);
  qp.congestion = false;
}

void Host::send_control(const ReceiverQp& qp, RecordKind kind, std::uint32_t seq, bool congestion) {
  Record record;
  record.kind = kind;
  record.qp = qp.remote;
  record.seq = seq;
  record.dst = qp.sender;
  record.entropy = qp.entropy;
  record.size = static_cast<std::uint16_t>(kind == RecordKind::Cnp ? wire_.cnp : wire_.ack);
  record.traffic_class = kind == RecordKind::Cnp ? cnp_class_ : ack_class_;
  record.flags = static_cast<std::uint8_t>(qp.flags | (congestion ? record_flags::kCongestion : 0));
  record.ttl = 64;
  record.time = now();
  ports_.enqueue(qp.port, record);
}

}  // namespace spineleaf
