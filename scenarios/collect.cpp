#include "scenarios/collect.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "scenarios/statistics.hpp"

namespace spineleaf {
namespace {

constexpr int kQueueFull = static_cast<int>(DropCause::QueueFull);
constexpr int kHeadroomFull = static_cast<int>(DropCause::HeadroomFull);

std::string fabric_name(const FabricParams& fabric) {
  std::string name = fabric.wire == WireFormat::InfiniBand ? "InfiniBand"
                     : fabric.wire == WireFormat::RoceV2   ? "RoCEv2"
                                                           : "RoCE (ns-3 parity)";
  switch (fabric.flow_control) {
    case FlowControlKind::Credit: return name + " (credits)";
    case FlowControlKind::Pfc: return name + " (PFC)";
    case FlowControlKind::None: return name + " (no flow control)";
  }
  return name;
}

void collect_links(Result& result, const World& world, Fabric& fabric) {
  const double seconds = std::max(result.simulated.seconds(), 1e-12);
  for (std::uint32_t i = 0; i < world.topology.cables.size(); ++i) {
    const Cable& cable = world.topology.cables[i];
    for (const bool forward : {true, false}) {
      const PortRef from = forward ? cable.a : cable.b;
      const PortRef to = forward ? cable.b : cable.a;
      const Ports& sender = fabric.ports_of(index(from.node));
      const Ports& receiver = fabric.ports_of(index(to.node));
      LinkRow row;
      row.from = world.topology.node(from.node).name;
      row.to = world.topology.node(to.node).name;
      row.from_port = from.port;
      row.to_port = to.port;
      row.tier = cable.tier;
      row.cable = i;
      row.rate = sender.out_link(from.port).rate;
      row.packets = sender.packets_sent(from.port);
      row.bytes = Bytes{sender.bytes_sent(from.port)};
      row.control_bytes = Bytes{sender.counters(from.port).control_bytes};
      row.utilisation = static_cast<double>(row.bytes.count) * 8 /
                        (static_cast<double>(row.rate.bits_per_second) * seconds);
      for (int d = 0; d < kDropCauses; ++d) {
        row.drops[d] = receiver.counters(to.port).drops[d];
        result.totals.drops[d] += row.drops[d];
        result.totals.drops_total += row.drops[d];
      }
      result.totals.packet_hops += row.packets;
      result.totals.credit_updates += sender.counters(from.port).credit_rounds;
      result.links.push_back(std::move(row));
    }
  }
}

void collect_port_classes(Result& result, const World& world, Fabric& fabric) {
  for (std::uint32_t n = 0; n < world.topology.nodes.size(); ++n) {
    const Ports& ports = fabric.ports_of(n);
    for (std::uint32_t p = 0; p < ports.count(); ++p) {
      for (std::uint32_t c = 0; c < ports.classes(); ++c) {
        const ClassCounters& counters = ports.class_counters(p, c);
        PortClassRow row;
        row.node = world.topology.nodes[n].name;
        row.port = static_cast<std::uint16_t>(p);
        row.traffic_class = static_cast<std::uint8_t>(c);
        row.packets = ports.packets_sent(p, c);
        row.marks = ports.marks(p, c);
        row.max_queue = Bytes{ports.max_queue(p, c)};
        row.max_queue_at = counters.max_queue_at;
        row.pauses_sent = counters.pauses_sent;
        row.pauses_received = counters.pauses_received;
        row.paused = ports.paused_time(p, c, result.simulated);
        row.credit_stalls = counters.credit_stalls;
        row.credit_stalled = ports.stalled_time(p, c, result.simulated);
        const std::int64_t unit =
            ports.config().flow_control == FlowControlKind::Credit ? 64 : ports.config().cell;
        row.max_ingress = Bytes{ports.max_ingress(p, c) * unit};
        result.totals.marks += row.marks;
        result.totals.pauses += counters.pauses_sent;
        result.totals.resumes += counters.resumes_sent;
        result.totals.credit_stalls += row.credit_stalls;
        result.port_classes.push_back(std::move(row));
      }
    }
  }
}

void collect_hosts(Result& result, Fabric& fabric, JobReport& report) {
  Totals& totals = result.totals;
  for (const Host* host : fabric.hosts) {
    const HostCounters& c = host->counters();
    totals.packets_sent += c.packets_sent;
    totals.packets_delivered += c.packets_delivered;
    totals.payload_delivered += Bytes{c.payload_accepted};
    totals.acks += c.acks;
    totals.naks += c.naks;
    totals.cnps += c.cnps;
    totals.retransmissions += c.retransmissions;
    totals.timeouts += c.timeouts;
    totals.out_of_order += c.out_of_order;
    if (c.failed > 0) {
      result.warnings.push_back(host->name() + ": " + std::to_string(c.failed) +
                                " connections failed (retry_cnt exceeded)");
    }
    host->collect(report);
  }
}

/// Bounds of the jobs whose collectives run as rings, from the records of single hosts.
std::vector<RingBounds> ring_bounds(const World& world, std::span<const CollectiveRecord> records) {
  const Topology& topology = world.topology;
  std::vector<double> nic_gbytes(topology.host_count);
  for (const Cable& cable : topology.cables) {
    for (const PortRef& end : {cable.a, cable.b}) {
      if (topology.is_host(end.node)) nic_gbytes[index(end.node)] += cable.rate.gbps() / 8;
    }
  }
  std::map<std::uint32_t, std::pair<std::set<std::uint32_t>, std::int64_t>> jobs;  // hosts, ranks
  for (const CollectiveRecord& record : records) {
    if (record.algorithm != "ring") continue;
    jobs[record.job].first.insert(record.host);
    jobs[record.job].second = record.ranks;
  }
  std::vector<RingBounds> bounds;
  for (const auto& [job, of] : jobs) {
    const auto& [hosts, ranks] = of;
    const double gpus = static_cast<double>(ranks) / static_cast<double>(hosts.size());
    bounds.resize(job + 1);
    RingBounds& bound = bounds.back();
    bound.nvlink = world.params.host.nvlink_rate.gbps() / 8;
    if (hosts.size() < 2) continue;
    bound.nvlink = gpus > 1 ? bound.nvlink * gpus / (gpus - 1) : 0;
    bound.nics = nic_gbytes[*hosts.begin()];
    for (const std::uint32_t host : hosts) bound.nics = std::min(bound.nics, nic_gbytes[host]);
  }
  return bounds;
}

/// When the last packet, ACK or job was done: a run that finished ended then, and not with the
/// check that noticed it.
Time last_completion(const Result& result, const Fabric& fabric) {
  Time last;
  for (const Host* host : fabric.hosts) last = std::max(last, host->last_progress());
  for (const FlowRecord& flow : result.flows) last = std::max({last, flow.received, flow.acked});
  for (const CollectiveRecord& c : result.collectives) last = std::max(last, c.end);
  return last;
}

void state_what_is_not_modelled(Result& result, const World& world) {
  result.not_modelled = {"link-level retry", "link training", "frame preemption",
                         "congestion control of InfiniBand (FECN, CCT)",
                         "loss of credit or pause frames, by bit errors too"};
  if (!result.collectives.empty()) {
    result.not_modelled.push_back("what GPUs compute between collectives");
  }
  if (world.params.sharp.generation != SharpGeneration::None) {
    result.not_modelled.push_back(
        "SHARP: retransmission between aggregation nodes, its own header, trees that change");
  }
  if (!world.faults.empty()) {
    result.not_modelled.push_back("re-routing after a fault (candidate sets stay as built)");
  }
}

/// "DEADLOCK at 1084.000 us in class 0: A:2 > B:1, B:2 > C:1; 3 queues hold 118000 B for ever".
std::string deadlock_line(const DeadlockReport& report) {
  const auto us = [](Time time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f us", static_cast<double>(time.ps) / 1e6);
    return std::string(text);
  };
  std::string line = "DEADLOCK at " + us(report.at);
  if (!report.cycles.empty()) {
    const DeadlockReport::Cycle& cycle = report.cycles.front();
    line += " in class " + std::to_string(cycle.traffic_class) + ":";
    for (std::size_t i = 0; i < cycle.queues.size(); ++i) {
      line += (i > 0 ? ", " : " ") + cycle.queues[i];
    }
  }
  line += "; " + std::to_string(report.queues) + " queues hold " +
          std::to_string(report.trapped.count) + " B ";
  if (report.ended.ps < 0) return line + "for ever";
  return line + "until " + us(report.ended);
}

}  // namespace

void collect_result(Result& result, const World& world, Fabric& fabric, const RunOutcome& outcome) {
  result.fabric = fabric_name(world.params.fabric);
  result.fingerprint = fabric.simulation.fingerprint();
  JobReport report;
  collect_hosts(result, fabric, report);
  result.flows = merge_flows(std::move(report.sender_flows), std::move(report.receiver_flows));
  result.ring_bounds = ring_bounds(world, report.collectives);
  result.collectives = merge_collectives(report.collectives);
  const bool finished = result.stop == StopReason::Finished;
  result.simulated = finished ? last_completion(result, fabric) : outcome.now;
  collect_links(result, world, fabric);
  collect_port_classes(result, world, fabric);
  state_what_is_not_modelled(result, world);
  if (outcome.end == RunEnd::InvariantBroken) return;
  for (std::uint32_t n = 0; n < world.topology.nodes.size(); ++n) {
    const std::string broken = fabric.ports_of(n).check_idle();
    if (!broken.empty() && outcome.end == RunEnd::Quiescent) {
      result.stop = StopReason::InvariantBroken;
      result.warnings.push_back("invariant broken: " + broken);
    }
  }
}

void judge(Result& result, const std::string& broken_invariant) {
  const Totals& t = result.totals;
  const std::int64_t lossless_drops = t.drops[kHeadroomFull];
  std::int64_t outlived = 0;
  for (const DropCause cause :
       {DropCause::HeadOfQueue, DropCause::PacketLifetime, DropCause::VlStall}) {
    outlived += t.drops[static_cast<int>(cause)];
  }
  std::string happened = "ok";
  Verdict verdict = Verdict::Ok;
  std::string text = "all work done";
  switch (result.stop) {
    case StopReason::InvariantBroken:
      result.verdict = Verdict::Invalid;
      result.verdict_text = "an internal check failed: " +
                            (broken_invariant.empty() ? "see warnings" : broken_invariant);
      return;
    case StopReason::Interrupted:
      result.verdict = Verdict::Incomplete;
      result.verdict_text = "interrupted; the results are partial";
      return;
    case StopReason::EventBudget:
      verdict = Verdict::BudgetExceeded;
      happened = "budget";
      text = "stopped: the budget of packet-hops is used up";
      break;
    case StopReason::Deadline:
      verdict = Verdict::BudgetExceeded;
      happened = "deadline";
      text = "stopped at the deadline with work left";
      break;
    case StopReason::NoProgress:
    case StopReason::Stuck:
    case StopReason::Deadlock:
      verdict = Verdict::PhysicsAlarm;
      happened = "stuck";
      text = "no progress: packets are queued and nothing moves";
      break;
    case StopReason::Finished: break;
  }
  if (result.deadlock) {
    verdict = Verdict::PhysicsAlarm;
    happened = "deadlock";
    text = deadlock_line(result.deadlock_report);
  } else if (lossless_drops > 0) {
    verdict = Verdict::PhysicsAlarm;
    happened = "drops";
    text = std::to_string(lossless_drops) + " packets lost in a lossless class";
  } else if (outlived > 0) {
    verdict = Verdict::PhysicsAlarm;
    happened = "drops";
    text = std::to_string(outlived) + " packets outlived their lifetime in a switch";
  } else if (happened == "ok" && t.drops[kQueueFull] > 0) {
    text += "; " + std::to_string(t.drops[kQueueFull]) + " packets dropped in lossy classes";
  }
  const bool wanted = !result.expect.empty() && result.expect == happened;
  if (wanted && verdict != Verdict::Ok) {
    verdict = Verdict::AsExpected;
  } else if (!result.expect.empty() && !wanted && result.expect != "ok") {
    text = "expected " + result.expect + ", but: " + text;
    verdict = Verdict::PhysicsAlarm;
  }
  result.verdict = verdict;
  result.verdict_text = text;
}

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::Ok:
    case Verdict::AsExpected: return 0;
    case Verdict::PhysicsAlarm: return 3;
    case Verdict::BudgetExceeded: return 4;
    case Verdict::Incomplete:
    case Verdict::Invalid: return 1;
  }
  return 1;
}

}  // namespace spineleaf
