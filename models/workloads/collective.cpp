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

class RingBuilder {
 public:
  RingBuilder(const WorkloadContext& context, const CollectiveParams& params)
      : context_(context), params_(params), host_(context.params.host), table_(context.topology) {}

  Workload build() {
    workload_.name = std::string(name_of(params_.collective));
    traffic_class_ = workload_class(context_, params_.traffic_class, workload_.problems);
    hosts_ = table_.select(params_.hosts, workload_.problems);
    check();
    if (!workload_.problems.empty()) return std::move(workload_);
    plan_channels();
    check_plan();
    if (!workload_.problems.empty()) return std::move(workload_);
    // Rows are given out in the order in which connections are listed, host by host.
    for (std::uint32_t n = 0; n < nodes(); ++n) add_node(n);
    std::sort(workload_.apps.begin(), workload_.apps.end(),
              [](const Workload::App& a, const Workload::App& b) { return a.host < b.host; });
    return std::move(workload_);
  }

 private:
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(hosts_.size()); }
  std::uint32_t gpus() const { return static_cast<std::uint32_t>(host_.gpus); }
  std::uint32_t qps() const { return static_cast<std::uint32_t>(params_.qps_per_connection); }
  void problem(std::string text) { workload_.problems.push_back(std::move(text)); }

  void check() {
    const std::int64_t ranks = host_.gpus * static_cast<std::int64_t>(hosts_.size());
    if (ranks < 2) problem("a collective needs at least 2 ranks (hosts x host.gpus)");
    if (host_.chunk_steps % host_.slice_steps != 0 || host_.steps % host_.slice_steps != 0 ||
        host_.chunk_steps > host_.steps) {
      problem(
          "host.chunk_steps and host.steps must be multiples of host.slice_steps, and "
          "chunk_steps at most steps");
    }
    if (params_.collective != Collective::AllReduce && params_.bytes.count < ranks) {
      problem("bytes is " + std::to_string(params_.bytes.count) +
              ", less than 1 byte for each of " + std::to_string(ranks) + " ranks");
    }
  }

  void plan_channels() {
    shape_ = make_ring_shape(params_.collective, params_.protocol, nodes() * gpus(), host_);
    auto channels = static_cast<std::uint32_t>(params_.channels);
    if (channels == 0) channels = default_channels(nodes(), table_.nics(hosts_[0]));
    channels = reduced_channels(channels, params_.bytes.count, params_.protocol);
    for (const std::int64_t bytes : split_channels(shape_, params_.bytes.count, channels)) {
      if (shares_.empty() || shares_.back().bytes != bytes) shares_.emplace_back(shape_, bytes);
      share_of_.push_back(static_cast<std::uint32_t>(shares_.size() - 1));
    }
  }

  void check_plan() {
    const std::int64_t rows = host_.gpus * (static_cast<std::int64_t>(share_of_.size()) + 2) + 1;
    if (rows > 65'536) {
      problem("host.gpus x channels needs " + std::to_string(rows) +
              " timers on a host; 65536 exist");
    }
    const EdgeTotals totals = edge_totals(shape_, shares_[0], 0);
    if (totals.messages > std::int64_t{UINT32_MAX} / (params_.iterations + params_.warm_up)) {
      problem("a connection would carry more than 2^32 messages; use fewer iterations");
    }
  }

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
    spec.traffic_class = traffic_class_;
    spec.entropy = connection_entropy(context_, workload_.connections.size());
    spec.sender_cookie = sender_cookie;
    spec.receiver_cookie = receiver_cookie;
    workload_.connections.push_back(spec);
    return SenderRow{context_.next_sender_row[from]++};
  }

  /// Messages and bytes over one edge in all iterations; `rank` is the sender's ring position.
  EdgeTotals totals_of(std::uint32_t channel, std::uint32_t rank) const {
    EdgeTotals totals = edge_totals(shape_, shares_[share_of_[channel]], rank);
    totals.messages *= params_.iterations + params_.warm_up;
    totals.wire *= params_.iterations + params_.warm_up;
    return totals;
  }

  void add_channel(RingSetup& setup, std::uint32_t c) {
    const std::uint32_t host = setup.host;
    RingChannel channel;
    channel.share = share_of_[c];
    channel.entry = nic_of(host, c) * gpus() / table_.nics(host);
    if (nodes() > 1) {
      const std::uint32_t next = hosts_[(setup.node + 1) % nodes()];
      const std::uint32_t previous = hosts_[(setup.node + nodes() - 1) % nodes()];
      for (std::uint32_t q = 0; q < qps(); ++q) {
        const SenderRow row = add_connection(host, next, c, c, c * qps() + q);
        if (q == 0) channel.first_data_row = row;
      }
      channel.clear_row =
          add_connection(host, previous, c, kClearToSendCookie, kClearToSendCookie | c);
      const std::uint32_t first_rank = setup.node * gpus();
      const std::uint32_t before = (first_rank + shape_.ranks - 1) % shape_.ranks;
      channel.expected = totals_of(c, before).messages;
      setup.bytes_planned += totals_of(c, first_rank + gpus() - 1).wire;
    }
    setup.channels.push_back(channel);
  }

  void add_node(std::uint32_t node) {
    RingSetup setup;
    setup.job = context_.job;
    setup.host = hosts_[node];
    setup.node = node;
    setup.nodes = nodes();
    setup.gpus = gpus();
    setup.connections = qps();
    setup.shape = shape_;
    setup.params = host_;
    setup.shares = shares_;
    setup.bytes = params_.bytes;
    setup.warm_up = static_cast<std::uint32_t>(params_.warm_up);
    setup.iterations = static_cast<std::uint32_t>(params_.iterations);
    setup.start = params_.start;
    setup.observer = params_.observer;
    for (std::uint32_t c = 0; c < share_of_.size(); ++c) add_channel(setup, c);
    workload_.apps.push_back({setup.host, std::make_unique<RingApp>(std::move(setup))});
  }

  const WorkloadContext& context_;
  const CollectiveParams& params_;
  const HostParams& host_;
  HostTable table_;
  Workload workload_;
  std::uint8_t traffic_class_ = 0;
  std::vector<std::uint32_t> hosts_;  ///< in ring order
  RingShape shape_;
  std::vector<ChannelShare> shares_;
  std::vector<std::uint32_t> share_of_;  ///< per channel
};

Workload build(const WorkloadContext& context, const CollectiveParams& params) {
  return RingBuilder(context, params).build();
}

}  // namespace

WorkloadKind collective_workload() {
  return make_workload_kind<CollectiveParams, build, kTable>("collective");
}

}  // namespace spineleaf
