#pragma once
// NCCL's own pictures of a server, as XML: the topology (NCCL_TOPO_DUMP_FILE) and the search result
// (NCCL_GRAPH_DUMP_FILE). Together they give the exact map channel -> GPU -> NIC.
//
// Formats: NCCL 2.30 src/graph/xml.cc, topo.cc and search.cc. Files may hold anything: what can't
// be read is a problem with its line and column.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/problem.hpp"

namespace spineleaf {

/// A PCIe device on the way from a CPU to a GPU or NIC.
struct NcclPci {
  std::string bus_id;
  double gbytes = 0;         ///< GB/s, as NCCL computes it from speed and width; 0 = not told
  std::int64_t parent = -1;  ///< index in pcis, -1 = hangs on its CPU
  std::int64_t cpu = 0;      ///< index in cpus
};

struct NcclGpu {
  std::int64_t dev = 0;
  std::int64_t sm = 0;     ///< compute capability: 90 = Hopper
  std::int64_t rank = -1;  ///< -1 = not told
  bool gdr = false;
  std::int64_t nvlinks = 0;
  std::int64_t pci = -1;  ///< index in pcis
};

struct NcclNet {
  std::int64_t dev = 0;
  std::string name;  ///< "mlx5_0"
  double gbps = 0;   ///< Gb/s
  bool gdr = false;
  double latency_us = 0;
  std::int64_t pci = -1;  ///< index in pcis
};

struct NcclCpu {
  std::int64_t numa = -1;
  std::string arch, vendor;
};

struct NcclTopology {
  std::vector<NcclCpu> cpus;
  std::vector<NcclPci> pcis;
  std::vector<NcclGpu> gpus;
  std::vector<NcclNet> nets;
};

/// One channel: the NIC it enters by, the GPUs in order, the NIC it leaves by; -1 = none.
struct NcclGraphChannel {
  std::int64_t net_in = -1;
  std::int64_t net_out = -1;
  std::vector<std::int64_t> gpus;  ///< dev numbers
};

struct NcclGraph {
  std::int64_t id = 0;       ///< 0 ring, 1 tree, 2 collnet, 3 NVLS, 4 collnet direct
  std::int64_t pattern = 0;  ///< 4 ring, 3 tree, 5 NVLS
  std::int64_t cross_nic = 0;
  double speed_intra = 0;  ///< GB/s per channel
  double speed_inter = 0;  ///< GB/s per channel
  std::string type_intra, type_inter;
  std::vector<NcclGraphChannel> channels;

  std::string_view name() const;
};

struct NcclXml {
  NcclTopology topology;          ///< of a <system>
  std::vector<NcclGraph> graphs;  ///< of <graphs>
  std::vector<Problem> problems;
};

/// False where the program was built without pugixml: read_nccl_xml then says so.
bool has_xml_reader();

NcclXml read_nccl_xml(std::string_view text);

/// Distance between a GPU and a NIC: 1 under one PCIe switch, 2 more than one, 3 under one CPU, 4
/// across CPUs.
int pci_distance(const NcclTopology& topology, std::int64_t gpu_pci, std::int64_t net_pci);

}  // namespace spineleaf
