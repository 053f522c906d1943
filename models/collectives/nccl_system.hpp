#pragma once
// From a description of servers and NCCL's environment to what NCCL's tuning sees: search result,
// channels, overrides.
//
// The search itself is not redone: NCCL takes the largest speed of a ladder at which enough
// channels fit, and so does this, per kind of graph. Source: NCCL 2.30 src/graph/search.cc (speed
// ladders), connect.cc (doubling of channels, NVLS channels), topo.h (link speeds).

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/nccl_tuning.hpp"

namespace spineleaf {

/// One server, or one NVLink domain, as NCCL finds it.
struct NcclNode {
  GpuGeneration generation = GpuGeneration::Hopper;
  std::int64_t gpus = 8;
  double nvlink_gbytes = 370.8;  ///< GB/s of one GPU as NCCL counts it; 0 = none, PCIe only
  bool nvswitch = true;          ///< with NVLS where the generation has it
  std::int64_t nics = 8;
  double nic_gbps = 400;
  double pcie_gbytes = 48;  ///< GB/s of a NIC's slot as NCCL counts it
  bool amd_cpu = false;
  bool ll128 = true;
};

/// NCCL_* variables that change what is chosen or sent; names without the prefix.
using NcclSettings = std::map<std::string, std::string, std::less<>>;

/// "NCCL_ALGO=Ring QPS=2" and the like: words with '=', the rest is left out. Known abbreviations
/// of published logs are written out: QPS is IB_QPS_PER_CONNECTION, SPLIT IB_SPLIT_DATA_ON_QPS, AR
/// IB_ADAPTIVE_ROUTING.
NcclSettings nccl_settings(std::string_view flags);

/// Variables that this program takes into account; all others are to be listed, not ignored.
bool nccl_setting_known(std::string_view name);

struct NcclSetup {
  NcclSystem system;
  NcclOverride forced;
  std::int64_t nvls_channels = 16;
  std::int64_t channels_per_net_peer = 2;  ///< of send and receive
  std::vector<std::string> unknown;        ///< settings that nothing here depends on
};

/// `nodes` servers. `major_minor` such as 226 for NCCL 2.26 decides rules that differ by version.
NcclSetup make_nccl_setup(const NcclNode& node, std::int64_t nodes, const NcclSettings& settings,
                          std::int64_t major_minor);

}  // namespace spineleaf
