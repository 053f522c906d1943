#include "models/host/host.hpp"
#include "models/parts/ports_hot.hpp"
#include "sim/advance.hpp"

#include <algorithm>

namespace spineleaf {
namespace {

SenderQp sender(const SenderSetup& from) {
  SenderQp qp;
  qp.dst = index(from.to);
  qp.remote = from.remote;
  qp.entropy = from.entropy;
  qp.flags = from.pinned ? record_flags::kPinned : 0;
  qp.port = from.port;
  qp.traffic_class = from.traffic_class;
  qp.app = from.app;
  qp.cookie = from.cookie;
  qp.rate_limit = from.rate_limit.bits_per_second;
  qp.limited = qp.rate_limit > 0;
  return qp;
}

ReceiverQp receiver(const ReceiverSetup& from) {
  ReceiverQp qp;
  qp.sender = index(from.sender);
  qp.remote = from.remote;
  qp.entropy = from.entropy;
  qp.flags = from.pinned ? record_flags::kPinned : 0;
  qp.ack_class = from.ack_class;
  qp.port = from.port;
  qp.app = from.app;
  qp.cookie = from.cookie;
  return qp;
}

}  // namespace

HostConfig::HostConfig(const ModelParams& params)
    : models(&params),
      wire(wire_sizes(params)),
      mtu(static_cast<std::uint32_t>(params.fabric.mtu.count)),
      transport(params.transport),
      dcqcn(params.dcqcn, params.transport.congestion_control),
      nic(params.nic),
      cnp_interval(params.dcqcn.min_time_between_cnps),
      cnp_class(static_cast<std::uint8_t>(params.fabric.cnp_class)),
      ttl(static_cast<std::uint8_t>(params.fabric.ttl)),
      reorder(params.transport.recovery == LossRecovery::SelectiveRepeat ||
              params.sw.forwarding == ForwardingRule::Spray ||
              params.sw.forwarding == ForwardingRule::Adaptive ||
              params.sw.forwarding == ForwardingRule::Flowlet),
      rate_control(is_dcqcn(params.transport.congestion_control)),
      own_windows(params.transport.window_bdp || acts_on_acks(params.transport.congestion_control)),
      telemetry(params.transport.congestion_control == CongestionControlKind::Hpcc),
      echoes_congestion(params.transport.ack_carries_cnp ||
                        params.transport.congestion_control == CongestionControlKind::Dctcp),
      whole_nanoseconds(params.fabric.serialisation == Rounding::WholeNanoseconds) {}

Host::Host(ActorId id, std::string name, HostSetup setup)
    : Actor(id, std::move(name)),
      ports_(*this),
      config_(std::move(setup.config)),
      nic_of_port_(std::move(setup.nic_of_port)),
      apps_(std::move(setup.apps)) {
  const std::size_t ports = setup.ports.size();
  draining_.resize(ports);
  drain_first_.resize(ports);
  for (const std::uint16_t nic : nic_of_port_) {
    if (nic >= nics_.size()) nics_.resize(nic + std::size_t{1});
  }
  Arena& arena = *setup.arena;
  rings_ = {arena, ports * setup.ports_config->classes};
  ports_.configure(arena, std::move(setup.ports_config), setup.pool, setup.ports);
  senders_ = {arena, setup.senders.size(), [&](std::size_t i) { return sender(setup.senders[i]); }};
  receivers_ = {arena, setup.receivers.size(),
                [&](std::size_t i) { return receiver(setup.receivers[i]); }};
  if (config_->rate_control) {
    rates_ = {arena, senders_.size(), [&](std::size_t i) {
                const Link& out = setup.ports[setup.senders[i].port].out;
                return Dcqcn(static_cast<double>(out.rate.bits_per_second));
              }};
  }
  make_control(setup);
  app_wakes_.resize(apps_.size());
  members_.resize(setup.members.size());
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].fixed = setup.members[i];
}

void Host::on_start() {
  if (!apps_.empty()) schedule(Time{0}, EventClass::Timer, kAppStart, 0);
}

