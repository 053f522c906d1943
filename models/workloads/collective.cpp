// collective: NCCL collectives over all GPUs of a list of hosts.
//
// A schedule (models/collectives) says which machines there are and how they are joined. Here its
// links between nodes become connections: data forwards, clear-to-send backwards. Channel c is on
// NIC c mod NICs of every host, so that it stays on its rail, except where the schedule says else.

#include "models/workloads/collective.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "models/collectives/schedules.hpp"
#include "models/workloads/flow_plan.hpp"
#include "models/workloads/kinds.hpp"

namespace spineleaf {
namespace {

constexpr double kS = 1e12, kTiB = 1024.0 * 1024 * 1024 * 1024;
constexpr std::array<std::string_view, 5> kCollectives{"all_reduce", "all_gather",
                                                       "reduce_scatter", "broadcast", "reduce"};
constexpr std::array<std::string_view, 2> kAlgorithms{"ring", "tree"};
constexpr std::array<std::string_view, 3> kProtocols{"simple", "ll128", "ll"};

using P = CollectiveParams;
constexpr std::array kDecls{
    param<&P::collective>("collective", Unit::Choice, "all_reduce", 0, 4,
                          "Operation, as nccl-tests names it.", "NCCL", kCollectives),
    param<&P::algorithm>("algorithm", Unit::Choice, "ring", 0, 1,
                         "NCCL_ALGO. ring: everything but the exchange between peers; tree: "
                         "all_reduce.",
                         "NCCL", kAlgorithms),
    param<&P::protocol>("protocol", Unit::Choice, "simple", 0, 2, "NCCL_PROTO.", "NCCL",
                        kProtocols),
    param<&P::bytes>("bytes", Unit::Bytes, "64MiB", 1, kTiB,
                     "Message size as nccl-tests counts it: the buffer of one rank for "
                     "all_reduce, broadcast and reduce, the gathered buffer for all_gather and "
                     "reduce_scatter.",
                     "nccl-tests"),
    param<&P::iterations>("iterations", Unit::Count, "1", 1, 1e6, "Measured runs, back to back.",
                          "nccl-tests -n"),
    param<&P::warm_up>("warm_up", Unit::Count, "0", 0, 1e6,
                       "Runs before the measured ones; they leave no record.", "nccl-tests -w"),
    param<&P::channels>("channels", Unit::Count, "0", 0, 64,
                        "Channels (CTAs). 0 = NCCL's default: twice the NICs of a host, doubled "
                        "again below 16, 64 at most; 24 inside one host. Small messages use fewer, "
                        "as in NCCL: at least 32 KiB (simple), 5 KiB (ll128) or 4 KiB (ll) a "
                        "channel.",
                        "NCCL src/graph/connect.cc, src/enqueue.cc; NCCL_MIN_CTAS"),
    param<&P::qps_per_connection>("qps_per_connection", Unit::Count, "1", 1, 128,
                                  "QPs per channel and direction; messages go whole, round robin.",
                                  "NCCL_IB_QPS_PER_CONNECTION, NCCL_IB_SPLIT_DATA_ON_QPS=0"),
    param<&P::root>("root", Unit::Count, "0", 0, 1e6,
                    "Root of broadcast and reduce: a rank, counted host by host.", "nccl-tests -r"),
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
    "collective", "A NCCL collective over every GPU of the hosts, channel by channel.", kDecls};

/// The hosts in order, and what their GPUs do.
struct CollectivePlan {
  std::vector<std::uint32_t> hosts;
  std::uint8_t traffic_class = 0;
  std::shared_ptr<const Schedule> schedule;
};

/// Calls see(place) for each machine, in the order in which connections are listed: node by node,
/// channel by channel.
template <typename See>
void each_machine(const Schedule& schedule, std::uint32_t node, See see) {
  const std::uint32_t gpus = schedule.communicator().gpus;
  for (std::uint32_t channel = 0; channel < schedule.channels(); ++channel) {
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
      for (std::uint32_t role = 0; role < schedule.roles(); ++role) {
        see(Place{node * gpus + gpu, channel, role});
      }
    }
  }
}

std::shared_ptr<const Schedule> schedule_of(const WorkloadCheck& at, const CollectiveParams& params,
                                            const std::vector<std::uint32_t>& hosts) {
  ScheduleQuery query;
  query.collective = params.collective;
  query.protocol = params.protocol;
  query.communicator.nodes = static_cast<std::uint32_t>(hosts.size());
  query.communicator.gpus = static_cast<std::uint32_t>(at.models.host.gpus);
  for (const std::uint32_t host : hosts) query.communicator.nics.push_back(at.hosts.nics(host));
  query.channels = static_cast<std::uint32_t>(params.channels);
  if (query.channels == 0) {
    query.channels = default_channels(query.communicator.nodes, query.communicator.nics[0]);
  }
  query.channels = reduced_channels(query.channels, params.bytes.count, params.protocol);
  query.bytes = params.bytes.count;
  query.root = static_cast<std::uint32_t>(params.root);
  query.host = at.models.host;
  if (params.algorithm == CollectiveAlgorithm::Tree) return make_tree_schedule(query);
  const bool chain =
      params.collective == Collective::Broadcast || params.collective == Collective::Reduce;
  return chain ? make_chain_schedule(query) : make_ring_schedule(query);
}

/// Connections, messages and bytes between the nodes, in all iterations.
WorkloadSize size_of(const CollectiveParams& params, const Schedule& schedule,
                     std::int64_t& most_messages) {
  WorkloadSize size;
  const std::uint32_t gpus = schedule.communicator().gpus;
  for (std::uint32_t node = 0; node < schedule.communicator().nodes; ++node) {
    each_machine(schedule, node, [&](const Place& place) {
      const Links links = schedule.links(place);
      for (std::uint32_t port = 0; port < links.out.size(); ++port) {
        if (links.out[port].place.rank / gpus == node) continue;
        const LinkTotals totals = schedule.sends(place, port);
        most_messages = std::max(most_messages, totals.messages);
        size.connections += static_cast<double>(params.qps_per_connection + 1);
        size.messages += 2 * static_cast<double>(totals.messages);  // each is cleared by another
        size.bytes += static_cast<double>(totals.wire);
      }
    });
  }
  const auto rounds = static_cast<double>(params.iterations + params.warm_up);
  return {size.connections, size.messages * rounds, size.bytes * rounds};
}

void check_parameters(const WorkloadCheck& at, const CollectiveParams& params, std::int64_t ranks) {
  const HostParams& host = at.models.host;
  if (ranks < 2) at.error("hosts", "a collective needs at least 2 ranks (hosts x host.gpus)");
  if (host.chunk_steps % host.slice_steps != 0 || host.steps % host.slice_steps != 0 ||
      host.chunk_steps > host.steps) {
    at.error("",
             "host.chunk_steps and host.steps must be multiples of host.slice_steps, and "
             "chunk_steps at most steps");
  }
  const bool parts =
      params.collective == Collective::AllGather || params.collective == Collective::ReduceScatter;
  if (parts && params.bytes.count < ranks) {
    at.error("bytes", "there is less than 1 byte for each of " + std::to_string(ranks) + " ranks",
             std::to_string(params.bytes.count) + "B");
  }
  if (params.algorithm == CollectiveAlgorithm::Tree && params.collective != Collective::AllReduce) {
    at.error("algorithm", "trees serve all_reduce only",
             "tree for " + std::string(name_of(params.collective)), "ring");
  }
  if (ranks >= 2 && params.root >= ranks) {
    at.error("root", "is no rank", std::to_string(params.root),
             "0 to " + std::to_string(ranks - 1));
  }
}

CollectivePlan check(const WorkloadCheck& at, const CollectiveParams& params) {
  CollectivePlan plan;
  plan.traffic_class = at.traffic_class(params.traffic_class);
  plan.hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  check_parameters(at, params, at.models.host.gpus * static_cast<std::int64_t>(plan.hosts.size()));
  if (!at.problems.empty()) return plan;
  plan.schedule = schedule_of(at, params, plan.hosts);
  const Schedule& schedule = *plan.schedule;
  const std::int64_t rows =
      at.models.host.gpus *
          (static_cast<std::int64_t>(schedule.channels()) * schedule.roles() + 2) +
      1;
  if (rows > 65'536) {
    at.error("channels", "host.gpus x channels needs too many timers on a host",
             std::to_string(rows), "at most 65536");
  }
  std::int64_t most_messages = 0;
  at.size = size_of(params, schedule, most_messages);
  if (most_messages > std::int64_t{UINT32_MAX} / (params.iterations + params.warm_up)) {
    at.error("iterations", "a connection would carry more than 2^32 messages", "",
             "fewer iterations");
  }
  return plan;
}

class CollectiveBuilder {
 public:
  CollectiveBuilder(const WorkloadContext& context, const HostTable& table,
                    const CollectiveParams& params, const CollectivePlan& plan)
      : context_(context),
        params_(params),
        table_(table),
        plan_(plan),
        schedule_(*plan.schedule),
        machines_(schedule_.communicator().gpus * schedule_.channels() * schedule_.roles()) {}

