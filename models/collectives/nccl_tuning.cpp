#include "models/collectives/nccl_tuning.hpp"

#include <algorithm>
#include <bit>

namespace spineleaf {
namespace {

constexpr std::string_view kAlgorithmNames[] = {
    "Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};
constexpr std::string_view kProtocolNames[] = {"LL", "LL128", "Simple"};
constexpr NcclAlgorithm kAllAlgorithms[] = {
    NcclAlgorithm::Tree,         NcclAlgorithm::Ring, NcclAlgorithm::CollNetDirect,
    NcclAlgorithm::CollNetChain, NcclAlgorithm::Nvls, NcclAlgorithm::NvlsTree,
    NcclAlgorithm::Pat};
constexpr NcclProtocol kAllProtocols[] = {NcclProtocol::Ll, NcclProtocol::Ll128,
                                          NcclProtocol::Simple};

template <typename Enum>
constexpr std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

double real(std::int64_t value) { return static_cast<double>(value); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

template <typename Enum, std::size_t N>
std::optional<Enum> by_name(std::string_view word, const std::string_view (&names)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    if (same_word(word, names[i])) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

std::int64_t floor_log2(std::int64_t value) {
  return value <= 0
             ? -1
             : static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

/// The words of "^Ring,Tree", and whether they are excluded.
template <typename Visit>
bool each_word(std::string_view list, Visit visit) {
  const bool excluded = list.starts_with('^');
  if (excluded) list.remove_prefix(1);
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), word.size() + 1));
    visit(word);
  }
  return excluded;
}

bool listed(std::string_view list, std::string_view name) {
  if (list.empty()) return true;
  bool found = false;
  const bool excluded =
      each_word(list, [&](std::string_view word) { found = found || same_word(word, name); });
  return found != excluded;
}

/// The estimates of one system and function: latency and bandwidth of each pair.
class TuningModel {
 public:
  TuningModel(const NcclTuning& tuning, const NcclSystem& system, NcclFunction function)
      : tuning_(tuning), system_(system) {
    const std::int64_t n = system.ranks();
    reduce_ = function == NcclFunction::AllReduce;
    gather_ = function == NcclFunction::AllGather || function == NcclFunction::ReduceScatter;
    steps_ = reduce_ ? 2 * (n - 1) : gather_ ? n - 1 : n;
    column_ = static_cast<std::size_t>(std::clamp<std::int64_t>(system.nodes, 1, 3)) - 1;
    generation_ = index(system.generation);
  }

  bool runs(NcclAlgorithm a, NcclProtocol p) const {
    const bool simple = p == NcclProtocol::Simple;
    const bool one_node = system_.nodes == 1;
    if (p == NcclProtocol::Ll128 && !system_.ll128) return false;
    switch (a) {
      case NcclAlgorithm::Ring: return system_.ring.channels > 0;
      case NcclAlgorithm::Tree: return reduce_ && system_.tree.channels > 0;
      case NcclAlgorithm::Nvls:
        return simple && (reduce_ || gather_) && system_.nvls && has_nvls() &&
               (one_node || system_.collnet);
      case NcclAlgorithm::NvlsTree:
        return simple && reduce_ && system_.nvls && has_nvls() && !one_node;
      case NcclAlgorithm::CollNetDirect:
        return simple && (reduce_ || gather_) && system_.collnet && system_.nvls && !one_node;
      case NcclAlgorithm::CollNetChain: return simple && reduce_ && system_.collnet && !one_node;
      case NcclAlgorithm::Pat:
        return simple && gather_ && system_.gpus_per_node == 1 && system_.nodes > 1;
    }
    return false;
  }

  double bandwidth(NcclAlgorithm a, NcclProtocol p) const {
    const NcclGraphSpeed& graph = graph_of(a);
    const double channels = real(graph.channels);
    if (is_nvls(a)) return nvls_bandwidth(a);
    if (a == NcclAlgorithm::CollNetDirect || a == NcclAlgorithm::CollNetChain) {
      return collnet_bandwidth(a);
    }
    double bus = channels * (system_.nodes <= 2 ? graph.intra : graph.inter);
    if (a == NcclAlgorithm::Ring) {
      if (p == NcclProtocol::Ll) bus = std::min(ll_bandwidth(), bus * 0.5);
      if (p == NcclProtocol::Ll128) {
        bus = std::min(bus * 0.92, channels * tuning_.ring_ll128_channel[generation_][column_]);
      }
      return bus * real(system_.ranks()) / real(steps_);
    }
    if (a == NcclAlgorithm::Pat) return bus * 0.75;
    bus = std::min(bus * 0.92, channels * tuning_.tree_channel[generation_][column_]);
    if (p == NcclProtocol::Ll) bus = std::min(bus / 3.8, ll_bandwidth());
    if (p == NcclProtocol::Ll128) {
      bus = std::min(bus * (system_.nodes == 1 ? 7.0 / 9.0 : 120.0 / 128.0),
                     channels * tuning_.tree_ll128_channel[generation_][column_]);
    }
    return bus * 0.5;
  }

