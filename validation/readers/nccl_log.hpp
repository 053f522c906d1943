#pragma once
// What NCCL says with NCCL_DEBUG=INFO (best with NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH,TUNING,ENV).
//
// Read are the shape of the communicator, NICs, transports of all connections, GPU Direct RDMA per
// NIC, rings and trees, channel counts, the algorithm chosen per call, settings and warnings. Lines
// of several hosts may be mixed in one file. Formats: NCCL 2.8 to 2.30, src/init.cc,
// src/transport/net.cc and net_ib, src/graph/connect.cc, src/enqueue.cc.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct NcclNic {
  std::string name;   ///< "mlx5_3"
  std::string layer;  ///< "IB" or "RoCE"
};

/// Connections over one NIC of one host.
struct NcclNicUse {
  std::int64_t connections = 0;
  std::int64_t direct = 0;  ///< of them with GPU Direct RDMA
};

struct NcclHost {
  std::string host;                         ///< opaque token
  std::string network;                      ///< "IB", "Socket", "AWS Libfabric", ...
  std::map<std::int64_t, NcclNic> nics;     ///< by NCCL's index
  std::map<std::int64_t, NcclNicUse> uses;  ///< by NCCL's index
};

struct NcclTreeNode {
  std::int64_t channel = 0;
  std::int64_t rank = 0;
  std::vector<std::int64_t> down;  ///< children
  std::int64_t up = -1;            ///< parent, -1 = root
};

/// What NCCL ran for a call of this size.
struct NcclChoice {
  std::string collective;  ///< "AllReduce"
  std::int64_t bytes = 0;
  std::string algorithm;      ///< "Ring", "Tree", "NVLSTree", ...
  std::string protocol;       ///< "LL", "LL128", "Simple"
  std::int64_t channels = 0;  ///< 0 = not told
  auto operator<=>(const NcclChoice&) const = default;
};

struct NcclLog {
  std::string version;
  std::int64_t ranks = 0, nodes = 0, local_ranks = 0;       ///< 0 = not told
  std::vector<NcclHost> hosts;                              ///< in the order met
  std::map<std::int64_t, std::vector<std::int64_t>> rings;  ///< order of ranks by channel
  std::set<std::int64_t> cut_rings;                         ///< printed with "..." only
  std::vector<NcclTreeNode> trees;
  std::map<std::string, std::int64_t> transports;  ///< connections by "NET/IB", "P2P/CUMEM", "SHM"
  std::map<std::string, std::int64_t> channels;    ///< "coll channels", "p2p channels per peer"
  std::vector<NcclChoice> choices;                 ///< each once, in the order met
  std::map<std::string, std::string> settings;     ///< NCCL_* from the environment
  std::vector<std::string> warnings;               ///< "NCCL WARN", host names made opaque
};

struct NcclLogResult {
  NcclLog log;
  std::vector<InputProblem> problems;
};

NcclLogResult read_nccl_log(std::string_view text, const std::string& file);

/// What a person should know first, a sentence a line: "7 of 8 rails GDRDMA, mlx5_3 missing",
/// "TCP fallback: ...". Severity::Warning marks what costs bandwidth.
std::vector<std::pair<Severity, std::string>> verdicts(const NcclLog& log);

}  // namespace spineleaf
