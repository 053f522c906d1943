#pragma once
// Ports: the ports of one device (switch or host): egress queues per class, ingress accounting per
// (port, class), and the two flow controls as policies over them.
//
// Egress: arbitration serves `ready & ~blocked`. PFC and credits differ only in what blocks a
// class: PFC a pause time, credits the size of the head packet against the credit limit. Ingress:
// every queued packet is charged to the (port, class) it came in by; PFC compares the charge with a
// threshold and keeps headroom, credits offer what is free.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/params.hpp"
#include "models/parts/packet_pool.hpp"
#include "sim/actor.hpp"

namespace spineleaf {

/// Local event kinds below this are the ports' own; devices number theirs from here.
inline constexpr std::uint32_t kDeviceKinds = 8;
enum PortEventKind : std::uint32_t { kTxEnd, kPfcApply, kPfcRefresh, kCreditOpen, kWake };

/// What scheduling rank a class has: strict classes first (highest number first), then weights.
struct ClassSchedule {
  std::uint32_t strict = 0;           ///< mask of strict classes
  std::vector<std::int32_t> quantum;  ///< bytes per DWRR round of each class
};
/// Parses "1,strict" / "dwrr" for `classes` classes; throws std::invalid_argument with a reason.
ClassSchedule parse_schedule(const std::string& text, std::int64_t classes, Bytes mtu);

struct PortsConfig {
  FlowControlKind flow_control = FlowControlKind::None;
  std::uint32_t classes = 1;
  std::int32_t gap = 0;  ///< preamble + inter-frame gap, bytes on the wire only
  ClassSchedule schedule;
  // PFC, in cells
  std::uint32_t lossless = 0;  ///< mask of classes under PFC
  std::int32_t cell = 1;
  std::int64_t pool = 0;
  std::int64_t alpha_q16 = 0;  ///< alpha * 65536; 0 = static threshold
  std::int64_t xoff = 0;
  std::int64_t xon_offset = 0;
  std::int64_t reserve = 0;
  std::uint32_t quanta = 65535;
  bool never_expires = false;
  std::int64_t refresh_q16 = 32768;
  Time response_time;
  // Credits, in 64-byte blocks
  std::int64_t buffer_blocks = 0;
  CreditMode credit_mode = CreditMode::MinSpacing;
  Time min_spacing;

  /// Classes that may drop packets in a switch.
  std::uint32_t lossy_classes() const {
    const std::uint32_t all = (1U << classes) - 1;
    if (flow_control == FlowControlKind::Credit) return 0;
    return flow_control == FlowControlKind::Pfc ? all & ~lossless : all;
  }
};

/// One port as the builder describes it.
struct PortSetup {
  Link out;                      ///< link that leaves here
  Link in;                       ///< link that arrives here
  std::int64_t peer_blocks = 0;  ///< receiver's credit buffer at the far end
  std::int64_t headroom = 0;     ///< PFC headroom per class, cells
  std::int64_t ns3_shift = -1;   ///< parity preset; -1 = off
  bool up = true;
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
  std::int64_t drops[6] = {};  ///< by DropCause; charged to the arriving link
};

class Ports {
 public:
  static constexpr std::uint32_t kMaxClasses = 16;

  explicit Ports(Actor& actor) : actor_(actor) {}
  void configure(PortsConfig config, std::vector<PortSetup> ports);

  std::uint32_t count() const { return static_cast<std::uint32_t>(ports_.size()); }
  std::uint32_t classes() const { return config_.classes; }

  // --- arriving records -------------------------------------------------------------------------
  /// True if the record died on a failing link (then counted).
  bool lost(const Record& record) {
    return in_[record.port].last_down.ps >= 0 && lost_on_failing_link(record);
  }
  void on_pfc_frame(const Record& frame);
  void on_credit_round(const Record& round);
  /// Charges the packet to its ingress. False = no room (PFC: headroom exhausted).
  bool charge(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size);
  void release(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size);
  /// Cut-through: the earliest instant at which `record`, acting now, may start on port `out`.
  Time earliest_start(const Record& record, std::uint32_t out) const;