  Workload build() {
    workload_.name = std::string(name_of(params_.collective));
    number_links();
    // Rows are given out in the order in which connections are listed, host by host.
    for (std::uint32_t n = 0; n < nodes(); ++n) add_node(n);
    std::sort(workload_.apps.begin(), workload_.apps.end(),
              [](const Workload::App& a, const Workload::App& b) { return a.host < b.host; });
    return std::move(workload_);
  }

 private:
  /// First input and output of a machine among those of its host.
  struct First {
    std::uint32_t in = 0;
    std::uint32_t out = 0;
  };

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(plan_.hosts.size()); }
  std::uint32_t qps() const { return static_cast<std::uint32_t>(params_.qps_per_connection); }
  std::uint32_t node_of(const Place& place) const {
    return place.rank / schedule_.communicator().gpus;
  }
  const First& first(const Place& place) const {
    return first_[std::size_t{node_of(place)} * machines_ +
                  ScheduleApp::machine_of(schedule_, place)];
  }
  std::uint32_t input_of(const Peer& peer) const { return first(peer.place).in + peer.port; }
  std::uint32_t output_of(const Peer& peer) const { return first(peer.place).out + peer.port; }

  void number_links() {
    first_.resize(std::size_t{nodes()} * machines_);
    for (std::uint32_t node = 0; node < nodes(); ++node) {
      First* first = &first_[std::size_t{node} * machines_];
      each_machine(schedule_, node, [&](const Place& place) {
        const Links links = schedule_.links(place);
        First& counts = first[ScheduleApp::machine_of(schedule_, place)];
        counts.in = static_cast<std::uint32_t>(links.in.size());
        counts.out = static_cast<std::uint32_t>(links.out.size());
      });
      First sum;
      for (std::uint32_t machine = 0; machine < machines_; ++machine) {
        const First counts = first[machine];
        first[machine] = sum;
        sum.in += counts.in;
        sum.out += counts.out;
      }
      totals_.push_back(sum);
    }
  }

