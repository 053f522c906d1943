#include "models/fabric.hpp"

#include <algorithm>

#include "models/host/idle_paths.hpp"
#include "models/lossless.hpp"
#include "models/sharp/placement.hpp"

namespace spineleaf {

namespace {

/// Lookahead below this makes epochs too short to pay; the run works and is slow.
constexpr Time kShortLookahead = Time::from_ns(50);

class Builder {
 public:
  explicit Builder(FabricInput input)
      : input_(std::move(input)),
        topology_(*input_.topology),
        params_(*input_.params),
        fabric_(std::make_unique<Fabric>(input_.seed)) {}

  std::unique_ptr<Fabric> build();

 private:
  Link link_of(const Cable& cable, bool forward) const;
  void make_links();
  void make_port_setups();
  void set_headroom(NodeId node, PortSetup& setup) const;
  std::int64_t costliest_packet() const;
  std::shared_ptr<const PortsConfig> config_of(bool host) const;
  std::int64_t pool_of(bool host, const std::vector<PortSetup>& ports) const;
  void place_connections();
  void place_apps();
  void place_groups();
  void make_actors();
  std::shared_ptr<const HostConfig> host_config_of_all();
  std::vector<PinnedHop> pinned_at(NodeId node) const;
  std::vector<std::uint32_t> static_divisors() const;  ///< by node

