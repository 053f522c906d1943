#pragma once
// Host: one NVLink domain as one actor: NIC ports, transport, and the apps that run on it.

#include <memory>
#include <vector>

#include "models/host/app.hpp"
#include "models/host/control/control.hpp"
#include "models/host/dcqcn.hpp"
#include "models/host/transport.hpp"
#include "models/host/wire.hpp"
#include "models/parts/ports.hpp"

namespace spineleaf {

struct SenderSetup {
  EndpointId from{};
  EndpointId to{};
  std::uint32_t remote = 0;
  std::uint32_t entropy = 0;
  bool pinned = false;
  std::uint16_t port = 0;
  std::uint8_t traffic_class = 0;
  std::uint16_t app = 0;
  std::uint32_t cookie = 0;
  Rate rate_limit;
  Time base_rtt;           ///< idle; 0 = nothing asks for it
  std::uint32_t hops = 0;  ///< switches on the way
};

struct ReceiverSetup {
  EndpointId sender{};
  std::uint32_t remote = 0;
  std::uint32_t entropy = 0;
  bool pinned = false;
  std::uint8_t ack_class = 0;
  std::uint16_t port = 0;
  std::uint16_t app = 0;
  std::uint32_t cookie = 0;
};

/// A member of a group of SHARP.
struct MemberSetup {
  AggregationMember fixed;
  std::uint32_t number = 0;  ///< of the group in the fabric
  std::uint32_t remote = 0;  ///< row of the group at the switch
  std::uint32_t window = 1;  ///< packets
  std::int32_t payload = 0;  ///< of a packet
  std::uint16_t port = 0;
  std::uint16_t app = 0;
  std::uint8_t traffic_class = 0;
};

/// What all hosts of a fabric share; immutable during a run.
struct HostConfig {
  explicit HostConfig(const ModelParams& params);

  const ModelParams* models;  ///< they outlive the fabric
  WireSizes wire;
  std::uint32_t mtu;
  TransportParams transport;
  DcqcnConfig dcqcn;
  NicParams nic;
  Time cnp_interval;
  Time base_rtt;  ///< for what asks for it
  std::uint8_t cnp_class;
  std::uint8_t ttl;
  bool reorder;            ///< packets of a connection may overtake each other
  bool rate_control;       ///< DCQCN
  bool own_windows;        ///< each connection has a window of its own
  bool telemetry;          ///< HPCC
  bool echoes_congestion;  ///< the ACK carries a mark
  bool whole_nanoseconds;  ///< parity preset: pacing gaps are cut to whole nanoseconds too
};

struct HostSetup {
  Arena* arena = nullptr;
  std::shared_ptr<const HostConfig> config;
  std::shared_ptr<const PortsConfig> ports_config;
  std::int64_t pool = 0;  ///< PFC: cells of the receive buffers
  std::vector<PortSetup> ports;
  std::vector<std::uint16_t> nic_of_port;
  std::vector<SenderSetup> senders;      ///< by sender row
  std::vector<ReceiverSetup> receivers;  ///< by receiver row
  std::vector<MemberSetup> members;      ///< by member row
  std::vector<std::unique_ptr<HostApp>> apps;
};

struct HostCounters {
  std::int64_t packets_sent = 0;
  std::int64_t packets_delivered = 0;
  std::int64_t payload_accepted = 0;  ///< of packets, each once
  std::int64_t acks = 0;
  // Seldom:
  std::int64_t payload_delivered = 0;  ///< of whole messages
  std::int64_t naks = 0, cnps = 0;
  std::int64_t retransmissions = 0, timeouts = 0, failed = 0, out_of_order = 0;
  std::int64_t apps_done = 0;
  // SHARP:
  std::int64_t contributions = 0, contributed = 0;  ///< packets and payload sent up
  std::int64_t results = 0, result_payload = 0;     ///< received
};

class Host final : public Actor, public HostServices {
 public:
  Host(ActorId id, std::string name, HostSetup setup);

  void advance(Lane& lane, Time from, Time to) override;
  void on_start() override;
  void on_record(const Record& record) override;
  void on_local(const LocalEvent& event) override;
  void on_arbitrate(std::uint32_t port) override;
  void prefetch_for(const Record& record) const;
  std::vector<std::span<const std::byte>> hot_memory() const override;
  std::uint64_t final_fingerprint() const override;

  // HostServices
  Time now() const override { return Actor::now(); }
  std::uint64_t seed() const override { return Actor::seed(); }
  void post(SenderRow connection, Bytes bytes, std::uint32_t tag) override;
  void aggregate(MemberRow member, Bytes bytes, std::uint32_t tag) override;
  void wake(std::uint32_t row, Time at) override;
  void done() override { ++counters_.apps_done; }

  Ports& ports() { return ports_; }
  const Ports& ports() const { return ports_; }
  const HostCounters& counters() const { return counters_; }
  std::size_t app_count() const { return apps_.size(); }
  void collect(JobReport& report) const;
  std::int64_t bytes_planned() const;
  /// Messages posted here and not yet acknowledged.
  std::int64_t messages_open() const { return messages_open_; }
  /// Between epochs: payload moves between NICs and memory at this rate from now on.
  void set_memory_rate(Rate rate);
  const CongestionControl* control() const { return control_.get(); }
  const Dcqcn& rate_control(SenderRow row) const { return rates_[static_cast<std::uint32_t>(row)]; }