  SenderRow add_connection(EndpointId from, EndpointId to, std::uint32_t sender_cookie,
                           std::uint32_t receiver_cookie) {
    ConnectionSpec spec;
    spec.from = from;
    spec.to = to;
    spec.job = context_.job;
    spec.traffic_class = plan_.traffic_class;
    spec.entropy = connection_entropy(context_, workload_.connections.size());
    spec.sender_cookie = sender_cookie;
    spec.receiver_cookie = receiver_cookie;
    workload_.connections.push_back(spec);
    return SenderRow{context_.next_sender_row[table_.host_of(from)]++};
  }

  /// Ports of a NIC with several are taken in turn by channel.
  EndpointId endpoint_of(std::uint32_t node, std::uint32_t nic, std::uint32_t channel) const {
    const std::uint32_t host = plan_.hosts[node];
    return table_.nic_endpoint(host, nic, channel / table_.nics(host));
  }

  void add_outputs(ScheduleSetup& setup, const Place& place, const Links& links) {
    for (std::uint32_t port = 0; port < links.out.size(); ++port) {
      const Peer& peer = links.out[port];
      const std::uint32_t number = first(place).out + port;
      ScheduleOut& out = setup.outs[number];
      out.machine = ScheduleApp::machine_of(schedule_, place);
      out.proxy = peer.proxy;
      if (node_of(peer.place) == setup.node) {
        out.other = input_of(peer);
        continue;
      }
      out.number = network_outs_++;
      for (std::uint32_t q = 0; q < qps(); ++q) {
        const SenderRow row = add_connection(
            endpoint_of(setup.node, peer.from_nic, place.channel),
            endpoint_of(node_of(peer.place), peer.to_nic, place.channel), number,
            input_of(peer) * qps() + q);
        if (q == 0) out.first_data_row = row;
      }
      setup.bytes_planned +=
          schedule_.sends(place, port).wire * (params_.iterations + params_.warm_up);
    }
  }