void Host::on_record(const Record& record) {
  if (ports_.lost(record)) return;
  switch (record.kind) {
    case RecordKind::PfcFrame: ports_.on_pfc_frame(record); break;
    case RecordKind::CreditRound: ports_.on_credit_round(record); break;
    case RecordKind::Data: on_data(record); break;
    case RecordKind::Result: on_result(record); break;
    case RecordKind::Annex: telemetry_->arrive(record); break;
    default:
      // ACK, NAK and CNP end in the NIC and hold no receive buffer beyond their own instant.
      if (ports_.charge(record.port, record.traffic_class, record.size)) {
        ports_.release(record.port, record.traffic_class, record.size);
      }
      if (record.kind == RecordKind::Cnp) {
        on_congestion(record.qp);
      } else {
        on_ack(record);
      }
  }
}

void Host::on_local(const LocalEvent& event) {
  const std::uint32_t row = event.row();
  switch (event.kind()) {
    case kTxEnd: ports_.on_tx_end(row, event.payload); break;
    case kAppStart:
      for (current_app_ = 0; current_app_ < apps_.size(); ++current_app_) {
        apps_[current_app_]->start(*this);
      }
      break;
    case kDrain: {
      const Record record = draining_[row][drain_first_[row]++];
      if (drain_first_[row] * 2 >= draining_[row].size()) {
        draining_[row].erase(
            draining_[row].begin(),
            draining_[row].begin() + static_cast<std::ptrdiff_t>(drain_first_[row]));
        drain_first_[row] = 0;
      }
      ports_.release(row, record.traffic_class, record.size);
      if (record.kind == RecordKind::Result) {
        accept_result(record);
      } else {
        deliver(record);
      }
      break;
    }
    case kCompletion: on_completion(row); break;
    case kMessageReady: message_ready(row); break;
    case kQpReady: qp_ready(row); break;
    case kRetransmit: on_retransmit(row); break;
    case kAppWake:
      current_app_ = row >> 16;
      if (app_wakes_[current_app_][row & 0xffffU] == event.time) {
        app_wakes_[current_app_][row & 0xffffU] = Time::max();
        apps_[current_app_]->on_wake(*this, row & 0xffffU);
      }
      break;
    case kMemberReady: member_ready(row); break;
    case kMemberDone: member_done(row); break;
    default: ports_.on_local(event);
  }
}

void Host::wake(std::uint32_t row, Time at) {
  SIM_CHECK(at > now() && row < 0x10000 && current_app_ < 256,
            "an app timer must lie in the future", name());
  std::vector<Time>& wakes = app_wakes_[current_app_];
  if (row >= wakes.size()) wakes.resize(row + std::size_t{1}, Time::max());
  wakes[row] = at;
  schedule(at, EventClass::Timer, kAppWake, (current_app_ << 16) | row);
}

std::vector<std::span<const std::byte>> Host::hot_memory() const {
  const auto* const first = reinterpret_cast<const std::byte*>(this);
  const auto* const seldom = reinterpret_cast<const std::byte*>(&counters_.payload_delivered);
  std::vector<std::span<const std::byte>> all = {{first, seldom}, std::as_bytes(std::span(rings_))};
  for (const std::span<const std::byte> rows : ports_.hot_memory()) all.push_back(rows);
  return all;
}

std::uint64_t Host::final_fingerprint() const {
  return mix64(static_cast<std::uint64_t>(Happening::Counters), id(), ports_.counted());
}

// What all hosts share stays as it is: this host goes on with a copy.
void Host::set_memory_rate(Rate rate) {
  auto config = std::make_shared<HostConfig>(*config_);
  config->nic.pcie_rate = rate;
  config_ = std::move(config);
}

void Host::collect(JobReport& report) const {
  for (const auto& app : apps_) app->collect(report);
}

std::int64_t Host::bytes_planned() const {
  std::int64_t bytes = 0;
  for (const auto& app : apps_) bytes += app->bytes_planned();
  return bytes;
}

void Host::advance(Lane& lane, Time from, Time to) { run_epoch(*this, lane, from, to); }

}  // namespace spineleaf
