#pragma once
// What the ports of a device are made from, and what they count.

#include <cstdint>
#include <string>
#include <vector>

#include "models/params.hpp"
#include "models/parts/happening.hpp"
#include "models/parts/vl_arbiter.hpp"
#include "sim/link.hpp"

namespace spineleaf {

/// What scheduling rank a class has: strict classes first (highest number first), then weights.
struct ClassSchedule {
  std::uint32_t strict = 0;           ///< mask of strict classes
  std::vector<std::int32_t> quantum;  ///< bytes per DWRR round of each class
};
/// Parses "1,strict" / "dwrr" for `classes` classes; throws std::invalid_argument with a reason.
ClassSchedule parse_schedule(const std::string& text, std::int64_t classes, Bytes mtu);

/// What the ports of all devices of one kind share; immutable during a run.
struct PortsConfig {
  FlowControlKind flow_control = FlowControlKind::None;
  std::uint32_t classes = 1;
  bool voq = false;  ///< queue per ingress port, served in turn, instead of one in order
  double bit_error_rate = 0;
  std::int32_t gap = 0;  ///< preamble + inter-frame gap, bytes on the wire only
  ClassSchedule schedule;
  // PFC, in cells
  std::uint32_t lossless = 0;  ///< mask of classes under PFC
  std::int32_t cell = 1;
  std::int64_t alpha_q16 = 0;  ///< alpha * 65536; 0 = static threshold
  std::int64_t xoff = 0;
  std::int64_t xon_offset = 0;
  std::int64_t reserve = 0;
  std::uint32_t quanta = 65535;
  bool never_expires = false;
  bool ns3_thresholds = false;  ///< parity preset: each port has its threshold shift
  std::int64_t refresh_q16 = 32768;
  Time response_time;
  // Credits, in 64-byte blocks
  std::int64_t buffer_blocks = 0;
  CreditMode credit_mode = CreditMode::MinSpacing;
  Time min_spacing;
  VlTables vl_tables;  ///< empty: `schedule` decides

  /// Classes that may drop packets in a switch.
  std::uint32_t lossy_classes() const {
    const std::uint32_t all = (1U << classes) - 1;
    if (flow_control == FlowControlKind::Credit) return 0;
    return flow_control == FlowControlKind::Pfc ? all & ~lossless : all;
  }
};

/// No link may take longer than this (ports keep the time in 32 bits): 800 km of fibre.
inline constexpr Time kLongestLatency = Time{4'000'000'000};

/// One port as the builder describes it.
struct PortSetup {
  Link out;                      ///< link that leaves here
  Link in;                       ///< link that arrives here
  std::int64_t peer_blocks = 0;  ///< receiver's credit buffer at the far end
  std::int64_t headroom = 0;     ///< PFC headroom per class, cells
  std::int64_t ns3_shift = -1;   ///< parity preset; -1 = off
  bool up = true;
  bool to_host = false;
};

/// What is counted seldom, per (port, class). Packets, marks and the largest queue are counted in
/// the queue itself, which a packet touches anyway.
struct ClassCounters {
  Time max_queue_at;
  std::int64_t pauses_sent = 0;
  std::int64_t resumes_sent = 0;
  std::int64_t pauses_received = 0;
  Time paused;
  std::int64_t credit_stalls = 0;
  Time credit_stalled;
};

struct PortCounters {
  std::int64_t control_bytes = 0;  ///< PFC frames and credit updates
  std::int64_t credit_rounds = 0;
  std::int64_t drops[kDropCauses] = {};  ///< by DropCause; charged to the arriving link
};

}  // namespace spineleaf
