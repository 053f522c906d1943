#include "models/sharp/aggregator.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ports_hot.hpp"

namespace spineleaf {

Aggregator::Aggregator(Actor& actor, Ports& ports, AggregatorSetup setup)
    : actor_(actor),
      ports_(ports),
      reduced_kind_(setup.event_kind),
      received_kind_(setup.event_kind + 1),
      latency_(setup.latency),
      gap_(setup.gap) {
  for (const PortSetup& port : setup.ports) in_.push_back(port.in);
  for (AggregatorGroup& fixed : setup.groups) {
    Group group;
    group.slots.resize(fixed.window);
    group.fixed = std::move(fixed);
    groups_.push_back(std::move(group));
  }
}

/// When the whole packet, which acts now, has come in.
Time Aggregator::tail(const Record& record) const {
  const Link& in = in_[record.port];
  if (in.header.count == 0) return actor_.now();
  const Time whole = in.serialisation_of(record.size + gap_);
  return actor_.now() + (whole - std::min(in.serialisation_of(in.header.count), whole));
}

void Aggregator::on_record(const Record& record) {
  const bool room = ports_.charge(record.port, record.traffic_class, record.size);
  SIM_CHECK(room && record.qp < groups_.size(), "a packet of a group that is not here",
            actor_.name());
  if (record.kind == RecordKind::Reduce) {
    return keep(record, reduced_kind_, tail(record) + latency_);
  }
  send_down(groups_[record.qp], record, true);
  const Time whole = tail(record);
  if (whole > actor_.now()) return keep(record, received_kind_, whole);
  ports_.release(record.port, record.traffic_class, record.size);
}

/// The packet holds its buffer until then. On a port no two of a kind end at one instant.
void Aggregator::keep(const Record& record, std::uint32_t kind, Time until) {
  std::uint32_t i = 0;
  if (free_.empty()) {
    i = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back(record);
  } else {
    i = free_.back();
    free_.pop_back();
    pending_[i] = record;
  }
  actor_.schedule_near(until, until - actor_.now(), EventClass::Release, kind, record.port, i);
}

void Aggregator::on_local(const LocalEvent& event) {
  const Record record = pending_[event.payload];
  free_.push_back(event.payload);
  ports_.release(record.port, record.traffic_class, record.size);
  if (event.kind() == reduced_kind_) contribute(record);
}

void Aggregator::contribute(const Record& record) {
  Group& group = groups_[record.qp];
  Slot& slot = group.slots[record.seq % group.fixed.window];
  slot.size = std::max(slot.size, record.size);
  if (++slot.contributions < group.fixed.children.size()) return;
  const std::uint16_t size = slot.size;
  slot = {};
  if (group.fixed.parent_port != AggregatorGroup::kRoot) return send_up(group, record.seq, size);
  Record result = record;
  result.size = size;
  send_down(group, result, false);
}

void Aggregator::send_up(const Group& group, std::uint32_t seq, std::uint16_t size) {
  Record sum;
  sum.time = actor_.now();
  sum.kind = RecordKind::Reduce;
  sum.qp = group.fixed.parent_row;
  sum.seq = seq;
  sum.dst = group.fixed.number;
  sum.size = size;
  sum.port = Ports::kNoIngress;
  sum.traffic_class = group.fixed.traffic_class;
  ports_.enqueue(group.fixed.parent_port, sum);
}

/// A copy for each child; those below which nobody wants data get a header. `on_its_way`: the
/// result is just coming in, and each copy leaves as soon as cut-through lets it.
void Aggregator::send_down(const Group& group, const Record& result, bool on_its_way) {
  for (const AggregatorGroup::Child& child : group.fixed.children) {
    Record copy = result;
    copy.kind = RecordKind::Result;
    copy.time = on_its_way ? ports_.earliest_start(result, child.port) : actor_.now();
    copy.qp = child.row;
    copy.dst = group.fixed.number;
    copy.port = Ports::kNoIngress;
    if (!child.receives) copy.size = group.fixed.header;
    ports_.enqueue(child.port, copy);
  }
}

}  // namespace spineleaf
