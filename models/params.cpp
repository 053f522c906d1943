#include "models/params.hpp"

#include <array>
#include <charconv>
#include <stdexcept>

#include "models/param_tables.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 3> kWire{"roce_v2", "infiniband", "ns3_hpcc"};
constexpr std::array<std::string_view, 3> kFlowControl{"none", "pfc", "credit"};
constexpr std::array<std::string_view, 2> kRounding{"exact", "whole_nanoseconds"};
constexpr std::array<std::string_view, 2> kSwitching{"store_and_forward", "cut_through"};
constexpr std::array<std::string_view, 2> kRouting{"shortest_path", "up_down"};
constexpr std::array<std::string_view, 5> kForwarding{"ecmp", "static", "spray", "adaptive",
                                                      "flowlet"};
constexpr std::array<std::string_view, 2> kQueueOrder{"output_fifo", "voq"};
constexpr std::array<std::string_view, 2> kEcnPoint{"dequeue", "enqueue"};

const std::array kFabric{
    param<&FabricParams::wire>("wire", Unit::Choice, "roce_v2", 0, 2,
                               "Frame format: decides header bytes, inter-frame gap and ACK size.",
                               "IBTA vol. 1 ch. 5-9; IEEE 802.3; HPCC ns-3 for ns3_hpcc", kWire),
    param<&FabricParams::flow_control>(
        "flow_control", Unit::Choice, "pfc", 0, 2,
        "none drops, pfc pauses per priority, credit counts 64-byte blocks.",
        "IEEE 802.1Qbb; IBTA vol. 1 ch. 7.9", kFlowControl),
    param<&FabricParams::mtu>(
        "mtu", Unit::Bytes, "4KiB", 64, 9216,
        "Largest payload of one packet (path MTU of the connection).",
        "IBTA path MTU 256..4096; 9000 B payloads occur in other simulators' presets"),
    param<&FabricParams::classes>(
        "classes", Unit::Count, "2", 1, 15,
        "Traffic classes in use on every port: priorities (RoCE) or data VLs (IB).",
        "IEEE 802.1Q (8); IBTA (up to 15 data VLs)"),
    param<&FabricParams::data_class>("data_class", Unit::Count, "0", 0, 14,
                                     "Class of workload traffic that names none.", "convention"),
    param<&FabricParams::ack_class>("ack_class", Unit::Count, "0", 0, 14,
                                    "Class of ACK and NAK packets.",
                                    "RoCE ACKs ride the data priority by default (vendor guides)"),
    param<&FabricParams::cnp_class>("cnp_class", Unit::Count, "1", 0, 14,
                                    "Class of congestion notification packets.",
                                    "Cumulus Linux RoCE defaults map CNP to its own strict class"),
    param<&FabricParams::ttl>(
        "ttl", Unit::Count, "64", 1, 255,
        "Hop limit of every packet as it leaves its host; a switch that gets it with 1 "
        "left drops it.",
        "RFC 791; 64 is Linux's default"),
    param<&FabricParams::fec>(
        "fec", Unit::Time, "100ns", 0, 100 * unit::us,
        "PHY and FEC latency of a link, one way, beside propagation.",
        "assumed: RS(544,514) adds about 100 ns at 400G (spread of published NDR "
        "latencies)"),
    param<&FabricParams::bit_error_rate>(
        "bit_error_rate", Unit::Ratio, "0", 0, 0.01,
        "Share of bits that each link corrupts; a packet with such a bit is lost. Pauses and "
        "credit "
        "updates are spared.",
        "IEEE 802.3 asks for 1e-12 after correction; 1 - (1 - rate)^bits of a frame are lost"),
    param<&FabricParams::serialisation>(
        "serialisation", Unit::Choice, "exact", 0, 1,
        "exact rounds up to whole ps; whole_nanoseconds truncates to ns as "
        "ns-3 does at its default resolution.",
        "HPCC ns-3 measured: 1048 B at 100G = 83 ns", kRounding),
};