  // --- egress
  void enqueue(std::uint32_t port, const Record& record);
  std::int64_t queued_bytes(std::uint32_t port, std::uint32_t traffic_class) const {
    return queue(port, traffic_class).bytes;
  }
  /// Bytes waiting on a port over all classes, plus the packet on the wire: what adaptive routing
  /// compares.
  std::int64_t load(std::uint32_t port) const { return ports_[port].load; }
  bool up(std::uint32_t port) const { return ports_[port].up; }
  bool busy(std::uint32_t port) const { return ports_[port].busy; }
  std::uint32_t ready(std::uint32_t port) const { return ports_[port].ready; }
  const Record* head(std::uint32_t port, std::uint32_t traffic_class) const {
    const std::uint32_t i = queue(port, traffic_class).head;
    return i == PacketPool::kNone ? nullptr : &pool_[i];
  }
  Record dequeue(std::uint32_t port, std::uint32_t traffic_class);

  /// First step of arbitration: true if the port is free and no link control took the wire.
  bool begin_arbitration(std::uint32_t port);
  /// Whether a packet of `size` and class may start now; collects wakes and counts stalls.
  bool may_start(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size,
                 Time not_before);
  /// Picks among the classes of `eligible` (non-empty); `size_of(class)` = size of its next packet.
  template <class SizeOf>
  std::uint32_t choose_class(std::uint32_t port, std::uint32_t eligible, const SizeOf& size_of);
  /// Puts a packet on the wire. `ingress` of the release at its end: port and class it was charged
  /// to, or kNoIngress.
  static constexpr std::uint32_t kNoIngress = 0x1ff;
  void start(std::uint32_t port, Record& record, std::uint32_t ingress);
  /// Arms the wake that may_start asked for (if nothing was started).
  void end_arbitration(std::uint32_t port);

  // --- local events
  /// Handles PortEventKind events.
  void on_local(const LocalEvent& event);

  // --- faults (between epochs)
  void set_link(std::uint32_t port, bool up, Time at);
  void set_link_rate(std::uint32_t port, Rate out_rate, Rate in_rate);

  // --- results
  PortCounters& counters(std::uint32_t port) { return port_counters_[port]; }
  const PortCounters& counters(std::uint32_t port) const { return port_counters_[port]; }
  ClassCounters& class_counters(std::uint32_t port, std::uint32_t c) {
    return class_counters_[port * config_.classes + c];
  }
  const ClassCounters& class_counters(std::uint32_t port, std::uint32_t c) const {
    return class_counters_[port * config_.classes + c];
  }
  std::int64_t queued_packets() const { return queued_packets_; }
  std::int64_t total_queued_bytes() const { return queued_bytes_; }
  bool paused(std::uint32_t port, std::uint32_t c, Time at) const {
    return queue(port, c).paused_until > at;
  }
  bool credit_blocked(std::uint32_t port, std::uint32_t c) const;
  /// Credits, modulo 4096 blocks: what the sender may still send, what it has sent since the link
  /// started, what the receiver has got since then.
  std::uint32_t credits_left(std::uint32_t port, std::uint32_t c) const {
    const Queue& q = queue(port, c);
    return (std::uint32_t{q.fccl} - q.fctbs) & 4095U;
  }
  std::uint32_t credit_blocks_sent(std::uint32_t port, std::uint32_t c) const {
    return queue(port, c).fctbs;
  }
  std::uint32_t credit_blocks_received(std::uint32_t port, std::uint32_t c) const {
    return ingress(port, c).abr;
  }
  bool xoff_state(std::uint32_t port, std::uint32_t c) const { return ingress(port, c).xoff; }
  std::int64_t ingress_used(std::uint32_t port, std::uint32_t c) const {
    return ingress(port, c).used;
  }
  Time paused_time(std::uint32_t port, std::uint32_t c, Time at) const;
  Time stalled_time(std::uint32_t port, std::uint32_t c, Time at) const;
  const PortsConfig& config() const { return config_; }
  const Link& out_link(std::uint32_t port) const { return cold_[port].out; }
  std::int64_t packets_sent(std::uint32_t port) const { return ports_[port].packets; }
  std::int64_t bytes_sent(std::uint32_t port) const { return ports_[port].bytes; }
  std::int64_t packets_sent(std::uint32_t port, std::uint32_t c) const {
    return queue(port, c).packets;
  }
  std::int64_t marks(std::uint32_t port, std::uint32_t c) const { return queue(port, c).marks; }
  std::int64_t max_queue(std::uint32_t port, std::uint32_t c) const {
    return queue(port, c).max_bytes;
  }
  std::int64_t max_ingress(std::uint32_t port, std::uint32_t c) const {
    return ingress(port, c).max_used;
  }
  void count_mark(std::uint32_t port, std::uint32_t c) { ++queue(port, c).marks; }
  /// Egress ports whose queue of class `c` holds packets that came in by `ingress_port`. Slow: for
  /// the wait-for graph only.
  std::vector<std::uint32_t> egress_ports_of(std::uint32_t ingress_port, std::uint32_t c) const;
  /// Sums that must hold when the device is idle; empty text = fine.
  std::string check_idle() const;
  Time serialisation_on(std::uint32_t port, std::int32_t size) const {
    return wire_time(port, size + config_.gap);
  }

