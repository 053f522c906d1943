// incast: many senders, one receiver, all at once.

#include <algorithm>
#include <array>
#include <numeric>

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"
#include "sim/random.hpp"

namespace spineleaf {
namespace {

enum class Choice : std::uint8_t { Stride, Random };

struct IncastParams {
  std::string receiver;
  std::int64_t senders = 0;
  Choice choice = Choice::Stride;
  std::int64_t stride = 1;
  Bytes bytes;
  std::int64_t repeat = 1;
  Time start;
  Time start_jitter;
  std::int64_t traffic_class = -1;
};

constexpr std::array<std::string_view, 2> kChoices{"stride", "random"};

constexpr std::array kIncastDecls{
    param<&IncastParams::receiver>("receiver", Unit::Text, "", 0, 0,
                                   "Host, or host:nic, that receives; empty = the first host.",
                                   "convention"),
    param<&IncastParams::senders>("senders", Unit::Count, "0", 0, 1e9,
                                  "Number of sending hosts; 0 = every other host.", "convention"),
    param<&IncastParams::choice>(
        "choice", Unit::Choice, "stride", 0, 1,
        "stride: every stride-th host after the receiver; random: hosts by seed.", "convention",
        kChoices),
    param<&IncastParams::stride>(
        "stride", Unit::Count, "1", 1, 1e9,
        "Distance between senders; past the end it goes on with the hosts left out.", "convention"),
    param<&IncastParams::bytes>("bytes", Unit::Bytes, "1MiB", 1, unit::TiB, "Bytes of one message.",
                                "convention"),
    param<&IncastParams::repeat>(
        "repeat", Unit::Count, "1", 1, 1e9,
        "Messages per sender, each posted when the one before is acknowledged.", "convention"),
    param<&IncastParams::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                "Time of the first message.", "convention"),
    param<&IncastParams::start_jitter>("start_jitter", Unit::Time, "0us", 0, 1000 * unit::ms,
                                       "Each sender starts up to this much later, uniform by seed.",
                                       "convention"),
    param<&IncastParams::traffic_class>("class", Unit::Count, "-1", -1, 14,
                                        "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kIncastTable{"incast", "Many hosts send to one at the same time.",
                                  kIncastDecls};

/// The other hosts in the order in which they are taken as senders.
std::vector<std::uint32_t> candidates(const WorkloadContext& context, const IncastParams& params,
                                      const std::vector<std::uint32_t>& hosts,
                                      std::size_t receiver) {
  const std::size_t n = hosts.size();
  std::vector<std::uint32_t> order;
  if (params.choice == Choice::Stride) {
    const std::size_t stride = std::min(static_cast<std::size_t>(params.stride), n - 1);
    for (std::size_t offset = 0; offset < stride && order.size() + 1 < n; ++offset) {
      for (std::size_t d = stride - offset; d < n; d += stride) {
        order.push_back(hosts[(receiver + d) % n]);
      }
    }
    return order;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (i != receiver) order.push_back(hosts[i]);
  }
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const std::uint64_t bits = draw(context.seed, Purpose::SenderChoice, context.job, i);
    std::swap(order[i], order[i + uniform_below(bits, order.size() - i)]);
  }
  return order;
}

struct IncastParties {
  std::vector<std::uint32_t> hosts;
  FlowPlan::Route route;
  std::int64_t senders = 0;
};

IncastParties check_incast(const WorkloadCheck& at, const IncastParams& params) {
  IncastParties parties;
  parties.hosts = at.hosts.select("", "", at.problems);
  parties.route.traffic_class = at.traffic_class(params.traffic_class);
  if (parties.hosts.size() < 2) at.error("", "an incast needs at least 2 hosts");
  if (!parties.hosts.empty()) parties.route.to = at.hosts.endpoint(parties.hosts[0], 0);
  if (!params.receiver.empty()) {
    at.hosts.find_endpoint(params.receiver, "receiver", parties.route.to, at.problems);
  }
  const auto others = static_cast<std::int64_t>(parties.hosts.size()) - 1;
  if (others > 0 && params.senders > others) {
    at.error("senders", "there are not that many other hosts", std::to_string(params.senders),
             "at most " + std::to_string(others));
  }
  parties.senders = params.senders > 0 ? params.senders : others;
  const auto senders = static_cast<double>(std::max<std::int64_t>(0, parties.senders));
  const double messages = senders * static_cast<double>(params.repeat);
  at.plans(senders, messages, messages * static_cast<double>(params.bytes.count));
  return parties;
}

Workload build_incast(const WorkloadContext& context, const HostTable& table,
                      const IncastParams& params, const IncastParties& parties) {
  FlowPlan plan(context, table, "incast");
  const std::vector<std::uint32_t>& hosts = parties.hosts;
  FlowPlan::Route route = parties.route;
  const auto at = std::find(hosts.begin(), hosts.end(), table.host_of(route.to));
  const auto receiver = static_cast<std::size_t>(at - hosts.begin());
  const auto order = candidates(context, params, hosts, receiver);
  const std::uint32_t nic = context.topology.endpoints[index(route.to)].nic;
  for (std::int64_t i = 0; i < parties.senders; ++i) {
    const std::uint32_t host = order[static_cast<std::size_t>(i)];
    // A sender uses the NIC with the receiver's number, so that the incast stays on one rail.
    route.from =
        table.has_nic(host, nic) ? table.nic_endpoint(host, nic, 0) : table.endpoint(host, 0);
    const std::uint32_t connection = plan.connect(plan.lane(host, 1), route);
    const Time jitter = start_jitter(context, params.start_jitter, connection);
    for (std::int64_t r = 0; r < params.repeat; ++r) {
      plan.message(connection, params.start + jitter, params.bytes);
    }
  }
  return plan.finish();
}

}  // namespace

WorkloadKind incast_workload() {
  return make_workload_kind<kIncastTable, check_incast, build_incast>();
}

}  // namespace spineleaf