const std::array kSwitch{
    param<&SwitchParams::core_latency>("core_latency", Unit::Time, "300ns", 0, 1 * unit::ms,
                                       "Fixed ingress pipeline of a switch, FEC apart.",
                                       "assumed: published figures differ 2x; calibrate"),
    param<&SwitchParams::switching>("switching", Unit::Choice, "store_and_forward", 0, 1,
                                    "Whether forwarding waits for the whole packet.",
                                    "vendor manuals", kSwitching),
    param<&SwitchParams::header>("header", Unit::Bytes, "64B", 1, 9216,
                                 "Cut-through: bytes received before forwarding can start.",
                                 "assumed"),
    param<&SwitchParams::routing>(
        "routing", Unit::Choice, "shortest_path", 0, 1,
        "How candidate ports are found: all shortest paths, or those that never "
        "turn up after down (free of dependency cycles).",
        "OpenSM minhop and updn", kRouting),
    param<&SwitchParams::forwarding>(
        "forwarding", Unit::Choice, "ecmp", 0, 4,
        "ecmp hashes the flow; static picks by destination, tier by tier (D-mod-K); spray "
        "draws per packet; adaptive takes the candidate with the fewest queued "
        "bytes, ties broken by a rotating hash; flowlet re-hashes after a gap.",
        "RFC 2992; OpenSM ftree; vendor documentation", kForwarding),
    param<&SwitchParams::flowlet_gap>("flowlet_gap", Unit::Time, "256us", 1, unit::s,
                                      "Idle time of a flow after which it may take another path.",
                                      "Meta SIGCOMM'24: 256-512 us"),
    param<&SwitchParams::same_hash_seed>(
        "same_hash_seed", Unit::Flag, "false", 0, 1,
        "true gives every switch the same hash seed (polarisation).", "RFC 2992"),
    param<&SwitchParams::hash_destination_qp>(
        "hash_destination_qp", Unit::Flag, "true", 0, 1,
        "Include the destination QP in the ECMP hash (E-ECMP); false "
        "hashes addresses and UDP source port only.",
        "Meta SIGCOMM'24 E-ECMP"),
    param<&SwitchParams::queue_limit>(
        "queue_limit", Unit::Bytes, "1MiB", 0, 64 * unit::GiB,
        "Egress queue limit per port and class without flow control (0 = none).", "assumed"),
    param<&SwitchParams::queue_order>(
        "queue_order", Unit::Choice, "output_fifo", 0, 1,
        "output_fifo serves a class in order of arrival; voq keeps a virtual output queue per "
        "ingress port and serves them in turn, a packet each.",
        "IBTA switches: VOQ; shared-memory Ethernet: FIFO per queue", kQueueOrder),
    param<&SwitchParams::scheduler>(
        "scheduler", Unit::Text, "dwrr", 0, 0,
        "Per class, comma separated: 'strict' or a DWRR weight; 'dwrr' = equal "
        "weights. Higher strict classes are served first.",
        "vendor manuals"),
};

