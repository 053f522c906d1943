#include "models/workloads/collective_build.hpp"

#include <algorithm>
#include <utility>

#include "models/workloads/collective_groups.hpp"
#include "models/workloads/flow_plan.hpp"

namespace spineleaf {
namespace {

class CollectiveBuilder {
 public:
  CollectiveBuilder(const WorkloadContext& context, const HostTable& table,
                    const CollectiveParams& params, const CollectivePlan& plan,
                    CollectiveGroups* groups)
      : groups_(groups),
        context_(context),
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
    if (groups_ != nullptr) workload_.groups = groups_->take();
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
  std::uint32_t node_of(const MachineId& place) const {
    return place.rank / schedule_.communicator().gpus;
  }
  /// Whether the link ends on this node, and not by way of the switches.
  bool stays(const ScheduleSetup& setup, const Peer& peer) const {
    return node_of(peer.place) == setup.node && !peer.aggregated;
  }
  const First& first(const MachineId& place) const {
    return first_[std::size_t{node_of(place)} * machines_ +
                  ScheduleApp::machine_of(schedule_, place)];
  }
  std::uint32_t input_of(const Peer& peer) const { return first(peer.place).in + peer.port; }
  std::uint32_t output_of(const Peer& peer) const { return first(peer.place).out + peer.port; }

  void number_links() {
    first_.resize(std::size_t{nodes()} * machines_);
    for (std::uint32_t node = 0; node < nodes(); ++node) {
      First* first = &first_[std::size_t{node} * machines_];
      each_machine(schedule_, node, [&](const MachineId& place) {
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

  void add_outputs(ScheduleSetup& setup, const MachineId& place, const Links& links) {
    for (std::uint32_t port = 0; port < links.out.size(); ++port) {
      const Peer& peer = links.out[port];
      const std::uint32_t number = first(place).out + port;
      ScheduleOut& out = setup.outs[number];
      out.machine = ScheduleApp::machine_of(schedule_, place);
      out.proxy = peer.proxy;
      if (stays(setup, peer)) {
        out.other = input_of(peer);
        continue;
      }
      out.number = network_outs_++;
      if (peer.aggregated) {
        out.aggregated = true;
        out.member = groups_->join(setup.node, number, input_of(peer) * qps());
        setup.bytes_planned +=
            schedule_.sends(place, port).wire * (params_.iterations + params_.warm_up);
        continue;
      }
      for (std::uint32_t q = 0; q < qps(); ++q) {
        const SenderRow row =
            add_connection(endpoint_of(setup.node, peer.from_nic, place.channel),
                           endpoint_of(node_of(peer.place), peer.to_nic, place.channel), number,
                           input_of(peer) * qps() + q);
        if (q == 0) out.first_data_row = row;
      }
      setup.bytes_planned +=
          schedule_.sends(place, port).wire * (params_.iterations + params_.warm_up);
    }
  }

  void add_inputs(ScheduleSetup& setup, const MachineId& place, const Links& links) {
    for (std::uint32_t port = 0; port < links.in.size(); ++port) {
      const Peer& peer = links.in[port];
      const std::uint32_t number = first(place).in + port;
      ScheduleIn& in = setup.ins[number];
      in.machine = ScheduleApp::machine_of(schedule_, place);
      if (stays(setup, peer)) {
        in.other = output_of(peer);
        continue;
      }
      setup.inlets.push_back(number);
      in.expected = schedule_.sends(peer.place, peer.port).messages;
      if (peer.aggregated) {
        in.source = output_of(peer);
        continue;
      }
      in.clear_row = add_connection(endpoint_of(setup.node, peer.to_nic, place.channel),
                                    endpoint_of(node_of(peer.place), peer.from_nic, place.channel),
                                    kClearToSendCookie, kClearToSendCookie | output_of(peer));
    }
  }

  /// Connections channel by channel: first what leaves, then what clears others to send.
  void add_links(ScheduleSetup& setup) {
    std::vector<std::pair<MachineId, Links>> channel;
    const auto flush = [&] {
      for (const auto& [place, links] : channel) add_outputs(setup, place, links);
      for (const auto& [place, links] : channel) add_inputs(setup, place, links);
      channel.clear();
    };
    setup.ins.resize(totals_[setup.node].in);
    setup.outs.resize(totals_[setup.node].out);
    each_machine(schedule_, setup.node, [&](const MachineId& place) {
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

  CollectiveGroups* groups_;  ///< in the switches; null = none
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

}  // namespace

Workload build_collective(const WorkloadContext& context, const HostTable& table,
                          const CollectiveParams& params, const CollectivePlan& plan) {
  if (!plan.schedule->aggregates()) {
    return CollectiveBuilder(context, table, params, plan, nullptr).build();
  }
  CollectiveGroups groups(context, table, plan);
  if (groups.refusal().empty()) {
    return CollectiveBuilder(context, table, params, plan, &groups).build();
  }
  CollectiveParams ring = params;
  ring.algorithm = CollectiveAlgorithm::Ring;
  Workload workload = collective_workload().build(context, &ring);
  workload.warnings.push_back("no aggregation in the switches: " + groups.refusal() +
                              "; the ring runs instead");
  return workload;
}

}  // namespace spineleaf
