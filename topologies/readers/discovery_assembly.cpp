#include "topologies/readers/discovery_assembly.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace spineleaf {

namespace {

/// SHARP's aggregation nodes show up as adapters of this description, one behind each switch.
bool is_aggregation_node(const std::string& name) {
  return lowered(name).find("aggregation node") != std::string::npos;
}

/// "node001 mlx5_0": the host's name and the adapter's. Descriptions of that form are what rdma-ndd
/// and the drivers write.
std::optional<std::pair<std::string, std::string>> host_and_adapter(std::string_view name) {
  const std::size_t blank = name.rfind(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view adapter = name.substr(blank + 1);
  const std::string_view host = without_blanks(name.substr(0, blank));
  if (host.empty() || adapter.find_first_of("0123456789") == std::string_view::npos) {
    return std::nullopt;
  }
  for (const std::string_view stem : {"mlx", "hca", "ib", "roce", "hfi", "qib"}) {
    if (lowered(adapter).starts_with(stem))
      return std::pair{std::string{host}, std::string{adapter}};
  }
  return std::nullopt;
}

}  // namespace

DiscoveryAssembly::DiscoveryAssembly(Discovery& discovery, std::vector<DiscoveredLink> links,
                                     const ImportOptions& options)
    : discovery_(discovery), links_(std::move(links)), options_(options) {}

Subnet DiscoveryAssembly::run() {
  FileProblems& problems = discovery_.problems();
  give_roles();
  list_host_ports();
  if (host_ports_.empty()) {
    problems.add(make_error(problems.file(), "holds no host that is cabled", {},
                            "at least one adapter with a cable"));
    return {};
  }
  name_switches();
  describe_nodes();
  describe_links();
  BuildResult built = build_custom(spec_);
  for (Problem& problem : built.problems) {
    problem.where = problems.file() + ": " + problem.where;
    problems.add(std::move(problem));
  }
  if (problems.has_errors()) return {};
  return fill(std::move(built.topology));
}

std::string DiscoveryAssembly::text_of(DeviceId device) {
  const Discovery::Device& box = discovery_.at(device);
  return box.name.empty() ? box.key : box.name;
}

void DiscoveryAssembly::give_roles() {
  FileProblems& problems = discovery_.problems();
  roles_.assign(discovery_.size(), Role::Unused);
  std::vector<bool> cabled(discovery_.size(), false);
  for (const DiscoveredLink& link : links_) cabled[link.a] = cabled[link.b] = true;
  for (DeviceId d = 0; d < discovery_.size(); ++d) {
    const Discovery::Device& device = discovery_.at(d);
    if (!cabled[d]) {
      problems.add(make_note(problems.at(device.line),
                             in_quotes(text_of(d)) + " has no cable and is left out"));
    } else if (device.kind == Discovery::Kind::Switch) {
      roles_[d] = Role::Switch;
    } else if (device.kind == Discovery::Kind::Router || is_aggregation_node(device.name)) {
      roles_[d] = Role::Bystander;
    } else {
      roles_[d] = Role::Host;
    }
  }
}

void DiscoveryAssembly::list_host_ports() {
  std::map<std::pair<std::string, std::uint16_t>, unsigned> uses;
  const auto add = [&](DeviceId device, std::uint16_t number) {
    if (roles_[device] != Role::Host) return;
    HostPort port;
    port.device = device;
    port.number = number;
    ++uses[{text_of(device), number}];
    host_ports_.push_back(std::move(port));
  };
  for (const DiscoveredLink& link : links_) {
    // A cable to a bystander makes nothing a host.
    if (roles_[link.a] == Role::Bystander || roles_[link.b] == Role::Bystander) continue;
    add(link.a, link.port_a);
    add(link.b, link.port_b);
  }
  // A description that several adapters carry ("localhost mlx5_0") does not tell hosts apart.
  std::set<std::string> shared;
  for (const auto& [port, count] : uses) {
    if (count > 1) shared.insert(port.first);
  }
  std::map<DeviceId, std::string> own_names;
  for (HostPort& port : host_ports_) {
    const std::string text = text_of(port.device);
    const auto parts = host_and_adapter(text);
    if (options_.group_adapters && parts && !shared.contains(text)) {
      port.host = parts->first;
      port.adapter = parts->second;
      names_.emplace(port.host, port.device);
    }
  }
  for (HostPort& port : host_ports_) {
    if (!port.host.empty()) continue;
    std::string& name = own_names[port.device];
    if (name.empty()) name = unique_name(text_of(port.device), port.device);
    port.host = name;
  }
  std::sort(host_ports_.begin(), host_ports_.end(), [&](const HostPort& x, const HostPort& y) {
    if (x.host != y.host) return natural_less(x.host, y.host);
    if (x.adapter != y.adapter) return natural_less(x.adapter, y.adapter);
    return std::tuple{x.device, x.number} < std::tuple{y.device, y.number};
  });
  for (std::size_t i = 0; i < host_ports_.size(); ++i) {
    HostPort& port = host_ports_[i];
    const HostPort* before =
        i > 0 && host_ports_[i - 1].host == port.host ? &host_ports_[i - 1] : nullptr;
    if (before != nullptr) {
      port.index = static_cast<std::uint16_t>(before->index + 1);
      port.nic = static_cast<std::uint16_t>(before->nic + (before->device == port.device ? 0 : 1));
    }
    host_port_at_[{port.device, port.number}] = i;
  }
}

/// `wanted`, or with the device's key where another node has that name.
std::string DiscoveryAssembly::unique_name(const std::string& wanted, DeviceId device) {
  if (names_.emplace(wanted, device).second) return wanted;
  std::string name = wanted + " (" + discovery_.at(device).key + ")";
  while (!names_.emplace(name, device).second) name += "'";
  return name;
}

void DiscoveryAssembly::name_switches() {
  for (DeviceId d = 0; d < discovery_.size(); ++d) {
    if (roles_[d] == Role::Switch) switches_.push_back(d);
  }
  std::sort(switches_.begin(), switches_.end(), [&](DeviceId x, DeviceId y) {
    const std::string a = text_of(x);
    const std::string b = text_of(y);
    if (a != b) return natural_less(a, b);
    return discovery_.at(x).key < discovery_.at(y).key;
  });
  for (const DeviceId d : switches_) switch_names_[d] = unique_name(text_of(d), d);
}

void DiscoveryAssembly::describe_nodes() {
  const std::string& file = discovery_.problems().file();
  spec_.name = file.substr(file.rfind('/') + 1);
  for (const HostPort& port : host_ports_) {
    if (port.index > 0) continue;
    CustomNode node;
    node.name = port.host;
    spec_.nodes.push_back(std::move(node));
  }
  for (const DeviceId d : switches_) {
    CustomNode node;
    node.name = switch_names_[d];
    node.kind = NodeKind::Switch;
    node.radix = discovery_.at(d).ports;
    spec_.nodes.push_back(std::move(node));
  }
}

void DiscoveryAssembly::describe_links() {
  FileProblems& problems = discovery_.problems();
  std::size_t unstated = 0;
  for (const DiscoveredLink& link : links_) {
    if (roles_[link.a] == Role::Bystander || roles_[link.b] == Role::Bystander) continue;
    CustomLink cable;
    const auto end = [&](DeviceId device, std::uint16_t number, std::string& name,
                         std::int64_t& port, int& nic) {
      if (roles_[device] == Role::Switch) {
        name = switch_names_[device];
        port = number;
        return;
      }
      const HostPort& own = host_ports_[host_port_at_.at({device, number})];
      name = own.host;
      port = own.index;
      nic = own.nic;
    };
    end(link.a, link.port_a, cable.a, cable.port_a, cable.nic_a);
    end(link.b, link.port_b, cable.b, cable.port_b, cable.nic_b);
    if (cable.a == cable.b) {
      problems.add(make_error(problems.at(link.line, link.column),
                              "joins two adapters of host " + in_quotes(cable.a), {}, {},
                              "Keep every adapter a host of its own"));
      continue;
    }
    const bool to_host = roles_[link.a] == Role::Host || roles_[link.b] == Role::Host;
    cable.length = to_host ? options_.host_cable : options_.switch_cable;
    unstated += link.form.known() ? 0 : 1;
    const LinkForm form{
        link.form.width != 0 ? link.form.width : options_.form.width,
        link.form.speed != LinkSpeed::Unknown ? link.form.speed : options_.form.speed};
    cable.rate = data_rate(form);
    spec_.links.push_back(std::move(cable));
    forms_.push_back(form);
  }
  if (unstated > 0) {
    problems.add(make_note(problems.file(), std::to_string(unstated) +
                                                " cables without a width or speed are taken "
                                                "as " +
                                                to_string(options_.form)));
  }
}

Subnet DiscoveryAssembly::fill(Topology topology) {
  Subnet subnet;
  subnet.topology = std::move(topology);
  subnet.forms = std::move(forms_);
  for (const HostPort& port : host_ports_) {
    const Discovery::Device& device = discovery_.at(port.device);
    const Discovery::Port& facts = discovery_.port(port.device, port.number);
    AdapterPort endpoint;
    endpoint.name = text_of(port.device);
    endpoint.node_guid = device.guid;
    endpoint.port_guid = facts.guid;
    endpoint.number = port.number;
    endpoint.lid = facts.lid;
    endpoint.lmc = facts.lmc;
    subnet.endpoints.push_back(std::move(endpoint));
  }
  std::map<DeviceId, std::size_t> row_of;
  for (const DeviceId d : switches_) {
    row_of[d] = subnet.switches.size();
    SwitchDevice device;
    device.guid = discovery_.at(d).guid;
    device.lid = discovery_.at(d).lid;
    subnet.switches.push_back(std::move(device));
  }
  // The graph numbers the ports of a switch without gaps in the order of the numbers on the box.
  for (const DiscoveredLink& link : links_) {
    if (roles_[link.a] == Role::Bystander || roles_[link.b] == Role::Bystander) continue;
    if (const auto at = row_of.find(link.a); at != row_of.end()) {
      subnet.switches[at->second].numbers.push_back(link.port_a);
    }
    if (const auto at = row_of.find(link.b); at != row_of.end()) {
      subnet.switches[at->second].numbers.push_back(link.port_b);
    }
  }
  for (SwitchDevice& device : subnet.switches) {
    std::sort(device.numbers.begin(), device.numbers.end());
  }
  add_bystanders(subnet);
  add_lids(subnet);
  return subnet;
}

void DiscoveryAssembly::add_bystanders(Subnet& subnet) {
  std::map<DeviceId, std::uint32_t> row_of;
  for (std::uint32_t row = 0; row < switches_.size(); ++row) row_of[switches_[row]] = row;
  for (const DiscoveredLink& link : links_) {
    const bool a = roles_[link.a] == Role::Bystander;
    const DeviceId own = a ? link.a : link.b;
    const DeviceId far = a ? link.b : link.a;
    if (roles_[own] != Role::Bystander || !row_of.contains(far)) continue;
    const Discovery::Device& device = discovery_.at(own);
    Bystander bystander;
    bystander.kind = device.kind == Discovery::Kind::Router ? Bystander::Kind::Router
                                                            : Bystander::Kind::AggregationNode;
    bystander.name = text_of(own);
    bystander.guid = device.guid;
    bystander.lid = discovery_.port(own, a ? link.port_a : link.port_b).lid;
    bystander.at = NodeId{subnet.topology.host_count + row_of[far]};
    bystander.number = a ? link.port_b : link.port_a;
    subnet.bystanders.push_back(std::move(bystander));
  }
}

bool DiscoveryAssembly::lids_are_unique(const Subnet& subnet) {
  FileProblems& problems = discovery_.problems();
  std::map<std::uint32_t, std::string> owner;
  const auto claim = [&](std::uint32_t lid, std::uint32_t count, const std::string& name) {
    if (lid == 0) return;
    if (lid + count - 1 > kLastUnicastLid) {
      problems.add(make_error(problems.file(), "a LID of " + in_quotes(name) + " is out of range",
                              std::to_string(lid + count - 1),
                              "1 to " + std::to_string(kLastUnicastLid)));
      return;
    }
    for (std::uint32_t i = lid; i < lid + count; ++i) {
      const auto [other, free] = owner.emplace(i, name);
      if (free) continue;
      problems.add(make_error(problems.file(), "two devices have LID " + std::to_string(i),
                              in_quotes(other->second) + " and " + in_quotes(name)));
      return;
    }
  };
  for (const AdapterPort& port : subnet.endpoints) claim(port.lid, 1U << port.lmc, port.name);
  for (std::size_t row = 0; row < subnet.switches.size(); ++row) {
    claim(subnet.switches[row].lid, 1, switch_names_[switches_[row]]);
  }
  for (const Bystander& bystander : subnet.bystanders) claim(bystander.lid, 1, bystander.name);
  return !problems.has_errors();
}

void DiscoveryAssembly::add_lids(Subnet& subnet) {
  if (!lids_are_unique(subnet)) return;
  const bool ports = std::all_of(subnet.endpoints.begin(), subnet.endpoints.end(),
                                 [](const AdapterPort& port) { return port.lid != 0; });
  const bool boxes = std::all_of(subnet.switches.begin(), subnet.switches.end(),
                                 [](const SwitchDevice& device) { return device.lid != 0; });
  if (ports && boxes) return;
  FileProblems& problems = discovery_.problems();
  problems.add(make_note(problems.file(), "not every device has a LID: all are assigned anew"));
  for (Problem& problem : assign_lids(subnet, 0)) problems.add(std::move(problem));
}

}  // namespace spineleaf
