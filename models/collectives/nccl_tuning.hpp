#pragma once
// How NCCL chooses algorithm and protocol: its own estimate of time = latency + bytes / bandwidth
// for each pair of them, the least of which runs.
//
// The numbers are data, one table per class of versions (scenarios/catalog/nccl-tuning.json). The
// estimate is used here to *select*; how long a collective takes is a simulation's business.
// Formulas: NCCL 2.19 to 2.30, src/graph/tuning.cc (ncclTopoTuneModel, ncclTopoGetAlgoTime) and
// src/enqueue.cc (channels by size).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

enum class NcclAlgorithm : std::uint8_t {
  Tree,
  Ring,
  CollNetDirect,
  CollNetChain,
  Nvls,
  NvlsTree,
  Pat
};
inline constexpr std::size_t kNcclAlgorithms = 7;
enum class NcclProtocol : std::uint8_t { Ll, Ll128, Simple };
inline constexpr std::size_t kNcclProtocols = 3;
enum class NcclFunction : std::uint8_t { AllReduce, AllGather, ReduceScatter, Broadcast, Reduce };
enum class GpuGeneration : std::uint8_t { Volta, Ampere, Hopper, Blackwell };
inline constexpr std::size_t kGpuGenerations = 4;
enum class NcclLink : std::uint8_t { NvLink, Pci, Net };

/// NCCL's own words: "NVLSTree", "LL128".
std::string_view name_of(NcclAlgorithm algorithm);
std::string_view name_of(NcclProtocol protocol);
/// As in NCCL_ALGO and NCCL_PROTO, in any case; nothing for an unknown word.
std::optional<NcclAlgorithm> nccl_algorithm(std::string_view word);
std::optional<NcclProtocol> nccl_protocol(std::string_view word);
/// "all_reduce" and its kin; nothing for what the cost model does not know (send and receive).
std::optional<NcclFunction> nccl_function(std::string_view collective);

/// The numbers of one class of versions. Times in us, bandwidths in GB/s. Columns by nodes: 1, 2,
/// 3 and more.
struct NcclTuning {
  template <typename T>
  using ByProtocol = std::array<T, kNcclProtocols>;
  using ByNodes = std::array<double, 3>;
  using PerGeneration = std::array<ByNodes, kGpuGenerations>;

  std::string versions;  ///< "2.19-2.27"
  std::array<ByProtocol<double>, kNcclAlgorithms> base_latency{};
  std::array<std::array<ByProtocol<double>, kNcclAlgorithms>, 3> hop_latency{};  ///< by NcclLink
  PerGeneration ll_bandwidth{};  ///< several nodes: row 0 Intel and other CPUs, row 1 AMD
  PerGeneration ring_ll128_channel{};
  PerGeneration tree_ll128_channel{};
  PerGeneration tree_channel{};
  PerGeneration nvls_tree_channel{};  ///< where nvls_by_efficiency
  std::array<double, kGpuGenerations> nvls_efficiency{};
  bool nvls_by_efficiency = false;                       ///< from 2.28 on: efficiency and caps
  ByProtocol<std::array<double, 24>> tree_correction{};  ///< by floor(log2(bytes / 64))
  double ring_plateau = 1.4;                             ///< Ring/Simple latency, several nodes
  double ring_plateau_before_ampere = 1.9;
};

/// What NCCL's search found for one algorithm.
struct NcclGraphSpeed {
  std::int64_t channels = 0;  ///< of the search, before doubling; 0 = none was found
  double intra = 0;           ///< GB/s per channel inside a node
  double inter = 0;           ///< GB/s per channel between nodes
};

/// What NCCL knows of the system when it tunes.
struct NcclSystem {
  std::int64_t nodes = 1;
  std::int64_t gpus_per_node = 8;
  GpuGeneration generation = GpuGeneration::Hopper;
  bool amd_cpu = false;
  bool nvlink = true;          ///< else GPUs reach each other over PCIe
  bool nvls = true;            ///< NVSwitch that reduces
  bool collnet = false;        ///< a plugin for SHARP is loaded
  bool ll128 = true;           ///< paths allow it
  double net_latency_us = 0;   ///< what the network plugin says
  std::int64_t channels = 16;  ///< of collectives, after doubling and NCCL_MIN/MAX_NCHANNELS
  NcclGraphSpeed ring, tree, nvls_graph, collnet_graph;

  std::int64_t ranks() const { return nodes * gpus_per_node; }
};

/// NCCL_ALGO and NCCL_PROTO: empty = all, "Ring,Tree" = these, "^NVLS" = all but these.
struct NcclOverride {
  std::string algorithms;
  std::string protocols;
  /// What is wrong with the words; "" where all are known.
  std::string problem() const;
  bool allows(NcclAlgorithm algorithm, NcclProtocol protocol) const;
};

/// One pair that may run, with NCCL's estimate.
struct NcclOption {
  NcclAlgorithm algorithm = NcclAlgorithm::Ring;
  NcclProtocol protocol = NcclProtocol::Simple;
  double latency_us = 0;
  double bandwidth = 0;  ///< GB/s, algbw
};

std::vector<NcclOption> nccl_options(const NcclTuning& tuning, const NcclSystem& system,
                                     NcclFunction function, const NcclOverride& forced = {});

/// NCCL's estimate for `bytes` (the size of nccl-tests).
double nccl_estimate_us(const NcclTuning& tuning, const NcclSystem& system, NcclFunction function,
                        const NcclOption& option, std::int64_t bytes);

struct NcclSelection {
  NcclOption option;
  double estimate_us = 0;
};

/// The pair with the least estimate; nothing where none may run.
std::optional<NcclSelection> nccl_select(const NcclTuning& tuning, const NcclSystem& system,
                                         NcclFunction function, std::int64_t bytes,
                                         const NcclOverride& forced = {});

/// Channels for this size: small messages use fewer, NVLS a number of its own.
std::int64_t nccl_channels(const NcclSystem& system, NcclAlgorithm algorithm, NcclProtocol protocol,
                           std::int64_t bytes, std::int64_t nvls_channels);

}  // namespace spineleaf
