// Static forwarding is D-mod-K: a shift of a full fat tree loads no cable with two flows.

#include <gtest/gtest.h>

#include "tests/models/fabric/rig.hpp"

namespace spineleaf {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

/// Packets of the most loaded switch port when every host sends `packets` packets `shift` further.
std::int64_t worst_port(const Topology& topology, std::uint32_t shift, std::int64_t packets) {
  const ModelParams params =
      wire_only("ib-ndr", {{"switch.forwarding", "static"}, {"transport.ack_every", "1024"}});
  const std::uint32_t hosts = topology.host_count;
  std::vector<FlowEntry> flows;
  for (std::uint32_t h = 0; h < hosts; ++h) {
    flows.push_back(flow(topology.nodes[h].name, topology.nodes[(h + shift) % hosts].name,
                         packets * params.fabric.mtu.count, Time{0}));
  }
  Rig rig(topology, params, flows, 1);
  rig.run();
  std::int64_t worst = 0;
  for (std::uint32_t n = hosts; n < topology.nodes.size(); ++n) {
    const Ports& ports = rig.ports_of(topology.nodes[n].name);
    for (std::uint32_t p = 0; p < ports.count(); ++p) {
      worst = std::max(worst, ports.packets_sent(p));
    }
  }
  return worst;
}

TEST(StaticForwarding, AShiftLoadsNoCableTwiceInTwoAndThreeTiers) {
  constexpr std::int64_t kPackets = 20;
  for (const double tiers : {2.0, 3.0}) {
    const Topology topology = test::topology_of(build_topology(
        "fat_tree", {{"hosts", tiers == 2 ? 32.0 : 128.0}, {"tiers", tiers}, {"radix", 8}}));
    for (const std::uint32_t shift : {1U, 3U, 4U, 16U, 17U, topology.host_count / 2}) {
      // One flow's packets and the one ACK of the flow that comes back over the cable.
      EXPECT_EQ(worst_port(topology, shift, kPackets), kPackets + 1)
          << "tiers " << tiers << " shift " << shift;
    }
  }
}

// Parallel cables share the hosts of a leaf in both directions, down to one spine with all of them.
TEST(StaticForwarding, AShiftLoadsNoParallelCableTwice) {
  constexpr std::int64_t kPackets = 20;
  for (const double parallel : {2.0, 4.0}) {
    const Topology topology = test::topology_of(build_topology(
        "fat_tree",
        {{"hosts", 8.0 / parallel * 4}, {"tiers", 2}, {"radix", 8}, {"parallel", parallel}}));
    for (const std::uint32_t shift : {3U, 4U, topology.host_count / 2}) {
      EXPECT_EQ(worst_port(topology, shift, kPackets), kPackets + 1)
          << "parallel " << parallel << " shift " << shift;
    }
  }
}

}  // namespace
}  // namespace spineleaf