 private:
  // What every packet touches: one cache line a port, one a queue.
  struct alignas(64) Port {
    ActorId to = 0;
    std::uint16_t to_port = 0;
    std::uint16_t ready = 0;           ///< classes with queued packets
    std::uint16_t pfc_due = 0;         ///< classes whose pause state is to be sent
    std::uint16_t credit_changed = 0;  ///< VLs whose counters changed since their last update
    bool busy = false;
    bool up = true;
    bool round_open = true;        ///< credits: a round may be sent
    bool cut_through = false;      ///< the receiver acts on the header
    std::int64_t load = 0;         ///< bytes queued and on the wire
    std::int64_t ps_per_byte = 0;  ///< 0: not a whole number
    Time latency;
    Time wake = Time::max();   ///< pending wake
    std::int64_t packets = 0;  ///< sent: data, ACK, NAK, CNP
    std::int64_t bytes = 0;    ///< sent on the wire: all records
  };
  struct alignas(64) Queue {
    std::uint32_t head = PacketPool::kNone;
    std::uint32_t tail = PacketPool::kNone;
    std::int64_t bytes = 0;
    std::int64_t packets = 0;  ///< started from here
    std::int64_t marks = 0;
    std::int64_t max_bytes = 0;
    std::int32_t deficit = 0;
    std::uint16_t fctbs = 0;  ///< credits: blocks sent, mod 4096
    std::uint16_t fccl = 0;   ///< credits: limit, mod 4096
    Time paused_until;
    Time stalled_since{-1};
  };
  struct Ingress {
    std::int32_t used = 0;      ///< cells or blocks
    std::int32_t headroom = 0;  ///< of them in headroom
    std::int32_t max_used = 0;
    std::uint16_t abr = 0;  ///< credits: blocks received, mod 4096
    bool xoff = false;
  };
  struct InSide {
    Time last_down{-1};
    std::int64_t ps_per_byte = 0;
    std::int32_t headroom = 0;  ///< cells per class
    std::int8_t ns3_shift = -1;
    bool cut_through = false;
  };
  // What link control, faults and results need.
  struct ColdPort {
    Link out;
    Link in;
    Time header_time;  ///< of the leaving link's header
    Time in_header_time;
    Time pause_quantum;             ///< 512 bit times
    std::uint32_t turn = 0;         ///< DWRR pointer
    std::uint16_t incarnation = 0;  ///< of the link; pending pause applications carry it
  };
  // Payload of an end of transmission: what to release where. Ingress port | class | size.
  static constexpr std::uint32_t kSizeBits = 16;
  static constexpr std::uint32_t kClassBits = 4;
  static constexpr std::uint32_t release_payload(std::uint32_t ingress_port, std::uint32_t c,
                                                 std::uint32_t size) {
    return (ingress_port << (kSizeBits + kClassBits)) | (c << kSizeBits) | size;
  }
  /// Row of a (port, class) in local events.
  static constexpr std::uint32_t class_row(std::uint32_t port, std::uint32_t c) {
    return port * kMaxClasses + c;
  }
  struct ColdClass {
    Time paused_since;
    Time refresh_at;  ///< when the standing pause is to be refreshed
  };