const std::array kPfc{
    param<&PfcParams::buffer>("buffer", Unit::Bytes, "64MiB", 1024, 64 * unit::GiB,
                              "Shared pool of one switch, headroom not counted.",
                              "assumed: between Spectrum-4 (52-158 MB configured) and Tomahawk 4"),
    param<&PfcParams::cell>(
        "cell", Unit::Bytes, "192B", 1, 4096,
        "Allocation unit of switch memory; occupancy is counted in whole cells.",
        "SONiC asic_table.j2: 192 B for Spectrum-4"),
    param<&PfcParams::alpha>(
        "alpha", Unit::Ratio, "0.125", 0, 128,
        "Dynamic threshold: XOFF when an ingress class uses alpha x free pool; 0 "
        "uses the static xoff.",
        "Choudhury & Hahne 1998; SONiC dynamic_th = log2(alpha)"),
    param<&PfcParams::xoff>("xoff", Unit::Bytes, "200KB", 0, 64 * unit::GiB,
                            "Static XOFF threshold per ingress class, used when alpha is 0.",
                            "assumed"),
    param<&PfcParams::xon_offset>("xon_offset", Unit::Bytes, "18KB", 0, 64 * unit::GiB,
                                  "XON when usage has fallen to threshold - xon_offset.",
                                  "SONiC xon_offset; default assumed"),
    param<&PfcParams::headroom>(
        "headroom", Unit::Bytes, "0B", 0, 64 * unit::GiB,
        "Headroom per ingress port and class; 0 computes the exact bound of each "
        "link.",
        "two-way delay + response + one frame each way"),
    param<&PfcParams::quanta>("quanta", Unit::Count, "65535", 1, 65535,
                              "Pause time asked for, in units of 512 bit times.", "IEEE 802.1Qbb"),
    param<&PfcParams::never_expires>("never_expires", Unit::Flag, "false", 0, 1,
                                     "A pause lasts until its resume (parity presets only).",
                                     "HPCC ns-3"),
    param<&PfcParams::refresh>("refresh", Unit::Ratio, "0.5", 0.01, 0.95,
                               "A standing pause is refreshed after this share of its time.",
                               "assumed"),
    param<&PfcParams::response_time>("response_time", Unit::Time, "0ns", 0, 1 * unit::ms,
                                     "From a received pause frame to a stopped transmitter.",
                                     "IEEE 802.3 annex 31B.3.7 allows 905 quanta at 400G; typical "
                                     "hardware is faster"),
    param<&PfcParams::reserve>("reserve", Unit::Bytes, "0B", 0, unit::GiB,
                               "Guaranteed minimum per ingress port and class, before the pool.",
                               "SONiC BUFFER_PROFILE size"),
    param<&PfcParams::lossless_classes>(
        "lossless_classes", Unit::Text, "0", 0, 0,
        "Classes that PFC protects, comma separated, or 'all'; the others "
        "are lossy and drop at switch.queue_limit.",
        "IEEE 802.1Qbb: per priority"),
    param<&PfcParams::ns3_rate_shift>(
        "ns3_rate_shift", Unit::Count, "0", 0, 16,
        "Parity: threshold = free pool >> shift, one less per doubling above "
        "the host rate; headroom = 3 x rate x delay (0 = off).",
        "HPCC ns-3 switch-mmu"),
};

const std::array kEcn{
    param<&EcnParams::enabled>("enabled", Unit::Flag, "false", 0, 1, "Mark packets in switches.",
                               "-"),
    param<&EcnParams::kmin>("kmin", Unit::Bytes, "400KB", 0, 64 * unit::GiB,
                            "Queue length where marking starts.", "HPCC: 100 KB x rate/25G"),
    param<&EcnParams::kmax>("kmax", Unit::Bytes, "1600KB", 0, 64 * unit::GiB,
                            "Queue length above which every packet is marked.",
                            "HPCC: 400 KB x rate/25G"),
    param<&EcnParams::pmax>("pmax", Unit::Ratio, "0.2", 0, 1,
                            "Marking probability just below kmax.", "HPCC"),
    param<&EcnParams::point>("point", Unit::Choice, "dequeue", 0, 1,
                             "Whether the queue is read when a packet leaves or when it joins.",
                             "SONiC ECN accuracy test plan: egress marking shortens feedback",
                             kEcnPoint),
};

const std::array kNic{
    param<&NicParams::pcie_rate>(
        "pcie_rate", Unit::Rate, "0Gbps", 0, 100 * unit::Tbps,
        "Payload rate between NIC and memory, each way; 0 = never the limit.",
        "PCIe 5.0 x16: 504 Gb/s less TLP overhead"),
    param<&NicParams::receive_buffer>("receive_buffer", Unit::Bytes, "256KiB", 8192, unit::GiB,
                                      "Receive buffer per port and class, under flow control.",
                                      "assumed"),
    param<&NicParams::send_latency>("send_latency", Unit::Time, "300ns", 0, 1 * unit::ms,
                                    "From a posted message to its first bit on an idle wire.",
                                    "assumed: ib_write_lat of 1-2 us end to end"),
    param<&NicParams::receive_latency>("receive_latency", Unit::Time, "300ns", 0, 1 * unit::ms,
                                       "From the last bit to a visible completion.",
                                       "assumed: ib_write_lat of 1-2 us end to end"),
    param<&NicParams::message_cost>(
        "message_cost", Unit::Time, "0.03us", 0, 1 * unit::ms,
        "NIC processing time per message; messages of one NIC queue for it.",
        "verbs with many QPs and small messages"),
};

