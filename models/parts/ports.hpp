#pragma once
// Ports: the ports of one device (switch or host): egress queues per class, ingress accounting per
// (port, class), and the two flow controls as policies over them.
//
// Egress: arbitration serves `ready & ~blocked`. PFC and credits differ only in what blocks a
// class: PFC a pause time, credits the size of the head packet against the credit limit. Ingress:
// every queued packet is charged to the (port, class) it came in by; PFC compares the charge with a
// threshold and keeps headroom, credits offer what is free.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/parts/happening.hpp"
#include "models/parts/input_turns.hpp"
#include "models/parts/lifetimes.hpp"
#include "models/parts/packet_pool.hpp"
#include "models/parts/port_rows.hpp"
#include "models/parts/ports_setup.hpp"
#include "sim/actor.hpp"
#include "sim/arena.hpp"

namespace spineleaf {

/// Local event kinds below this are the ports' own; devices number theirs from here.
inline constexpr std::uint32_t kDeviceKinds = 8;
enum PortEventKind : std::uint32_t {
  kTxEnd,
  kPfcApply,
  kPfcRefresh,
  kCreditOpen,
  kWake,
  kLapse,  ///< a head may have waited for too long
};

class Ports {
 public:
  static constexpr std::uint32_t kMaxClasses = 16;
  static constexpr std::int32_t kPfcFrameBytes = 64;
  static constexpr std::int32_t kCreditWordBytes = 8;
  /// Ingress port of a packet that was charged to none, where it is queued.
  static constexpr std::uint16_t kNoIngress = 0x1ff;

  explicit Ports(Actor& actor) : actor_(actor) {}
  /// `pool`: cells of the shared buffer (PFC).
  void configure(Arena& arena, std::shared_ptr<const PortsConfig> config, std::int64_t pool,
                 const std::vector<PortSetup>& ports);

  std::uint32_t count() const { return static_cast<std::uint32_t>(ports_.size()); }
  std::uint32_t classes() const { return classes_; }

  // --- arriving records -------------------------------------------------------------------------
  /// True if the record died on a failing or noisy link (then counted).
  bool lost(const Record& record) { return may_lose_ && lost_on_link(record); }
  void on_pfc_frame(const Record& frame);
  void on_credit_round(const Record& round);
  /// Charges the packet to its ingress. False = no room (PFC: headroom exhausted).
  bool charge(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size);
  void release(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size);
  /// Cut-through: the earliest instant at which `record`, acting now, may start on port `out`.
  Time earliest_start(const Record& record, std::uint32_t out) const;

  // --- egress
  /// Returns the queued copy, in which the caller may change what forwarding changes: time (the
  /// earliest start), flags, ttl.
  [[gnu::always_inline]] Record& enqueue(std::uint32_t port, const Record& record);
  /// Does at once what enqueue() and arbitration would do with a packet that finds its port idle,
  /// if the instant holds nothing else that arbitration would have to see. False: queue it.
  [[gnu::always_inline]] bool pass(std::uint32_t port, const Record& record, std::uint8_t flags,
                                   std::uint8_t ttl);
  std::int64_t queued_bytes(std::uint32_t port, std::uint32_t traffic_class) const {
    return queue(port, traffic_class).bytes;
  }
  /// Bytes waiting on a port over all classes, plus the packet on the wire: what adaptive routing
  /// compares.
  std::uint64_t load(std::uint32_t port, Time now) const {
    const Port& p = ports_[port];
    return std::uint64_t{p.load} + (settled_ && p.open_at > now ? p.last_size : 0);
  }
  bool up(std::uint32_t port) const { return ports_[port].up; }
  bool busy(std::uint32_t port) const { return ports_[port].busy; }
  std::uint32_t ready(std::uint32_t port) const { return ports_[port].ready; }
  /// Classes for which the device has packets that it never queues here (a host's data).
  std::uint32_t unqueued(std::uint32_t port) const { return ports_[port].unqueued; }
  void set_unqueued(std::uint32_t port, std::uint32_t c, bool any) {
    const auto bit = static_cast<std::uint16_t>(1U << c);
    std::uint16_t& mask = ports_[port].unqueued;
    mask = static_cast<std::uint16_t>(any ? mask | bit : mask & ~bit);
  }
  std::int32_t head_size(std::uint32_t port, std::uint32_t traffic_class) const {
    return queue(port, traffic_class).head_size;
  }
  const Record* head(std::uint32_t port, std::uint32_t traffic_class) const {
    const std::uint32_t i = queue(port, traffic_class).head;
    return i == PacketPool::kNone ? nullptr : &pool_[i];
  }
  // Egress of a switch comes in two forms with the same result. By events: enqueue() marks the
  // port, arbitrate() starts a packet, and the end of its transmission is an event. Settled: where
  // nothing but the port's own queues decides what starts when (no flow control), the device
  // settles the port whenever it next looks at it, and no event is needed.
  //
  // `mark(head, behind, at)` gives the flags to add to a head that starts at `at` and leaves
  // `behind` bytes in its queue.

