// all_to_all: every NIC port sends to every other host's, in the order next, next but one, ...

#include <algorithm>
#include <array>

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {
namespace {

struct AllToAllParams {
  std::string hosts;
  Bytes bytes;
  std::int64_t in_flight = 8;
  bool same_nic = false;
  Time start;
  Time start_jitter;
  std::int64_t traffic_class = -1;
};

constexpr std::array kAllToAllDecls{
    param<&AllToAllParams::hosts>(
        "hosts", Unit::Text, "", 0, 0,
        "Hosts that take part: names and ranges 'first..last', comma separated; "
        "empty = all.",
        "convention"),
    param<&AllToAllParams::bytes>("bytes", Unit::Bytes, "64KiB", 1, unit::TiB,
                                  "Bytes from each port to each other.", "convention"),
    param<&AllToAllParams::in_flight>(
        "in_flight", Unit::Count, "8", 1, 1e6,
        "Unacknowledged messages of one port; the next is posted when one of "
        "them is acknowledged.",
        "assumed"),
    param<&AllToAllParams::same_nic>(
        "same_nic", Unit::Flag, "false", 0, 1,
        "true: NIC i only sends to NIC i of other hosts, as NCCL with PXN; false: "
        "to all their NICs, which crosses rails.",
        "NCCL NCCL_P2P_PXN_LEVEL"),
    param<&AllToAllParams::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                  "Time of the first message.", "convention"),
    param<&AllToAllParams::start_jitter>("start_jitter", Unit::Time, "0us", 0, 1000 * unit::ms,
                                         "Each port starts up to this much later, uniform by seed.",
                                         "convention"),
    param<&AllToAllParams::traffic_class>("class", Unit::Count, "-1", -1, 14,
                                          "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kAllToAllTable{
    "all_to_all", "Every NIC port sends to every other host's ports.", kAllToAllDecls};

struct AllToAllParties {
  std::vector<EndpointId> ports;
  std::uint8_t traffic_class = 0;
};

AllToAllParties check_all_to_all(const WorkloadCheck& at, const AllToAllParams& params) {
  AllToAllParties parties;
  parties.traffic_class = at.traffic_class(params.traffic_class);
  const std::vector<std::uint32_t> hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  if (hosts.size() < 2) at.error("hosts", "an all-to-all needs at least 2 hosts");
  for (const std::uint32_t host : hosts) {
    for (std::uint32_t e = 0; e < at.hosts.endpoints(host); ++e) {
      parties.ports.push_back(at.hosts.endpoint(host, e));
    }
  }
  const auto n = static_cast<double>(parties.ports.size());
  const auto count = static_cast<double>(std::max<std::size_t>(1, hosts.size()));
  // Ports of a host have no pairs among themselves; with same_nic a port has one peer on each other
  // host.
  const double pairs = params.same_nic ? n * (count - 1) : n * (n - n / count);
  at.plans(pairs, pairs, pairs * static_cast<double>(params.bytes.count));
  return parties;
}

Workload build_all_to_all(const WorkloadContext& context, const HostTable& table,
                          const AllToAllParams& params, const AllToAllParties& parties) {
  FlowPlan plan(context, table, "all_to_all");
  const std::vector<EndpointId>& ports = parties.ports;
  const std::size_t n = ports.size();
  const auto nic_of = [&](std::size_t i) {
    return context.topology.endpoints[index(ports[i])].nic;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t host = table.host_of(ports[i]);
    const std::uint32_t lane = plan.lane(host, static_cast<std::uint32_t>(params.in_flight));
    const Time start = params.start + start_jitter(context, params.start_jitter, i);
    for (std::size_t d = 1; d < n; ++d) {
      const std::size_t j = (i + d) % n;
      if (table.host_of(ports[j]) == host) continue;
      if (params.same_nic && nic_of(i) != nic_of(j)) continue;
      plan.message(plan.connect(lane, {ports[i], ports[j], parties.traffic_class}), start,
                   params.bytes);
    }
  }
  return plan.finish();
}

}  // namespace

WorkloadKind all_to_all_workload() {
  return make_workload_kind<kAllToAllTable, check_all_to_all, build_all_to_all>();
}

}  // namespace spineleaf
