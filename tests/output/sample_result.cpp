#include "tests/output/sample_result.hpp"

namespace spineleaf::test {
namespace {

void add_flows(Result& r) {
  for (std::uint32_t i = 0; i < 100; ++i) {
    FlowRecord flow;
    flow.job = 0;
    flow.flow = i;
    flow.from = EndpointId{i};
    flow.to = EndpointId{(i + 7) % 100};
    flow.bytes = Bytes{1 << 20};
    flow.start = Time::from_us(10);
    // A long tail: the last flows take five times as long as the first.
    flow.received = Time::from_us(32 + i) + Time::from_us(i > 95 ? 25 * (i - 95) : 0);
    flow.acked = flow.received + Time::from_us(2);
    r.flows.push_back(flow);
  }
}

void add_collectives(Result& r) {
  for (std::uint32_t iteration = 0; iteration < 2; ++iteration) {
    CollectiveRecord c;
    c.job = 1;
    c.iteration = iteration;
    c.collective = "all_reduce";
    c.algorithm = "ring";
    c.protocol = "simple";
    c.channels = 24;
    c.ranks = 16;
    c.bytes = Bytes{8 << 20};
    c.start = Time::from_us(200 * iteration);
    c.end = c.start + Time::from_us(178 + 4 * iteration);
    r.collectives.push_back(c);
  }
}

void add_links(Result& r) {
  for (std::uint32_t i = 0; i < 64; ++i) {
    LinkRow link;
    link.from = "leaf" + std::to_string(i / 8);
    link.to = "spine" + std::to_string(i % 8);
    link.from_port = static_cast<std::uint16_t>(16 + i % 8);
    link.to_port = static_cast<std::uint16_t>(i / 8);
    link.tier = static_cast<std::uint8_t>(1 + i % 2);
    link.cable = i;
    link.rate = Rate::from_gbps(400);
    link.packets = 1000 + 17 * i;
    link.bytes = Bytes{4178 * link.packets};
    link.control_bytes = Bytes{64 * i};
    link.utilisation = static_cast<double>(i) / 80;
    if (i == 5) link.drops[static_cast<int>(DropCause::HeadroomFull)] = 3;
    r.links.push_back(link);

    PortClassRow row;
    row.node = link.from;
    row.port = link.from_port;
    row.packets = i % 3 == 0 ? 0 : link.packets;
    row.marks = i % 3 == 0 ? 0 : 11 * i;
    row.max_queue = Bytes{i % 3 == 0 ? 0 : 4096 * i};
    row.max_queue_at = Time::from_us(40);
    row.pauses_received = i % 4 == 1 && i % 3 != 0 ? i : 0;
    row.paused = Time::from_us(row.pauses_received);
    r.port_classes.push_back(row);
  }
}

void add_series(Result& r) {
  Series delivered{"delivered", "Gb/s", {}};
  Series queued{"queued", "B", {}};
  for (std::int64_t i = 0; i <= 100; ++i) {
    const double x = static_cast<double>(i);
    delivered.points.push_back({Time::from_us(2 * i), 400 - (x - 50) * (x - 50) / 10});
    queued.points.push_back({Time::from_us(2 * i), (i % 10 == 9 ? 3 : 1) * 25000 * x});
  }
  r.series = {delivered, queued};
}

}  // namespace

Result sample_result(const std::string& fabric) {
  Result r;
  r.name = "permutation-128";
  r.version = "0.1.0";
  r.fabric = fabric;
  r.seed = 7;
  r.fingerprint = 0x00C0FFEE12345678;
  r.verdict_text = "all work done";
  r.simulated = Time::from_us(257);
  r.cpu_seconds = 1.25;
  r.wall_seconds = 1.5;
  r.epochs = 1234;
  r.epoch_length = Time{432'600};
  r.job_names = {"permutation", "all_reduce"};
  r.totals.packets_sent = 25'600;
  r.totals.packets_delivered = 25'600;
  r.totals.packet_hops = 102'400;
  r.totals.payload_delivered = Bytes{100 << 20};
  r.totals.acks = 25'600;
  r.totals.marks = 1'234;
  r.totals.cnps = 56;
  r.totals.pauses = 78;
  r.totals.resumes = 78;
  r.totals.drops[static_cast<int>(DropCause::HeadroomFull)] = 3;
  r.totals.drops_total = 3;
  add_flows(r);
  add_collectives(r);
  add_links(r);
  add_series(r);
  r.warnings = {"lookahead of leaf0-spine1 is 40 ns: short epochs make the run slow"};
  r.not_modelled = {"link bit errors and link-level retry", "link training"};
  return r;
}

Result deadlocked_result() {
  Result r = sample_result();
  r.name = "ring-of-three";
  r.stop = StopReason::NoProgress;
  r.verdict = Verdict::PhysicsAlarm;
  r.verdict_text = "DEADLOCK: a cycle of queues waits for itself; see the wait-for table";
  r.deadlock = true;
  r.flows[3].received = Time{-1};
  r.flows[3].acked = Time{-1};
  r.collectives[1].end = Time{-1};
  r.waits = {{"s0 port 1 class 0", "s1 port 1 class 0", "paused", Bytes{40'000}, true},
             {"s1 port 1 class 0", "s2 port 1 class 0", "paused", Bytes{41'000}, true},
             {"s2 port 1 class 0", "s0 port 1 class 0", "paused", Bytes{42'000}, true},
             {"h0 port 0 class 0", "s0 port 1 class 0", "paused", Bytes{64'000}, false}};
  return r;
}

Result hostile_result() {
  Result r = sample_result();
  r.name = "<script>alert(\"1\")</script> & 'more'";
  r.fabric = "a,b\"c\nd";
  r.job_names = {"job, with \"quotes\"", "broken \xC3\x28 utf-8 \x01"};
  r.links[0].from = "</td></table><img src=x>";
  r.series[0].name = "<b>\"bold\"</b>";
  r.waits = {{"<i>", "&amp;", "\"", Bytes{1}, true}};
  r.warnings = {"</body>"};
  return r;
}

CurveSet sample_curves() {
  CurveSet set;
  set.ranks = 16;
  Curve measured{"NDR measured", true, "public nccl-tests run", {}};
  Curve ndr{"InfiniBand (credits)", false, "", {}};
  Curve roce{"RoCEv2 (PFC)", false, "", {}};
  for (std::int64_t bytes = std::int64_t{8} << 20; bytes <= std::int64_t{8} << 30; bytes *= 2) {
    const double us = 140 + static_cast<double>(bytes) / 209'000;
    measured.points.push_back({bytes, us});
    ndr.points.push_back({bytes, us * (bytes < (64 << 20) ? 1.08 : 1.01)});
    if (bytes > (8 << 20)) roce.points.push_back({bytes, us * 1.02 + 6});
  }
  ndr.bounds = roce.bounds = {400, 514.3};
  set.curves = {measured, ndr, roce};
  return set;
}

}  // namespace spineleaf::test
