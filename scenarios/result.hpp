#pragma once
// Result: everything a run leaves behind, as plain data. Writers (JSON, CSV, HTML) and Python read
// it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/host/app.hpp"
#include "models/parts/happening.hpp"
#include "scenarios/history.hpp"
#include "sim/units.hpp"

namespace spineleaf {

enum class StopReason : std::uint8_t {
  Finished,    ///< all jobs complete
  Deadline,    ///< the stated simulated time was reached
  NoProgress,  ///< nothing was delivered for the stated time
  Stuck,       ///< nothing in flight, packets still queued
  Deadlock,    ///< queues that can never send again, and the run was to end there
  EventBudget,
  Interrupted,      ///< Ctrl-C: partial results
  InvariantBroken,  ///< an internal check failed: result invalid
};

enum class Verdict : std::uint8_t {
  Ok,
  AsExpected,
  PhysicsAlarm,
  BudgetExceeded,
  Incomplete,
  Invalid
};

/// One directed link.
struct LinkRow {
  std::string from, to;  ///< node names
  std::uint16_t from_port = 0, to_port = 0;
  std::uint8_t tier = 0;
  std::uint32_t cable = 0;  ///< index in Topology::cables
  Rate rate;
  std::int64_t packets = 0;
  Bytes bytes;             ///< on the wire, all records
  Bytes control_bytes;     ///< of them PFC frames and credit updates
  double utilisation = 0;  ///< bytes / (rate x run time)
  std::int64_t drops[kDropCauses] = {};
};

/// One (port, class): egress queue at the sender of a link.
struct PortClassRow {
  std::string node;
  std::uint16_t port = 0;
  std::uint8_t traffic_class = 0;
  std::int64_t packets = 0;
  std::int64_t marks = 0;  ///< CE marks
  Bytes max_queue;
  Time max_queue_at;
  std::int64_t pauses_sent = 0;  ///< XOFF frames sent by this node on this port and class
  std::int64_t pauses_received = 0;
  Time paused;                     ///< transmitter held by PFC
  std::int64_t credit_stalls = 0;  ///< head waited for credits
  Time credit_stalled;
  Bytes max_ingress;  ///< largest ingress occupancy
};

struct SeriesPoint {
  Time at;
  double value = 0;
};
/// A time series sampled at ticks: total queued bytes, paused ports, delivered bytes, ...
struct Series {
  std::string name;  ///< "queued_bytes", "delivered_gbps", "paused_ports", "queue:leaf0:3:0"
  std::string unit;
  std::vector<SeriesPoint> points;
};

/// An edge of the wait-for graph at the moment a run was found without progress.
struct WaitsFor {
  std::string waiting;    ///< "leaf0 port 3 class 0"
  std::string waits_for;  ///< "spine1 port 0 class 0"
  std::string reason;     ///< "paused", "no credits", "link down"
  Bytes queued;
  bool on_cycle = false;
};

/// What the exact deadlock test found first (scenarios/deadlock.hpp).
struct DeadlockReport {
  struct Cycle {
    std::uint8_t traffic_class = 0;
    std::vector<std::string> queues;  ///< "A:2 > B:0": an egress and the ingress that pauses it
  };
  bool found = false;
  Time at{-1};     ///< first tick at which it stood
  Time ended{-1};  ///< first tick at which it no longer stood (watchdog, fault); -1 = it stands
  std::int64_t times = 0;            ///< how often one formed
  std::size_t queues = 0;            ///< that can never send again, with those held up behind
  std::size_t queues_on_cycles = 0;  ///< of them on a cycle of waits
  Bytes trapped;                     ///< in those queues
  std::vector<Cycle> cycles;         ///< a short one of each strongly connected part, at most 8
};

/// Something that a PFC watchdog did.
struct WatchdogRow {
  Time at;
  std::string node;
  std::uint16_t port = 0;
  std::uint8_t traffic_class = 0;
  bool restored = false;       ///< the queue was given back; else a storm was found
  std::int64_t discarded = 0;  ///< packets that waited in the queue then
};

struct Totals {
  std::int64_t packets_sent = 0;  ///< data packets that left a NIC, retransmissions included
  std::int64_t packets_delivered = 0;
  std::int64_t packet_hops = 0;  ///< data, ACK, NAK and CNP packets crossing a link
  Bytes payload_delivered;       ///< of packets that were accepted, of unfinished messages too
  std::int64_t acks = 0, naks = 0, cnps = 0;
  std::int64_t marks = 0;
  std::int64_t pauses = 0, resumes = 0;
  std::int64_t credit_updates = 0, credit_stalls = 0;
  std::int64_t retransmissions = 0, timeouts = 0, out_of_order = 0;
  std::int64_t drops[kDropCauses] = {};
  std::int64_t drops_total = 0;
};

/// What no ring of a job can exceed, as bus bandwidth in GB/s; 0 = no such bound.
struct RingBounds {
  double nics = 0;    ///< line rate of all NICs of a host; of the host with the least
  double nvlink = 0;  ///< NVLink rate of a GPU; k/(k-1) of it, as one GPU in k sends to the NIC
};

struct Result {
  std::string name;
  std::string version;
  std::string fabric;  ///< "InfiniBand (credits)" or "RoCEv2 (PFC)"
  std::uint64_t seed = 0;
  std::uint64_t fingerprint = 0;  ///< order-free sum over deliveries, drops, marks, pauses
  StopReason stop = StopReason::Finished;
  Verdict verdict = Verdict::Ok;
  std::string verdict_text;  ///< one line for a person
  std::string expect;        ///< what the scenario declared as the expected outcome
  Time simulated;
  double cpu_seconds = 0;  ///< run phase
  double wall_seconds = 0;
  std::int64_t epochs = 0;
  Time epoch_length;
  Totals totals;
  std::vector<std::string> job_names;
  std::vector<FlowRecord> flows;              ///< merged; unfinished ones have received == -1
  std::vector<CollectiveRecord> collectives;  ///< one per job and iteration, over all hosts
  std::vector<RingBounds> ring_bounds;        ///< by job; shorter where the last jobs have none
  std::vector<LinkRow> links;
  std::vector<PortClassRow> port_classes;
  std::vector<Series> series;
  History history;  ///< empty unless RunOptions::record
  std::vector<WaitsFor> waits;
  std::vector<WatchdogRow> watchdog;  ///< in order of time
  bool deadlock = false;              ///< one has formed, even if it was ended
  DeadlockReport deadlock_report;
  std::vector<std::string> warnings;
  std::vector<std::string> not_modelled;
};

/// Process exit code of a verdict: 0 ok or as expected, 3 physics alarm, 4 budget exceeded,
/// 1 incomplete or invalid.
int exit_code(Verdict verdict);

}  // namespace spineleaf
