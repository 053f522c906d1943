// Host and the congestion controls that act on ACKs: what they are told, what follows from it, and
// the telemetry that HPCC has on packets and ACKs.
#include <algorithm>

#include "models/host/host.hpp"
#include "models/parts/ports_hot.hpp"

namespace spineleaf {

void Host::make_control(const HostSetup& setup) {
  const TransportParams& transport = config_->transport;
  if (!config_->own_windows) return;
  const std::size_t connections = setup.senders.size();
  ControlSetup control;
  control.params = config_->models;
  control.packet = std::int64_t{config_->mtu} + config_->wire.header + config_->wire.gap;
  control.base_rtt = config_->base_rtt;
  for (const SenderSetup& sender : setup.senders) {
    const auto line = static_cast<double>(setup.ports[sender.port].out.rate.bits_per_second);
    control.connections.push_back({line, sender.base_rtt, sender.hops});
  }
  if (transport.window_bdp) {
    for (const ControlledConnection& connection : control.connections) {
      const double bytes = connection.line_rate / 8 * config_->base_rtt.seconds();
      windows_.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes)));
    }
  }
  if (acts_on_acks(transport.congestion_control)) {
    control_ = make_congestion_control(control);
    send_times_.resize(connections);
  }
  if (config_->telemetry) {
    telemetry_ = std::make_unique<TelemetryStore>();
    received_telemetry_.resize(setup.receivers.size());
    ports_.use_annexes();
  }
}

std::int64_t Host::window_of(std::uint32_t row) const {
  const std::int64_t fixed = windows_.empty() ? INT64_MAX : windows_[row];
  return control_ == nullptr ? fixed : std::min(fixed, control_->allowed(row).window);
}

void Host::tell_control(const Record& record, std::uint32_t una, std::uint32_t next) {
  const SenderQp& qp = senders_[record.qp];
  AckSignal ack;
  ack.now = now();
  ack.newly = qp.una - una;
  if (ack.newly > 0) {
    const Time sent = send_times_[record.qp].of(qp.una - 1);
    if (sent.ps >= 0) ack.rtt = now() - sent;
  }
  ack.outstanding = next - una;
  ack.una = qp.una;
  ack.next_seq = qp.next_seq;
  ack.congestion = (record.flags & record_flags::kCongestion) != 0;
  ack.lost = record.kind == RecordKind::Nak;
  ack.telemetry = telemetry_ == nullptr ? nullptr : telemetry_->of(record);
  control_->on_ack(record.qp, ack);
  plan_again(record.qp);
}

void Host::tell_control_of_timeout(std::uint32_t row) {
  const SenderQp& qp = senders_[row];
  AckSignal ack;
  ack.now = now();
  ack.outstanding = qp.next_seq - qp.una;
  ack.una = qp.una;
  ack.next_seq = qp.next_seq;
  ack.lost = true;
  control_->on_ack(row, ack);
}

/// A rate that rose brings the planned packet of a paced connection forward.
void Host::plan_again(std::uint32_t row) {
  SenderQp& qp = senders_[row];
  if (qp.state != QpState::Waiting || !config_->transport.recompute_gap) return;
  const Time planned = std::max(now() + Time{1}, planned_send(qp, rate_of(row, true)));
  if (planned >= qp.next_send) return;
  qp.next_send = planned;
  schedule(planned, EventClass::Timer, kQpReady, row);
}

// --- telemetry

void Host::note_telemetry(const Record& data) {
  if (const Telemetry* const carried = telemetry_->of(data)) {
    received_telemetry_[data.qp] = *carried;
  }
}

/// The ACK that was just queued takes home what the newest packet brought.
void Host::carry_telemetry(const ReceiverQp& qp, const Record& record) {
  const auto row = static_cast<std::size_t>(&qp - receivers_.data());
  const bool carries = record.kind == RecordKind::Ack || record.kind == RecordKind::Nak;
  telemetry_->queued(ports_.tail_slot(qp.port, record.traffic_class)) =
      carries ? received_telemetry_[row] : Telemetry{};
}

void Host::send_telemetry(std::uint32_t port, std::uint32_t c) {
  const Record& head = *ports_.head(port, c);
  const Telemetry& carried = telemetry_->queued(ports_.head_slot(port, c));
  for (std::uint32_t i = 0; 2 * i < carried.count; ++i) {
    write_annex(ports_.send_beside(port, head.size), carried, i);
  }
}

}  // namespace spineleaf
