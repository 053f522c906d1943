// collective: NCCL collectives over all GPUs of a list of hosts.
//
// Channel c enters every host on NIC c mod NICs, at that NIC's GPU, goes round the host's GPUs from
// there and leaves on the same NIC, so that a channel stays on its rail. Per channel and host there
// are the data connections to the next host and a clear-to-send connection to the previous one.

#include "models/workloads/collective.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {
namespace {

constexpr double kS = 1e12, kTiB = 1024.0 * 1024 * 1024 * 1024;
constexpr std::array<std::string_view, 3> kCollectives{"all_reduce", "all_gather",
                                                       "reduce_scatter"};
constexpr std::array<std::string_view, 1> kAlgorithms{"ring"};
constexpr std::array<std::string_view, 2> kProtocols{"simple", "ll128"};

using P = CollectiveParams;
constexpr std::array kDecls{
    param<&P::collective>("collective", Unit::Choice, "all_reduce", 0, 2,
                          "Operation, as nccl-tests names it.", "NCCL", kCollectives),
    param<&P::algorithm>("algorithm", Unit::Choice, "ring", 0, 0, "NCCL_ALGO.", "NCCL",
                         kAlgorithms),
    param<&P::protocol>("protocol", Unit::Choice, "simple", 0, 1, "NCCL_PROTO.", "NCCL",
                        kProtocols),
    param<&P::bytes>("bytes", Unit::Bytes, "64MiB", 1, kTiB,
                     "Message size as nccl-tests counts it: the buffer of one rank for "
                     "all_reduce, the gathered buffer for all_gather and reduce_scatter.",
                     "nccl-tests"),
    param<&P::iterations>("iterations", Unit::Count, "1", 1, 1e6, "Measured runs, back to back.",
                          "nccl-tests -n"),
    param<&P::warm_up>("warm_up", Unit::Count, "0", 0, 1e6,
                       "Runs before the measured ones; they leave no record.", "nccl-tests -w"),
    param<&P::channels>("channels", Unit::Count, "0", 0, 64,
                        "Channels (CTAs). 0 = NCCL's default: twice the NICs of a host, doubled "
                        "again below 16, 64 at most; 24 inside one host. Small messages use fewer, "
                        "as in NCCL: at least 32 KiB (simple) or 5 KiB (ll128) a channel.",
                        "NCCL src/graph/connect.cc, src/enqueue.cc; NCCL_MIN_CTAS"),
    param<&P::qps_per_connection>("qps_per_connection", Unit::Count, "1", 1, 128,
                                  "QPs per channel and direction; messages go whole, round robin.",
                                  "NCCL_IB_QPS_PER_CONNECTION, NCCL_IB_SPLIT_DATA_ON_QPS=0"),
    param<&P::hosts>("hosts", Unit::Text, "", 0, 0,
                     "Hosts in ring order: names and ranges 'first..last', comma separated; "
                     "empty = all.",
                     "convention"),
    param<&P::start>("start", Unit::Time, "0us", 0, 1000 * kS, "Time of the first run.",
                     "convention"),
    param<&P::traffic_class>("class", Unit::Count, "-1", -1, 14,
                             "Traffic class; -1 = fabric.data_class.", "convention"),
};
constexpr ParamTable kTable{
    "collective", "A NCCL collective over every GPU of the hosts, ring by channels.", kDecls};

/// The ring: hosts in order, and what each channel carries.
struct RingPlan {
  std::vector<std::uint32_t> hosts;
  std::uint8_t traffic_class = 0;
  RingShape shape;
  std::vector<ChannelShare> shares;
  std::vector<std::uint32_t> share_of;  ///< per channel
};

void plan_channels(const WorkloadCheck& at, const CollectiveParams& params, RingPlan& plan) {
  const auto nodes = static_cast<std::uint32_t>(plan.hosts.size());
  const auto gpus = static_cast<std::uint32_t>(at.models.host.gpus);
  plan.shape = make_ring_shape(params.collective, params.protocol, nodes * gpus, at.models.host);
  auto channels = static_cast<std::uint32_t>(params.channels);
  if (channels == 0) channels = default_channels(nodes, at.hosts.nics(plan.hosts[0]));
  channels = reduced_channels(channels, params.bytes.count, params.protocol);
  for (const std::int64_t bytes : split_channels(plan.shape, params.bytes.count, channels)) {
    if (plan.shares.empty() || plan.shares.back().bytes != bytes) {
      plan.shares.emplace_back(plan.shape, bytes);
    }
    plan.share_of.push_back(static_cast<std::uint32_t>(plan.shares.size() - 1));
  }
}

void check_plan(const WorkloadCheck& at, const CollectiveParams& params, const RingPlan& plan) {
  const std::int64_t rows =
      at.models.host.gpus * (static_cast<std::int64_t>(plan.share_of.size()) + 2) + 1;
  if (rows > 65'536) {
    at.error("channels", "host.gpus x channels needs too many timers on a host",
             std::to_string(rows), "at most 65536");
  }
  const EdgeTotals totals = edge_totals(plan.shape, plan.shares[0], 0);
  if (totals.messages > std::int64_t{UINT32_MAX} / (params.iterations + params.warm_up)) {
    at.error("iterations", "a connection would carry more than 2^32 messages", "",
             "fewer iterations");
  }
}

/// Connections, messages and bytes between the nodes of the ring, in all iterations.
WorkloadSize size_of(const WorkloadCheck& at, const CollectiveParams& params,
                     const RingPlan& plan) {
  const auto nodes = static_cast<double>(plan.hosts.size());
  if (nodes < 2) return {};
  const auto gpus = static_cast<std::uint32_t>(at.models.host.gpus);
  double messages = 0;
  double bytes = 0;
  for (const std::uint32_t share : plan.share_of) {
    const EdgeTotals edge = edge_totals(plan.shape, plan.shares[share], gpus - 1);
    messages += 2 * static_cast<double>(edge.messages);  // each is cleared to send by another
    bytes += static_cast<double>(edge.wire);
  }
  const double rounds = static_cast<double>(params.iterations + params.warm_up) * nodes;
  const auto channels = static_cast<double>(plan.share_of.size());
  const double connections = nodes * channels * static_cast<double>(params.qps_per_connection + 1);
  return {connections, messages * rounds, bytes * rounds};
}

RingPlan check(const WorkloadCheck& at, const CollectiveParams& params) {
  RingPlan plan;
  const HostParams& host = at.models.host;
  plan.traffic_class = at.traffic_class(params.traffic_class);
  plan.hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  const std::int64_t ranks = host.gpus * static_cast<std::int64_t>(plan.hosts.size());
  if (ranks < 2) at.error("hosts", "a collective needs at least 2 ranks (hosts x host.gpus)");
  if (host.chunk_steps % host.slice_steps != 0 || host.steps % host.slice_steps != 0 ||
      host.chunk_steps > host.steps) {
    at.error("",
             "host.chunk_steps and host.steps must be multiples of host.slice_steps, and "
             "chunk_steps at most steps");
  }
  if (params.collective != Collective::AllReduce && params.bytes.count < ranks) {
    at.error("bytes", "there is less than 1 byte for each of " + std::to_string(ranks) + " ranks",
             std::to_string(params.bytes.count) + "B");
  }
  if (!at.problems.empty()) return plan;
  plan_channels(at, params, plan);
  check_plan(at, params, plan);
  at.size = size_of(at, params, plan);
  return plan;
}

class RingBuilder {
 public:
  RingBuilder(const WorkloadContext& context, const HostTable& table,
              const CollectiveParams& params, const RingPlan& plan)
      : context_(context),
        params_(params),
        host_(context.params.host),
        table_(table),
        plan_(plan) {}