const std::array kDcqcn{
    param<&DcqcnParams::g>("g", Unit::Ratio, "0.0048828125", 0, 1,
                           "Gain of the congestion estimate alpha.",
                           "ConnectX dce_tcp_g 1019 = (1024-1019)/1024; paper 1/256"),
    param<&DcqcnParams::alpha_timer>("alpha_timer", Unit::Time, "1us", 1 * unit::ns, unit::s,
                                     "Period of alpha updates (dce_tcp_rtt).",
                                     "ConnectX 1 us; paper 55 us"),
    param<&DcqcnParams::rate_reduce_monitor_period>(
        "rate_reduce_monitor_period", Unit::Time, "4us", 1 * unit::ns, unit::s,
        "Least time between two rate cuts.", "DOCA dcqcn-cc-parameters"),
    param<&DcqcnParams::rpg_time_reset>("rpg_time_reset", Unit::Time, "300us", 1 * unit::ns,
                                        unit::s, "Period of rate increases by time.",
                                        "mlxconfig RPG_TIME_RESET 300; paper 55 us"),
    param<&DcqcnParams::rpg_byte_reset>("rpg_byte_reset", Unit::Bytes, "0B", 0, 4e9,
                                        "Bytes sent per rate increase by volume; 0 = off.",
                                        "mlxconfig 32767 = off; paper 10 MB"),
    param<&DcqcnParams::rpg_threshold>("rpg_threshold", Unit::Count, "1", 1, 1000,
                                       "Increases in fast recovery before additive increase.",
                                       "mlxconfig RPG_THRESHOLD 1; paper 5"),
    param<&DcqcnParams::rpg_ai_rate>("rpg_ai_rate", Unit::Rate, "5Mbps", 0, unit::Tbps,
                                     "Additive increase of the target rate.",
                                     "mlxconfig 5; paper 40 Mb/s"),
    param<&DcqcnParams::rpg_hai_rate>("rpg_hai_rate", Unit::Rate, "50Mbps", 0, unit::Tbps,
                                      "Hyper increase of the target rate.",
                                      "mlxconfig 50; paper 200 Mb/s"),
    param<&DcqcnParams::rpg_min_rate>("rpg_min_rate", Unit::Rate, "1Mbps", 1000, unit::Tbps,
                                      "Lowest rate.", "mlxconfig 1 Mb/s"),
    param<&DcqcnParams::rpg_min_dec_fac>("rpg_min_dec_fac", Unit::Ratio, "0.5", 0, 1,
                                         "One cut leaves at least this share of the rate.",
                                         "mlxconfig RPG_MIN_DEC_FAC 50 %"),
    param<&DcqcnParams::initial_alpha>("initial_alpha", Unit::Ratio, "1", 0, 1,
                                       "alpha when the first notification arrives.",
                                       "mlxconfig 1023/1024; paper 1"),
    param<&DcqcnParams::clamp_tgt_rate>("clamp_tgt_rate", Unit::Flag, "false", 0, 1,
                                        "Every cut lowers the target rate to the current rate.",
                                        "mlxconfig CLAMP_TGT_RATE 0"),
    param<&DcqcnParams::clamp_tgt_rate_after_time_inc>(
        "clamp_tgt_rate_after_time_inc", Unit::Flag, "true", 0, 1,
        "The first cut after an increase lowers the target rate.",
        "mlxconfig CLAMP_TGT_RATE_AFTER_TIME_INC 1"),
    param<&DcqcnParams::min_time_between_cnps>(
        "min_time_between_cnps", Unit::Time, "4us", 0, unit::s,
        "Receiver: least time between two CNPs of a connection.",
        "ConnectX default 4 us; paper 50 us"),
};

