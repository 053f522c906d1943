#include "sim/inbox.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/mutants.hpp"

namespace spineleaf {
namespace {

constexpr unsigned kIndexBits = 20;
constexpr unsigned kClassBits = 3;

using Entry = Lane::BatchEntry;

bool same_class_and_instant(const Entry& a, const Entry& b) {
  return (a.key ^ b.key) >> kIndexBits == 0;
}

/// True if two entries share (time, class).
bool insertion_sort(Entry* batch, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const Entry e = batch[i];
    std::size_t j = i;
    while (j > 0 && e.key < batch[j - 1].key) {
      batch[j] = batch[j - 1];
      --j;
    }
    batch[j] = e;
  }
  bool ties = false;
  for (std::size_t i = 1; i < n; ++i) ties |= same_class_and_instant(batch[i], batch[i - 1]);
  return ties;
}

/// Spreads entries over about as many buckets as there are entries by their leading time bits, so
/// that the insertion sort which follows moves little: arrival times at a loaded switch are nearly
/// uniform.
void spread(std::vector<Entry>& batch, std::vector<Entry>& space, Time span) {
  constexpr unsigned kMaxBits = 10;
  const std::size_t n = batch.size();
  const unsigned bits = std::min(static_cast<unsigned>(std::bit_width(n)), kMaxBits);
  const auto width = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(span.ps)));
  const unsigned shift = width + kClassBits + kIndexBits - std::min(bits, width);
  const std::size_t buckets = std::size_t{1} << bits;
  std::uint32_t starts[(std::size_t{1} << kMaxBits) + 1];
  std::memset(starts, 0, (buckets + 1) * sizeof starts[0]);
  for (const Entry& e : batch) ++starts[(e.key >> shift) + 1];
  for (std::size_t b = 1; b < buckets; ++b) starts[b] += starts[b - 1];
  space.resize(n);
  for (const Entry& e : batch) space[starts[e.key >> shift]++] = e;
  batch.swap(space);
}

/// Instant that the tie of `record` is drawn from: its acting instant (mutants take another).
Time tie_instant(const Record& record) {
  if (mutant(Mutant::TiesByHead)) {
    return record.time - Time{20 * std::int64_t{record.size}};  // as if every link had 400 Gb/s
  }
  return record.time;
}

/// Puts batch[first, last), which share (time, class), in order of (tie hash, link).
void order_run(Lane& lane, const Actor& actor, std::size_t first, std::size_t last) {
  std::vector<Lane::Tie>& ties = lane.ties;
  ties.clear();
  for (std::size_t i = first; i < last; ++i) {
    const Record& record = *lane.batch[i].record;
    const std::uint64_t hash =
        mutant(Mutant::TiesByLink) ? 0 : actor.tie_of(tie_instant(record), record.port);
    ties.push_back({hash, actor.in_link(record.port), lane.batch[i]});
  }
  const auto before = [](const Lane::Tie& a, const Lane::Tie& b) { return a.before(b); };
  if (ties.size() == 2) {
    if (before(ties[1], ties[0])) std::swap(lane.batch[first], lane.batch[first + 1]);
    return;
  }
  std::sort(ties.begin(), ties.end(), before);
  for (std::size_t i = first; i < last; ++i) lane.batch[i] = ties[i - first].entry;
}

/// Runs of equal (time, class) are put in order of (tie hash, link); hashed only here.
void order_ties(Lane& lane, const Actor& actor) {
  const std::vector<Entry>& batch = lane.batch;
  std::size_t first = 0;
  for (std::size_t i = 1; i < batch.size(); ++i) {
    if (same_class_and_instant(batch[first], batch[i])) continue;
    if (i - first > 1) order_run(lane, actor, first, i);
    first = i;
  }
  if (batch.size() - first > 1) order_run(lane, actor, first, batch.size());
}

}  // namespace

void gather_batch(Lane& lane, Actor& actor, Time from) {
  std::vector<Entry>& batch = lane.batch;
  lane.taken.clear();
  std::size_t count = actor.leftovers().size();
  for (Mailbox* source : lane.sources) {
    Bin& bin = source->bin(lane.epoch, actor.id());
    if (bin.empty()) continue;
    std::uint32_t records = bin.newest_count();
    for (Chunk* chunk = bin.newest(); chunk != nullptr; chunk = chunk->next) {
      chunk->prefetch(records);
      lane.taken.push_back({chunk, records});
      count += records;
      records = Chunk::kCapacity;
    }
    bin = {};
  }
  SIM_CHECK(count < (std::size_t{1} << kIndexBits), "over a million records in one epoch",
            actor.name());
  batch.resize(count);
  Entry* entry = batch.data();
  std::uint64_t index = 0;
  std::uint64_t last = 0;
  bool sorted = true;
  const auto add = [&](const Record& record) {
    const auto dt = static_cast<std::uint64_t>((record.time - from).ps);
    const std::uint64_t at = (dt << kClassBits) | static_cast<std::uint64_t>(class_of(record.kind));
    sorted &= at > last;
    last = at;
    *entry++ = {(at << kIndexBits) | index++, &record};
  };
  for (const Record& record : actor.leftovers()) add(record);
  for (const Lane::Taken& taken : lane.taken) {
    for (std::uint32_t i = 0; i < taken.count; ++i) add(taken.chunk->records[i]);
  }
  if (sorted) return;  // strictly: no ties either
  if (count > 12) spread(batch, lane.sort_space, lane.least_acting - from);
  if (insertion_sort(batch.data(), count) && !mutant(Mutant::TiesAsAppended)) {
    order_ties(lane, actor);
  }
}

void release_batch(Lane& lane, Actor& actor, std::size_t done) {
  if (done < lane.batch.size()) {
    std::vector<Record> rest;
    for (std::size_t i = done; i < lane.batch.size(); ++i) rest.push_back(*lane.batch[i].record);
    actor.leftovers() = std::move(rest);
  } else if (!actor.leftovers().empty()) {
    actor.leftovers().clear();
  }
  for (const Lane::Taken& taken : lane.taken) lane.mailbox.pool.give(taken.chunk);
}

}  // namespace spineleaf
