#pragma once
// LocalQueue: the pending events of one actor, least (time, class, kind, row) first.
//
// Events with one constant delay arrive in order of time, so delays of one magnitude (ends of
// transmission of ACKs, of full packets, credit cadence) share a ring, in which an event finds its
// place from the end; everything else goes to a heap. Which container holds an event never changes
// the order.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/mutants.hpp"
#include "sim/units.hpp"

namespace spineleaf {

/// Classes of one instant, in order (rules of time, rule 2).
enum class EventClass : std::uint8_t {
  LinkControl = 1,
  Release = 2,  ///< end of transmission, buffer release
  Arrival = 3,
  Timer = 4,  ///< timers and host software
  Arbitration = 5,
};

/// Compared as one number of 128 bits, time first.
struct LocalEvent {
  std::uint32_t payload = 0;  ///< comes last in the order: keys of one instant seldom repeat
  std::uint32_t key = 0;      ///< class 3 bits | kind 5 bits | row 24 bits
  Time time;

  EventClass event_class() const { return static_cast<EventClass>(key >> 29); }
  std::uint32_t kind() const { return (key >> 24) & 31U; }
  std::uint32_t row() const { return key & 0xffffffU; }
  bool before(const LocalEvent& o) const { return rank() < o.rank(); }

 private:
  /// Events lie at or after time zero, or at Time::max().
  unsigned __int128 rank() const {
    const std::uint64_t low = (std::uint64_t{key} << 32) | payload;
    return (static_cast<unsigned __int128>(static_cast<std::uint64_t>(time.ps)) << 64) | low;
  }
};

class LocalQueue {
 public:
  static constexpr std::uint32_t kRowLimit = 1U << 24;

  static constexpr std::uint32_t make_key(EventClass event_class, std::uint32_t kind,
                                          std::uint32_t row) {
    return (static_cast<std::uint32_t>(event_class) << 29) | (kind << 24) | row;
  }

  /// An event at `at`, where many are pushed about `delay` ahead.
  void push_near(Time at, Time delay, std::uint32_t key, std::uint32_t payload) {
    const LocalEvent event{payload, key, at};
    const unsigned i = (delay >= kMiddle ? 1U : 0U) + (delay >= kLong ? 1U : 0U);
    if (rings_[i].push(event) == 0) note_head(1 + i, event);
  }
  void push(Time at, std::uint32_t key, std::uint32_t payload) {
    heap_.push_back({payload, key, at});
    std::push_heap(heap_.begin(), heap_.end(), later);
    note_head(kHeap, heap_.front());
  }

  bool empty() const { return peek().time == Time::max(); }
  /// Least event; Time::max() when empty.
  const LocalEvent& peek() const { return heads_[best_]; }
  LocalEvent pop() {
    const LocalEvent event = heads_[best_];
    if (best_ == kHeap) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      heads_[kHeap] = heap_.empty() ? kNever : heap_.front();
    } else {
      heads_[best_] = rings_[best_ - 1].pop();
    }
    find_head();
    return event;
  }
  std::size_t size() const {
    std::size_t n = heap_.size();
    for (const Ring& ring : rings_) n += ring.size;
    return n;
  }

 private:
  static constexpr LocalEvent kNever{0, UINT32_MAX, Time::max()};

  struct Ring {
    std::unique_ptr<LocalEvent[]> slots;  // a power of two; none at first
    std::uint32_t mask = UINT32_MAX;      // number of slots - 1
    std::uint32_t first = 0;
    std::uint32_t size = 0;

    /// Where the event came to stand: 0 = head.
    std::uint32_t push(const LocalEvent& event) {
      if (size == mask + 1) grow();
      // Nearly last: step back over what comes later.
      std::uint32_t i = size++;
      while (i > 0 && event.before(at(i - 1)) && !mutant(Mutant::RingUnsorted)) {
        at(i) = at(i - 1);
        --i;
      }
      at(i) = event;
      return i;
    }
    /// Takes out the head and returns the next one. An empty ring begins anew, in lines that are
    /// in cache.
    LocalEvent pop() {
      if (--size == 0) {
        first = 0;
        return kNever;
      }
      first = (first + 1) & mask;
      return slots[first];
    }
    LocalEvent& at(std::uint32_t i) { return slots[(first + i) & mask]; }
    [[gnu::noinline]] void grow() {
      const std::uint32_t slots_now = mask + 1;
      const std::uint32_t bigger = slots_now == 0 ? 4 : slots_now * 2;
      auto copy = std::make_unique<LocalEvent[]>(bigger);
      for (std::uint32_t i = 0; i < size; ++i) copy[i] = at(i);
      slots = std::move(copy);
      mask = bigger - 1;
      first = 0;
    }
  };
  // Sources of events: the heap, then the rings.
  static constexpr unsigned kHeap = 0;
  static constexpr unsigned kRings = 3;
  // Least delays of the second ring and the third: a full packet at 400 Gb/s takes 83 ns.
  static constexpr Time kMiddle{1 << 14};
  static constexpr Time kLong{1 << 17};

  static bool later(const LocalEvent& a, const LocalEvent& b) { return b.before(a); }

  void note_head(unsigned source, const LocalEvent& event) {
    const bool least = event.before(heads_[best_]);
    heads_[source] = event;
    if (least) best_ = source;
  }
  void find_head() {
    best_ = 0;
    for (unsigned i = 1; i <= kRings; ++i) best_ = heads_[i].before(heads_[best_]) ? i : best_;
  }

  unsigned best_ = 0;                                                ///< source of the least
  LocalEvent heads_[1 + kRings] = {kNever, kNever, kNever, kNever};  ///< by source
  Ring rings_[kRings];
  std::vector<LocalEvent> heap_;
};

}  // namespace spineleaf