  Queue& queue(std::uint32_t port, std::uint32_t c) { return queues_[port * config_.classes + c]; }
  const Queue& queue(std::uint32_t port, std::uint32_t c) const {
    return queues_[port * config_.classes + c];
  }
  Ingress& ingress(std::uint32_t port, std::uint32_t c) {
    return ingress_[port * config_.classes + c];
  }
  const Ingress& ingress(std::uint32_t port, std::uint32_t c) const {
    return ingress_[port * config_.classes + c];
  }
  Time wire_time(std::uint32_t port, std::int64_t wire_bytes) const {
    const std::int64_t per_byte = ports_[port].ps_per_byte;
    if (per_byte != 0) return {wire_bytes * per_byte};
    return cold_[port].out.serialisation_of(wire_bytes);
  }
  /// ceil(size / cell) by the reciprocal ceil(2^32 / cell): exact for sizes and cells below 2^16.
  std::int32_t cells(std::int32_t size) const {
    const auto rounded = static_cast<std::uint64_t>(size + config_.cell - 1);
    return static_cast<std::int32_t>((rounded * cell_inverse_) >> 32);
  }
  static std::int32_t blocks(std::int32_t size) { return (size + 63) / 64; }
  std::int64_t threshold(std::uint32_t port) const;
  bool lost_on_failing_link(const Record& record);
  bool charge_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size);
  void release_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size);
  void set_xoff(std::uint32_t port, std::uint32_t c, bool xoff);
  void credit_change(std::uint32_t port, std::uint32_t c);
  void apply_pause(std::uint32_t port, std::uint32_t c, std::uint32_t quanta);
  bool start_link_control(std::uint32_t port);
  void start_pfc_frame(std::uint32_t port);
  void start_credit_round(std::uint32_t port);
  void start_control(std::uint32_t port, Record& record, std::int64_t wire_bytes);
  void on_tx_end(std::uint32_t port, std::uint32_t payload);
  void set_rates(std::uint32_t port);

  Actor& actor_;
  PortsConfig config_;
  std::vector<Port> ports_;
  std::vector<Queue> queues_;
  std::vector<Ingress> ingress_;
  std::vector<InSide> in_;
  std::vector<ColdPort> cold_;
  std::vector<ColdClass> cold_class_;
  std::vector<PortCounters> port_counters_;
  std::vector<ClassCounters> class_counters_;
  PacketPool pool_;
  std::uint64_t cell_inverse_ = 0;
  Time wanted_wake_ = Time::max();  ///< what the running arbitration asks for
  std::int64_t shared_used_ = 0;    ///< PFC: cells of the pool in use
  std::int64_t queued_packets_ = 0;
  std::int64_t queued_bytes_ = 0;
};

template <class SizeOf>
std::uint32_t Ports::choose_class(std::uint32_t port, std::uint32_t eligible,
                                  const SizeOf& size_of) {
  const std::uint32_t strict = eligible & config_.schedule.strict;
  if (strict != 0) return static_cast<std::uint32_t>(31 - std::countl_zero(strict));
  if ((eligible & (eligible - 1)) == 0) {
    return static_cast<std::uint32_t>(std::countr_zero(eligible));
  }
  // Deficit round robin (Shreedhar & Varghese 1996): the turn stays with a class while its deficit
  // lasts; a class that is not eligible passes it on and keeps nothing.
  std::uint32_t& turn = cold_[port].turn;
  for (;;) {
    Queue& q = queue(port, turn);
    if ((eligible >> turn & 1U) != 0 && q.deficit >= size_of(turn)) {
      q.deficit -= size_of(turn);
      return turn;
    }
    if ((eligible >> turn & 1U) == 0) q.deficit = 0;
    turn = turn + 1 == config_.classes ? 0 : turn + 1;
    if ((eligible >> turn & 1U) != 0) {
      queue(port, turn).deficit += config_.schedule.quantum[turn];
    }
  }
}

}  // namespace spineleaf
