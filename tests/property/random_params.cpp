#include <algorithm>

#include "tests/property/random_world.hpp"

namespace spineleaf::property {
namespace {

Time maybe(Dice& dice, Time low, Time high) {
  return dice.one_in(2) ? Time{0} : dice.delay(low, high);
}

/// A tie-rich fabric carries ns-3 frames most of the time: no first or last packet is longer, and
/// these payloads make 256 B, 512 B, ... on the wire.
void draw_fabric(Dice& dice, const Case& wanted, FabricParams& p) {
  p.flow_control = wanted.flow_control;
  p.wire = static_cast<WireFormat>(dice.below(3));
  if (wanted.tie_rich && !dice.one_in(4)) p.wire = WireFormat::Ns3Hpcc;
  p.mtu = wanted.tie_rich ? dice.pick({Bytes{208}, Bytes{464}, Bytes{976}, Bytes{2000}})
                          : Bytes{dice.pick({256, 512, 1000, 1024, 2048, 4096})};
  p.classes = dice.within(1, 4);
  p.data_class = dice.below(p.classes);
  p.ack_class = dice.below(p.classes);
  p.cnp_class = dice.below(p.classes);
  p.fec = maybe(dice, kNs, kNs * 100);
  if (wanted.tie_rich ? wanted.whole_nanoseconds : dice.one_in(8)) {
    p.serialisation = Rounding::WholeNanoseconds;
  }
}

void draw_switch(Dice& dice, Bytes packet, SwitchParams& p) {
  p.core_latency = maybe(dice, kNs, kNs * 300);
  p.switching = static_cast<Switching>(dice.below(2));
  p.header = Bytes{dice.pick({1, 64, 128, 400})};
  p.routing = static_cast<RoutingRule>(dice.below(2));
  p.forwarding = static_cast<ForwardingRule>(dice.below(5));
  p.flowlet_gap = dice.delay(kNs * 100, kUs * 5);
  p.same_hash_seed = dice.one_in(4);
  p.hash_destination_qp = !dice.one_in(4);
  p.queue_limit = dice.one_in(4) ? Bytes{0} : packet * dice.within(2, 16);
  p.queue_order = static_cast<QueueOrder>(dice.below(2));
  p.scheduler = dice.pick({"dwrr", "1,strict", "strict,2,1,3", "strict,strict", "4,1,1,2"});
}

void draw_pfc(Dice& dice, const Case& wanted, Bytes packet, PfcParams& p) {
  p.buffer = packet * dice.pick({6, 20, 60, 400});
  p.cell = Bytes{dice.pick({1, 64, 192, 256})};
  p.alpha = dice.pick({0.0, 0.0625, 0.25, 1.0, 8.0});
  p.xoff = packet * dice.within(1, 8);
  p.xon_offset = dice.one_in(2) ? Bytes{0} : packet * dice.within(0, 4);
  p.headroom = dice.one_in(4) ? packet * dice.within(1, 4) : Bytes{0};
  p.quanta = dice.pick({30, 100, 400, 2000, 65535});
  p.never_expires = dice.one_in(8);
  p.refresh = dice.pick({0.1, 0.5, 0.9});
  p.response_time = maybe(dice, kNs, kNs * 500);
  p.reserve = dice.one_in(2) ? Bytes{0} : packet;
  p.lossless_classes = dice.pick({"all", "all", "0", "0,2", "1"});
  if (!wanted.tie_rich && dice.one_in(12)) p.ns3_rate_shift = dice.within(1, 4);
}

void draw_credit(Dice& dice, Bytes packet, CreditParams& p) {
  const std::int64_t blocks = (packet.count + 63) / 64;
  p.buffer = Bytes{64 * blocks * dice.pick({1, 2, 3, 8, 60})};
  p.mode = static_cast<CreditMode>(dice.below(2));
  p.min_spacing = dice.delay(kNs * 5, kNs * 500);
}

void draw_lifetimes(Dice dice, CreditParams& p) {
  p.vl_stall_count = dice.within(0, 3);
  if (dice.one_in(2)) return;
  p.head_of_queue_lifetime = dice.delay(kNs * 100, kNs * 9000);
  if (dice.one_in(2)) p.leaf_head_of_queue_lifetime = dice.delay(kNs * 100, kNs * 9000);
  if (dice.one_in(2)) p.packet_life_time = dice.delay(kNs * 500, kNs * 9000);
}

void draw_ecn(Dice& dice, Bytes packet, EcnParams& p) {
  p.enabled = !dice.one_in(3);
  p.kmin = packet * dice.within(0, 3);
  p.kmax = p.kmin + packet * dice.within(1, 8);
  p.pmax = dice.pick({0.0, 0.1, 0.5, 1.0});
  p.point = static_cast<EcnPoint>(dice.below(2));
}

void draw_nic(Dice& dice, Bytes packet, NicParams& p) {
  p.pcie_rate = Rate::from_gbps(dice.pick({0, 0, 0, 50, 100, 200, 400, 800}));
  p.receive_buffer = Bytes{(packet.count + 63) / 64 * 64 * dice.within(1, 12)};
  p.send_latency = maybe(dice, kNs, kNs * 500);
  p.receive_latency = maybe(dice, kNs, kNs * 500);
  p.message_cost = maybe(dice, kNs, kNs * 50);
}

void draw_transport(Dice& dice, Bytes packet, TransportParams& p) {
  p.ack_every = dice.pick({1, 1, 2, 4, 8, 32});
  p.window = dice.one_in(2) ? Bytes{0} : packet * dice.within(1, 12);
  p.recovery = static_cast<LossRecovery>(dice.below(2));
  p.timeout = dice.delay(kUs * 3, kUs * 40);
  p.retry_cnt = dice.pick({1, 3, 7, 50});
  p.nak_interval = maybe(dice, kNs * 100, kUs * 5);
  p.congestion_control = static_cast<CongestionControlKind>(dice.below(4));
  p.immediate = dice.one_in(2);
  p.ack_carries_cnp = dice.one_in(5);
  p.recompute_gap = !dice.one_in(3);
}

/// Tie-rich timers and notifications keep step with each other and with trains of packets.
void draw_clocks(Dice& dice, const Case& wanted, DcqcnParams& p) {
  if (wanted.tie_rich) {
    const auto step = [&] { return kNs * dice.pick({400, 400, 800, 2000}); };
    p.alpha_timer = step();
    p.rate_reduce_monitor_period = step();
    p.rpg_time_reset = step() * dice.within(1, 4);
    p.min_time_between_cnps = step();
    return;
  }
  p.alpha_timer = dice.delay(kNs * 200, kUs * 3);
  p.rate_reduce_monitor_period = dice.delay(kNs * 200, kUs * 3);
  p.rpg_time_reset = dice.delay(kNs * 500, kUs * 10);
  p.min_time_between_cnps = maybe(dice, kNs * 100, kUs * 4);
}

void draw_dcqcn(Dice& dice, Bytes packet, DcqcnParams& p) {
  p.g = dice.pick({0.25, 0.0625, 0.00390625});
  p.rpg_byte_reset = dice.one_in(2) ? Bytes{0} : packet * dice.within(4, 40);
  p.rpg_threshold = dice.within(1, 5);
  p.rpg_ai_rate = Rate::from_gbps(dice.pick({0, 1, 10}));
  p.rpg_hai_rate = Rate::from_gbps(dice.pick({1, 20, 50}));
  p.rpg_min_rate = Rate{dice.pick({100'000'000LL, 1'000'000'000LL, 10'000'000'000LL})};
  p.rpg_min_dec_fac = dice.pick({0.0, 0.5});
  p.initial_alpha = dice.pick({1.0, 0.5});
  p.clamp_tgt_rate = dice.one_in(2);
  p.clamp_tgt_rate_after_time_inc = dice.one_in(2);
}

/// What came later to the models draws from dice of its own: other draws stay what they were.
void draw_controls(Dice dice, ModelParams& params) {
  if (dice.one_in(3)) {
    params.transport.congestion_control =
        dice.pick({CongestionControlKind::Dctcp, CongestionControlKind::Timely,
                   CongestionControlKind::Swift, CongestionControlKind::Hpcc});
    params.timely.t_low = dice.delay(kUs, kUs * 20);
    params.timely.segment = params.fabric.mtu * dice.within(1, 4);
    params.swift.base_target = dice.one_in(2) ? Time{0} : dice.delay(kUs, kUs * 20);
    params.swift.fs_range = dice.one_in(2) ? Time{0} : dice.delay(kUs, kUs * 20);
    params.hpcc.max_hops = dice.within(1, 5);
    params.hpcc.max_stage = dice.within(0, 5);
  }
  params.transport.window_bdp = dice.one_in(6);
  if (dice.one_in(6)) params.transport.recovery = LossRecovery::GoBack0;
  if (dice.one_in(6)) params.fabric.bit_error_rate = dice.pick({1e-8, 1e-7, 1e-6});
}

/// Software that costs about as much as the packets of its messages take.
void draw_host(Dice& dice, HostParams& p) {
  p.gpus = dice.within(1, 2);
  p.launch = maybe(dice, kNs, kUs * 2);
  p.step_overhead = maybe(dice, kNs, kNs * 500);
  p.intra_hop = maybe(dice, kNs, kNs * 500);
  p.proxy_send = maybe(dice, kNs, kNs * 300);
  p.proxy_receive = maybe(dice, kNs, kNs * 300);
  p.ll128_overhead = maybe(dice, kNs, kNs * 300);
  p.clear_to_send = maybe(dice, kNs, kNs * 300);
  p.buffer = Bytes{dice.pick({65536, 262144})};
  p.noise = dice.one_in(4) ? dice.delay(kNs, kNs * 500) : Time{0};
}

}  // namespace

ModelParams random_params(Dice& dice, const Case& wanted) {
  ModelParams params = default_model_params();
  draw_fabric(dice, wanted, params.fabric);
  // Headers and CRC of every wire format included.
  const Bytes packet = params.fabric.mtu + Bytes{100};
  draw_switch(dice, packet, params.sw);
  draw_pfc(dice, wanted, packet, params.pfc);
  draw_credit(dice, packet, params.credit);
  draw_ecn(dice, packet, params.ecn);
  draw_nic(dice, packet, params.nic);
  draw_transport(dice, packet, params.transport);
  draw_clocks(dice, wanted, params.dcqcn);
  draw_dcqcn(dice, packet, params.dcqcn);
  draw_host(dice, params.host);
  draw_controls(dice, params);
  draw_lifetimes(Dice(mix64(wanted.seed, 0x11fe), wanted.quantum()), params.credit);
  return params;
}

}  // namespace spineleaf::property