  void add_inputs(ScheduleSetup& setup, const Place& place, const Links& links) {
    for (std::uint32_t port = 0; port < links.in.size(); ++port) {
      const Peer& peer = links.in[port];
      const std::uint32_t number = first(place).in + port;
      ScheduleIn& in = setup.ins[number];
      in.machine = ScheduleApp::machine_of(schedule_, place);
      if (node_of(peer.place) == setup.node) {
        in.other = output_of(peer);
        continue;
      }
      setup.inlets.push_back(number);
      in.expected = schedule_.sends(peer.place, peer.port).messages;
      in.clear_row = add_connection(endpoint_of(setup.node, peer.to_nic, place.channel),
                                    endpoint_of(node_of(peer.place), peer.from_nic, place.channel),
                                    kClearToSendCookie, kClearToSendCookie | output_of(peer));
    }
  }

  /// Connections channel by channel: first what leaves, then what clears others to send.
  void add_links(ScheduleSetup& setup) {
    std::vector<std::pair<Place, Links>> channel;
    const auto flush = [&] {
      for (const auto& [place, links] : channel) add_outputs(setup, place, links);
      for (const auto& [place, links] : channel) add_inputs(setup, place, links);
      channel.clear();
    };
    setup.ins.resize(totals_[setup.node].in);
    setup.outs.resize(totals_[setup.node].out);
    each_machine(schedule_, setup.node, [&](const Place& place) {
      if (!channel.empty() && channel.back().first.channel != place.channel) flush();
      channel.emplace_back(place, schedule_.links(place));
    });
    flush();
  }

  void add_node(std::uint32_t node) {
    ScheduleSetup setup;
    setup.job = context_.job;
    setup.host = plan_.hosts[node];
    setup.node = node;
    setup.connections = qps();
    setup.collective = params_.collective;
    setup.schedule = plan_.schedule;
    setup.params = context_.params.host;
    setup.bytes = params_.bytes;
    setup.warm_up = static_cast<std::uint32_t>(params_.warm_up);
    setup.iterations = static_cast<std::uint32_t>(params_.iterations);
    setup.start = params_.start;
    setup.observer = params_.observer;
    network_outs_ = 0;
    add_links(setup);
    workload_.apps.push_back({setup.host, std::make_unique<ScheduleApp>(std::move(setup))});
  }

  const WorkloadContext& context_;
  const CollectiveParams& params_;
  const HostTable& table_;
  const CollectivePlan& plan_;
  const Schedule& schedule_;
  std::uint32_t machines_ = 0;  ///< of a node
  std::vector<First> first_;    ///< by node and machine
  std::vector<First> totals_;   ///< inputs and outputs of a node
  std::uint32_t network_outs_ = 0;
  Workload workload_;
};

Workload build(const WorkloadContext& context, const HostTable& table,
               const CollectiveParams& params, const CollectivePlan& plan) {
  return CollectiveBuilder(context, table, params, plan).build();
}

}  // namespace

WorkloadKind collective_workload() { return make_workload_kind<kTable, check, build>(); }

}  // namespace spineleaf
