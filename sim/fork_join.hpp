#pragma once
// fork_join: a loop over lanes that ThreadSanitizer understands.
//
// The distribution's oneTBB is not instrumented, so the tool sees neither that the loop begins
// before its bodies nor that they end before it does, and takes every hand-over between lanes for a
// race. The marks below state this order, which tbb::parallel_for guarantees, and no other: a race
// inside an epoch is still found. In other builds nothing is left of them.

#include <tbb/parallel_for.h>

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace spineleaf {
namespace detail {

#if defined(__SANITIZE_THREAD__)
inline void order_after(char& point) { __tsan_acquire(&point); }
inline void order_before(char& point) { __tsan_release(&point); }
#else
inline void order_after(char&) {}
inline void order_before(char&) {}
#endif

/// Lives as long as one body of the loop: begins after the mark at `fork`, ends before that at
/// `join`.
class OrderedBody {
 public:
  OrderedBody(char& fork, char& join) : join_(join) { order_after(fork); }
  ~OrderedBody() { order_before(join_); }
  OrderedBody(const OrderedBody&) = delete;
  OrderedBody& operator=(const OrderedBody&) = delete;

 private:
  char& join_;
};

}  // namespace detail

/// Runs body(0) .. body(count - 1), possibly at the same time, and returns when all are done. An
/// exception of one is thrown on.
template <class Body>
void fork_join(unsigned count, const Body& body) {
  char fork = 0;
  char join = 0;
  detail::order_before(fork);
  tbb::parallel_for(
      0U, count,
      [&](unsigned i) {
        const detail::OrderedBody ordered(fork, join);
        body(i);
      },
      tbb::simple_partitioner());
  detail::order_after(join);
}

}  // namespace spineleaf
