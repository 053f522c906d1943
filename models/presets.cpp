// Named presets: what differs from the declared defaults, each with its source.
#include <array>
#include <vector>

#include "models/params.hpp"
#include "models/presets_asic.hpp"
#include "models/presets_ecn.hpp"
#include "models/presets_node.hpp"

namespace spineleaf {
namespace {

using Entry = PresetEntry;

constexpr std::array kRoce400{
    Entry{"fabric.wire", "roce_v2"},
    Entry{"fabric.flow_control", "pfc"},
    Entry{"switch.core_latency", "600ns"},
    Entry{"switch.switching", "store_and_forward"},
    Entry{"switch.forwarding", "ecmp"},
    Entry{"switch.scheduler", "1,strict"},
    Entry{"ecn.enabled", "true"},
    Entry{"transport.ack_every", "8"},
    Entry{"transport.congestion_control", "dcqcn_connectx"},
};
constexpr std::array kIbNdr{
    Entry{"fabric.wire", "infiniband"},
    Entry{"fabric.flow_control", "credit"},
    Entry{"fabric.classes", "1"},
    Entry{"fabric.cnp_class", "0"},
    Entry{"switch.core_latency", "150ns"},
    Entry{"switch.switching", "cut_through"},
    Entry{"switch.forwarding", "adaptive"},
    Entry{"transport.ack_every", "8"},
    Entry{"transport.congestion_control", "none"},
};
constexpr std::array kNs3Hpcc{
    Entry{"fabric.wire", "ns3_hpcc"},
    Entry{"fabric.flow_control", "pfc"},
    Entry{"fabric.mtu", "1000B"},
    Entry{"fabric.fec", "0ns"},
    Entry{"fabric.ack_class", "0"},
    Entry{"fabric.serialisation", "whole_nanoseconds"},
    Entry{"switch.core_latency", "0ns"},
    Entry{"switch.scheduler", "1,strict"},
    Entry{"pfc.buffer", "32MiB"},
    Entry{"pfc.cell", "1B"},
    Entry{"pfc.xon_offset", "3072B"},
    Entry{"pfc.never_expires", "true"},
    Entry{"pfc.reserve", "4096B"},
    Entry{"pfc.ns3_rate_shift", "3"},
    Entry{"ecn.enabled", "true"},
    Entry{"nic.send_latency", "0ns"},
    Entry{"nic.receive_latency", "0ns"},
    Entry{"nic.message_cost", "0ns"},
    Entry{"transport.congestion_control", "dcqcn_ns3"},
    Entry{"transport.ack_carries_cnp", "true"},
    Entry{"transport.recompute_gap", "false"},
    Entry{"transport.timeout", "10s"},
    Entry{"dcqcn.g", "0.00390625"},
    Entry{"dcqcn.rpg_ai_rate", "20Mbps"},
    Entry{"dcqcn.rpg_hai_rate", "200Mbps"},
    Entry{"dcqcn.rpg_min_rate", "1000Mbps"},
    Entry{"dcqcn.rpg_min_dec_fac", "0"},
};
constexpr std::array kDcqcnPaper{
    Entry{"transport.congestion_control", "dcqcn_paper"},
    Entry{"dcqcn.g", "0.00390625"},
    Entry{"dcqcn.alpha_timer", "55us"},
    Entry{"dcqcn.rpg_time_reset", "55us"},
    Entry{"dcqcn.rpg_byte_reset", "10MB"},
    Entry{"dcqcn.rpg_threshold", "5"},
    Entry{"dcqcn.rpg_ai_rate", "40Mbps"},
    Entry{"dcqcn.rpg_hai_rate", "200Mbps"},
    Entry{"dcqcn.rpg_min_rate", "10Mbps"},
    Entry{"dcqcn.rpg_min_dec_fac", "0"},
    Entry{"dcqcn.min_time_between_cnps", "50us"},
};

constexpr std::array kDcqcnConnectx{
    Entry{"transport.congestion_control", "dcqcn_connectx"},
    Entry{"dcqcn.g", "0.0048828125"},
    Entry{"dcqcn.alpha_timer", "1us"},
    Entry{"dcqcn.rate_reduce_monitor_period", "4us"},
    Entry{"dcqcn.rpg_time_reset", "300us"},
    Entry{"dcqcn.rpg_byte_reset", "0B"},
    Entry{"dcqcn.rpg_threshold", "1"},
    Entry{"dcqcn.rpg_ai_rate", "5Mbps"},
    Entry{"dcqcn.rpg_hai_rate", "50Mbps"},
    Entry{"dcqcn.rpg_min_rate", "1Mbps"},
    Entry{"dcqcn.rpg_min_dec_fac", "0.5"},
    Entry{"dcqcn.min_time_between_cnps", "4us"},
};
constexpr std::array kDcqcnTuned{
    Entry{"transport.congestion_control", "dcqcn_connectx"},
    Entry{"dcqcn.rate_reduce_monitor_period", "2us"},
    Entry{"dcqcn.rpg_time_reset", "50us"},
    Entry{"dcqcn.rpg_ai_rate", "15Mbps"},
    Entry{"dcqcn.rpg_hai_rate", "150Mbps"},
    Entry{"dcqcn.rpg_min_dec_fac", "0.9"},
    Entry{"dcqcn.min_time_between_cnps", "1us"},
};

// 1000 bytes a packet, with the headers; what answers rides a class that may drop.
constexpr std::array kDeadlockStudy{
    Entry{"fabric.wire", "ns3_hpcc"},
    Entry{"fabric.flow_control", "pfc"},
    Entry{"fabric.mtu", "952B"},
    Entry{"fabric.fec", "0ns"},
    Entry{"fabric.ack_class", "1"},
    Entry{"switch.core_latency", "0ns"},
    Entry{"pfc.cell", "1B"},
    Entry{"pfc.alpha", "0"},
    Entry{"pfc.xoff", "40KB"},
    Entry{"pfc.xon_offset", "2KB"},
    Entry{"pfc.lossless_classes", "0"},
    Entry{"nic.send_latency", "0ns"},
    Entry{"nic.receive_latency", "0ns"},
    Entry{"nic.message_cost", "0ns"},
    Entry{"transport.congestion_control", "none"},
    Entry{"transport.ack_every", "64"},
    Entry{"transport.timeout", "10s"},
};

constexpr std::array<Preset, 7> kPresets{{
    {"roce-400g", "RoCEv2 at 400G: PFC, dynamic thresholds, ECN, ConnectX DCQCN.",
     "ConnectX firmware defaults; HPCC ECN thresholds scaled to 100G; switch latency assumed",
     kRoce400},
    {"ib-ndr", "InfiniBand NDR: credits, cut-through, adaptive routing, one data VL.",
     "IBTA vol. 1; published NDR switch latencies (150 ns core); buffers assumed", kIbNdr},
    {"ns3-hpcc", "Parity with the HPCC ns-3 code line (100G settings).",
     "alibaba-edu/High-Precision-Congestion-Control third.cc, run.py dcqcn", kNs3Hpcc},
    {"dcqcn-connectx", "DCQCN with the defaults of ConnectX firmware.",
     "mlxconfig dump; DOCA dcqcn-cc-parameters", kDcqcnConnectx},
    {"dcqcn-tuned-400g", "ConnectX DCQCN with gentler cuts and faster recovery, for AI at 400G.",
     "middle of the ranges in the Barre paper, second hand", kDcqcnTuned},
    {"dcqcn-paper", "DCQCN as published: timers and steps of the paper.",
     "Zhu et al., SIGCOMM 2015; rpg_min_rate assumed", kDcqcnPaper},
    {"deadlock-study", "The small model of PFC deadlock studies: 1000 B packets, XOFF 40 KB.",
     "Hu et al., HotNets 2016: 40G, thresholds of 40 packets; the rest assumed, as plain as can be",
     kDeadlockStudy},
}};

}  // namespace

std::span<const Preset> model_presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> presets(kPresets.begin(), kPresets.end());
    presets.insert(presets.end(), ecn_presets().begin(), ecn_presets().end());
    presets.insert(presets.end(), asic_presets().begin(), asic_presets().end());
    presets.insert(presets.end(), node_presets().begin(), node_presets().end());
    return presets;
  }();
  return all;
}

}  // namespace spineleaf
