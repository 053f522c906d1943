// Host, member of groups that the switches aggregate (SHARP).
//
// The NIC sends an operation's packets up as far as the window lets it. In their class they go
// before other data of this host. Nothing is sent again: a tree that loses a packet stays stuck.
#include <algorithm>

#include "models/host/host.hpp"
#include "models/parts/ports_hot.hpp"

namespace spineleaf {

void Host::aggregate(MemberRow member, Bytes bytes, std::uint32_t tag) {
  const auto row = static_cast<std::uint32_t>(member);
  SIM_CHECK(row < members_.size(), "no such member of a group", name());
  Member& m = members_[row];
  const std::int64_t packets =
      std::max<std::int64_t>(1, (bytes.count + m.fixed.payload - 1) / m.fixed.payload);
  SIM_CHECK(bytes.count >= 0 && packets + m.posted < INT64_C(1) << 31,
            "over 2^31 packets in one group", name());
  Nic& nic = nics_[nic_of_port_[m.fixed.port]];
  nic.message_free = std::max(now(), nic.message_free) + config_->nic.message_cost;
  const Time ready = nic.message_free + config_->nic.send_latency;
  m.operations.push({m.posted, static_cast<std::uint32_t>(packets), bytes.count, tag, ready});
  m.posted += static_cast<std::uint32_t>(packets);
  ++messages_open_;
  if (ready == now()) {
    member_ready(row);
  } else {
    schedule(ready, EventClass::Timer, kMemberReady, row);
  }
}

void Host::member_ready(std::uint32_t row) {
  Member& m = members_[row];
  m.waits = false;
  for (std::size_t i = 0; i < m.operations.size(); ++i) {
    const Message& operation = m.operations[i];
    if (operation.ready > now()) break;
    m.sendable = std::max(m.sendable, operation.first_seq + operation.packets);
  }
  send_contributions(row);
}

void Host::send_contributions(std::uint32_t row) {
  Member& m = members_[row];
  const bool memory_limits = config_->nic.pcie_rate.bits_per_second > 0;
  Nic& nic = nics_[nic_of_port_[m.fixed.port]];
  std::size_t at = m.landed;
  for (; m.next < m.sendable && m.next - m.expected < m.fixed.window; ++m.next) {
    if (memory_limits && nic.read_free > now()) {
      if (!m.waits) schedule(nic.read_free, EventClass::Timer, kMemberReady, row);
      m.waits = true;
      return;
    }
    while (m.operations[at].first_seq + m.operations[at].packets <= m.next) ++at;
    const Message& operation = m.operations[at];
    const std::int64_t left =
        operation.bytes - std::int64_t{m.next - operation.first_seq} * m.fixed.payload;
    const auto payload = static_cast<std::int32_t>(
        m.fixed.fixed.contributes ? std::min<std::int64_t>(left, m.fixed.payload) : 0);
    if (memory_limits) {
      nic.read_free =
          std::max(nic.read_free, now()) + serialisation(Bytes{payload}, config_->nic.pcie_rate);
    }
    ++counters_.contributions;
    counters_.contributed += payload;
    Record record;
    record.time = now();
    record.kind = RecordKind::Reduce;
    record.qp = m.fixed.remote;
    record.seq = m.next;
    record.dst = m.fixed.number;
    record.size = static_cast<std::uint16_t>(payload + config_->wire.header);
    record.port = Ports::kNoIngress;
    record.traffic_class = m.fixed.traffic_class;
    ports_.enqueue(m.fixed.port, record);
  }
}

void Host::on_result(const Record& record) {
  const std::uint32_t c = record.traffic_class;
  const bool room = ports_.charge(record.port, c, record.size);
  SIM_CHECK(room, "no room for a result", name());
  if (config_->nic.pcie_rate.bits_per_second == 0) {
    ports_.release(record.port, c, record.size);
    return accept_result(record);
  }
  Nic& nic = nics_[nic_of_port_[record.port]];
  nic.write_free = std::max(now(), nic.write_free) +
                   serialisation(Bytes{record.size - config_->wire.header}, config_->nic.pcie_rate);
  draining_[record.port].push_back(record);
  schedule(nic.write_free, EventClass::Release, kDrain, record.port);
}

void Host::accept_result(const Record& record) {
  Member& m = members_[record.qp];
  note_progress();
  note(*this, Happening::Delivery, now(), packet_of(record) ^ (std::uint64_t{record.qp} << 16));
  if (record.seq != m.expected) {  // one before it was lost on a failing link
    ++counters_.out_of_order;
    return;
  }
  ++m.expected;
  ++counters_.results;
  counters_.result_payload += record.size - config_->wire.header;
  counters_.payload_accepted += record.size - config_->wire.header;
  const Message& operation = m.operations[m.landed];
  if (m.expected == operation.first_seq + operation.packets) {
    ++m.landed;
    schedule(now() + config_->nic.receive_latency, EventClass::Timer, kMemberDone, record.qp);
  }
  send_contributions(record.qp);
}

void Host::member_done(std::uint32_t row) {
  Member& m = members_[row];
  const Message operation = m.operations.front();
  m.operations.pop();
  --m.landed;
  --messages_open_;
  current_app_ = m.fixed.app;
  HostApp& app = *apps_[m.fixed.app];
  const std::uint32_t number = m.done++;
  app.on_sent(*this, m.fixed.fixed.sent_cookie, operation.tag);
  app.on_received(*this, m.fixed.fixed.received_cookie, number, Bytes{operation.bytes});
}

}  // namespace spineleaf