  Workload build() {
    workload_.name = std::string(name_of(params_.collective));
    // Rows are given out in the order in which connections are listed, host by host.
    for (std::uint32_t n = 0; n < nodes(); ++n) add_node(n);
    std::sort(workload_.apps.begin(), workload_.apps.end(),
              [](const Workload::App& a, const Workload::App& b) { return a.host < b.host; });
    return std::move(workload_);
  }

 private:
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(plan_.hosts.size()); }
  std::uint32_t gpus() const { return static_cast<std::uint32_t>(host_.gpus); }
  std::uint32_t qps() const { return static_cast<std::uint32_t>(params_.qps_per_connection); }

  std::uint32_t nic_of(std::uint32_t host, std::uint32_t channel) const {
    return channel % table_.nics(host);
  }
  EndpointId endpoint_of(std::uint32_t host, std::uint32_t channel) const {
    const std::uint32_t nics = table_.nics(host);
    return table_.nic_endpoint(host, channel % nics, channel / nics);
  }

  SenderRow add_connection(std::uint32_t from, std::uint32_t to, std::uint32_t channel,
                           std::uint32_t sender_cookie, std::uint32_t receiver_cookie) {
    ConnectionSpec spec;
    spec.from = endpoint_of(from, channel);
    spec.to = endpoint_of(to, channel);
    spec.job = context_.job;
    spec.traffic_class = plan_.traffic_class;
    spec.entropy = connection_entropy(context_, workload_.connections.size());
    spec.sender_cookie = sender_cookie;
    spec.receiver_cookie = receiver_cookie;
    workload_.connections.push_back(spec);
    return SenderRow{context_.next_sender_row[from]++};
  }

