#include "scenarios/input/estimate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "scenarios/input/tables.hpp"

namespace spineleaf {

namespace {

/// Links that a packet crosses on its way, on average: up to the top tier and down again.
double hops_across(const Topology& graph) {
  std::uint8_t top = 0;
  for (const Node& node : graph.nodes) top = std::max(top, node.tier);
  return std::max(1.0, 2.0 * top);
}

/// Bytes that queues hold at most: what flow control or the queue limit allows, or all that is
/// sent.
double held_at_most(const ModelParams& models, const Topology& graph, double sent) {
  const auto classes = static_cast<double>(models.fabric.classes);
  const double ports = 2 * static_cast<double>(graph.cables.size());
  switch (models.fabric.flow_control) {
    case FlowControlKind::Credit:
      return ports * classes * static_cast<double>(models.credit.buffer.count);
    case FlowControlKind::Pfc:
      return static_cast<double>(graph.nodes.size() - graph.host_count) *
             static_cast<double>(models.pfc.buffer.count);
    case FlowControlKind::None:
      return models.sw.queue_limit.count == 0
                 ? sent
                 : ports * classes * static_cast<double>(models.sw.queue_limit.count);
  }
  return sent;
}

/// Packets on the wire or in queues at one time, at most.
double packets_in_flight(const ModelParams& models, const Topology& graph, double packets) {
  const auto mtu = static_cast<double>(models.fabric.mtu.count);
  double on_wire = 0;
  for (const Cable& cable : graph.cables) {
    const double latency =
        (cable.propagation + models.fabric.fec + models.sw.core_latency).seconds();
    on_wire += 2 * (1 + static_cast<double>(cable.rate.bits_per_second) / 8 * latency / mtu);
  }
  return std::min(packets, on_wire + held_at_most(models, graph, packets * mtu) / mtu);
}

}  // namespace

RunEstimate estimate_run(const ScenarioData& scenario, const Topology& graph,
                         const WorkloadSize& sum, double hops_per_second) {
  double capacity = 0;  // bytes that the hosts can send before the deadline
  for (const Cable& cable : graph.cables) {
    if (!graph.is_host(cable.a.node) && !graph.is_host(cable.b.node)) continue;
    capacity +=
        static_cast<double>(cable.rate.bits_per_second) / 8 * scenario.run.deadline.seconds();
  }
  const double sent = scenario.run.deadline > Time{} ? std::min(sum.bytes, capacity) : sum.bytes;
  const auto mtu = static_cast<double>(scenario.models.fabric.mtu.count);
  const double per_message = std::ceil(sum.bytes / std::max(1.0, sum.messages) / mtu);
  const double packets = sum.messages * per_message * (sent / std::max(1.0, sum.bytes));
  const double acks = 1.0 / static_cast<double>(scenario.models.transport.ack_every);

  RunEstimate estimate;
  estimate.packet_hops = packets * (1 + acks) * hops_across(graph);
  if (scenario.run.event_budget > 0) {
    estimate.packet_hops =
        std::min(estimate.packet_hops, static_cast<double>(scenario.run.event_budget));
  }
  estimate.cpu_seconds = estimate.packet_hops / hops_per_second;
  const auto cables = static_cast<double>(graph.cables.size());
  const auto classes = static_cast<double>(scenario.models.fabric.classes);
  // Two directed links a cable, with their rows in the result; a planned message and its record;
  // both halves of a connection; a packet in flight. Measured on runs of 1,024 to 65,536 hosts.
  estimate.memory_bytes = cables * 2 * (1400 + 300 * classes) + sum.messages * 100 +
                          sum.connections * 540 + static_cast<double>(graph.nodes.size()) * 400 +
                          packets_in_flight(scenario.models, graph, packets) * 48 + 16e6;
  return estimate;
}

double machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

namespace {

std::string scaled(double value, const char* unit) {
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), value < 10 ? "%.1f %s" : "%.0f %s", value, unit);
  return buffer.data();
}

}  // namespace

std::string memory_text(double bytes) {
  constexpr double kMiB = 1024.0 * 1024;
  if (bytes < kMiB) return scaled(bytes / 1024, "KiB");
  return bytes < 1024 * kMiB ? scaled(bytes / kMiB, "MiB") : scaled(bytes / (1024 * kMiB), "GiB");
}

std::string hops_text(double hops) {
  if (hops < 1e4) return scaled(hops, "packet-hops");
  return hops < 1e6 ? scaled(hops / 1e3, "thousand packet-hops")
                    : scaled(hops / 1e6, "million packet-hops");
}

std::string duration_text(double seconds) {
  if (seconds <= 0) return "0 s";
  if (seconds < 1e-3) return scaled(seconds * 1e6, "us");
  if (seconds < 1) return scaled(seconds * 1e3, "ms");
  if (seconds < 120) return scaled(seconds, "s");
  if (seconds < 7200) return scaled(seconds / 60, "min");
  return seconds < 172'800 ? scaled(seconds / 3600, "h") : scaled(seconds / 86'400, "days");
}

}  // namespace spineleaf
