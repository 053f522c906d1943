#include "models/switch/switch.hpp"

#include <algorithm>

namespace spineleaf {
namespace {
constexpr int kQueueFull = 0, kHeadroomFull = 1, kNoRoute = 3, kTtlExpired = 4;
constexpr std::uint16_t kNoPort = UINT16_MAX;
}  // namespace

Switch::Switch(ActorId id, std::string name, std::uint64_t seed, SwitchSetup setup)
    : Actor(id, std::move(name)),
      ports_(*this),
      forwarding_(setup.params->sw, seed, id),
      marking_(setup.params->ecn),
      routes_(setup.routes),
      node_(setup.node),
      mark_at_dequeue_(setup.params->ecn.enabled && setup.params->ecn.point == EcnPoint::Dequeue),
      lossy_(setup.config.lossy_classes()),
      queue_limit_(setup.params->sw.queue_limit.count),
      mark_seed_(mix64(seed, 0x3a12, id)),
      pinned_(std::move(setup.pinned)) {
  ports_.configure(std::move(setup.config), std::move(setup.ports));
}

void Switch::on_record(Record& record) {
  if (ports_.lost(record)) return;
  switch (record.kind) {
    case RecordKind::PfcFrame: ports_.on_pfc_frame(record); break;
    case RecordKind::CreditRound: ports_.on_credit_round(record); break;
    default: on_packet(record);
  }
}

std::uint16_t Switch::route(const Record& record) {
  if ((record.flags & record_flags::kPinned) != 0) {
    const auto hop =
        std::lower_bound(pinned_.begin(), pinned_.end(), record.entropy,
                         [](const PinnedHop& h, std::uint32_t path) { return h.path < path; });
    return hop != pinned_.end() && hop->path == record.entropy ? hop->port : kNoPort;
  }
  const auto candidates = routes_->candidates(node_, EndpointId{record.dst});
  if (candidates.empty()) return kNoPort;
  return forwarding_.choose(record, candidates, ports_, now());
}

void Switch::on_packet(Record& record) {
  if (--record.ttl == 0) return drop(record, kTtlExpired);
  const std::uint16_t out = route(record);
  if (out == kNoPort) return drop(record, kNoRoute);
  const std::uint32_t c = record.traffic_class;
  if ((lossy_ >> c & 1U) != 0) {
    if (queue_limit_ != 0 && ports_.queued_bytes(out, c) + record.size > queue_limit_) {
      return drop(record, kQueueFull);
    }
  } else if (!ports_.charge(record.port, c, record.size)) {
    return drop(record, kHeadroomFull);
  }
  if (marking_.enabled() && !mark_at_dequeue_ && record.kind == RecordKind::Data &&
      marking_.marks(ports_.queued_bytes(out, c), record, mark_seed_, now())) {
    record.flags |= record_flags::kCongestion;
    ports_.count_mark(out, c);
  }
  record.time = ports_.earliest_start(record, out);
  ports_.enqueue(out, record);
}

void Switch::drop(const Record& record, int cause) {
  ++ports_.counters(record.port).drops[cause];
  add_fingerprint(mix64(static_cast<std::uint64_t>(4 + cause), static_cast<std::uint64_t>(now().ps),
                        (std::uint64_t{record.dst} << 32) ^ record.seq));
  // The credits of a packet that was received and thrown away go back to the sender.
  if ((cause == kNoRoute || cause == kTtlExpired) &&
      ports_.charge(record.port, record.traffic_class, record.size)) {
    ports_.release(record.port, record.traffic_class, record.size);
  }
}

void Switch::on_arbitrate(std::uint32_t port) {
  if (!ports_.begin_arbitration(port)) return;
  std::uint32_t eligible = 0;
  for (std::uint32_t mask = ports_.ready(port); mask != 0; mask &= mask - 1) {
    const auto c = static_cast<std::uint32_t>(std::countr_zero(mask));
    const Record* head = ports_.head(port, c);
    if (ports_.may_start(port, c, head->size, head->time)) eligible |= 1U << c;
  }
  if (eligible == 0) return ports_.end_arbitration(port);
  const std::uint32_t c = ports_.choose_class(
      port, eligible, [&](std::uint32_t k) { return ports_.head(port, k)->size; });
  Record record = ports_.dequeue(port, c);
  if (mark_at_dequeue_ && record.kind == RecordKind::Data &&
      marking_.marks(ports_.queued_bytes(port, c), record, mark_seed_, now())) {
    record.flags |= record_flags::kCongestion;
    ports_.count_mark(port, c);
    add_fingerprint(mix64(1, static_cast<std::uint64_t>(now().ps),
                          (std::uint64_t{record.dst} << 32) ^ record.seq));
  }
  ports_.start(port, record, record.port);
}

}  // namespace spineleaf