const std::array kHost{
    param<&HostParams::gpus>("gpus", Unit::Count, "8", 1, 72, "GPUs in one host (NVLink domain).",
                             "HGX H100: 8"),
    param<&HostParams::nvlink_rate>("nvlink_rate", Unit::Rate, "3600Gbps", unit::Tbps / 100,
                                    100 * unit::Tbps, "NVLink rate of one GPU, each direction.",
                                    "H100: 18 links x 25 GB/s"),
    param<&HostParams::nvlink_efficiency>(
        "nvlink_efficiency", Unit::Ratio, "0.775", 0.05, 1,
        "Share of the NVLink rate that payload reaches.",
        "fitted on forced Ring at 2 nodes; nvbandwidth on H100 copies at 360-375 of 450 GB/s"),
    param<&HostParams::channel_rate>(
        "channel_rate", Unit::Rate, "170.4Gbps", unit::Tbps / 1e4, 100 * unit::Tbps,
        "Copy-and-reduce rate of one NCCL channel (thread block), Simple.",
        "fitted: 21.3 GB/s from a 16-channel all-gather on H200"),
    param<&HostParams::step_overhead>("step_overhead", Unit::Time, "1.9us", 0, 10 * unit::ms,
                                      "GPU cost per slice step, Simple: flags, fences, loop.",
                                      "fitted on forced Ring at 2 nodes; NPKit floor 1.0-2.4 us"),
    param<&HostParams::intra_hop>("intra_hop", Unit::Time, "2us", 0, 10 * unit::ms,
                                  "One NVLink hop: flag written to flag seen.",
                                  "fitted with step_overhead (their sum is what the data fix)"),
    param<&HostParams::proxy_send>(
        "proxy_send", Unit::Time, "0.3us", 0, 10 * unit::ms,
        "Proxy thread time per message sent; one thread per GPU.",
        "fitted with intra_hop on forced Ring at 2 nodes, which can't split them: the sum is "
        "what the data fix"),
    param<&HostParams::proxy_receive>("proxy_receive", Unit::Time, "0.3us", 0, 10 * unit::ms,
                                      "Proxy thread time per message received, flush included.",
                                      "as proxy_send"),
    param<&HostParams::launch>("launch", Unit::Time, "7.5us", 0, 100 * unit::ms,
                               "Kernel launch, start and end of a collective.",
                               "fitted: 1-node all_reduce and all_gather together"),
    param<&HostParams::buffer>("buffer", Unit::Bytes, "4MiB", 65536, unit::GiB,
                               "NCCL_BUFFSIZE: buffer of one channel connection, Simple.",
                               "NCCL source"),
    param<&HostParams::slice_steps>("slice_steps", Unit::Count, "2", 1, 8,
                                    "Buffer steps per slice; one slice is one network message.",
                                    "NCCL ALLREDUCE_SLICESTEPS"),
    param<&HostParams::chunk_steps>("chunk_steps", Unit::Count, "4", 1, 8,
                                    "Buffer steps per chunk.", "NCCL ALLREDUCE_CHUNKSTEPS"),
    param<&HostParams::steps>("steps", Unit::Count, "8", 1, 64,
                              "NCCL_STEPS: slots of one connection.", "NCCL source"),
    param<&HostParams::ll128_step>("ll128_step", Unit::Bytes, "600KiB", 1024, unit::GiB,
                                   "Slot of the LL128 buffer, flags included (payload 120/128).",
                                   "NCCL source"),
    param<&HostParams::ll128_channel_rate>("ll128_channel_rate", Unit::Rate, "116Gbps",
                                           unit::Tbps / 1e4, 100 * unit::Tbps,
                                           "Rate of one channel, LL128.", "fitted: 14-15 GB/s"),
    param<&HostParams::ll128_overhead>("ll128_overhead", Unit::Time, "0.8us", 0, 10 * unit::ms,
                                       "Cost of one step, LL128, flag visibility included.",
                                       "fitted: 0.6-1.0 us"),
    param<&HostParams::clear_to_send>("clear_to_send", Unit::Time, "0us", 0, 10 * unit::ms,
                                      "Receiver software time before its clear-to-send is written.",
                                      "assumed"),
    param<&HostParams::noise>("noise", Unit::Time, "0us", 0, 10 * unit::ms,
                              "Mean of an exponential software delay added per network message.",
                              "assumed"),
};

const std::array<ParamTable, 15> kTables{{
    {"fabric", "What travels on the wire and what keeps it from being lost.", kFabric},
    {"switch", "Switch pipeline, forwarding and queues.", kSwitch},
    {"pfc", "Switch memory and priority flow control (flow_control = pfc).", kPfc},
    watchdog_table(),
    credit_table(),
    {"ecn", "Congestion marking in switches.", kEcn},
    {"nic", "Network adapter and its path to memory.", kNic},
    transport_table(),
    {"dcqcn", "DCQCN rate control, names as in ConnectX firmware.", kDcqcn},
    dctcp_table(),
    timely_table(),
    swift_table(),
    hpcc_table(),
    {"host", "GPUs, NVLink and communication software of a server.", kHost},
    sharp_table(),
}};

}  // namespace

