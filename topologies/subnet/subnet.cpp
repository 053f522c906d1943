#include "topologies/subnet/subnet.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "topologies/switch_graph.hpp"

namespace spineleaf {

LidOwners lid_owners(const Subnet& subnet) {
  LidOwners result;
  result.endpoints = static_cast<std::uint32_t>(subnet.endpoints.size());
  const auto own = [&](std::size_t lid, std::size_t count, std::size_t owner) {
    if (lid == 0) return;
    if (result.owner.size() < lid + count) result.owner.resize(lid + count, LidOwners::kNobody);
    for (std::size_t i = lid; i < lid + count; ++i) {
      result.owner[i] = static_cast<std::uint32_t>(owner);
    }
  };
  for (std::size_t e = 0; e < subnet.endpoints.size(); ++e) {
    own(subnet.endpoints[e].lid, std::size_t{1} << subnet.endpoints[e].lmc, e);
  }
  for (std::size_t row = 0; row < subnet.switches.size(); ++row) {
    own(subnet.switches[row].lid, 1, subnet.endpoints.size() + row);
  }
  return result;
}

std::vector<Attachment> attachments(const Topology& topology) {
  std::vector<Attachment> result(topology.endpoints.size());
  const std::vector<std::uint32_t> first = first_endpoints(topology);
  for (const Cable& cable : topology.cables) {
    const bool a_host = topology.is_host(cable.a.node);
    if (!cable.up || a_host == topology.is_host(cable.b.node)) continue;
    const PortRef host = a_host ? cable.a : cable.b;
    const PortRef leaf = a_host ? cable.b : cable.a;
    result[first[index(host.node)] + host.port] = {index(leaf.node) - topology.host_count,
                                                   leaf.port};
  }
  return result;
}

std::vector<EndpointId> endpoints_by_leaf(const Topology& topology) {
  const std::vector<Attachment> at = attachments(topology);
  std::vector<EndpointId> order;
  for (std::uint32_t e = 0; e < at.size(); ++e) {
    if (at[e].row != Attachment::kNoLeaf) order.push_back(EndpointId{e});
  }
  std::sort(order.begin(), order.end(), [&](EndpointId x, EndpointId y) {
    const Attachment& a = at[index(x)];
    const Attachment& b = at[index(y)];
    return std::pair{a.row, a.port} < std::pair{b.row, b.port};
  });
  return order;
}

std::vector<Problem> assign_lids(Subnet& subnet, unsigned lmc) {
  const std::size_t block = std::size_t{1} << lmc;
  const std::size_t wanted = (subnet.endpoints.size() + 1) * block + subnet.switches.size();
  if (lmc > kMostLmc || wanted > kLastUnicastLid) {
    return {make_error(
        "lmc", "the subnet needs more LIDs than there are",
        std::to_string(wanted) + " with lmc " + std::to_string(lmc),
        "at most " + std::to_string(kLastUnicastLid),
        lmc > 0 ? "Use a smaller lmc" : "So large a fabric is built as several subnets (planes)")};
  }
  std::size_t next = block;  // a port's LIDs begin at a multiple of their number
  for (AdapterPort& port : subnet.endpoints) port.lid = 0;
  std::vector<EndpointId> order = endpoints_by_leaf(subnet.topology);
  for (const EndpointId e : order) {
    subnet.endpoints[index(e)].lid = static_cast<std::uint16_t>(next);
    next += block;
  }
  for (AdapterPort& port : subnet.endpoints) {
    port.lmc = static_cast<std::uint8_t>(lmc);
    if (port.lid != 0) continue;
    port.lid = static_cast<std::uint16_t>(next);
    next += block;
  }
  for (SwitchDevice& device : subnet.switches) device.lid = static_cast<std::uint16_t>(next++);
  return {};
}

namespace {

LinkForm form_of(Rate rate) {
  for (const std::uint8_t width : {std::uint8_t{4}, std::uint8_t{2}}) {
    for (int s = static_cast<int>(LinkSpeed::Sdr); s <= static_cast<int>(LinkSpeed::Xdr); ++s) {
      const LinkForm form{width, static_cast<LinkSpeed>(s)};
      if (data_rate(form) == rate) return form;
    }
  }
  return {};
}

constexpr std::uint64_t kMadeUpGuids = 0x0200'0000'0000'0000;  // locally administered

}  // namespace

MadeSubnet make_subnet(Topology topology, unsigned lmc) {
  MadeSubnet made;
  Subnet& subnet = made.subnet;
  std::uint64_t guid = kMadeUpGuids;
  for (const Endpoint& endpoint : topology.endpoints) {
    const Node& host = topology.node(endpoint.host);
    AdapterPort port;
    port.name = host.ports == 1 ? host.name : host.name + " mlx5_" + std::to_string(endpoint.port);
    port.node_guid = ++guid;
    port.port_guid = ++guid;
    subnet.endpoints.push_back(std::move(port));
  }
  for (std::size_t n = topology.host_count; n < topology.nodes.size(); ++n) {
    SwitchDevice device;
    device.guid = ++guid;
    device.numbers.resize(topology.nodes[n].ports);
    std::iota(device.numbers.begin(), device.numbers.end(), std::uint16_t{1});
    subnet.switches.push_back(std::move(device));
  }
  for (const Cable& cable : topology.cables) subnet.forms.push_back(form_of(cable.rate));
  subnet.topology = std::move(topology);
  made.problems = assign_lids(subnet, lmc);
  return made;
}

std::string port_text(const Subnet& subnet, PortRef port) {
  const Topology& topology = subnet.topology;
  if (!topology.is_host(port.node)) {
    const SwitchDevice& device = subnet.switches[index(port.node) - topology.host_count];
    return topology.node(port.node).name + ":" + std::to_string(device.numbers[port.port]);
  }
  const auto first = std::lower_bound(
      topology.endpoints.begin(), topology.endpoints.end(), port, [](const Endpoint& e, PortRef p) {
        return std::pair{index(e.host), e.port} < std::pair{index(p.node), p.port};
      });
  return subnet.endpoints[static_cast<std::size_t>(first - topology.endpoints.begin())].name;
}

}  // namespace spineleaf
