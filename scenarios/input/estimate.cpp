#include "scenarios/input/estimate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "scenarios/input/tables.hpp"

namespace spineleaf {

namespace {

/// What one workload sends, all hosts together.
struct Load {
  double bytes = 0;
  double messages = 0;
  double connections = 0;
};

/// Parameter `name` of a workload as a number, or `otherwise` where the kind has none.
double number_of(const WorkloadKind& kind, const WorkloadSpec& workload, std::string_view name,
                 double otherwise) {
  const ParamDecl* decl = find_param(kind.table, name);
  if (decl == nullptr) return otherwise;
  const ParamValue value = decl->get(workload.params.get());
  const bool real = decl->unit == Unit::Ratio || decl->unit == Unit::Length;
  return real ? value.real : static_cast<double>(value.integer);
}

Load flows_load(const FlowsParams& params) {
  Load load;
  for (const FlowEntry& flow : params.flows) load.bytes += static_cast<double>(flow.bytes.count);
  load.messages = load.connections = static_cast<double>(params.flows.size());
  return load;
}

Load load_of(const WorkloadSpec& workload, const ScenarioData& scenario, const Topology& graph) {
  if (workload.kind == "flows") {
    return flows_load(*static_cast<const FlowsParams*>(workload.params.get()));
  }
  const WorkloadKind* kind = find_workload_kind(workload.kind);
  if (kind == nullptr) return {};
  const auto number = [&](std::string_view name, double otherwise) {
    return number_of(*kind, workload, name, otherwise);
  };
  const auto hosts = static_cast<double>(graph.host_count);
  const auto endpoints = static_cast<double>(graph.endpoints.size());
  const double bytes = number("bytes", 0);
  const double rounds = number("repeat", 1) * (number("iterations", 1) + number("warm_up", 0));
  Load load;
  if (find_param(kind->table, "collective") != nullptr) {
    // Every host sends the buffer about twice, in slices of a channel's buffer.
    const HostParams& host = scenario.models.host;
    const double slice = static_cast<double>(host.buffer.count * host.slice_steps / host.steps);
    load.bytes = 2 * bytes * hosts * rounds;
    load.messages = load.bytes / std::max(1.0, std::min(slice, bytes));
    load.connections = endpoints * 4;
    return load;
  }
  const bool incast = find_param(kind->table, "senders") != nullptr;
  const double senders = number("senders", 0);
  load.connections =
      incast ? (senders > 0 ? senders : hosts) : endpoints * number("flows_per_nic", 1);
  load.messages = load.connections * rounds;
  load.bytes = load.messages * bytes;
  return load;
}

/// Links that a packet crosses on its way, on average: up to the top tier and down again.
double hops_across(const Topology& graph) {
  std::uint8_t top = 0;
  for (const Node& node : graph.nodes) top = std::max(top, node.tier);
  return std::max(1.0, 2.0 * top);
}

}  // namespace

RunEstimate estimate_run(const ScenarioData& scenario, const Topology& graph,
                         double hops_per_second) {
  Load sum;
  for (const WorkloadSpec& workload : scenario.workloads) {
    const Load load = load_of(workload, scenario, graph);
    sum.bytes += load.bytes;
    sum.messages += load.messages;
    sum.connections += load.connections;
  }
  double capacity = 0;  // bytes that the hosts can send before the deadline
  for (const Cable& cable : graph.cables) {
    if (!graph.is_host(cable.a.node) && !graph.is_host(cable.b.node)) continue;
    capacity +=
        static_cast<double>(cable.rate.bits_per_second) / 8 * scenario.run.deadline.seconds();
  }
  const double sent = scenario.run.deadline > Time{} ? std::min(sum.bytes, capacity) : sum.bytes;
  const auto mtu = static_cast<double>(scenario.models.fabric.mtu.count);
  const double packets = sent / mtu + std::min(sum.messages, sent);
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
  // Two directed links a cable; a planned message and its record; both halves of a connection.
  estimate.memory_bytes = cables * 2 * (600 + 200 * classes) + sum.messages * 100 +
                          sum.connections * 500 + static_cast<double>(graph.nodes.size()) * 400 +
                          64e6;
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
  return bytes < 1024 * kMiB ? scaled(bytes / kMiB, "MiB") : scaled(bytes / (1024 * kMiB), "GiB");
}

std::string duration_text(double seconds) {
  if (seconds < 120) return scaled(seconds, "s");
  if (seconds < 7200) return scaled(seconds / 60, "min");
  return seconds < 172'800 ? scaled(seconds / 3600, "h") : scaled(seconds / 86'400, "days");
}

}  // namespace spineleaf
