// collective: NCCL collectives over all GPUs of a list of hosts.
//
// A schedule (models/collectives) says which machines there are and how they are joined. Here its
// links between nodes become connections: data forwards, clear-to-send backwards. Channel c is on
// NIC c mod NICs of every host, so that it stays on its rail, except where the schedule says else.

#include "models/workloads/collective.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "models/collectives/schedules.hpp"
#include "models/workloads/collective_build.hpp"

namespace spineleaf {
namespace {

constexpr std::array<std::string_view, 9> kCollectives{"all_reduce", "all_gather", "reduce_scatter",
                                                       "broadcast",  "reduce",     "alltoall",
                                                       "gather",     "scatter",    "sendrecv"};
constexpr std::array<std::string_view, 6> kAlgorithms{
    "ring", "tree", "nvls", "nvls_tree", "collnet_direct", "collnet_chain"};
constexpr std::array<std::string_view, 3> kProtocols{"simple", "ll128", "ll"};

/// A declaration of one of the costs.
template <auto Member>
constexpr ParamDecl cost(std::string_view name, Unit unit, std::string_view default_text,
                         double min, double max, std::string_view text, std::string_view source) {
  ParamDecl decl{name, unit, default_text, min, max, text, source, {}, nullptr, nullptr};
  decl.set = [](void* object, const ParamValue& value) {
    detail::assign(static_cast<CollectiveParams*>(object)->costs.*Member, value);
  };
  decl.get = [](const void* object) {
    return detail::read(static_cast<const CollectiveParams*>(object)->costs.*Member);
  };
  return decl;
}

constexpr std::array kCollectiveDecls{
    param<&CollectiveParams::collective>("collective", Unit::Choice, "all_reduce", 0, 8,
                                         "Operation, as nccl-tests names it.", "NCCL",
                                         kCollectives),
    param<&CollectiveParams::algorithm>(
        "algorithm", Unit::Choice, "ring", 0, 5,
        "NCCL_ALGO. tree and nvls_tree (several hosts): all_reduce; nvls (one "
        "host): all_reduce, all_gather, reduce_scatter; with SHARP in the "
        "switches nvls, collnet_direct and collnet_chain between hosts: "
        "all_reduce. alltoall, gather, scatter "
        "and sendrecv are grouped sends and receives whatever stands here.",
        "NCCL", kAlgorithms),
    param<&CollectiveParams::protocol>("protocol", Unit::Choice, "simple", 0, 2, "NCCL_PROTO.",
                                       "NCCL", kProtocols),
    param<&CollectiveParams::bytes>(
        "bytes", Unit::Bytes, "64MiB", 1, unit::TiB,
        "Message size as nccl-tests counts it: the buffer of one rank for "
        "all_reduce, broadcast and reduce, the message for sendrecv, the buffer of all "
        "ranks' parts for the others.",
        "nccl-tests"),
    param<&CollectiveParams::iterations>("iterations", Unit::Count, "1", 1, 1e6,
                                         "Measured runs, back to back.", "nccl-tests -n"),
    param<&CollectiveParams::warm_up>("warm_up", Unit::Count, "0", 0, 1e6,
                                      "Runs before the measured ones; they leave no record.",
                                      "nccl-tests -w"),
    param<&CollectiveParams::channels>(
        "channels", Unit::Count, "0", 0, 64,
        "Channels (CTAs). 0 = NCCL's default: twice the NICs of a host, doubled "
        "again below 16, 64 at most; 24 inside one host. Small messages use fewer, "
        "as in NCCL: at least 32 KiB (simple), 5 KiB (ll128) or 4 KiB (ll) a "
        "channel.",
        "NCCL src/graph/connect.cc, src/enqueue.cc; NCCL_MIN_CTAS"),
    param<&CollectiveParams::qps_per_connection>(
        "qps_per_connection", Unit::Count, "1", 1, 128,
        "QPs per channel and direction; messages go whole, round robin.",
        "NCCL_IB_QPS_PER_CONNECTION, NCCL_IB_SPLIT_DATA_ON_QPS=0"),
    param<&CollectiveParams::channels_per_peer>(
        "channels_per_peer", Unit::Count, "0", 0, 64,
        "Channels of sends and receives to one peer. 0 = NCCL's default: one for each 14 GB/s of a "
        "NIC, at least 2, a power of two, fewer where there are many peers.",
        "NCCL_NCHANNELS_PER_NET_PEER; NCCL src/graph/paths.cc"),
    param<&CollectiveParams::pxn>(
        "pxn", Unit::Flag, "true", 0, 1,
        "Sends leave a host on the NIC of the receiving GPU's number, by the GPU there.",
        "NCCL_P2P_PXN_LEVEL"),
    param<&CollectiveParams::root>(
        "root", Unit::Count, "0", 0, 1e6,
        "Root of broadcast, reduce, gather and scatter: a rank, counted host by "
        "host.",
        "nccl-tests -r"),
    param<&CollectiveParams::hosts>(
        "hosts", Unit::Text, "", 0, 0,
        "Hosts in ring order: names and ranges 'first..last', comma separated; "
        "empty = all.",
        "convention"),
    param<&CollectiveParams::gpus>(
        "gpus", Unit::Text, "", 0, 0,
        "GPUs of each host that take part: numbers and ranges 'first..last', comma "
        "separated; empty = all. So groups of tensor, data and expert parallelism run "
        "side by side, a workload each.",
        "convention"),
    param<&CollectiveParams::start>("start", Unit::Time, "0us", 0, 1000 * unit::s,
                                    "Time of the first run.", "convention"),
    param<&CollectiveParams::traffic_class>("class", Unit::Count, "-1", -1, 14,
                                            "Traffic class; -1 = fabric.data_class.", "convention"),
    cost<&NcclCosts::ll_step>("ll_step", Unit::Bytes, "64KiB", 1024, unit::GiB,
                              "Slot of the LL buffer, flags included (payload a half).",
                              "NCCL source"),
    cost<&NcclCosts::ll_channel_rate>("ll_channel_rate", Unit::Rate, "72Gbps", 1e8, 1e14,
                                      "Payload rate of one channel, LL.", "fitted: 9 GB/s"),
    cost<&NcclCosts::ll_overhead>("ll_overhead", Unit::Time, "0.6us", 0, unit::ms,
                                  "Cost of one step, LL, flag visibility included.",
                                  "NCCL's table for NVLink; fitted 0.2-1.4 us"),
    cost<&NcclCosts::p2p_chunk>("p2p_chunk", Unit::Bytes, "128KiB", 4096, unit::GiB,
                                "Step of send and receive between hosts.",
                                "NCCL_P2P_NET_CHUNKSIZE"),
    cost<&NcclCosts::p2p_overhead>(
        "p2p_overhead", Unit::Time, "5.2us", 0, unit::ms,
        "GPU cost of a step of send and receive: a channel with one peer.",
        "fitted on sendrecv of B200: 9.8 GB/s with 128 KiB steps"),
    cost<&NcclCosts::nvls_rate>(
        "nvls_rate", Unit::Rate, "2400Gbps", 1e10, 1e14,
        "NVLS: reduce and multicast through NVSwitch, all channels of a GPU.",
        "fitted on 1 node of H100: 294-302 GB/s"),
    cost<&NcclCosts::nvls_overhead>("nvls_overhead", Unit::Time, "5us", 0, unit::ms,
                                    "NVLS: GPU cost of a loop over the chunks of all heads.",
                                    "fitted on 1 node of H100: 4.3-5.6 us"),
    cost<&NcclCosts::nvls_tree_overhead>("nvls_tree_overhead", Unit::Time, "9us", 0, unit::ms,
                                         "NVLSTree: GPU cost of a loop on top of that of NVLS.",
                                         "fitted on 2 nodes of H100: 14 us together"),
};
constexpr ParamTable kCollectiveTable{
    "collective", "A NCCL collective over every GPU of the hosts, channel by channel.",
    kCollectiveDecls};

std::size_t index_of(CollectiveAlgorithm algorithm) { return static_cast<std::size_t>(algorithm); }

bool is_peer(Collective collective) { return collective >= Collective::AllToAll; }

ScheduleQuery query_of(const WorkloadCheck& at, const CollectiveParams& params,
                       const std::vector<std::uint32_t>& hosts,
                       const std::vector<std::uint32_t>& slots) {
  ScheduleQuery query;
  query.collective = params.collective;
  query.protocol = params.protocol;
  Communicator& comm = query.communicator;
  comm.nodes = static_cast<std::uint32_t>(hosts.size());
  comm.node_gpus = static_cast<std::uint32_t>(at.models.host.gpus);
  comm.slots = slots;
  comm.gpus = slots.empty() ? comm.node_gpus : static_cast<std::uint32_t>(slots.size());
  for (const std::uint32_t host : hosts) comm.nics.push_back(at.hosts.nics(host));
  query.channels = static_cast<std::uint32_t>(params.channels);
  if (query.channels == 0) query.channels = default_channels(comm.nodes, comm.nics_used(0));
  query.bytes = params.bytes.count;
  query.root = static_cast<std::uint32_t>(params.root);
  query.pxn = params.pxn;
  query.host = at.models.host;
  query.costs = params.costs;
  query.channels_per_peer = static_cast<std::uint32_t>(params.channels_per_peer);
  if (is_peer(params.collective) && query.channels_per_peer == 0) {
    const Rate nic = at.hosts.endpoint_rates()[index(at.hosts.endpoint(hosts[0], 0))];
    query.channels_per_peer =
        default_channels_per_peer(comm.nodes, comm.ranks(), query.channels, nic);
  }
  return query;
}

std::shared_ptr<const Schedule> schedule_of(ScheduleQuery query, CollectiveAlgorithm algorithm) {
  if (is_peer(query.collective)) return make_peer_schedule(query);
  switch (algorithm) {
    case CollectiveAlgorithm::Nvls:
      if (query.communicator.nodes > 1) return make_nvls_sharp_schedule(query);
      return make_nvls_schedule(query);
    case CollectiveAlgorithm::NvlsTree: return make_nvls_schedule(query);
    case CollectiveAlgorithm::CollnetDirect: return make_collnet_direct_schedule(query);
    case CollectiveAlgorithm::CollnetChain: return make_collnet_chain_schedule(query);
    default: break;
  }
  query.channels = reduced_channels(query.channels, query.bytes, query.protocol);
  if (algorithm == CollectiveAlgorithm::Tree) return make_tree_schedule(query);
  const bool chain =
      query.collective == Collective::Broadcast || query.collective == Collective::Reduce;
  return chain ? make_chain_schedule(query) : make_ring_schedule(query);
}

/// Connections, messages and bytes between the nodes, in all iterations.
WorkloadSize size_of(const CollectiveParams& params, const Schedule& schedule,
                     std::int64_t& most_messages) {
  WorkloadSize size;
  const std::uint32_t gpus = schedule.communicator().gpus;
  for (std::uint32_t node = 0; node < schedule.communicator().nodes; ++node) {
    each_machine(schedule, node, [&](const MachineId& place) {
      const Links links = schedule.links(place);
      for (std::uint32_t port = 0; port < links.out.size(); ++port) {
        const Peer& peer = links.out[port];
        if (peer.place.rank / gpus == node && !peer.aggregated) continue;
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

bool needs_switches(CollectiveAlgorithm algorithm, std::int64_t nodes) {
  return algorithm >= CollectiveAlgorithm::CollnetDirect ||
         (algorithm == CollectiveAlgorithm::Nvls && nodes > 1);
}

/// Algorithms that end in the switches.
void check_switches(const WorkloadCheck& at, const CollectiveParams& params, std::int64_t nodes) {
  const auto refuse = [&](std::string why, std::string expected) {
    at.error("algorithm", std::move(why), std::string(kAlgorithms[index_of(params.algorithm)]),
             std::move(expected));
  };
  const bool nvls = params.algorithm == CollectiveAlgorithm::Nvls;
  const bool reduce = params.collective == Collective::AllReduce;
  if (nvls && at.models.sharp.generation == SharpGeneration::None) {
    return refuse(
        "serves one host; between hosts it needs reduction in the switches "
        "(sharp.generation)",
        reduce ? "nvls_tree" : "ring");
  }
  if (!reduce) return refuse("serves all_reduce only, between hosts", "ring");
  if (nodes < 2) return refuse("needs 2 hosts or more", "ring");
  const FabricParams& fabric = at.models.fabric;
  if (fabric.wire != WireFormat::InfiniBand || fabric.flow_control == FlowControlKind::Pfc) {
    return refuse("needs InfiniBand: aggregation in switches", "tree");
  }
  if (params.protocol != Protocol::Simple) {
    at.error("protocol", "what ends in the switches runs with protocol simple",
             std::string(name_of(params.protocol)), "simple");
  }
  if (!nvls && at.models.host.gpus > 8) {
    refuse("serves 8 GPUs of a host at most (NCCL)", "tree");
  }
}

/// What NCCL has no schedule for.
void check_algorithm(const WorkloadCheck& at, const CollectiveParams& params, std::int64_t nodes) {
  if (is_peer(params.collective)) {
    if (params.protocol != Protocol::Simple) {
      at.error("protocol", "sends and receives are modelled with protocol simple only",
               std::string(name_of(params.protocol)), "simple");
    }
    return;
  }
  if (needs_switches(params.algorithm, nodes)) return check_switches(at, params, nodes);
  const auto refuse = [&](std::string why, std::string expected) {
    at.error("algorithm", std::move(why), std::string(kAlgorithms[index_of(params.algorithm)]),
             std::move(expected));
  };
  const bool reduce = params.collective == Collective::AllReduce;
  const bool trees = params.algorithm == CollectiveAlgorithm::Tree ||
                     params.algorithm == CollectiveAlgorithm::NvlsTree;
  if (trees && !reduce) return refuse("serves all_reduce only", "ring");
  if (params.algorithm == CollectiveAlgorithm::NvlsTree && nodes < 2) {
    return refuse("needs 2 hosts or more", "nvls");
  }
  if (params.algorithm == CollectiveAlgorithm::Nvls) {
    if (params.collective > Collective::ReduceScatter) return refuse("has no such tree", "ring");
  }
  const bool nvls = params.algorithm >= CollectiveAlgorithm::Nvls;
  if (nvls && params.protocol != Protocol::Simple) {
    at.error("protocol", "nvls and nvls_tree run with protocol simple",
             std::string(name_of(params.protocol)), "simple");
  }
}

/// "0", "0..3,6": GPU numbers, each once, in the order named; none for an empty text.
std::vector<std::uint32_t> select_gpus(const WorkloadCheck& at, std::string_view list) {
  std::vector<std::uint32_t> slots;
  const std::string expected =
      "numbers from 0 to " + std::to_string(at.models.host.gpus - 1) + " and ranges such as 0..3";
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    std::int64_t first = -1, last = -1;
    const std::size_t dots = item.find("..");
    const auto number = [](std::string_view text, std::int64_t& value) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc{} && end == text.data() + text.size();
    };
    const bool range = dots != std::string_view::npos;
    bool fits = number(item.substr(0, range ? dots : item.size()), first);
    last = first;
    if (range) fits = fits && number(item.substr(dots + 2), last);
    if (!fits || first < 0 || last < first || last >= at.models.host.gpus) {
      at.error("gpus", "names no GPUs of a host", in_quotes(item), expected);
      return {};
    }
    for (auto gpu = static_cast<std::uint32_t>(first); gpu <= last; ++gpu) {
      if (std::find(slots.begin(), slots.end(), gpu) == slots.end()) slots.push_back(gpu);
    }
  }
  return slots;
}

void check_parameters(const WorkloadCheck& at, const CollectiveParams& params, std::int64_t ranks,
                      std::int64_t gpus) {
  const HostParams& host = at.models.host;
  if (ranks < 2) at.error("hosts", "a collective needs at least 2 ranks (hosts x host.gpus)");
  if (host.chunk_steps % host.slice_steps != 0 || host.steps % host.slice_steps != 0 ||
      host.chunk_steps > host.steps) {
    at.error("",
             "host.chunk_steps and host.steps must be multiples of host.slice_steps, and "
             "chunk_steps at most steps");
  }
  const bool whole =
      params.collective == Collective::AllReduce || params.collective == Collective::Broadcast ||
      params.collective == Collective::Reduce || params.collective == Collective::SendRecv;
  if (!whole && params.bytes.count < ranks) {
    at.error("bytes", "there is less than 1 byte for each of " + std::to_string(ranks) + " ranks",
             std::to_string(params.bytes.count) + "B");
  }
  check_algorithm(at, params, ranks / gpus);
  if (ranks >= 2 && params.root >= ranks) {
    at.error("root", "is no rank", std::to_string(params.root),
             "0 to " + std::to_string(ranks - 1));
  }
}

CollectivePlan check_collective(const WorkloadCheck& at, const CollectiveParams& params) {
  CollectivePlan plan;
  plan.traffic_class = at.traffic_class(params.traffic_class);
  plan.hosts = at.hosts.select(params.hosts, "hosts", at.problems);
  const std::vector<std::uint32_t> slots = select_gpus(at, params.gpus);
  const std::int64_t gpus =
      slots.empty() ? at.models.host.gpus : static_cast<std::int64_t>(slots.size());
  check_parameters(at, params, gpus * static_cast<std::int64_t>(plan.hosts.size()), gpus);
  if (!at.problems.empty()) return plan;
  plan.schedule = schedule_of(query_of(at, params, plan.hosts, slots), params.algorithm);
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

}  // namespace

WorkloadKind collective_workload() {
  return make_workload_kind<kCollectiveTable, check_collective, build_collective>();
}

}  // namespace spineleaf