  /// Messages and bytes over one edge in all iterations; `rank` is the sender's ring position.
  EdgeTotals totals_of(std::uint32_t channel, std::uint32_t rank) const {
    EdgeTotals totals = edge_totals(plan_.shape, plan_.shares[plan_.share_of[channel]], rank);
    totals.messages *= params_.iterations + params_.warm_up;
    totals.wire *= params_.iterations + params_.warm_up;
    return totals;
  }

  void add_channel(RingSetup& setup, std::uint32_t c) {
    const std::uint32_t host = setup.host;
    RingChannel channel;
    channel.share = plan_.share_of[c];
    channel.entry = nic_of(host, c) * gpus() / table_.nics(host);
    if (nodes() > 1) {
      const std::uint32_t next = plan_.hosts[(setup.node + 1) % nodes()];
      const std::uint32_t previous = plan_.hosts[(setup.node + nodes() - 1) % nodes()];
      for (std::uint32_t q = 0; q < qps(); ++q) {
        const SenderRow row = add_connection(host, next, c, c, c * qps() + q);
        if (q == 0) channel.first_data_row = row;
      }
      channel.clear_row =
          add_connection(host, previous, c, kClearToSendCookie, kClearToSendCookie | c);
      const std::uint32_t first_rank = setup.node * gpus();
      const std::uint32_t before = (first_rank + plan_.shape.ranks - 1) % plan_.shape.ranks;
      channel.expected = totals_of(c, before).messages;
      setup.bytes_planned += totals_of(c, first_rank + gpus() - 1).wire;
    }
    setup.channels.push_back(channel);
  }

  void add_node(std::uint32_t node) {
    RingSetup setup;
    setup.job = context_.job;
    setup.host = plan_.hosts[node];
    setup.node = node;
    setup.nodes = nodes();
    setup.gpus = gpus();
    setup.connections = qps();
    setup.shape = plan_.shape;
    setup.params = host_;
    setup.shares = plan_.shares;
    setup.bytes = params_.bytes;
    setup.warm_up = static_cast<std::uint32_t>(params_.warm_up);
    setup.iterations = static_cast<std::uint32_t>(params_.iterations);
    setup.start = params_.start;
    setup.observer = params_.observer;
    for (std::uint32_t c = 0; c < plan_.share_of.size(); ++c) add_channel(setup, c);
    workload_.apps.push_back({setup.host, std::make_unique<RingApp>(std::move(setup))});
  }

  const WorkloadContext& context_;
  const CollectiveParams& params_;
  const HostParams& host_;
  const HostTable& table_;
  const RingPlan& plan_;
  Workload workload_;
};

Workload build(const WorkloadContext& context, const HostTable& table,
               const CollectiveParams& params, const RingPlan& plan) {
  return RingBuilder(context, table, params, plan).build();
}

}  // namespace

WorkloadKind collective_workload() { return make_workload_kind<kTable, check, build>(); }

}  // namespace spineleaf
