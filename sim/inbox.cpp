#include "sim/inbox.hpp"

#include <algorithm>

#include "sim/mutants.hpp"

namespace spineleaf {
namespace {

constexpr unsigned kIndexBits = 20;
constexpr unsigned kClassBits = 3;
constexpr unsigned kShift = kIndexBits + kClassBits;

using Entry = Lane::BatchEntry;

bool by_key(const Entry& a, const Entry& b) { return a.key < b.key; }

/// Spreads entries over buckets by their leading time bits, then finishes by insertion: one pass
/// for the nearly uniform arrival times of a loaded switch.
void bucket_sort(std::vector<Entry>& batch, std::vector<Entry>& space, std::uint64_t max_key) {
  constexpr std::size_t kBuckets = 256;
  const std::size_t n = batch.size();
  unsigned shift = 0;
  while ((max_key >> shift) >= kBuckets) ++shift;
  std::uint32_t counts[kBuckets + 1] = {};
  for (const Entry& e : batch) ++counts[(e.key >> shift) + 1];
  for (std::size_t b = 0; b < kBuckets; ++b) counts[b + 1] += counts[b];
  space.resize(n);
  for (const Entry& e : batch) space[counts[e.key >> shift]++] = e;
  batch.swap(space);
  for (std::size_t i = 1; i < n; ++i) {
    const Entry e = batch[i];
    std::size_t j = i;
    while (j > 0 && e.key < batch[j - 1].key) {
      batch[j] = batch[j - 1];
      --j;
    }
    batch[j] = e;
  }
}

std::uint64_t tie_of(const Actor& actor, const Record& record) {
  if (mutant(Mutant::TiesByLink)) return 0;
  if (mutant(Mutant::TiesByHead)) {
    Record head = record;
    head.time -= Time{20 * std::int64_t{record.size}};  // as if every link had 400 Gb/s
    return actor.tie_of(head);
  }
  return actor.tie_of(record);
}

/// Runs of equal (time, class) are put in order of (tie hash, link); hashed only here.
void order_ties(Lane& lane, const Actor& actor) {
  std::vector<Entry>& batch = lane.batch;
  for (std::size_t i = 1; i < batch.size(); ++i) {
    if ((batch[i].key >> kIndexBits) != (batch[i - 1].key >> kIndexBits)) continue;
    std::size_t first = i - 1;
    std::size_t last = i + 1;
    while (last < batch.size() &&
           (batch[last].key >> kIndexBits) == (batch[first].key >> kIndexBits)) {
      ++last;
    }
    std::sort(batch.begin() + static_cast<std::ptrdiff_t>(first),
              batch.begin() + static_cast<std::ptrdiff_t>(last),
              [&](const Entry& a, const Entry& b) {
                const std::uint64_t ta = tie_of(actor, *a.record);
                const std::uint64_t tb = tie_of(actor, *b.record);
                if (ta != tb) return ta < tb;
                return actor.in_link(a.record->port) < actor.in_link(b.record->port);
              });
    i = last;
  }
}

}  // namespace

void gather_batch(Lane& lane, Actor& actor, Time from) {
  std::vector<Entry>& batch = lane.batch;
  batch.clear();
  lane.taken.clear();
  std::uint64_t max_key = 0;
  bool sorted = true;
  const auto add = [&](const Record& record) {
    const auto dt = static_cast<std::uint64_t>((record.time - from).ps);
    const std::uint64_t key = (dt << kShift) |
                              (static_cast<std::uint64_t>(class_of(record.kind)) << kIndexBits) |
                              batch.size();
    sorted = sorted && key >= max_key;
    max_key = std::max(max_key, key);
    batch.push_back({key, &record});
  };
  for (const Record& record : actor.leftovers()) add(record);
  for (Mailbox* source : lane.sources) {
    Chunk*& tail = source->tail(lane.epoch, actor.id());
    for (Chunk* chunk = tail; chunk != nullptr; chunk = chunk->next) {
      for (std::uint32_t i = 0; i < chunk->count; ++i) add(chunk->records[i]);
      lane.taken.push_back(chunk);
      lane.records_taken += chunk->count;
    }
    tail = nullptr;
  }
  SIM_CHECK(batch.size() < (std::size_t{1} << kIndexBits),
            "actor " + actor.name() + " received over a million records in one epoch");
  if (batch.size() < 2) return;
  if (!sorted) {
    if (batch.size() < 24) {
      std::sort(batch.begin(), batch.end(), by_key);
    } else {
      bucket_sort(batch, lane.sort_space, max_key);
    }
  }
  if (!mutant(Mutant::TiesAsAppended)) order_ties(lane, actor);
}

void release_batch(Lane& lane, Actor& actor, std::size_t done) {
  if (done < lane.batch.size()) {
    std::vector<Record> rest;
    for (std::size_t i = done; i < lane.batch.size(); ++i) rest.push_back(*lane.batch[i].record);
    actor.leftovers() = std::move(rest);
  } else if (!actor.leftovers().empty()) {
    actor.leftovers().clear();
  }
  for (Chunk* chunk : lane.taken) lane.mailbox.pool.give(chunk);
}

}  // namespace spineleaf
