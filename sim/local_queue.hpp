#pragma once
// LocalQueue: the pending events of one actor, least (time, class, kind, row) first.
//
// Events with one constant delay arrive in order of time, so each common delay (end of transmission
// of a full packet, credit cadence) has a ring that needs no heap; everything else goes to a heap.
// Which container holds an event never changes the order.

#include <algorithm>
#include <cstdint>
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

struct LocalEvent {
  Time time;
  std::uint32_t key = 0;      ///< class 3 bits | kind 5 bits | row 24 bits
  std::uint32_t payload = 0;  ///< not part of the order

  EventClass event_class() const { return static_cast<EventClass>(key >> 29); }
  std::uint32_t kind() const { return (key >> 24) & 31U; }
  std::uint32_t row() const { return key & 0xffffffU; }
  bool before(const LocalEvent& o) const { return time != o.time ? time < o.time : key < o.key; }
};

class LocalQueue {
 public:
  static constexpr std::uint32_t kRowLimit = 1U << 24;

  static constexpr std::uint32_t make_key(EventClass event_class, std::uint32_t kind,
                                          std::uint32_t row) {
    return (static_cast<std::uint32_t>(event_class) << 29) | (kind << 24) | row;
  }

  /// Events pushed with `delay` from the current instant, where many share that delay.
  void push_after(Time now, Time delay, std::uint32_t key, std::uint32_t payload) {
    push_ring(delay, LocalEvent{now + delay, key, payload});
  }
  void push(Time at, std::uint32_t key, std::uint32_t payload) {
    heap_.push_back({at, key, payload});
    std::push_heap(heap_.begin(), heap_.end(), later);
    note_head(kHeap, heap_.front());
  }

  bool empty() const { return best_ == kNone; }
  /// Least event; Time::max() when empty.
  const LocalEvent& peek() const { return head_; }
  LocalEvent pop() {
    const LocalEvent event = head_;
    if (best_ == kHeap) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
    } else {
      rings_[static_cast<std::size_t>(best_)].pop();
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
  struct Ring {
    Time delay{-1};
    std::vector<LocalEvent> slots;  // power of two
    std::uint32_t first = 0;
    std::uint32_t size = 0;

    std::uint32_t at(std::uint32_t i) const {
      return (first + i) & static_cast<std::uint32_t>(slots.size() - 1);
    }
    void push(const LocalEvent& event) {
      if (size == slots.size()) grow();
      // Equal times may come in any row order: step back over greater keys.
      std::uint32_t i = size++;
      while (i > 0 && event.before(slots[at(i - 1)]) && !mutant(Mutant::RingUnsorted)) {
        slots[at(i)] = slots[at(i - 1)];
        --i;
      }
      slots[at(i)] = event;
    }
    void pop() {
      first = (first + 1) & static_cast<std::uint32_t>(slots.size() - 1);
      --size;
    }
    void grow() {
      std::vector<LocalEvent> bigger(slots.empty() ? 8 : slots.size() * 2);
      for (std::uint32_t i = 0; i < size; ++i) bigger[i] = slots[at(i)];
      slots = std::move(bigger);
      first = 0;
    }
  };
  static constexpr int kRings = 4;
  static constexpr int kHeap = kRings;
  static constexpr int kNone = -1;

  static bool later(const LocalEvent& a, const LocalEvent& b) { return b.before(a); }

  void push_ring(Time delay, const LocalEvent& event) {
    for (int i = 0; i < kRings; ++i) {
      Ring& ring = rings_[i];
      if (ring.delay != delay) {
        // A ring that is empty may be given to another delay.
        if (ring.size != 0) continue;
        ring.delay = delay;
      }
      ring.push(event);
      note_head(i, ring.slots[ring.first]);
      return;
    }
    push(event.time, event.key, event.payload);
  }
  void note_head(int source, const LocalEvent& event) {
    if (best_ == kNone || event.before(head_)) {
      best_ = source;
      head_ = event;
    }
  }
  void find_head() {
    best_ = kNone;
    head_ = LocalEvent{Time::max(), UINT32_MAX, 0};
    for (int i = 0; i < kRings; ++i) {
      if (rings_[i].size != 0) note_head(i, rings_[i].slots[rings_[i].first]);
    }
    if (!heap_.empty()) note_head(kHeap, heap_.front());
  }

  LocalEvent head_{Time::max(), UINT32_MAX, 0};
  int best_ = kNone;
  Ring rings_[kRings];
  std::vector<LocalEvent> heap_;
};

}  // namespace spineleaf
