// What follows from NCCL's picture of a server, whoever read it.

#include "topologies/readers/nccl_xml.hpp"

#include <algorithm>
#include <vector>

namespace spineleaf {
namespace {

/// The devices from `pci` up to its CPU.
std::vector<std::int64_t> way_up(const NcclTopology& topology, std::int64_t pci) {
  std::vector<std::int64_t> way;
  for (; pci >= 0; pci = topology.pcis[static_cast<std::size_t>(pci)].parent) way.push_back(pci);
  return way;
}

}  // namespace

std::string_view NcclGraph::name() const {
  constexpr std::string_view kNames[] = {"ring", "tree", "collnet", "nvls", "collnet direct"};
  return id >= 0 && id < 5 ? kNames[static_cast<std::size_t>(id)] : "unknown";
}

int pci_distance(const NcclTopology& topology, std::int64_t gpu_pci, std::int64_t net_pci) {
  if (gpu_pci < 0 || net_pci < 0) return 4;
  const std::vector<std::int64_t> gpu = way_up(topology, gpu_pci);
  const std::vector<std::int64_t> net = way_up(topology, net_pci);
  for (std::size_t i = 1; i < gpu.size(); ++i) {
    const auto it = std::find(net.begin(), net.end(), gpu[i]);
    if (it == net.end()) continue;
    // Each device hangs on the switch itself, or there are more switches between.
    return i == 1 && it - net.begin() == 1 ? 1 : 2;
  }
  const auto cpu = [&](std::int64_t pci) {
    return topology.pcis[static_cast<std::size_t>(pci)].cpu;
  };
  return cpu(gpu_pci) == cpu(net_pci) ? 3 : 4;
}

}  // namespace spineleaf