  /// Arbitration: starts the packet whose turn it is, if any.
  template <class Mark>
  void arbitrate(std::uint32_t port, const Mark& mark);
  void use_settled_egress() { settled_ = true; }
  /// Settled: starts what the port starts before `before`, of what is queued.
  template <class Mark>
  void settle(std::uint32_t port, Time before, const Mark& mark);
  /// Settled: false if settle() would find nothing to start.
  bool may_settle(std::uint32_t port, Time before) const {
    const Port& p = ports_[port];
    return p.ready != 0 && p.open_at < before;
  }
  /// Settled: when the port starts its next packet, given what is queued; Time::max() = never.
  Time next_start(std::uint32_t port) const;

  // Egress of a host, which has data that was never queued here:
  /// First step of arbitration: true if the port is free. Link control that is due leaves at once,
  /// and whatever starts now starts behind it.
  bool begin_arbitration(std::uint32_t port);
  /// Whether a packet of `size` and class may start now; collects wakes and counts stalls.
  bool may_start(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size,
                 Time not_before);
  /// Picks among the classes of `eligible` (non-empty); `size_of(class)` = size of its next packet.
  template <class SizeOf>
  std::uint32_t choose_class(std::uint32_t port, std::uint32_t eligible, const SizeOf& size_of);
  /// Puts the head of (port, class) on the wire; it was charged to no ingress.
  void start_head(std::uint32_t port, std::uint32_t traffic_class);
  /// Starts a packet that was never queued here and charged to nothing; the caller fills in all of
  /// the record but time and port.
  Record& start_unqueued(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size);
  /// The last end of a settled transmission.
  Time last_settled() const;
  /// From now to the start of the packet that this arbitration starts: link control goes first.
  Time lead() const { return lead_; }
  /// Nothing was started: link control has the wire to itself, or the wake is armed that may_start
  /// asked for.
  void end_arbitration(std::uint32_t port);

  // --- local events
  /// The end of a transmission (kTxEnd), by far the most frequent.
  void on_tx_end(std::uint32_t port, std::uint32_t payload);
  /// Handles all PortEventKind events.
  void on_local(const LocalEvent& event);

  // --- faults (between epochs)
  /// Before the run: links here may go down. Without faults nothing is kept for them.
  void expect_faults() { may_lose_ = true; }
  /// Takes the link between two ports down, or up.
  static void set_link(Ports& a, std::uint32_t port_a, Ports& b, std::uint32_t port_b, bool up,
                       Time at);
  void set_link_rate(std::uint32_t port, Rate out_rate, Rate in_rate);

  // --- PFC storms and the watchdog against them (between epochs; ports_storm.cpp)
  /// A receiver that asks for a pause for ever, or no longer.
  void set_storm(std::uint32_t port, std::uint32_t c, bool on, Time at);
  /// Whether the sender obeys pauses; from now on it may send at once.
  void ignore_pauses(std::uint32_t port, std::uint32_t c, bool ignore, Time at);
  bool ignores_pauses(std::uint32_t port, std::uint32_t c) const {
    return cold_class(port, c).ignores_pauses;
  }
  /// When a pause was last received, obeyed or not; negative = never.
  Time pause_heard(std::uint32_t port, std::uint32_t c) const {
    return cold_class(port, c).pause_heard;
  }
  /// Drops what waits in an egress queue.
  void discard_queue(std::uint32_t port, std::uint32_t c, Time at);