std::span<const ParamTable> model_param_tables() { return kTables; }

void* section_object(ModelParams& params, std::string_view section) {
  if (section == "fabric") return &params.fabric;
  if (section == "switch") return &params.sw;
  if (section == "pfc") return &params.pfc;
  if (section == "watchdog") return &params.watchdog;
  if (section == "credit") return &params.credit;
  if (section == "ecn") return &params.ecn;
  if (section == "nic") return &params.nic;
  if (section == "transport") return &params.transport;
  if (section == "dcqcn") return &params.dcqcn;
  if (section == "dctcp") return &params.dctcp;
  if (section == "timely") return &params.timely;
  if (section == "swift") return &params.swift;
  if (section == "hpcc") return &params.hpcc;
  if (section == "host") return &params.host;
  if (section == "sharp") return &params.sharp;
  return nullptr;
}

const void* section_object(const ModelParams& params, std::string_view section) {
  return section_object(const_cast<ModelParams&>(params), section);
}

namespace {

struct Suffix {
  std::string_view text;
  double scale;
};
constexpr std::array<Suffix, 5> kTimeSuffix{
    {{"ps", 1}, {"ns", unit::ns}, {"us", unit::us}, {"ms", unit::ms}, {"s", unit::s}}};
constexpr std::array<Suffix, 8> kBytesSuffix{{{"B", 1},
                                              {"KB", 1e3},
                                              {"MB", 1e6},
                                              {"GB", 1e9},
                                              {"KiB", 1024},
                                              {"MiB", unit::MiB},
                                              {"GiB", unit::GiB},
                                              {"TB", 1e12}}};
constexpr std::array<Suffix, 4> kRateSuffix{
    {{"bps", 1}, {"Mbps", 1e6}, {"Gbps", 1e9}, {"Tbps", 1e12}}};
constexpr std::array<Suffix, 2> kLengthSuffix{{{"m", 1}, {"km", 1000}}};

double scaled(std::string_view text, std::span<const Suffix> suffixes) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Suffix& s : suffixes) {
    if (error == std::errc{} && s.text == suffix) return number * s.scale;
  }
  throw std::logic_error("declared value '" + std::string(text) + "' has no valid unit");
}

std::int64_t rounded(double value) {
  return static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5);
}

}  // namespace

ParamValue parse_declared(const ParamDecl& decl, std::string_view text) {
  ParamValue value;
  switch (decl.unit) {
    case Unit::Time: value.integer = rounded(scaled(text, kTimeSuffix)); break;
    case Unit::Bytes: value.integer = rounded(scaled(text, kBytesSuffix)); break;
    case Unit::Rate: value.integer = rounded(scaled(text, kRateSuffix)); break;
    case Unit::Length: value.real = scaled(text, kLengthSuffix); break;
    case Unit::Count:
      value.integer = rounded(scaled(text, std::array<Suffix, 1>{{{"", 1}}}));
      break;
    case Unit::Ratio: value.real = scaled(text, std::array<Suffix, 1>{{{"", 1}}}); break;
    case Unit::Flag: value.integer = text == "true" ? 1 : 0; break;
    case Unit::Text: value.text = text; break;
    case Unit::Choice: {
      value.integer = -1;
      for (std::size_t i = 0; i < decl.choices.size(); ++i) {
        if (decl.choices[i] == text) value.integer = static_cast<std::int64_t>(i);
      }
      if (value.integer < 0) {
        throw std::logic_error("declared value '" + std::string(text) + "' is not a choice of " +
                               std::string(decl.name));
      }
      break;
    }
  }
  return value;
}

ModelParams default_model_params() {
  ModelParams params;
  for (const ParamTable& table : model_param_tables()) {
    void* object = section_object(params, table.name);
    for (const ParamDecl& decl : table.params) {
      decl.set(object, parse_declared(decl, decl.default_text));
    }
  }
  return params;
}

}  // namespace spineleaf