  FabricInput input_;
  const Topology& topology_;
  const ModelParams& params_;
  std::unique_ptr<Fabric> fabric_;
  std::vector<Link> links_;
  std::vector<std::vector<PortSetup>> setups_;          // by node
  std::vector<HostSetup> host_setups_;                  // by host
  std::vector<std::vector<std::uint16_t>> app_of_job_;  // by host, job
  std::vector<std::vector<PinnedHop>> pinned_;          // by switch
  std::vector<std::vector<AggregatorGroup>> groups_;    // by switch
  WireSizes wire_;
  std::int64_t largest_ = 0;    // bytes of the largest packet in a buffer
  std::int64_t costliest_ = 0;  // packet size with most cells a byte
};

Link Builder::link_of(const Cable& cable, bool forward) const {
  const PortRef from = forward ? cable.a : cable.b;
  const PortRef to = forward ? cable.b : cable.a;
  const bool to_switch = !topology_.is_host(to.node);
  Link link;
  link.from = index(from.node);
  link.to = index(to.node);
  link.from_port = from.port;
  link.to_port = to.port;
  link.rate = cable.rate;
  link.control_latency = cable.propagation + params_.fabric.fec;
  link.latency = link.control_latency + (to_switch ? params_.sw.core_latency : Time{0});
  const bool cut = to_switch && params_.sw.switching == Switching::CutThrough;
  link.header = cut ? params_.sw.header : Bytes{0};
  link.whole_nanoseconds = params_.fabric.serialisation == Rounding::WholeNanoseconds;
  return link;
}

void Builder::make_links() {
  links_.reserve(topology_.cables.size() * 2);
  for (const Cable& cable : topology_.cables) {
    links_.push_back(link_of(cable, true));
    links_.push_back(link_of(cable, false));
  }
}

void Builder::make_port_setups() {
  setups_.resize(topology_.nodes.size());
  for (std::size_t n = 0; n < setups_.size(); ++n) setups_[n].resize(topology_.nodes[n].ports);
  for (std::size_t i = 0; i < topology_.cables.size(); ++i) {
    const Cable& cable = topology_.cables[i];
    for (const bool forward : {true, false}) {
      const PortRef at = forward ? cable.a : cable.b;
      PortSetup& setup = setups_[index(at.node)][at.port];
      setup.out = links_[2 * i + (forward ? 0 : 1)];
      setup.in = links_[2 * i + (forward ? 1 : 0)];
      setup.up = cable.up;
      const NodeId peer = forward ? cable.b.node : cable.a.node;
      setup.to_host = topology_.is_host(peer);
      const Bytes buffer = setup.to_host ? params_.nic.receive_buffer : params_.credit.buffer;
      setup.peer_blocks = buffer.count / 64;
    }
  }
  if (params_.fabric.flow_control != FlowControlKind::Pfc) return;
  for (std::size_t n = 0; n < setups_.size(); ++n) {
    for (PortSetup& setup : setups_[n]) set_headroom(NodeId(n), setup);
  }
}

void Builder::set_headroom(NodeId node, PortSetup& setup) const {
  const std::int64_t cell = params_.pfc.cell.count;
  const auto cells = [cell](std::int64_t bytes) { return (bytes + cell - 1) / cell; };
  if (params_.pfc.ns3_rate_shift > 0 && !topology_.is_host(node)) {
    // HPCC ns-3 switch-mmu: headroom 3 x rate x delay, threshold shift by rate over the host's.
    const auto bits =
        static_cast<__int128>(setup.in.rate.bits_per_second) * setup.in.control_latency.ps;
    setup.headroom = cells(static_cast<std::int64_t>(3 * bits / 8 / 1'000'000'000'000));
    setup.ns3_shift = params_.pfc.ns3_rate_shift;
    Rate host = topology_.cables.front().rate;
    while (host < setup.in.rate && setup.ns3_shift > 0) {
      host.bits_per_second *= 2;
      --setup.ns3_shift;
    }
    return;
  }
  if (params_.pfc.headroom.count > 0) {
    setup.headroom = cells(params_.pfc.headroom.count);
    return;
  }
  const std::int64_t wire = headroom_bound(setup.in, setup.out, largest_ + wire_.gap,
                                           64 + wire_.gap, params_.pfc.response_time);
  const auto filled = [&](std::int64_t size) {
    const std::int64_t on_wire = size + wire_.gap;
    return (wire + on_wire - 1) / on_wire * cells(size);
  };
  setup.headroom = std::max(filled(largest_), filled(costliest_));
}

/// The packet size that takes most memory per byte on the wire: the smallest packet, or one byte
/// over a whole number of cells.
std::int64_t Builder::costliest_packet() const {
  const std::int64_t cell = params_.pfc.cell.count;
  std::int64_t worst = wire_.header + 1;
  const auto cost = [&](std::int64_t size) {
    const std::int64_t occupied = (size + cell - 1) / cell * cell;
    return static_cast<double>(occupied) / static_cast<double>(size + wire_.gap);
  };
  for (std::int64_t size = worst / cell * cell + 1; size <= largest_; size += cell) {
    if (size > wire_.header && cost(size) > cost(worst)) worst = size;
  }
  return worst;
}

std::shared_ptr<const PortsConfig> Builder::config_of(bool host) const {
  PortsConfig config;
  const PfcParams& pfc = params_.pfc;
  config.flow_control = params_.fabric.flow_control;
  config.classes = static_cast<std::uint32_t>(params_.fabric.classes);
  config.voq = !host && params_.sw.queue_order == QueueOrder::Voq;
  config.gap = wire_.gap;
  config.bit_error_rate = params_.fabric.bit_error_rate;
  config.schedule =
      parse_schedule(params_.sw.scheduler, params_.fabric.classes, params_.fabric.mtu);
  config.lossless = lossless_mask(pfc.lossless_classes, params_.fabric.classes);
  config.cell = static_cast<std::int32_t>(pfc.cell.count);
  config.alpha_q16 = static_cast<std::int64_t>(pfc.alpha * 65536);
  config.xoff = pfc.xoff.count / pfc.cell.count;
  config.xon_offset = pfc.xon_offset.count / pfc.cell.count;
  config.reserve = pfc.reserve.count / pfc.cell.count;
  config.quanta = static_cast<std::uint32_t>(pfc.quanta);
  config.never_expires = pfc.never_expires;
  config.ns3_thresholds = !host && pfc.ns3_rate_shift > 0;
  config.refresh_q16 = static_cast<std::int64_t>(pfc.refresh * 65536);
  config.response_time = pfc.response_time;
  config.buffer_blocks = (host ? params_.nic.receive_buffer : params_.credit.buffer).count / 64;
  config.credit_mode = params_.credit.mode;
  config.min_spacing = params_.credit.min_spacing;
  if (config.flow_control == FlowControlKind::Credit) {
    config.vl_tables.entries[0] = read_vl_table(params_.credit.vlarb_low).entries;
    config.vl_tables.entries[1] = read_vl_table(params_.credit.vlarb_high).entries;
    config.vl_tables.high_limit = params_.credit.high_limit;
    config.vl_tables.carry = params_.credit.vlarb_carry;
  }
  if (host) {
    // A NIC's receive buffer stands alone: static threshold, headroom beyond it.
    config.alpha_q16 = 0;
    config.xoff = params_.nic.receive_buffer.count / pfc.cell.count;
    config.xon_offset = std::min(config.xon_offset, config.xoff / 2);
    config.reserve = 0;
  }
  return std::make_shared<const PortsConfig>(std::move(config));
}

/// Cells that the ports of one device share under PFC.
std::int64_t Builder::pool_of(bool host, const std::vector<PortSetup>& ports) const {
  const PfcParams& pfc = params_.pfc;
  if (host) {
    return params_.nic.receive_buffer.count / pfc.cell.count *
           static_cast<std::int64_t>(ports.size()) * params_.fabric.classes;
  }
  std::int64_t pool = pfc.buffer.count / pfc.cell.count;
  if (pfc.ns3_rate_shift > 0) {
    const std::int64_t reserve = pfc.reserve.count / pfc.cell.count;
    for (const PortSetup& port : ports) pool -= port.headroom + reserve;
  }
  return pool;
}

void Builder::place_apps() {
  const std::size_t jobs = input_.workloads.size();
  host_setups_.resize(topology_.host_count);
  app_of_job_.assign(topology_.host_count, std::vector<std::uint16_t>(jobs, UINT16_MAX));
  for (std::size_t job = 0; job < jobs; ++job) {
    for (Workload::App& app : input_.workloads[job].apps) {
      HostSetup& host = host_setups_[app.host];
      app_of_job_[app.host][job] = static_cast<std::uint16_t>(host.apps.size());
      host.apps.push_back(std::move(app.app));
    }
  }
}

void Builder::place_connections() {
  for (const Workload& workload : input_.workloads) {
    for (const ConnectionSpec& c : workload.connections) {
      const Endpoint& from = topology_.endpoints[index(c.from)];
      const Endpoint& to = topology_.endpoints[index(c.to)];
      const std::uint32_t from_host = index(from.host);
      const std::uint32_t to_host = index(to.host);
      SenderSetup sender;
      ReceiverSetup receiver;
      const bool pinned = c.path >= 0;
      const auto paths = static_cast<std::uint32_t>(input_.paths.size());
      // The UDP source port and the sender's address, as one hash input.
      const auto hash = static_cast<std::uint32_t>(
          mix64(c.entropy, (std::uint64_t{index(c.from)} << 32) | index(c.to)));
      sender.from = c.from;
      sender.to = c.to;
      sender.entropy = pinned ? static_cast<std::uint32_t>(c.path) : hash;
      sender.pinned = receiver.pinned = pinned;
      sender.port = from.port;
      sender.traffic_class = c.traffic_class;
      sender.app = app_of_job_[from_host][c.job];
      sender.cookie = c.sender_cookie;
      sender.rate_limit = c.rate_limit;
      receiver.sender = c.from;
      receiver.entropy = pinned ? static_cast<std::uint32_t>(c.path) + paths : hash;
      receiver.port = to.port;
      receiver.app = app_of_job_[to_host][c.job];
      receiver.cookie = c.receiver_cookie;
      receiver.ack_class =
          static_cast<std::uint8_t>(c.ack_class < 0 ? params_.fabric.ack_class : c.ack_class);
      sender.remote = static_cast<std::uint32_t>(host_setups_[to_host].receivers.size());
      receiver.remote = static_cast<std::uint32_t>(host_setups_[from_host].senders.size());
      if (sender.app == UINT16_MAX || receiver.app == UINT16_MAX) {
        fabric_->problems.push_back("workload '" + workload.name +
                                    "' has a connection to a host on which it runs no program");
        return;
      }
      host_setups_[from_host].senders.push_back(sender);
      host_setups_[to_host].receivers.push_back(receiver);
    }
  }
}

void Builder::place_groups() {
  groups_.resize(topology_.nodes.size() - topology_.host_count);
  const GroupPlaces places{topology_, setups_, app_of_job_,
                           static_cast<std::uint16_t>(wire_.header)};
  for (const Workload& workload : input_.workloads) {
    for (const AggregationGroup& group : workload.groups) {
      place_group(group, places, groups_, host_setups_);
    }
  }
}

std::vector<PinnedHop> Builder::pinned_at(NodeId node) const {
  return pinned_[index(node) - topology_.host_count];
}

/// The uplinks of the tiers below, multiplied (the widest switch of each counts). A switch at the
/// top chooses among parallel cables only: it goes by the digit of the tier below it, which brought
/// the destination's packets up over the cables of the same number, so that its hosts share them as
/// evenly on the way down. Source: D-Mod-K of Zahavi, "Fat-Tree Routing and Node Ordering Providing
/// Contention Free Traffic for MPI Global Collectives", JPDC 2012, with its parallel ports.
std::vector<std::uint32_t> Builder::static_divisors() const {
  std::vector<std::uint32_t> uplinks(topology_.nodes.size());
  for (const Cable& cable : topology_.cables) {
    const auto tier = [&](const PortRef& end) { return topology_.nodes[index(end.node)].tier; };
    if (tier(cable.a) != tier(cable.b)) ++uplinks[index(cable.a.node)];
  }
  std::vector<std::uint32_t> widest(1, 1);  // hosts choose nothing
  for (std::uint32_t n = topology_.host_count; n < topology_.nodes.size(); ++n) {
    const std::size_t tier = topology_.nodes[n].tier;
    if (tier >= widest.size()) widest.resize(tier + 1, 1);
    widest[tier] = std::max(widest[tier], uplinks[n]);
  }
  std::vector<std::uint32_t> of_tier(widest.size(), 1);
  for (std::size_t tier = 1; tier < of_tier.size(); ++tier) {
    of_tier[tier] = of_tier[tier - 1] * widest[tier - 1];
  }
  std::vector<std::uint32_t> divisors(topology_.nodes.size(), 1);
  for (std::uint32_t n = topology_.host_count; n < topology_.nodes.size(); ++n) {
    const std::size_t tier = topology_.nodes[n].tier;
    divisors[n] = of_tier[tier > 0 && uplinks[n] == 0 ? tier - 1 : tier];
  }
  return divisors;
}

/// Also tells each sender its idle round trip, where something asks for it.
std::shared_ptr<const HostConfig> Builder::host_config_of_all() {
  auto config = std::make_shared<HostConfig>(params_);
  const TransportParams& transport = params_.transport;
  config->base_rtt = transport.base_rtt;
  if (!acts_on_acks(transport.congestion_control) && !transport.window_bdp) return config;
  const IdlePaths idle(topology_, *input_.routes, params_);
  Time longest;
  for (const Workload& workload : input_.workloads) {
    for (const ConnectionSpec& c : workload.connections) {
      longest = std::max(longest, idle.round_trip(c.from, c.to).time);
    }
  }
  for (std::uint32_t h = 0; h < topology_.host_count; ++h) {
    for (std::size_t row = 0; row < host_setups_[h].senders.size(); ++row) {
      SenderSetup& sender = host_setups_[h].senders[row];
      const IdlePaths::RoundTrip idle_trip = idle.round_trip(sender.from, sender.to);
      sender.base_rtt = idle_trip.time;
      sender.hops = idle_trip.switches;
    }
  }
  if (transport.base_rtt == Time{0}) config->base_rtt = longest;
  return config;
}

void Builder::make_actors() {
  pinned_.resize(topology_.nodes.size() - topology_.host_count);
  const auto add_paths = [&](const std::vector<PinnedPath>& paths, std::size_t offset) {
    for (std::size_t p = 0; p < paths.size(); ++p) {
      for (const PinnedPath::Hop& hop : paths[p].hops) {
        if (topology_.is_host(hop.node)) continue;
        pinned_[index(hop.node) - topology_.host_count].push_back(
            {static_cast<std::uint32_t>(p + offset), hop.port});
      }
    }
  };
  add_paths(input_.paths, 0);
  add_paths(input_.reverse_paths, input_.paths.size());
  const std::shared_ptr<const HostConfig> host_config = host_config_of_all();
  const std::shared_ptr<const PortsConfig> nic_ports = config_of(true);
  const std::shared_ptr<const PortsConfig> switch_ports = config_of(false);
  for (std::uint32_t h = 0; h < topology_.host_count; ++h) {
    HostSetup& setup = host_setups_[h];
    setup.arena = &fabric_->simulation.arena();
    setup.config = host_config;
    setup.ports_config = nic_ports;
    setup.pool = pool_of(true, setups_[h]);
    setup.nic_of_port.assign(setups_[h].size(), 0);
    setup.ports = std::move(setups_[h]);
  }
  for (const Endpoint& endpoint : topology_.endpoints) {
    host_setups_[index(endpoint.host)].nic_of_port[endpoint.port] = endpoint.nic;
  }
  const std::vector<std::uint32_t> divisors = static_divisors();
  Simulation& simulation = fabric_->simulation;
  for (std::uint32_t h = 0; h < topology_.host_count; ++h) {
    fabric_->hosts.push_back(
        &simulation.add_actor<Host>(topology_.nodes[h].name, std::move(host_setups_[h])));
  }
  for (std::uint32_t n = topology_.host_count; n < topology_.nodes.size(); ++n) {
    SwitchSetup setup;
    setup.arena = &simulation.arena();
    setup.node = NodeId{n};
    setup.routes = input_.routes;
    setup.params = &params_;
    setup.config = switch_ports;
    setup.pool = pool_of(false, setups_[n]);
    setup.ports = std::move(setups_[n]);
    setup.pinned = pinned_at(setup.node);
    setup.groups = std::move(groups_[n - topology_.host_count]);
    setup.static_divisor = divisors[n];
    fabric_->switches.push_back(
        &simulation.add_actor<Switch>(topology_.nodes[n].name, input_.seed, std::move(setup)));
  }
}

std::unique_ptr<Fabric> Builder::build() {
  wire_ = wire_sizes(params_);
  largest_ = params_.fabric.mtu.count + wire_.header + wire_.reth + wire_.immediate;
  costliest_ = costliest_packet();
  for (const Node& node : topology_.nodes) {
    if (node.ports >= kMaxPorts - 1) {
      fabric_->problems.push_back("node '" + node.name + "' has " + std::to_string(node.ports) +
                                  " ports; at most " + std::to_string(kMaxPorts - 2) +
                                  " are supported");
    }
  }
  if (params_.fabric.flow_control == FlowControlKind::Pfc &&
      lossless_mask(params_.pfc.lossless_classes, params_.fabric.classes) >> kPfcClasses != 0) {
    fabric_->problems.push_back(
        "a PFC frame names classes 0 to 7; a class above cannot be lossless");
  }
  if (!fabric_->problems.empty()) return std::move(fabric_);
  make_links();
  for (const Link& link : links_) {
    if (link.latency <= kLongestLatency) continue;
    fabric_->problems.push_back("the link from " + topology_.nodes[link.from].name + " to " +
                                topology_.nodes[link.to].name + " takes " +
                                std::to_string(link.latency.ps / 1'000'000) +
                                " us; at most 4000 us (800 km of fibre) are supported");
    return std::move(fabric_);
  }
  make_port_setups();
  if (params_.fabric.flow_control == FlowControlKind::Pfc &&
      params_.pfc.buffer.count / params_.pfc.cell.count > INT32_MAX) {
    fabric_->problems.push_back("pfc.buffer holds over 2^31 cells of pfc.cell");
    return std::move(fabric_);
  }
  place_apps();
  place_connections();
  place_groups();
  if (!fabric_->problems.empty()) return std::move(fabric_);
  make_actors();
  Simulation& simulation = fabric_->simulation;
  for (const Link& link : links_) simulation.add_link(link);
  const bool control = params_.fabric.flow_control != FlowControlKind::None;
  const std::string error = simulation.freeze(control);
  if (!error.empty()) fabric_->problems.push_back(error);
  if (error.empty() && simulation.lookahead() < kShortLookahead) {
    fabric_->warning = "link " + simulation.shortest_link() + " takes only " +
                       std::to_string(simulation.lookahead().ps) +
                       " ps: epochs are that short and the run will be slow";
  }
  return std::move(fabric_);
}

}  // namespace

std::int64_t headroom_bound(const Link& arriving, const Link& leaving, std::int64_t largest_wire,
                            std::int64_t pause_wire, Time response) {
  const Time blocked = leaving.serialisation_of(largest_wire + pause_wire);
  const Time window = blocked + leaving.control_latency + response +
                      arriving.serialisation_of(largest_wire) + arriving.latency;
  const auto bits = static_cast<__int128>(window.ps) * arriving.rate.bits_per_second;
  return static_cast<std::int64_t>((bits + 7'999'999'999'999) / 8'000'000'000'000);
}

std::unique_ptr<Fabric> build_fabric(FabricInput input) {
  return Builder(std::move(input)).build();
}

}  // namespace spineleaf
