// Section "credit".
#include <array>

#include "models/param_tables.hpp"
#include "models/params.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 3> kCreditMode{"immediate", "min_spacing", "timer"};

constexpr std::array kCredit{
    param<&CreditParams::buffer>("buffer", Unit::Bytes, "128KiB", 4096, 64 * unit::MiB,
                                 "Input buffer per port and VL.",
                                 "assumed: no public figure for Quantum-2; IS4 had 64 KB a port"),
    param<&CreditParams::mode>(
        "mode", Unit::Choice, "min_spacing", 0, 2,
        "immediate: an update on each release; min_spacing: one round over the changed "
        "VLs per min_spacing; timer: rounds at the ticks of a timer of that period, "
        "which runs freely at each port.",
        "Mellanox ib_flit_sim", kCreditMode),
    param<&CreditParams::min_spacing>("min_spacing", Unit::Time, "256ns", 1 * unit::ns,
                                      1 * unit::ms,
                                      "Least time between two rounds of credit updates on a link.",
                                      "Mellanox ib_flit_sim credMinTime"),
    param<&CreditParams::vlarb_high>(
        "vlarb_high", Unit::Text, "", 0, 0,
        "High table of VL arbitration, \"VL:weight,...\" with weights in 64-byte "
        "blocks; with vlarb_low it takes the place of switch.scheduler.",
        "IBTA vol. 1 ch. 7.6.9; OpenSM's qos_vlarb_high is 0:4"),
    param<&CreditParams::vlarb_low>(
        "vlarb_low", Unit::Text, "", 0, 0,
        "Low table of VL arbitration; served when the high one has nothing or has "
        "used up high_limit.",
        "IBTA vol. 1 ch. 7.6.9; OpenSM's qos_vlarb_low is 0:0,1:4,2:4,..."),
    param<&CreditParams::high_limit>(
        "high_limit", Unit::Count, "0", 0, 255,
        "What the high table may send before a low packet: 0 = one packet, 255 = "
        "no limit, else units of 4096 bytes.",
        "IBTA vol. 1 ch. 7.6.9; OpenSM's qos_high_limit is 0"),
    param<&CreditParams::vlarb_carry>(
        "vlarb_carry", Unit::Flag, "false", 0, 1,
        "Whether a turn that overdraws its weight shortens the next one of its "
        "entry; false: a turn is the weight rounded up to whole packets.",
        "the specification allows both; Mellanox ib_flit_sim keeps nothing"),
    param<&CreditParams::head_of_queue_lifetime>(
        "head_of_queue_lifetime", Unit::Time, "0s", 0, 100 * unit::s,
        "A packet that waits so long for credits at the head of a VL of a switch, towards "
        "another switch, is thrown away; 0s = it waits for ever.",
        "IBTA vol. 1 HOQLife, 4.096 us * 2^n; OpenSM sets n = 0x12, 1.07 s"),
    param<&CreditParams::leaf_head_of_queue_lifetime>(
        "leaf_head_of_queue_lifetime", Unit::Time, "0s", 0, 100 * unit::s,
        "The same towards a host.", "IBTA vol. 1 HOQLife; OpenSM sets n = 0x10, 268 ms"),
    param<&CreditParams::packet_life_time>(
        "packet_life_time", Unit::Time, "0s", 0, 100 * unit::s,
        "A packet that is so long in one switch is thrown away when it is at a head; 0s = never.",
        "IBTA vol. 1 SwitchInfo LifeTimeValue; OpenSM sets n = 0x12, 1.07 s"),
    param<&CreditParams::vl_stall_count>(
        "vl_stall_count", Unit::Count, "7", 0, 1000,
        "So many heads in a row, thrown away for a lifetime, stall the VL of the port: for 8 "
        "head_of_queue_lifetimes it throws away all that comes for it; 0 = never.",
        "IBTA vol. 1 VLStallCount; OpenSM sets 7; that either lifetime counts is assumed"),
};

}  // namespace

ParamTable credit_table() {
  return {"credit", "InfiniBand credits (flow_control = credit).", kCredit};
}

}  // namespace spineleaf
