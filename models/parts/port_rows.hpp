#pragma once
// Rows of Ports: per port, and per (port, class). What every packet touches lies apart from what
// link control, faults and results need.

#include "models/parts/happening.hpp"
#include "models/parts/packet_pool.hpp"
#include "models/parts/ports_setup.hpp"
#include "sim/actor.hpp"

namespace spineleaf::port_rows {

// What every packet touches: one cache line a port, half a line an egress queue, a quarter an
// ingress.
struct alignas(64) Port {
  ActorId to = 0;
  std::uint32_t ps_per_byte = 0;  ///< 0: not a whole number
  std::uint16_t to_port = 0;
  std::uint16_t ready = 0;      ///< classes with queued packets
  std::uint16_t unqueued = 0;   ///< classes with packets that the device keeps
  std::uint16_t due = 0;        ///< classes whose pause state, or credits, are to be told
  std::uint16_t last_size = 0;  ///< settled: bytes on the wire until open_at
  std::uint8_t turn = 0;        ///< DWRR pointer
  bool busy = false;
  bool up = true;
  bool round_wake = false;        ///< credits: an event waits at open_at
  std::uint32_t pipeline_ps = 0;  ///< the receiver's part of the latency: link control skips it
  std::uint32_t header_ps = 0;    ///< the receiver acts on the header, which takes this; 0 = tail
  std::uint32_t load = 0;         ///< bytes queued and, by events, on the wire
  std::uint32_t latency_ps = 0;   ///< of the link that leaves here
  Time open_at;                ///< settled: a packet may start; credits: the next round may leave
  std::int64_t bytes = 0;      ///< sent on the wire: all records
  std::uint32_t controls = 0;  ///< PFC frames or credit rounds sent
  std::uint32_t control_words = 0;  ///< bytes of credit rounds / 8
};
static_assert(sizeof(Port) == 64);
struct alignas(32) Queue {                      // egress, per (port, class)
  static constexpr std::uint16_t kPaused = 1;   ///< look at paused_until
  static constexpr std::uint16_t kStalled = 2;  ///< for want of credits, since stalled_since
  std::uint32_t head = PacketPool::kNone;
  std::uint32_t tail = PacketPool::kNone;
  std::uint32_t bytes = 0;
  std::uint32_t max_bytes = 0;
  std::uint32_t packets = 0;  ///< started from here, modulo 2^32
  std::int32_t deficit = 0;
  std::uint16_t head_size = 0;  ///< bytes of the packet at the head
  std::uint16_t fctbs = 0;      ///< credits: blocks sent, mod 4096
  std::uint16_t fccl = 0;       ///< credits: limit, mod 4096
  std::uint16_t state = 0;
};
static_assert(sizeof(Queue) == 32);
struct Ingress {          // per (port, class)
  std::int32_t used = 0;  ///< cells or blocks
  std::int32_t max_used = 0;
  std::int32_t headroom = 0;  ///< of `used`, in headroom
  std::uint16_t abr = 0;      ///< credits: blocks received, mod 4096
  bool xoff = false;
};
static_assert(sizeof(Ingress) == 16);
// What link control, faults and results need.
struct ColdPort {
  Link out;
  Link in;
  Time last_down{-1};  ///< of the arriving link
  Time sends_until;    ///< end of the last transmission; kept where links may fail
  Time lost_until;     ///< what had left the far end by then, and was under way, is lost
  Time in_header_time;
  Time pause_quantum;       ///< 512 bit times
  Time wake = Time::max();  ///< pending wake
  std::uint32_t in_ps_per_byte = 0;
  std::int32_t headroom = 0;  ///< cells per class
  std::int8_t ns3_shift = -1;
  bool in_cut_through = false;
  std::uint16_t incarnation = 0;  ///< of the link; pending pause applications carry it
  std::uint32_t controls_high = 0;
  std::uint32_t control_words_high = 0;
  std::int64_t drops[kDropCauses] = {};
};
struct alignas(64) ColdClass {  // per (port, class)
  ClassCounters counters;
  Time stalled_since;
  Time paused_until;
  Time paused_since;
  Time refresh_at;  ///< when the standing pause is to be refreshed
  std::int64_t marks = 0;
  std::uint32_t packets_high = 0;
  std::uint32_t resumes_told = 0;
  std::uint32_t resumes_heard = 0;
  Time pause_heard{-1};
  bool ignores_pauses = false;
  bool storms = false;
};
static_assert(sizeof(ColdClass) == 128);

}  // namespace spineleaf::port_rows
