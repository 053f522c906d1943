#pragma once
// Parameters of every model, as plain structs, and the tables that declare them to the outside.
//
// One struct per scenario section. Names are the field's; each field's meaning, unit, range,
// default and source stand in params.cpp, where the ParamDecl tables are.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "models/control_params.hpp"
#include "sim/param.hpp"
#include "sim/units.hpp"
#include "topologies/routes.hpp"

namespace spineleaf {

enum class FlowControlKind : std::uint8_t { None, Pfc, Credit };
enum class Switching : std::uint8_t { StoreAndForward, CutThrough };
enum class ForwardingRule : std::uint8_t { Ecmp, Static, Spray, Adaptive, Flowlet };
enum class EcnPoint : std::uint8_t { Dequeue, Enqueue };
enum class WireFormat : std::uint8_t { RoceV2, InfiniBand, Ns3Hpcc };
enum class CreditMode : std::uint8_t { Immediate, MinSpacing, Timer };
enum class CongestionControlKind : std::uint8_t {
  None,
  DcqcnPaper,
  DcqcnConnectx,
  DcqcnNs3,
  Dctcp,
  Timely,
  Swift,
  Hpcc,
};
/// The kinds that CNPs drive (models/host/dcqcn.hpp); those above act on acknowledgements
/// (models/host/control/).
constexpr bool is_dcqcn(CongestionControlKind kind) {
  return kind >= CongestionControlKind::DcqcnPaper && kind <= CongestionControlKind::DcqcnNs3;
}
constexpr bool acts_on_acks(CongestionControlKind kind) {
  return kind >= CongestionControlKind::Dctcp;
}
enum class LossRecovery : std::uint8_t { GoBackN, SelectiveRepeat, GoBack0 };
enum class QueueOrder : std::uint8_t { OutputFifo, Voq };
enum class WatchdogAction : std::uint8_t { Drop, Forward, Alert };
enum class WatchdogRule : std::uint8_t { Nvidia, Broadcom };
enum class Rounding : std::uint8_t { Exact, WholeNanoseconds };

/// Section "fabric": what travels on the wire and who keeps it from being lost.
struct FabricParams {
  WireFormat wire = WireFormat::RoceV2;
  FlowControlKind flow_control = FlowControlKind::Pfc;
  Bytes mtu{4096};
  std::int64_t classes = 2;     ///< traffic classes (priorities or VLs) in use
  std::int64_t data_class = 0;  ///< default class of workload traffic
  std::int64_t ack_class = 0;   ///< class of ACK and NAK packets
  std::int64_t cnp_class = 1;   ///< class of congestion notifications
  std::int64_t ttl = 64;        ///< hop limit that packets leave with
  Time fec;                     ///< PHY + FEC latency of a link, one way
  double bit_error_rate = 0;    ///< of every link; what is hit is lost
  Rounding serialisation = Rounding::Exact;
};

/// Section "switch".
struct SwitchParams {
  Time core_latency;
  Switching switching = Switching::StoreAndForward;
  Bytes header{64};  ///< cut-through: bytes needed before forwarding can start
  RoutingRule routing = RoutingRule::ShortestPath;
  ForwardingRule forwarding = ForwardingRule::Ecmp;
  Time flowlet_gap;
  bool same_hash_seed = false;  ///< polarisation: every switch hashes alike
  bool hash_destination_qp = true;
  Bytes queue_limit;  ///< lossy classes: egress queue limit (0 = unlimited)
  QueueOrder queue_order = QueueOrder::OutputFifo;
  std::string scheduler;  ///< per class, "strict" or a DWRR weight: "1,strict"
};

/// Section "pfc": shared memory of a switch and priority flow control.
struct PfcParams {
  Bytes buffer;                  ///< shared pool of a switch, headroom apart
  Bytes cell;                    ///< allocation unit; 1 B = byte exact
  double alpha = 0;              ///< dynamic threshold: alpha * free pool; 0 = static xoff
  Bytes xoff;                    ///< static threshold
  Bytes xon_offset;              ///< XON when usage <= threshold - xon_offset and headroom is empty
  Bytes headroom;                ///< per ingress (port, class); 0 = the exact bound of the link
  std::int64_t quanta = 0;       ///< pause time asked for, in 512-bit times
  bool never_expires = false;    ///< parity preset: a pause lasts until its resume
  double refresh = 0;            ///< refresh after this share of the pause time
  Time response_time;            ///< frame received to transmitter stopped
  Bytes reserve;                 ///< guaranteed minimum per ingress (port, class)
  std::string lossless_classes;  ///< "0" or "0,2" or "all": classes that PFC protects
  std::int64_t ns3_rate_shift = 0;  ///< parity preset: threshold = free >> shift (0 = off)
};

/// Section "watchdog": what a switch does about a lossless queue that stays paused (SONiC PFC_WD).
struct WatchdogParams {
  Time detection;  ///< 0 = no watchdog
  Time restoration;
  Time poll;
  WatchdogAction action = WatchdogAction::Drop;
  WatchdogRule rule = WatchdogRule::Nvidia;
  bool false_restore = false;  ///< fault option: pauses are not counted while they are ignored
};

/// Section "credit": InfiniBand link-level flow control.
struct CreditParams {
  Bytes buffer;  ///< input buffer per port and VL, in 64-byte blocks
  CreditMode mode = CreditMode::MinSpacing;
  Time min_spacing;        ///< at most one round of updates per this time
  std::string vlarb_high;  ///< "0:4,1:0": VL and weight in 64-byte blocks; both empty = scheduler
  std::string vlarb_low;
  std::int64_t high_limit = 0;
  bool vlarb_carry = false;
  // Lifetimes in switches; zero = no limit:
  Time head_of_queue_lifetime;       ///< towards switches
  Time leaf_head_of_queue_lifetime;  ///< towards hosts
  Time packet_life_time;
  std::int64_t vl_stall_count = 0;
};

/// Section "ecn": RED-like marking on the egress queue.
struct EcnParams {
  bool enabled = false;
  Bytes kmin;
  Bytes kmax;
  double pmax = 0;
  EcnPoint point = EcnPoint::Dequeue;
};

/// Section "nic": one network adapter port and its path to memory.
struct NicParams {
  Rate pcie_rate;        ///< payload rate between NIC and memory, each way (0 = never the limit)
  Bytes receive_buffer;  ///< per port and class, under the fabric's flow control
  Time send_latency;     ///< doorbell to first bit
  Time receive_latency;  ///< last bit to visible completion
  Time message_cost;     ///< NIC time per posted message
};

/// Section "transport": reliable connections.
struct TransportParams {
  std::int64_t ack_every = 1;  ///< data packets per ACK; the last packet always asks for one
  Bytes window;                ///< bytes in flight per connection (0 = unlimited)
  bool window_bdp = false;     ///< at most line rate x base_rtt in flight
  Time base_rtt;               ///< 0 = the longest idle round trip among the connections
  LossRecovery recovery = LossRecovery::GoBackN;
  Time timeout;                ///< retransmission timeout
  std::int64_t retry_cnt = 7;  ///< timeouts in a row before a connection fails
  Time nak_interval;           ///< at most one NAK per missing PSN and this time
  CongestionControlKind congestion_control = CongestionControlKind::None;
  bool immediate = true;         ///< RDMA WRITE WITH IMMEDIATE: 4 B on the last packet
  bool ack_carries_cnp = false;  ///< parity preset: the ACK carries a CNP flag
  bool recompute_gap = true;     ///< a rate rise moves the already planned next send
};

/// Section "dcqcn": names as in ConnectX firmware (mlxconfig), see docs/glossary.md.
struct DcqcnParams {
  double g = 0;      ///< dce_tcp_g: alpha gain
  Time alpha_timer;  ///< dce_tcp_rtt
  Time rate_reduce_monitor_period;
  Time rpg_time_reset;
  Bytes rpg_byte_reset;
  std::int64_t rpg_threshold = 0;
  Rate rpg_ai_rate;
  Rate rpg_hai_rate;
  Rate rpg_min_rate;
  double rpg_min_dec_fac = 0;  ///< lower bound of one cut, as a share of the old rate
  double initial_alpha = 1;
  bool clamp_tgt_rate = false;
  bool clamp_tgt_rate_after_time_inc = true;
  Time min_time_between_cnps;
};

/// Section "host": a server's GPUs, its NVLink domain and the software on it.
struct HostParams {
  std::int64_t gpus = 8;
  Rate nvlink_rate;  ///< per GPU, each direction
  double nvlink_efficiency = 0;
  Rate channel_rate;   ///< GPU copy-and-reduce rate of one channel
  Time step_overhead;  ///< per slice on the GPU (Simple protocol)
  Time intra_hop;      ///< one NVLink hop: flag and visibility
  Time proxy_send;     ///< proxy work before a message is posted
  Time proxy_receive;  ///< completion to GPU sees data, flush included
  Time launch;         ///< kernel launch and end
  Bytes buffer;        ///< NCCL_BUFFSIZE per channel (Simple)
  std::int64_t slice_steps = 2;
  std::int64_t chunk_steps = 4;
  std::int64_t steps = 8;  ///< NCCL_STEPS
  Bytes ll128_step;
  Rate ll128_channel_rate;
  Time ll128_overhead;
  Time clear_to_send;  ///< receiver ready to sender knows, beyond the wire (0 = on the wire)
  Time noise;          ///< mean of extra software time per step (exponential; 0 = none)
};

/// What aggregates in a switch. None: nothing does.
enum class SharpGeneration : std::uint8_t { None, V1, V2, V3, V4 };

/// Section "sharp": aggregation in InfiniBand switches.
struct SharpParams {
  SharpGeneration generation = SharpGeneration::None;
  std::int64_t radix = 0;           ///< children of an aggregation node at most (0 = all its ports)
  std::int64_t max_depth = 0;       ///< switch levels of a tree at most (0 = any)
  std::int64_t groups = 0;          ///< groups that an aggregation node can serve
  std::int64_t osts = 0;            ///< operation slots of an aggregation node
  std::int64_t osts_per_group = 0;  ///< slots that one group uses at most
  Bytes payload_per_ost;            ///< LLT: payload of a packet; 0 = by generation
  std::int64_t llt_quota = 0;       ///< percent of an aggregation node's slots for one job
  Bytes sat_buffer;                 ///< memory of an aggregation node for streams
  std::int64_t sat_quota = 0;       ///< percent of it for one job
  std::int64_t sat_jobs = 0;        ///< jobs that stream through a node at most; 0 = by generation
  Bytes sat_threshold;              ///< smallest operation that streams, where the choice is free
  Time latency;                     ///< reduction of one packet, beside the switch's core latency
};

struct ModelParams {
  FabricParams fabric;
  SwitchParams sw;
  PfcParams pfc;
  WatchdogParams watchdog;
  CreditParams credit;
  EcnParams ecn;
  NicParams nic;
  TransportParams transport;
  DcqcnParams dcqcn;
  DctcpParams dctcp;
  TimelyParams timely;
  SwiftParams swift;
  HpccParams hpcc;
  HostParams host;
  SharpParams sharp;
};

/// The sections of ModelParams in order; `object` of a section is found with section_object().
std::span<const ParamTable> model_param_tables();

/// Address of the struct that the table named `section` fills, inside `params`; null if unknown.
void* section_object(ModelParams& params, std::string_view section);
const void* section_object(const ModelParams& params, std::string_view section);

/// Fills every field with its declared default.
ModelParams default_model_params();

/// Named presets: an ordered list of "section.key" = value texts over the defaults. Keys of section
/// "topology" count where the topology's kind has them.
struct PresetEntry {
  std::string_view key;    ///< "pfc.alpha"
  std::string_view value;  ///< as a user writes it
};
struct Preset {
  std::string_view name;
  std::string_view text;
  std::string_view source;
  std::span<const PresetEntry> entries;
};
std::span<const Preset> model_presets();

/// Parses a default or preset text of declaration `decl` ("0.256us", "true", "4KiB", a choice).
/// Only for texts inside the program; throws std::logic_error when one is wrong (a test walks all).
ParamValue parse_declared(const ParamDecl& decl, std::string_view text);

}  // namespace spineleaf
