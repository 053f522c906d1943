// Section "transport".
#include <array>

#include "models/param_tables.hpp"
#include "models/params.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 3> kRecovery{"go_back_n", "selective_repeat", "go_back_0"};
constexpr std::array<std::string_view, 8> kCongestion{
    "none", "dcqcn_paper", "dcqcn_connectx", "dcqcn_ns3", "dctcp", "timely", "swift", "hpcc"};

constexpr std::array kTransport{
    param<&TransportParams::ack_every>(
        "ack_every", Unit::Count, "1", 1, 1024,
        "Data packets per ACK; the last packet of a message always asks for one, and "
        "with dctcp, timely, swift and hpcc each packet does.",
        "IBTA ch. 9.7.5 (ACK coalescing)"),
    param<&TransportParams::window>("window", Unit::Bytes, "0B", 0, 64 * unit::GiB,
                                    "Bytes in flight per connection; 0 = no limit.",
                                    "HPCC 'window = BDP' flag"),
    param<&TransportParams::window_bdp>(
        "window_bdp", Unit::Flag, "false", 0, 1,
        "Cap the bytes in flight of a connection at line rate x base_rtt, beside "
        "any congestion control and transport.window.",
        "HPCC (SIGCOMM'19) section 5.1, \"+win\""),
    param<&TransportParams::base_rtt>(
        "base_rtt", Unit::Time, "0us", 0, unit::s,
        "Round trip without queues, for window_bdp, DCTCP's first window, Swift and "
        "HPCC; 0 = the longest among the connections, with a full packet out and an "
        "ACK back.",
        "HPCC section 3.2: T"),
    param<&TransportParams::recovery>(
        "recovery", Unit::Choice, "go_back_n", 0, 2,
        "What is sent again after a loss: all from the missing packet on, that "
        "packet alone, or the whole message (go_back_0).",
        "IBTA ch. 9; IRN (SIGCOMM'18); Guo et al. (SIGCOMM'16) on go-back-0", kRecovery),
    param<&TransportParams::timeout>("timeout", Unit::Time, "4.19ms", 1 * unit::us, 100 * unit::s,
                                     "Retransmission timeout of a connection.",
                                     "4.096 us x 2^10; NCCL_IB_TIMEOUT default is 20 (4.3 s)"),
    param<&TransportParams::retry_cnt>("retry_cnt", Unit::Count, "7", 0, 1000,
                                       "Timeouts in a row before the connection fails.",
                                       "IBTA: 3-bit field"),
    param<&TransportParams::nak_interval>(
        "nak_interval", Unit::Time, "500us", 0, unit::s,
        "A NAK for the same missing packet is repeated after this time.",
        "HPCC ns-3 NACK interval"),
    param<&TransportParams::congestion_control>(
        "congestion_control", Unit::Choice, "none", 0, 7,
        "What sets the rate or window of each connection; see docs/congestion-control.md.",
        "SIGCOMM'15 (dcqcn_paper), ConnectX firmware, HPCC ns-3; SIGCOMM'10 (dctcp), '15 (timely), "
        "'20 (swift), '19 (hpcc)",
        kCongestion),
    param<&TransportParams::immediate>(
        "immediate", Unit::Flag, "true", 0, 1,
        "Messages are RDMA WRITE WITH IMMEDIATE: 4 bytes on the last packet.", "NCCL net_ib"),
    param<&TransportParams::ack_carries_cnp>(
        "ack_carries_cnp", Unit::Flag, "false", 0, 1,
        "Parity: congestion is echoed as a flag on every ACK, no CNP "
        "packets.",
        "HPCC ns-3"),
    param<&TransportParams::recompute_gap>(
        "recompute_gap", Unit::Flag, "true", 0, 1,
        "A rate rise brings the planned next packet forward.",
        "measured: without it ConnectX settings lose 10-15 % at 16:1"),
};

}  // namespace

ParamTable transport_table() {
  return {"transport", "Reliable connections: acknowledgement, loss recovery, rate control.",
          kTransport};
}

}  // namespace spineleaf
