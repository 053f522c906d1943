#include "topologies/port_map.hpp"

namespace spineleaf {

PortMap::PortMap(const Topology& topology) : base_(topology.nodes.size() + 1, 0) {
  for (std::size_t n = 0; n < topology.nodes.size(); ++n) {
    base_[n + 1] = base_[n] + topology.nodes[n].ports;
  }
  far_.resize(base_.back());
  // A graph under audit may hold port numbers beyond the node's count; those have no row here.
  const auto plug = [&](PortRef own, PortRef other, std::size_t cable) {
    if (own.port >= topology.node(own.node).ports) return;
    far_[base_[index(own.node)] + own.port] = {CableId{static_cast<std::uint32_t>(cable)}, other,
                                               true};
  };
  for (std::size_t c = 0; c < topology.cables.size(); ++c) {
    plug(topology.cables[c].a, topology.cables[c].b, c);
    plug(topology.cables[c].b, topology.cables[c].a, c);
  }
}

}  // namespace spineleaf
