// send_recv: pairs of NIC ports exchange messages back to back.

#include <array>

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {
namespace {

enum class Pairing : std::uint8_t { Neighbours, Halves, Ring };

struct SendRecvParams {
  std::string hosts;
  Pairing pairing = Pairing::Neighbours;
  bool both_ways = true;
  Bytes bytes;
  std::int64_t messages = 1;
  std::int64_t in_flight = 1;
  std::int64_t qps = 1;
  Time start;
  Time start_jitter;
  std::int64_t traffic_class = -1;
};

constexpr std::array<std::string_view, 3> kPairings{"neighbours", "halves", "ring"};

constexpr std::array kSendRecvDecls{
    param<&SendRecvParams::hosts>(
        "hosts", Unit::Text, "", 0, 0,
        "Hosts that take part: names and ranges 'first..last', comma separated; "
        "empty = all.",
        "convention"),
    param<&SendRecvParams::pairing>(
        "pairing", Unit::Choice, "neighbours", 0, 2,
        "neighbours: hosts 0-1, 2-3, ...; halves: i with i + N/2; ring: i to i + 1, "
        "as nccl-tests sendrecv.",
        "perftest; nccl-tests", kPairings),
    param<&SendRecvParams::both_ways>("both_ways", Unit::Flag, "true", 0, 1,
                                      "true: both ports of a pair send; false: the first one only.",
                                      "perftest --bidirectional"),
    param<&SendRecvParams::bytes>("bytes", Unit::Bytes, "1MiB", 1, unit::TiB,
                                  "Bytes of one message.", "convention"),
    param<&SendRecvParams::messages>("messages", Unit::Count, "1", 1, 1e8,
                                     "Messages each way and QP.", "convention"),
    param<&SendRecvParams::in_flight>("in_flight", Unit::Count, "1", 1, 1e6,
                                      "Unacknowledged messages of a QP (queue depth).",
                                      "perftest --tx-depth"),
    param<&SendRecvParams::qps>("qps", Unit::Count, "1", 1, 4096, "QPs of a pair, each way.",
                                "perftest --qp"),
    param<&SendRecvParams::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                  "Time of the first message.", "convention"),
    param<&SendRecvParams::start_jitter>("start_jitter", Unit::Time, "0us", 0, 1000 * unit::ms,
                                         "Each QP starts up to this much later, uniform by seed.",
                                         "convention"),
    param<&SendRecvParams::traffic_class>("class", Unit::Count, "-1", -1, 14,
                                          "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kSendRecvTable{"send_recv", "Pairs of ports exchange messages back to back.",
                                    kSendRecvDecls};

using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::vector<Pair> pairs_of(Pairing pairing, const std::vector<std::uint32_t>& hosts) {
  std::vector<Pair> pairs;
  const std::size_t n = hosts.size();
  switch (pairing) {
    case Pairing::Neighbours:
      for (std::size_t i = 0; i + 1 < n; i += 2) pairs.emplace_back(hosts[i], hosts[i + 1]);
      break;
    case Pairing::Halves:
      for (std::size_t i = 0; i < n / 2; ++i) pairs.emplace_back(hosts[i], hosts[i + n / 2]);
      break;
    case Pairing::Ring:
      for (std::size_t i = 0; i < n; ++i) pairs.emplace_back(hosts[i], hosts[(i + 1) % n]);
      break;
  }
  return pairs;
}

void add_stream(FlowPlan& plan, const WorkloadContext& context, const SendRecvParams& params,
                std::uint32_t host, const FlowPlan::Route& route) {
  for (std::int64_t q = 0; q < params.qps; ++q) {
    const std::uint32_t lane = plan.lane(host, static_cast<std::uint32_t>(params.in_flight));
    const std::uint32_t connection = plan.connect(lane, route);
    const Time start = params.start + start_jitter(context, params.start_jitter, connection);
    for (std::int64_t m = 0; m < params.messages; ++m) {
      plan.message(connection, start, params.bytes);
    }
  }
}

struct SendRecvParties {
  std::vector<Pair> pairs;
  std::uint8_t traffic_class = 0;
};

SendRecvParties check_send_recv(const WorkloadCheck& at, const SendRecvParams& params) {
  SendRecvParties parties;
  const std::vector<std::uint32_t> hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  parties.traffic_class = at.traffic_class(params.traffic_class);
  if (hosts.size() < 2) at.error("hosts", "send_recv needs at least 2 hosts");
  parties.pairs = pairs_of(params.pairing, hosts);
  double streams = 0;
  for (const Pair& pair : parties.pairs) streams += at.hosts.endpoints(pair.first);
  if (params.both_ways && params.pairing != Pairing::Ring) streams *= 2;
  const double connections = streams * static_cast<double>(params.qps);
  const double messages = connections * static_cast<double>(params.messages);
  at.plans(connections, messages, messages * static_cast<double>(params.bytes.count));
  return parties;
}

Workload build_send_recv(const WorkloadContext& context, const HostTable& table,
                         const SendRecvParams& params, const SendRecvParties& parties) {
  FlowPlan plan(context, table, "send_recv");
  for (const auto& [first, second] : parties.pairs) {
    for (std::uint32_t e = 0; e < table.endpoints(first); ++e) {
      const EndpointId a = table.endpoint(first, e), b = table.endpoint(second, e);
      add_stream(plan, context, params, first, {a, b, parties.traffic_class});
      // In a ring of hosts the way back belongs to the pair that closes it.
      if (params.both_ways && params.pairing != Pairing::Ring) {
        add_stream(plan, context, params, second, {b, a, parties.traffic_class});
      }
    }
  }
  return plan.finish();
}

}  // namespace

WorkloadKind send_recv_workload() {
  return make_workload_kind<kSendRecvTable, check_send_recv, build_send_recv>();
}

}  // namespace spineleaf