 private:
  enum EventKind : std::uint32_t {
    kAppStart = kDeviceKinds,
    kDrain,
    kCompletion,
    kMessageReady,
    kQpReady,
    kRetransmit,
    kAppWake,
    kMemberReady,
    kMemberDone,
  };
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Nic {
    Time message_free;  ///< when the message engine is free
    Time read_free;     ///< PCIe towards the wire
    Time write_free;    ///< PCIe towards memory
  };

  /// The senders of one (port, class) that have a packet to send, as a ring.
  struct ReadyRing {
    std::uint32_t tail = kNobody;
    std::uint16_t size = 0;  ///< of the packet that its first sender sends next; 0 = to be found
  };
  ReadyRing& ring(std::uint32_t port, std::uint32_t traffic_class) {
    return rings_[port * ports_.classes() + traffic_class];
  }
  ReadyRing& ring(const SenderQp& qp) { return ring(qp.port, qp.traffic_class); }

  // sending
  void message_ready(std::uint32_t row);
  void try_ready(std::uint32_t row);
  bool may_send_more(const SenderQp& qp) const;
  bool window_full(const SenderQp& qp) const;
  std::int64_t window_of(std::uint32_t row) const;
  void make_control(const HostSetup& setup);
  void tell_control(const Record& record, std::uint32_t una_before, std::uint32_t next_before);
  void tell_control_of_timeout(std::uint32_t row);
  void plan_again(std::uint32_t row);
  void push_ready(std::uint32_t row);
  void pop_ready(const SenderQp& qp);
  void remove_ready(std::uint32_t row);
  void qp_ready(std::uint32_t row);
  double rate_of(std::uint32_t row, bool inclusive);
  Time planned_send(const SenderQp& qp, double rate) const;
  std::int32_t next_size(std::uint32_t row);
  void locate_message(SenderQp& qp, std::uint32_t seq) const;
  void send_data(std::uint32_t port, std::uint32_t traffic_class, std::int32_t size);
  void arm_retransmit(std::uint32_t row);
  void on_retransmit(std::uint32_t row);
  void rewind(SenderQp& qp, std::uint32_t seq);
  void on_ack(const Record& record);
  void acknowledge(SenderQp& qp, std::uint32_t row, std::uint32_t seq);
  void on_congestion(std::uint32_t row);

  // receiving
  void on_data(const Record& record);
  void deliver(const Record& record);
  void in_order(ReceiverQp& qp, std::uint32_t row, const Record& record);
  void out_of_order(ReceiverQp& qp, const Record& record);
  void ask_again(ReceiverQp& qp);
  void absorb_beyond(ReceiverQp& qp, std::uint32_t row);
  void complete_message(ReceiverQp& qp, std::uint32_t row, MessageEnd end);
  void acknowledge_data(ReceiverQp& qp, const Record& record, bool at_once);
  void note_telemetry(const Record& data);
  void carry_telemetry(const ReceiverQp& qp, const Record& record);
  void send_telemetry(std::uint32_t port, std::uint32_t traffic_class);
  void send_control(const ReceiverQp& qp, RecordKind kind, std::uint32_t seq, bool congestion);
  void on_completion(std::uint32_t row);
  std::uint32_t payload_of(const Record& record, bool first) const;

  // aggregation in the switches (host_aggregate.cpp)
  /// A member of a group: packets are numbered through all operations.
  struct Member {
    MemberSetup fixed;
    MessageQueue operations;     ///< whose results are not with the app yet
    std::uint32_t sendable = 0;  ///< packets of operations that are ready
    std::uint32_t next = 0;      ///< to be sent
    std::uint32_t expected = 0;  ///< result
    std::uint32_t posted = 0;
    std::uint32_t landed = 0;  ///< operations with all their results here
    std::uint32_t done = 0;
    bool waits = false;  ///< for PCIe
  };
  void member_ready(std::uint32_t row);
  void send_contributions(std::uint32_t row);
  void on_result(const Record& record);
  void accept_result(const Record& record);
  void member_done(std::uint32_t row);

  Ports ports_;
  std::shared_ptr<const HostConfig> config_;
  Rows<SenderQp> senders_;
  Rows<ReceiverQp> receivers_;
  Rows<Dcqcn> rates_;
  std::unique_ptr<CongestionControl> control_;  ///< one that acts on ACKs; mostly none
  std::vector<std::int64_t> windows_;           ///< window_bdp: by sender row
  Rows<ReadyRing> rings_;                       ///< per (port, class)
  HostCounters counters_;
  std::int64_t messages_open_ = 0;
  std::uint32_t current_app_ = 0;
  std::vector<std::uint16_t> nic_of_port_;
  std::vector<Nic> nics_;
  std::vector<std::vector<Record>> draining_;  ///< per port: received, waiting for PCIe
  std::vector<std::size_t> drain_first_;
  std::vector<std::unique_ptr<HostApp>> apps_;
  std::vector<std::vector<Time>> app_wakes_;
  std::vector<Member> members_;
  std::vector<SendTimes> send_times_;          ///< with control_: by sender row
  std::unique_ptr<TelemetryStore> telemetry_;  ///< HPCC only
  std::vector<Telemetry> received_telemetry_;  ///< HPCC only: the newest, by receiver row
};

/// Rows of the connections that the records ahead belong to.
inline void Host::prefetch_for(const Record& record) const {
  if (record.kind == RecordKind::Data) {
    __builtin_prefetch(&receivers_[record.qp]);
  } else if (is_forwarded(record.kind)) {
    __builtin_prefetch(&senders_[record.qp]);
    __builtin_prefetch(&senders_[record.qp].una);
  }
}

}  // namespace spineleaf