  // --- results
  PortCounters counters(std::uint32_t port) const;
  /// Counts a packet that ends here, and notes it in the fingerprint.
  void drop(const Record& record, DropCause cause);
  ClassCounters& class_counters(std::uint32_t port, std::uint32_t c) {
    return cold_class(port, c).counters;
  }
  const ClassCounters& class_counters(std::uint32_t port, std::uint32_t c) const {
    return cold_class(port, c).counters;
  }
  // For packets that carry more than their record (telemetry.hpp), kept by place in the pool.
  void use_annexes() { annexes_ = never_passes_ = true; }
  std::uint32_t head_slot(std::uint32_t port, std::uint32_t c) const { return queue(port, c).head; }
  std::uint32_t tail_slot(std::uint32_t port, std::uint32_t c) const { return queue(port, c).tail; }
  /// A record that acts with the packet of `size` that starts next; its time and port are set.
  Record& send_beside(std::uint32_t port, std::int32_t size);
  // Lifetimes of packets in an InfiniBand switch (ports_lifetimes.cpp).
  void use_lifetimes(const LifetimeRules& rules, const std::vector<PortSetup>& ports);
  /// Whether packets that are too old are to be thrown away before arbitration.
  bool expires() const { return lifetimes_ != nullptr && lifetimes_->rules.packet != Time{0}; }
  /// Throws away the heads that are; true if a VL is stalled now because of it.
  bool expire_heads(std::uint32_t port);
  /// A stalled VL throws away what comes for it.
  bool vl_stalled(std::uint32_t port, std::uint32_t c) const {
    return lifetimes_ != nullptr && lifetimes_->rows[class_index(port, c)].stalled_until != Time{0};
  }
  /// Mask of classes that are stalled at some port.
  std::uint32_t stalled_vls() const;
  bool anything_queued() const;
  std::int64_t total_queued_bytes() const;
  bool paused(std::uint32_t port, std::uint32_t c, Time at) const {
    return (queue(port, c).state & Queue::kPaused) != 0 && cold_class(port, c).paused_until > at;
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
  const PortsConfig& config() const { return *config_; }
  const Link& out_link(std::uint32_t port) const { return cold_[port].out; }
  std::int64_t packets_sent(std::uint32_t port) const;
  std::int64_t bytes_sent(std::uint32_t port) const { return ports_[port].bytes; }
  std::int64_t packets_sent(std::uint32_t port, std::uint32_t c) const {
    return (std::int64_t{cold_class(port, c).packets_high} << 32) + queue(port, c).packets;
  }
  std::int64_t marks(std::uint32_t port, std::uint32_t c) const {
    return cold_class(port, c).marks;
  }
  std::int64_t max_queue(std::uint32_t port, std::uint32_t c) const {
    return queue(port, c).max_bytes;
  }
  std::int64_t max_ingress(std::uint32_t port, std::uint32_t c) const {
    const std::int32_t most = ingress(port, c).max_used;
    return most < kStormCells ? most : most - kStormCells;
  }
  void count_mark(std::uint32_t port, std::uint32_t c) { ++cold_class(port, c).marks; }
  /// What was counted here, as one number for the fingerprint.
  std::uint64_t counted() const;
  // For the deadlock test (ports_standing.cpp): what is still held once all that can move has
  // moved, in cells (PFC) or blocks (credits).
  /// RESUMEs that the ingress sent, and that the egress has obeyed, since the link came up.
  std::uint32_t resumes_told(std::uint32_t port, std::uint32_t c) const {
    return cold_class(port, c).resumes_told;
  }
  std::uint32_t resumes_heard(std::uint32_t port, std::uint32_t c) const {
    return cold_class(port, c).resumes_heard;
  }
  /// Adds what waits in an egress queue to `units`, one entry an ingress port.
  void add_queued_by_ingress(std::uint32_t port, std::uint32_t c,
                             std::vector<std::int64_t>& units) const;
  /// PFC: of `standing` cells charged to an ingress, those that the shared pool holds.
  std::int64_t standing_shared(std::uint32_t port, std::uint32_t c, std::int64_t standing) const;
  /// PFC: whether an ingress left with `standing` cells lets its sender go on, when the pool is
  /// left with `shared`.
  bool would_resume(std::uint32_t port, std::uint32_t c, std::int64_t standing,
                    std::int64_t shared) const;
  /// Credits: whether an ingress left with `standing` blocks has room for the packet.
  bool would_offer(std::int64_t standing, std::int32_t size) const {
    return config_->buffer_blocks - standing >= blocks(size);
  }
  /// Egress ports whose queue of class `c` holds packets that came in by `ingress_port`. Slow: for
  /// the wait-for graph only.
  std::vector<std::uint32_t> egress_ports_of(std::uint32_t ingress_port, std::uint32_t c) const;
  /// Sums that must hold when the device is idle; empty text = fine.
  std::string check_idle() const;
  /// The rows that every packet touches.
  std::vector<std::span<const std::byte>> hot_memory() const;
  Time serialisation_on(std::uint32_t port, std::int32_t size) const {
    return wire_time(port, size + gap_);
  }

 private:
  using Port = port_rows::Port;
  using Queue = port_rows::Queue;
  using Ingress = port_rows::Ingress;
  using ColdPort = port_rows::ColdPort;
  using ColdClass = port_rows::ColdClass;
  /// Charged to an ingress that storms, beyond all that it can hold: it never comes to XON.
  static constexpr std::int32_t kStormCells = 1 << 30;
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
  std::size_t class_index(std::uint32_t port, std::uint32_t c) const {
    return std::size_t{port} * classes_ + c;
  }
  Queue& queue(std::uint32_t port, std::uint32_t c) { return queues_[class_index(port, c)]; }
  const Queue& queue(std::uint32_t port, std::uint32_t c) const {
    return queues_[class_index(port, c)];
  }
  Ingress& ingress(std::uint32_t port, std::uint32_t c) { return ingress_[class_index(port, c)]; }
  const Ingress& ingress(std::uint32_t port, std::uint32_t c) const {
    return ingress_[class_index(port, c)];
  }
  ColdClass& cold_class(std::uint32_t port, std::uint32_t c) {
    return cold_class_[class_index(port, c)];
  }
  const ColdClass& cold_class(std::uint32_t port, std::uint32_t c) const {
    return cold_class_[class_index(port, c)];
  }
  Time wire_time(std::uint32_t port, std::int64_t wire_bytes) const {
    const std::int64_t per_byte = ports_[port].ps_per_byte;
    if (per_byte != 0) [[likely]]
      return {wire_bytes * per_byte};
    return cold_[port].out.serialisation_of(wire_bytes);
  }
  /// ceil(size / cell) by the reciprocal ceil(2^32 / cell): exact for sizes and cells below 2^16.
  std::int32_t cells(std::int32_t size) const {
    const auto rounded = static_cast<std::uint64_t>(size + config_->cell - 1);
    return static_cast<std::int32_t>((rounded * cell_inverse_) >> 32);
  }
  static std::int32_t blocks(std::int32_t size) { return (size + 63) / 64; }
  /// From the start of a transmission that takes `whole` to the instant at which the receiver acts.
  static Time acting_after(const Port& p, Time whole) {
    const Time acting = p.header_ps == 0 ? whole : std::min(Time{p.header_ps}, whole);
    return acting + Time{p.latency_ps};
  }
  /// XOFF threshold of an ingress, in cells, while the pool has lent `shared`.
  std::int64_t threshold(std::uint32_t port, std::int64_t shared) const;
  std::int64_t threshold(std::uint32_t port) const { return threshold(port, shared_used_); }
  bool lets_go_on(std::uint32_t port, std::int64_t shared_here, std::int64_t shared) const;
  Time sends_until(std::uint32_t port, Time at) const;
  void take_down(std::uint32_t port, Time at, Time far_end_sends_until);
  void bring_up(std::uint32_t port, Time at);
  bool lost_on_link(const Record& record);
  bool lost_on_failing_link(const Record& record) const;
  bool hit_by_bit_error(const Record& record) const;
  /// Whether the cadence lets a credit round leave (a PFC frame waits for nothing).
  bool round_open(const Port& p) const {
    return actor_.now() >= p.open_at || flow_control_ != FlowControlKind::Credit;
  }
  void wake_for_round(std::uint32_t port);
  [[gnu::noinline]] void head_waits(std::uint32_t port, std::uint32_t c);
  void arm_lapse(std::uint32_t port, std::uint32_t c, Time at);
  void lapse(std::uint32_t port, std::uint32_t c);
  bool expire_class(std::uint32_t port, std::uint32_t c);
  void stall_vl(std::uint32_t port, std::uint32_t c);
  void drop_head(std::uint32_t port, std::uint32_t c, std::uint32_t i, DropCause cause);
  template <class See>
  void each_head(std::uint32_t port, std::uint32_t c, const See& see) const;
  Time first_lapse(std::uint32_t port, std::uint32_t c) const;
  Time waits_since(const Lifetimes::Row& row, std::uint32_t list, std::uint32_t i) const;
  void end_stall(Queue& q, std::uint32_t port, std::uint32_t c);
  bool charge_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size);
  bool charge_pfc_slowly(Ingress& in, std::uint32_t port, std::uint32_t c, std::int32_t n);
  bool charge_credit(std::uint32_t port, std::uint32_t c, std::int32_t size);
  void release_pfc(std::uint32_t port, std::uint32_t c, std::int32_t size);
  void set_xoff(std::uint32_t port, std::uint32_t c, bool xoff);
  void credit_change(std::uint32_t port, std::uint32_t c);
  void apply_pause(std::uint32_t port, std::uint32_t c, std::uint32_t quanta);
  [[gnu::noinline]] void start_link_control(std::uint32_t port);
  bool tick_has_come(std::uint32_t port);
  void start_pfc_frame(std::uint32_t port);
  void refresh_pause(std::uint32_t port, std::uint32_t c);
  void start_credit_round(std::uint32_t port);
  Record& send_control(Port& p, std::int64_t wire_bytes);
  std::uint32_t port_number(const Port& p) const {
    return static_cast<std::uint32_t>(&p - ports_.data());
  }
  bool may_start(Queue& q, std::uint32_t port, std::uint32_t c, std::int32_t size, Time not_before);
  [[gnu::always_inline]] Time begin_transmission(Queue& q, std::uint32_t port, std::uint32_t c,
                                                 std::int32_t size, std::uint32_t ingress_port);
  Time begin_settled(Queue& q, std::uint32_t port, std::uint32_t c, Time at);
  [[gnu::always_inline]] void send_head(Queue& q, Port& p, std::uint32_t c, std::uint8_t flags,
                                        Time acting);
  std::uint32_t choose_settled(std::uint32_t port, Time at);
  std::uint32_t push_turn(const Queue& q, std::uint32_t input, std::uint32_t i);
  std::uint32_t pop_turn(const Queue& q, std::uint32_t input);
  void set_rates(std::uint32_t port);
  void find_mixed_speeds();

