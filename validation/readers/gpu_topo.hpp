#pragma once
// The matrix of `nvidia-smi topo -m`: how GPUs and NICs of one server reach each other.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/input/problems.hpp"

namespace spineleaf {

struct GpuTopo {
  std::vector<std::string> devices;             ///< "GPU0", ..., "NIC0", in the order of the matrix
  std::vector<std::string> names;               ///< "mlx5_0" from the legend, else as devices
  std::vector<std::vector<std::string>> paths;  ///< "X", "NV18", "PIX", "PXB", "PHB", "NODE", "SYS"
  std::vector<std::string> numa;  ///< NUMA affinity as printed, "" where there is none

  bool is_gpu(std::size_t device) const { return devices[device].starts_with("GPU"); }
};

struct GpuTopoResult {
  GpuTopo topo;
  std::vector<InputProblem> problems;
};

GpuTopoResult read_gpu_topo(std::string_view text, const std::string& file);

/// Distance by a path: 0 NVLink or the device itself, 1 PIX, 2 PXB, 3 PHB, 4 NODE, 5 SYS; -1 for a
/// word that is none.
int path_distance(std::string_view path);

/// What a person should know, a sentence a line: GPUs per nearest NIC, GPUs without a NIC under
/// their own PCIe switch (GPU Direct RDMA needs one at distance PIX or PXB), pairs of GPUs without
/// NVLink.
std::vector<std::string> findings(const GpuTopo& topo);

}  // namespace spineleaf
