#include "models/switch/switch.hpp"

#include <algorithm>

#include "models/parts/ports_hot.hpp"
#include "sim/advance.hpp"

namespace spineleaf {
namespace {
constexpr std::uint16_t kNoPort = UINT16_MAX;
}  // namespace

Switch::Switch(ActorId id, std::string name, std::uint64_t seed, SwitchSetup setup)
    : Actor(id, std::move(name)),
      ports_(*this),
      forwarding_(setup.params->sw, seed, id, setup.static_divisor),
      marking_(setup.params->ecn),
      routes_(setup.routes->at(setup.node)),
      mark_at_dequeue_(setup.params->ecn.enabled && setup.params->ecn.point == EcnPoint::Dequeue),
      no_flow_control_(setup.config->flow_control == FlowControlKind::None),
      lossy_(setup.config->lossy_classes()),
      queue_limit_(setup.params->sw.queue_limit.count),
      mark_seed_(mix64(seed, 0x3a12, id)),
      pinned_(std::move(setup.pinned)) {
  if (!setup.groups.empty()) {
    aggregator_ = std::make_unique<Aggregator>(
        *this, ports_,
        AggregatorSetup{kAggregate, setup.params->sharp.latency, setup.config->gap, setup.ports,
                        std::move(setup.groups)});
  }
  ports_.configure(*setup.arena, std::move(setup.config), setup.pool, setup.ports);
  const CreditParams& credit = setup.params->credit;
  ports_.use_lifetimes({credit.head_of_queue_lifetime, credit.leaf_head_of_queue_lifetime,
                        credit.packet_life_time, static_cast<std::uint32_t>(credit.vl_stall_count)},
                       setup.ports);
  if (setup.params->transport.congestion_control == CongestionControlKind::Hpcc) {
    telemetry_ = std::make_unique<TelemetryStore>();
    telemetry_hops_ = setup.params->hpcc.max_hops;
    ports_.use_annexes();
  }
}

// Without flow control a port's future depends on its own queues alone: egress needs no events.
// The reference executor, which runs one event at a time, keeps them: each form judges the other.
void Switch::on_start() {
  settled_ = no_flow_control_ && aggregator_ == nullptr && telemetry_ == nullptr &&
             lane().direct == nullptr;
  if (settled_) ports_.use_settled_egress();
}

std::vector<std::span<const std::byte>> Switch::hot_memory() const {
  std::vector<std::span<const std::byte>> all = {std::as_bytes(std::span(this, 1))};
  for (const std::span<const std::byte> rows : ports_.hot_memory()) all.push_back(rows);
  return all;
}

void Switch::on_record(const Record& record) {
  if (ports_.lost(record)) return;
  if (is_forwarded(record.kind)) [[likely]]
    return on_packet(record);
  on_other(record);
}

void Switch::on_other(const Record& record) {
  switch (record.kind) {
    case RecordKind::PfcFrame: ports_.on_pfc_frame(record); break;
    case RecordKind::CreditRound: ports_.on_credit_round(record); break;
    case RecordKind::Annex: telemetry_->arrive(record); break;
    default: aggregator_->on_record(record);  // SHARP
  }
}

inline std::uint16_t Switch::route(const Record& record) {
  if ((record.flags & record_flags::kPinned) != 0) {
    const auto hop =
        std::lower_bound(pinned_.begin(), pinned_.end(), record.entropy,
                         [](const PinnedHop& h, std::uint32_t path) { return h.path < path; });
    return hop != pinned_.end() && hop->path == record.entropy ? hop->port : kNoPort;
  }
  const auto candidates = routes_.candidates(EndpointId{record.dst});
  if (candidates.empty()) return kNoPort;
  if (settled_ && forwarding_.looks_at_queues()) {
    for (const std::uint16_t port : candidates) settle(port, now());
  }
  return forwarding_.choose(record, candidates, ports_, now());
}

void Switch::on_packet(const Record& record) {
  if (record.ttl <= 1) return drop(record, DropCause::TtlExpired);
  const std::uint16_t out = route(record);
  if (out == kNoPort) return drop(record, DropCause::NoRoute);
  const std::uint32_t c = record.traffic_class;
  if (settled_ && ports_.may_settle(out, now())) settle(out, now());
  if ((lossy_ >> c & 1U) != 0) {
    if ((ports_.config().lossy_classes() >> c & 1U) == 0) {
      if (discards(record, out)) return drop(record, DropCause::Watchdog);
      if (ports_.vl_stalled(out, c)) return drop(record, DropCause::VlStall);
      if (!ports_.charge(record.port, c, record.size)) return drop(record, DropCause::HeadroomFull);
    } else if (queue_limit_ != 0 && ports_.queued_bytes(out, c) + record.size > queue_limit_) {
      return drop(record, DropCause::QueueFull);
    }
  } else if (!ports_.charge(record.port, c, record.size)) {
    return drop(record, DropCause::HeadroomFull);
  }
  std::uint8_t flags = record.flags;
  if (marking_.enabled() && !mark_at_dequeue_ && record.kind == RecordKind::Data &&
      marking_.marks(ports_.queued_bytes(out, c), record, mark_seed_, now())) {
    flags |= record_flags::kCongestion;
    ports_.count_mark(out, c);
    note(*this, Happening::Mark, now(), packet_of(record));
  }
  const auto ttl = static_cast<std::uint8_t>(record.ttl - 1);
  if (ports_.pass(out, record, flags, ttl)) return;
  if (settled_ && ports_.ready(out) == 0) pending_.set(out);
  Record& queued = ports_.enqueue(out, record);
  queued.time = ports_.earliest_start(record, out);
  queued.flags = flags;
  queued.ttl = ttl;
  if (telemetry_ != nullptr) {
    const Telemetry* const carried = telemetry_->of(record);
    telemetry_->queued(ports_.tail_slot(out, c)) = carried != nullptr ? *carried : Telemetry{};
  }
}

void Switch::set_discard(std::uint32_t port, std::uint32_t c, bool on) {
  discards_.resize(ports_.count());
  const auto bit = static_cast<std::uint16_t>(1U << c);
  std::uint16_t& mask = discards_[port];
  mask = static_cast<std::uint16_t>(on ? mask | bit : mask & ~bit);
  if (std::all_of(discards_.begin(), discards_.end(), [](std::uint16_t m) { return m == 0; })) {
    discards_.clear();
  }
  note_lossy();
}

void Switch::note_lossy() {
  lossy_ = ports_.config().lossy_classes() | ports_.stalled_vls();
  for (const std::uint16_t discarded : discards_) lossy_ |= discarded;
}

bool Switch::discards(const Record& record, std::uint16_t out) const {
  return !discards_.empty() &&
         ((discards_[out] | discards_[record.port]) >> record.traffic_class & 1U) != 0;
}

void Switch::drop(const Record& record, DropCause cause) {
  ports_.drop(record, cause);
  // The credits of a packet that was received and thrown away go back to the sender.
  const bool received =
      cause == DropCause::NoRoute || cause == DropCause::TtlExpired || cause == DropCause::VlStall;
  if (received && ports_.charge(record.port, record.traffic_class, record.size)) {
    ports_.release(record.port, record.traffic_class, record.size);
  }
}

/// Flags to add to a packet that starts at `at` and leaves `behind` bytes in its queue.
inline std::uint8_t Switch::mark_leaving(const Record& head, std::int64_t behind, Time at) {
  if (!mark_at_dequeue_ || !marking_.can_mark(behind) || head.kind != RecordKind::Data ||
      !marking_.marks(behind, head, mark_seed_, at)) {
    return 0;
  }
  note(*this, Happening::Mark, at, packet_of(head));
  return record_flags::kCongestion;
}

/// Data gets a hop more; what the packet carries goes ahead of it.
void Switch::stamp_leaving(std::uint32_t port, const Record& head, std::int64_t behind) {
  Telemetry& carried = telemetry_->queued(ports_.head_slot(port, head.traffic_class));
  if (head.kind == RecordKind::Data) {
    const Rate rate = ports_.out_link(port).rate;
    carried.push(TelemetryHop::stamp(now(), ports_.bytes_sent(port), behind, rate),
                 telemetry_hops_);
  }
  for (std::uint32_t i = 0; 2 * i < carried.count; ++i) {
    write_annex(ports_.send_beside(port, head.size), carried, i);
  }
}

void Switch::on_arbitrate(std::uint32_t port) {
  if (settled_) return pending_.set(port);
  if (ports_.expires() && ports_.expire_heads(port)) [[unlikely]]
    note_lossy();
  if (telemetry_ != nullptr) {
    return ports_.arbitrate(port, [this, port](const Record& head, std::int64_t behind, Time at) {
      const std::uint8_t mark = mark_leaving(head, behind, at);
      stamp_leaving(port, head, behind);
      const bool data = head.kind == RecordKind::Data;
      return static_cast<std::uint8_t>(data ? mark | record_flags::kTelemetry : mark);
    });
  }
  ports_.arbitrate(port, [this](const Record& head, std::int64_t behind, Time at) {
    return mark_leaving(head, behind, at);
  });
}

void Switch::on_local(const LocalEvent& event) {
  if (event.kind() == kTxEnd) [[likely]]
    return ports_.on_tx_end(event.row(), event.payload);
  if (event.kind() == kSettle) return;  // on_epoch_end does the work
  if (event.kind() >= kAggregate) return aggregator_->on_local(event);
  ports_.on_local(event);
  if (event.kind() == kLapse) note_lossy();
}

void Switch::settle(std::uint32_t port, Time before) {
  ports_.settle(port, before, [this](const Record& head, std::int64_t behind, Time at) {
    return mark_leaving(head, behind, at);
  });
}

void Switch::on_epoch_end(Time to) {
  if (!settled_) return;
  Time next = Time::max();
  PortSet ports = pending_;
  while (ports.any()) {
    const std::uint32_t port = ports.pop_first();
    settle(port, to);
    if (ports_.ready(port) == 0) pending_.clear(port);
    next = std::min(next, ports_.next_start(port));
  }
  if (next != settle_at_ && next != Time::max()) {
    schedule(next, EventClass::Arbitration, kSettle, 0);
  }
  settle_at_ = next;
}

std::uint64_t Switch::final_fingerprint() const {
  return mix64(static_cast<std::uint64_t>(Happening::Counters), id(), ports_.counted());
}

Time Switch::last_instant() const {
  return settled_ ? std::max(now(), ports_.last_settled()) : now();
}

void Switch::advance(Lane& lane, Time from, Time to) { run_epoch(*this, lane, from, to); }

}  // namespace spineleaf