  Actor& actor_;
  std::uint32_t classes_ = 0;
  bool settled_ = false;
  bool may_lose_ = false;      ///< some link here may go down, or has bit errors
  bool annexes_ = false;       ///< then no packet passes unqueued
  bool never_passes_ = false;  ///< VOQ, mixed speeds, annexes, VL arbitration: see pass()
  bool mixed_speeds_ = false;  ///< cut-through between unequal links: a packet may have to wait
  FlowControlKind flow_control_ = FlowControlKind::None;
  bool voq_ = false;
  std::int32_t gap_ = 0;
  std::uint32_t strict_ = 0;               ///< of the schedule
  const std::int32_t* quantum_ = nullptr;  ///< of the schedule, by class
  std::shared_ptr<const PortsConfig> config_;
  Rows<Port> ports_;
  Rows<Queue> queues_;
  Rows<Ingress> ingress_;
  PacketPool pool_;
  Time lead_;                       ///< see lead()
  Time wanted_wake_ = Time::max();  ///< what the running arbitration asks for
  std::int64_t pool_cells_ = 0;     ///< PFC: cells of the shared buffer
  std::int64_t shared_used_ = 0;    ///< PFC: of those, in use
  std::uint64_t cell_inverse_ = 0;
  std::vector<ColdPort> cold_;
  std::vector<ColdClass> cold_class_;
  std::unique_ptr<Lifetimes> lifetimes_;            ///< null: packets may wait for ever
  std::vector<VlArbiter> arbiters_;                 ///< per port; empty: the schedule decides
  std::vector<std::unique_ptr<InputTurns>> turns_;  ///< per queue with VOQ, made on first use
};

}  // namespace spineleaf
