#include "tests/sim/chaos.hpp"

#include <algorithm>

namespace spineleaf::test {
namespace {

constexpr std::uint32_t kFirstEnergy = 24;

}  // namespace

std::uint32_t ChaosActor::draw(std::uint32_t n) {
  return static_cast<std::uint32_t>(mix64(history_, ++draws_, id()) % n);
}

Time ChaosActor::round(Time t) const {
  if (quantum_ == Time{0}) return t;
  return quantum_ * ((t.ps + quantum_.ps - 1) / quantum_.ps);
}

void ChaosActor::see(std::uint64_t what, std::uint64_t detail) {
  history_ = mix64(history_, mix64(what, detail), static_cast<std::uint64_t>(now().ps));
  add_fingerprint(mix64(history_, id()));
  note_progress();
  ++events_;
}

void ChaosActor::on_start() {
  history_ = mix64(seed(), id());
  for (std::uint32_t n = draw(4); n > 0; --n) schedule_something(kFirstEnergy, false);
}

void ChaosActor::on_record(const Record& record) {
  see(static_cast<std::uint64_t>(record.kind), (std::uint64_t{record.seq} << 16) | record.port);
  react(record.size, false);
}

void ChaosActor::on_local(const LocalEvent& event) {
  see(100 + static_cast<std::uint64_t>(event.event_class()), event.key);
  if (event.event_class() == EventClass::Arbitration) {
    mark(event.payload % 70);
  } else {
    react(event.payload, false);
  }
}

void ChaosActor::on_arbitrate(std::uint32_t port) {
  see(200, port);
  react(draw(6), true);
}

void ChaosActor::disturb(Time at) {
  set_now(at);
  see(300, 0);
  if (draw(2) == 0) mark(draw(70));
  if (draw(2) == 0) schedule_something(kFirstEnergy / 2, false);
}

/// Slightly more than one child an event on average; energy ends the chain.
void ChaosActor::react(std::uint32_t energy, bool arbitrating) {
  if (energy == 0) return;
  const std::uint32_t drawn = draw(16);
  for (std::uint32_t n = drawn < 2 ? 0 : drawn < 13 ? 1 : 2; n > 0; --n) {
    if (!out_.empty() && draw(2) == 0) {
      send_something(energy - 1);
    } else {
      schedule_something(energy - 1, arbitrating);
    }
  }
  if (!arbitrating && draw(4) == 0) mark(draw(70));
}

void ChaosActor::schedule_something(std::uint32_t energy, bool arbitrating) {
  // Each row once, in no order: the order at equal times is the key's, not that of making.
  const std::uint32_t row = (next_row_++ * 2654435761U) & 0xffffffU;
  const auto event_class = static_cast<EventClass>(1 + draw(5));
  const std::uint32_t kind = draw(3);
  constexpr std::int64_t kDelays[] = {0, 0, 7'000, 25'000, 25'000, 40'000, 111'111, 3'000'000};
  Time delay = round(Time{kDelays[draw(8)]});
  // A class-5 event is a wake: later than the instant at hand, as every event made in class 5.
  if (arbitrating || event_class == EventClass::Arbitration) delay = std::max(delay, Time{1});
  if (now() < Time{0}) return schedule(delay, event_class, kind, row, energy);
  if (draw(2) == 0) {
    schedule_after(delay, event_class, kind, row, energy);
  } else {
    schedule(now() + delay, event_class, kind, row, energy);
  }
}

void ChaosActor::send_something(std::uint32_t energy) {
  Out& out = out_[draw(static_cast<std::uint32_t>(out_.size()))];
  constexpr std::int64_t kExtra[] = {1, 1, 20'000, 20'000, 33'333, 2'000'000};
  Record record;
  record.time = now() + out.link.latency + round(Time{kExtra[draw(6)]});
  if (record.time <= out.last_acting) record.time = out.last_acting + round(Time{1});
  out.last_acting = record.time;
  record.kind = draw(3) == 0 ? RecordKind::PfcFrame : RecordKind::Data;
  record.seq = draw(1U << 16);
  record.size = static_cast<std::uint16_t>(energy);
  record.port = out.link.to_port;
  send(out.link.to, record);
}

ChaosWorld::ChaosWorld(std::uint64_t n)
    : seed(n), quantum(n % 2 == 0 ? Time{5'000} : Time{0}), simulation(n) {
  auto below = [&, count = std::uint64_t{0}](std::int64_t limit) mutable {
    return static_cast<std::int64_t>(mix64(seed, ++count, 9) % static_cast<std::uint64_t>(limit));
  };
  const std::int64_t actors = 1 + below(12);
  for (std::int64_t i = 0; i < actors; ++i) {
    simulation.add_actor<ChaosActor>("chaos" + std::to_string(i), quantum);
  }
  std::vector<std::uint16_t> ports(static_cast<std::size_t>(actors), 0);
  for (std::int64_t links = below(4 * actors); links > 0 && actors > 1; --links) {
    const auto from = static_cast<ActorId>(below(actors));
    const auto to = static_cast<ActorId>(below(actors));
    if (from == to) continue;
    const Time latency =
        quantum > Time{0} ? quantum * (5 + below(20)) : Time{25'000 + below(90'000)};
    Link link = link_between(from, to, ports[to]++, latency);
    simulation.add_link(link);
    actor(from).add_out_link(link);
  }
  simulation.freeze(true);
}

ListTicks ChaosWorld::ticks() {
  std::vector<ListTicks::Entry> entries;
  auto below = [&, count = std::uint64_t{0}](std::int64_t limit) mutable {
    return static_cast<std::int64_t>(mix64(seed, ++count, 11) % static_cast<std::uint64_t>(limit));
  };
  const auto sample = [this](Time at) {
    std::uint64_t sum = static_cast<std::uint64_t>(at.ps);
    for (std::size_t i = 0; i < simulation.actors().size(); ++i) sum += actor(i).history();
    samples.push_back(sum);
  };
  Time at{0};
  for (std::int64_t n = below(12); n > 0; --n) {
    at += quantum > Time{0} ? quantum * below(100) : Time{below(500'000)};
    const auto who =
        static_cast<std::size_t>(below(static_cast<std::int64_t>(simulation.actors().size())));
    if (below(2) == 0) {
      entries.push_back({at, false, sample});
    } else {
      entries.push_back({at, true, [this, who](Time t) { actor(who).disturb(t); }});
    }
  }
  return ListTicks(entries);
}

ChaosResult run_chaos(std::uint64_t seed, const Executor& executor) {
  ChaosWorld world(seed);
  ListTicks ticks = world.ticks();
  const RunOutcome outcome = run(world.simulation, ticks, executor);
  ChaosResult result;
  result.end = outcome.end;
  result.reason = outcome.reason;
  result.now = outcome.now;
  result.fingerprint = world.simulation.fingerprint();
  result.samples = world.samples;
  for (std::size_t i = 0; i < world.simulation.actors().size(); ++i) {
    result.histories.push_back(world.actor(i).history());
    result.events += world.actor(i).events();
  }
  return result;
}

}  // namespace spineleaf::test
