// permutation: every host sends to one other host and receives from one.

#include <array>
#include <numeric>

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"
#include "sim/random.hpp"

namespace spineleaf {
namespace {

enum class Pattern : std::uint8_t { Shift, Random };

struct PermutationParams {
  std::string hosts;
  Pattern pattern = Pattern::Shift;
  std::int64_t shift = 0;
  Bytes bytes;
  std::int64_t flows_per_nic = 1;
  std::int64_t repeat = 1;
  Time start;
  Time start_jitter;
  std::int64_t traffic_class = -1;
};

constexpr std::array<std::string_view, 2> kPatterns{"shift", "random"};

constexpr std::array kPermutationDecls{
    param<&PermutationParams::hosts>(
        "hosts", Unit::Text, "", 0, 0,
        "Hosts that take part: names and ranges 'first..last', comma separated; "
        "empty = all.",
        "convention"),
    param<&PermutationParams::pattern>(
        "pattern", Unit::Choice, "shift", 0, 1,
        "shift: host s sends to s + shift; random: a seeded permutation without "
        "fixed points.",
        "convention", kPatterns),
    param<&PermutationParams::shift>(
        "shift", Unit::Count, "0", 0, 1e9,
        "Distance of the shift pattern; 0 = half the number of hosts, so that every "
        "flow crosses the top tier.",
        "convention"),
    param<&PermutationParams::bytes>("bytes", Unit::Bytes, "1MiB", 1, unit::TiB,
                                     "Bytes of one message.", "convention"),
    param<&PermutationParams::flows_per_nic>(
        "flows_per_nic", Unit::Count, "1", 1, 4096,
        "Connections (QPs) from each NIC port to its peer, each with its own "
        "message.",
        "convention"),
    param<&PermutationParams::repeat>(
        "repeat", Unit::Count, "1", 1, 1e9,
        "Messages per connection, each posted when the one before is acknowledged.", "convention"),
    param<&PermutationParams::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                     "Time of the first message.", "convention"),
    param<&PermutationParams::start_jitter>(
        "start_jitter", Unit::Time, "0us", 0, 1000 * unit::ms,
        "Each connection starts up to this much later, uniform by seed.", "convention"),
    param<&PermutationParams::traffic_class>(
        "class", Unit::Count, "-1", -1, 14, "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kPermutationTable{
    "permutation", "Every host sends to one host and receives from one.", kPermutationDecls};

/// Destination of each place in the host list. Sattolo's shuffle gives one cycle through all
/// hosts, so nobody sends to itself.
std::vector<std::uint32_t> destinations(const WorkloadContext& context,
                                        const PermutationParams& params, std::uint32_t n) {
  std::vector<std::uint32_t> to(n);
  std::iota(to.begin(), to.end(), 0U);
  if (params.pattern == Pattern::Shift) {
    const auto shift = static_cast<std::uint64_t>(params.shift > 0 ? params.shift : n / 2);
    for (std::uint32_t s = 0; s < n; ++s) to[s] = static_cast<std::uint32_t>((s + shift) % n);
    return to;
  }
  for (std::uint32_t i = n - 1; i > 0; --i) {
    const std::uint64_t bits = draw(context.seed, Purpose::Permutation, context.job, i);
    std::swap(to[i], to[uniform_below(bits, i)]);
  }
  return to;
}

void add_pair(FlowPlan& plan, const WorkloadContext& context, const PermutationParams& params,
              std::uint32_t host, FlowPlan::Route route) {
  for (std::int64_t q = 0; q < params.flows_per_nic; ++q) {
    const std::uint32_t connection = plan.connect(plan.lane(host, 1), route);
    const Time jitter = start_jitter(context, params.start_jitter, connection);
    for (std::int64_t r = 0; r < params.repeat; ++r) {
      plan.message(connection, params.start + jitter, params.bytes);
    }
  }
}

struct PermutationParties {
  std::vector<std::uint32_t> hosts;
  std::uint8_t traffic_class = 0;
};

PermutationParties check_permutation(const WorkloadCheck& at, const PermutationParams& params) {
  PermutationParties parties;
  parties.hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  parties.traffic_class = at.traffic_class(params.traffic_class);
  const auto n = static_cast<std::int64_t>(parties.hosts.size());
  if (n < 2) at.error("hosts", "a permutation needs at least 2 hosts");
  if (n >= 2 && params.pattern == Pattern::Shift && params.shift > 0 && params.shift % n == 0) {
    at.error("shift", "sends every one of " + std::to_string(n) + " hosts to itself",
             std::to_string(params.shift));
  }
  double connections = 0;
  for (const std::uint32_t host : parties.hosts) connections += at.hosts.endpoints(host);
  connections *= static_cast<double>(params.flows_per_nic);
  const double messages = connections * static_cast<double>(params.repeat);
  at.plans(connections, messages, messages * static_cast<double>(params.bytes.count));
  return parties;
}

Workload build_permutation(const WorkloadContext& context, const HostTable& table,
                           const PermutationParams& params, const PermutationParties& parties) {
  FlowPlan plan(context, table, "permutation");
  const std::vector<std::uint32_t>& hosts = parties.hosts;
  const auto n = static_cast<std::uint32_t>(hosts.size());
  FlowPlan::Route route;
  route.traffic_class = parties.traffic_class;
  const std::vector<std::uint32_t> to = destinations(context, params, n);
  for (std::uint32_t s = 0; s < n; ++s) {
    for (std::uint32_t e = 0; e < table.endpoints(hosts[s]); ++e) {
      route.from = table.endpoint(hosts[s], e);
      route.to = table.endpoint(hosts[to[s]], e);
      add_pair(plan, context, params, hosts[s], route);
    }
  }
  return plan.finish();
}

}  // namespace

WorkloadKind permutation_workload() {
  return make_workload_kind<kPermutationTable, check_permutation, build_permutation>();
}

}  // namespace spineleaf