  double latency(NcclAlgorithm a, NcclProtocol p) const {
    const auto hop = [&](NcclLink link, NcclAlgorithm of) {
      return tuning_.hop_latency[index(link)][index(of)][index(p)];
    };
    const double base = tuning_.base_latency[index(a)][index(p)];
    const double intra = hop(system_.nvlink ? NcclLink::NvLink : NcclLink::Pci, a);
    double inter = hop(NcclLink::Net, system_.gpus_per_node == 1 ? NcclAlgorithm::Tree : a);
    inter += system_.net_latency_us * (p == NcclProtocol::Simple ? 2 : 1);
    const double local = real(system_.gpus_per_node - 1);
    const double depth = real(floor_log2(system_.nodes));
    switch (a) {
      case NcclAlgorithm::Ring: return base + ring_latency(p, intra, inter);
      case NcclAlgorithm::Tree: return base + 2 * (local * intra + depth * inter);
      case NcclAlgorithm::CollNetDirect:
        return base + 2 * (std::min(1.0, local) * intra + local * 0.4) + inter;
      case NcclAlgorithm::CollNetChain: return base + 2 * local * intra + inter;
      case NcclAlgorithm::Nvls: return intra + (system_.nodes > 1 ? inter : 0);
      case NcclAlgorithm::NvlsTree: return base + intra + 2 * depth * inter;
      case NcclAlgorithm::Pat: return base + depth * inter / 3.5 + 2.8 * real(system_.ranks());
    }
    return base;
  }

 private:
  static bool is_nvls(NcclAlgorithm a) {
    return a == NcclAlgorithm::Nvls || a == NcclAlgorithm::NvlsTree;
  }

  /// NVLS needs two channels and a generation that has it.
  bool has_nvls() const {
    return system_.nvls_graph.channels >= 2 && tuning_.nvls_efficiency[generation_] > 0;
  }

  const NcclGraphSpeed& graph_of(NcclAlgorithm a) const {
    if (is_nvls(a)) return system_.nvls_graph;
    if (a == NcclAlgorithm::CollNetDirect || a == NcclAlgorithm::CollNetChain) {
      return system_.collnet_graph;
    }
    return a == NcclAlgorithm::Tree ? system_.tree : system_.ring;
  }

  /// One node: by the GPU; several: by the CPU.
  double ll_bandwidth() const {
    const std::size_t row = system_.nodes == 1 ? generation_ : system_.amd_cpu ? 1 : 0;
    return tuning_.ll_bandwidth[row][column_];
  }

  double nvls_bandwidth(NcclAlgorithm a) const {
    const NcclGraphSpeed& graph = system_.nvls_graph;
    const double channels = real(graph.channels);
    const bool tree = a == NcclAlgorithm::NvlsTree;
    if (!tuning_.nvls_by_efficiency) {
      const double inter = tree && system_.nodes > 2 ? graph.inter / 2 : graph.inter;
      return channels * std::min(graph.intra, inter) * 5.0 / 6.0;
    }
    double intra = graph.intra * tuning_.nvls_efficiency[generation_] * (channels - 1) / channels;
    const double local = real(system_.gpus_per_node);
    intra *= reduce_ ? 2 : (local - 1) / local;
    const double inter = graph.inter * (tree && system_.nodes <= 2 ? 2 : 1);
    double bw = std::min(intra, inter);
    if (tree) bw = std::min(bw, tuning_.nvls_tree_channel[generation_][column_]);
    const double ratio = reduce_ ? real(system_.ranks()) / real(steps_) : 1;
    return channels * bw * ratio;
  }

  double collnet_bandwidth(NcclAlgorithm a) const {
    const NcclGraphSpeed& graph = system_.collnet_graph;
    const double local = real(system_.gpus_per_node);
    const double bus = real(graph.channels) * graph.intra;
    if (a == NcclAlgorithm::CollNetChain) return bus * 0.5;
    if (gather_) return local * std::min(graph.intra, graph.inter * 0.9);
    double factor = local / real(graph.channels);
    factor -= (factor - 1) / 2;
    return bus / factor * (system_.generation >= GpuGeneration::Hopper ? 0.85 : 1.0) * 0.5;
  }

  double ring_latency(NcclProtocol p, double intra, double inter) const {
    const double hop = tuning_.hop_latency[index(system_.nodes > 1 ? NcclLink::Net
                                                 : system_.nvlink  ? NcclLink::NvLink
                                                                   : NcclLink::Pci)]
                                          [index(NcclAlgorithm::Ring)][index(p)];
    if (!reduce_ && !gather_) return hop;
    if (system_.nodes > 1) {
      const double post = system_.amd_cpu ? 2 : 1;  // us to post a network operation
      intra = std::max(intra, post * (p == NcclProtocol::Simple ? 3 : 1));
    }
    const std::int64_t crossings = system_.nodes == 1 ? 0 : (reduce_ ? 2 : 1) * (system_.nodes - 1);
    return real(steps_ - crossings) * intra + real(crossings) * inter;
  }

  const NcclTuning& tuning_;
  const NcclSystem& system_;
  bool reduce_ = false;
  bool gather_ = false;
  std::int64_t steps_ = 0;
  std::size_t column_ = 0;
  std::size_t generation_ = 0;
};

}  // namespace

std::string_view name_of(NcclAlgorithm algorithm) { return kAlgorithmNames[index(algorithm)]; }
std::string_view name_of(NcclProtocol protocol) { return kProtocolNames[index(protocol)]; }

std::optional<NcclAlgorithm> nccl_algorithm(std::string_view word) {
  return by_name<NcclAlgorithm>(word, kAlgorithmNames);
}
std::optional<NcclProtocol> nccl_protocol(std::string_view word) {
  return by_name<NcclProtocol>(word, kProtocolNames);
}
std::optional<NcclFunction> nccl_function(std::string_view collective) {
  constexpr std::string_view kNames[] = {"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                         "reduce"};
  return by_name<NcclFunction>(collective, kNames);
}

std::string NcclOverride::problem() const {
  std::string text;
  each_word(algorithms, [&](std::string_view word) {
    if (text.empty() && !nccl_algorithm(word)) {
      text = "NCCL_ALGO: \"" + std::string(word.substr(0, 40)) +
             "\" is none of Tree, Ring, CollNetDirect, CollNetChain, NVLS, NVLSTree, PAT";
    }
  });
  each_word(protocols, [&](std::string_view word) {
    if (text.empty() && !nccl_protocol(word)) {
      text = "NCCL_PROTO: \"" + std::string(word.substr(0, 40)) + "\" is none of LL, LL128, Simple";
    }
  });
  return text;
}

bool NcclOverride::allows(NcclAlgorithm algorithm, NcclProtocol protocol) const {
  return listed(algorithms, name_of(algorithm)) && listed(protocols, name_of(protocol));
}

std::vector<NcclOption> nccl_options(const NcclTuning& tuning, const NcclSystem& system,
                                     NcclFunction function, const NcclOverride& forced) {
  const TuningModel model(tuning, system, function);
  std::vector<NcclOption> options;
  for (const NcclAlgorithm a : kAllAlgorithms) {
    for (const NcclProtocol p : kAllProtocols) {
      if (!model.runs(a, p) || !forced.allows(a, p)) continue;
      const NcclOption option{a, p, model.latency(a, p), model.bandwidth(a, p)};
      if (option.bandwidth > 0) options.push_back(option);
    }
  }
  return options;
}

double nccl_estimate_us(const NcclTuning& tuning, const NcclSystem& system, NcclFunction function,
                        const NcclOption& option, std::int64_t bytes) {
  double bandwidth = option.bandwidth;
  double latency = option.latency_us;
  const bool reduce = function == NcclFunction::AllReduce;
  const std::int64_t step = floor_log2(bytes >> 6);
  const bool tree = option.algorithm == NcclAlgorithm::Tree;
  const bool corrected = tuning.nvls_by_efficiency && option.algorithm == NcclAlgorithm::NvlsTree &&
                         system.generation == GpuGeneration::Blackwell;
  if (reduce && (tree || corrected) && step >= 0 && step < (tree ? 23 : 24)) {
    bandwidth *= tuning.tree_correction[index(option.protocol)][static_cast<std::size_t>(step)];
  }
  if (reduce && option.algorithm == NcclAlgorithm::Ring &&
      option.protocol == NcclProtocol::Simple && system.nodes > 1 &&
      bytes / (system.channels * system.ranks()) >= 64) {
    latency *= system.generation < GpuGeneration::Ampere ? tuning.ring_plateau_before_ampere
                                                         : tuning.ring_plateau;
  }
  return latency + real(bytes) / (1000 * bandwidth);
}

std::optional<NcclSelection> nccl_select(const NcclTuning& tuning, const NcclSystem& system,
                                         NcclFunction function, std::int64_t bytes,
                                         const NcclOverride& forced) {
  std::optional<NcclSelection> best;
  for (const NcclOption& option : nccl_options(tuning, system, function, forced)) {
    const double time = nccl_estimate_us(tuning, system, function, option, bytes);
    if (!best || time < best->estimate_us) best = NcclSelection{option, time};
  }
  return best;
}

std::int64_t nccl_channels(const NcclSystem& system, NcclAlgorithm algorithm, NcclProtocol protocol,
                           std::int64_t bytes, std::int64_t nvls_channels) {
  if (algorithm == NcclAlgorithm::Nvls || algorithm == NcclAlgorithm::NvlsTree) {
    return nvls_channels;
  }
  std::int64_t per_channel = protocol == NcclProtocol::Simple  ? 512 * 64
                             : protocol == NcclProtocol::Ll128 ? 640 * 8
                                                               : 512 * 8;
  if (protocol == NcclProtocol::Ll && algorithm == NcclAlgorithm::Ring) {
    per_channel *= system.ranks();
  }
  std::int64_t channels = system.channels;
  while (channels > 1 && bytes < channels * per_channel) --channels;
  return channels;
}

}  // namespace spineleaf
