#include "models/collectives/nccl_system.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace spineleaf {
namespace {

// GB/s per channel that the search tries, from the top (NCCL src/graph/search.cc).
constexpr double kIntraBeforeHopper[] = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
constexpr double kInterBeforeHopper[] = {48, 30, 28, 24, 20, 18,  15,  12,   10,  9,
                                         7,  6,  5,  4,  3,  2.4, 1.2, 0.24, 0.12};
constexpr double kIntraHopper[] = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
constexpr double kInterHopper[] = {48, 45, 42, 40, 30,  24,  22,   20,  17.5,
                                   15, 12, 6,  3,  2.4, 1.2, 0.24, 0.12};
constexpr double kIntraBlackwell[] = {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18};
constexpr double kInterBlackwell[] = {96, 86,   80, 48, 45.1, 42, 40,  30,  24,   22,
                                      20, 17.5, 15, 12, 6,    3,  2.4, 1.2, 0.24, 0.12};
constexpr std::int64_t kMostChannels = 64;
constexpr double kFastChannel = 50;  // from here on Hopper and later halve a channel's speed

std::span<const double> ladder(GpuGeneration generation, bool inter) {
  if (generation < GpuGeneration::Hopper) {
    return inter ? std::span<const double>(kInterBeforeHopper) : kIntraBeforeHopper;
  }
  if (generation == GpuGeneration::Hopper) {
    return inter ? std::span<const double>(kInterHopper) : kIntraHopper;
  }
  return inter ? std::span<const double>(kInterBlackwell) : kIntraBlackwell;
}

/// The largest step of the ladder at or below `most`, or its last one.
double step_below(std::span<const double> steps, double most) {
  for (const double step : steps) {
    if (step <= most) return step;
  }
  return steps.back();
}

/// Rings inside one node: the largest speed whose channels fill the NVLink best, then doubled with
/// half the speed where a channel is that fast.
NcclGraphSpeed local_rings(const NcclNode& node) {
  const double link = node.nvlink_gbytes > 0 ? node.nvlink_gbytes : node.pcie_gbytes;
  NcclGraphSpeed best;
  for (const double speed : ladder(node.generation, false)) {
    const auto channels = std::min<std::int64_t>(static_cast<std::int64_t>(link / speed), 16);
    if (static_cast<double>(channels) * speed > static_cast<double>(best.channels) * best.intra) {
      best = {channels, speed, speed};
    }
  }
  const bool halve = node.generation < GpuGeneration::Hopper || best.intra >= kFastChannel;
  if (halve && best.channels > 0 && best.channels <= 16) {
    best = {2 * best.channels, best.intra / 2, best.inter / 2};
  }
  return best;
}

NcclGraphSpeed rings_over_nics(const NcclNode& node) {
  const double nic = std::min(node.nic_gbps / 8, node.pcie_gbytes);
  const double speed = step_below(ladder(node.generation, true), nic);
  return {std::clamp<std::int64_t>(node.nics, 1, 16), speed, speed};
}

/// One head per GPU. Before 2.28 the heads share the GPU's NVLink; since then a channel's speed is
/// the top of the ladder and the model's efficiency does the rest. Derived from the sizes at which
/// logs of both show NVLS.
NcclGraphSpeed nvls_graph(const NcclNode& node, std::int64_t nodes, double net,
                          std::int64_t major_minor) {
  const auto steps = ladder(node.generation, false);
  const std::int64_t heads = std::min<std::int64_t>(node.gpus, 32);
  const double share = node.nvlink_gbytes / static_cast<double>(heads);
  const double intra = major_minor < 228 ? step_below(steps, share) : steps.front();
  return {heads, intra, nodes > 1 ? net : intra};
}

std::int64_t number(const NcclSettings& settings, std::string_view name, std::int64_t otherwise) {
  const auto it = settings.find(name);
  if (it == settings.end()) return otherwise;
  std::int64_t value = otherwise;
  const std::string& text = it->second;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && value > 0 && value <= 1024 ? value : otherwise;
}

std::string text(const NcclSettings& settings, std::string_view name) {
  const auto it = settings.find(name);
  return it == settings.end() ? std::string() : it->second;
}

std::int64_t default_nvls_channels(const NcclNode& node, std::int64_t nodes) {
  if (node.generation < GpuGeneration::Blackwell) return 16;
  return nodes > 1 ? 32 : 24;
}

/// 14 GB/s of a NIC are worth a channel to a peer; two at least, a power of two (NCCL
/// src/graph/paths.cc).
std::int64_t default_channels_per_peer(const NcclNode& node) {
  const double nic = std::min(node.nic_gbps / 8, node.pcie_gbytes);
  std::int64_t channels = 2;
  while (static_cast<double>(channels) * 14 < nic) channels *= 2;
  return channels;
}

constexpr std::string_view kKnown[] = {"ALGO",
                                       "PROTO",
                                       "MIN_CTAS",
                                       "MAX_CTAS",
                                       "MIN_NCHANNELS",
                                       "MAX_NCHANNELS",
                                       "NVLS_ENABLE",
                                       "NCHANNELS_PER_NET_PEER",
                                       "P2P_DISABLE",
                                       "SHM_DISABLE",
                                       "IB_QPS_PER_CONNECTION"};

}  // namespace

NcclSettings nccl_settings(std::string_view flags) {
  NcclSettings settings;
  std::string* last = nullptr;  // of this word: "ALGO=Ring,Tree" is one setting with a list
  while (!flags.empty()) {
    const std::size_t end = flags.find_first_of(" ,()\t");
    const std::string_view word = flags.substr(0, end);
    const bool list = end != std::string_view::npos && flags[end] == ',';
    flags.remove_prefix(std::min(flags.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos && last != nullptr && !word.empty()) {
      *last += "," + std::string(word);
    }
    if (!list) last = nullptr;
    if (equals == std::string_view::npos || settings.size() >= 200) continue;
    std::string name(word.substr(0, equals));
    if (name.starts_with("NCCL_")) name.erase(0, 5);
    if (name == "QPS" || name == "QPS_PER_CONNECTION") name = "IB_QPS_PER_CONNECTION";
    if (name == "SPLIT" || name == "SPLIT_DATA_ON_QPS") name = "IB_SPLIT_DATA_ON_QPS";
    if (name == "AR") name = "IB_ADAPTIVE_ROUTING";
    std::string& value = settings[std::move(name)];
    value = word.substr(equals + 1);
    if (list) last = &value;
  }
  return settings;
}

bool nccl_setting_known(std::string_view name) {
  return std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
}

NcclSetup make_nccl_setup(const NcclNode& node, std::int64_t nodes, const NcclSettings& settings,
                          std::int64_t major_minor) {
  NcclSetup setup;
  NcclSystem& system = setup.system;
  system.nodes = nodes;
  system.gpus_per_node = node.gpus;
  system.generation = node.generation;
  system.amd_cpu = node.amd_cpu;
  system.nvlink = node.nvlink_gbytes > 0;
  system.nvls = node.nvswitch && text(settings, "NVLS_ENABLE") != "0";
  system.ll128 = node.ll128;
  system.ring = system.tree = nodes > 1 ? rings_over_nics(node) : local_rings(node);
  system.nvls_graph = nvls_graph(node, nodes, system.ring.inter, major_minor);
  const bool doubles = node.generation >= GpuGeneration::Hopper && nodes > 1;
  std::int64_t channels = 2 * system.ring.channels;
  if (doubles && channels < 16) channels *= 2;
  const std::int64_t least =
      std::max(number(settings, "MIN_CTAS", 1), number(settings, "MIN_NCHANNELS", 1));
  const std::int64_t most = std::min(number(settings, "MAX_CTAS", kMostChannels),
                                     number(settings, "MAX_NCHANNELS", kMostChannels));
  system.channels = std::clamp(std::min(channels, kMostChannels), std::min(least, most), most);
  setup.nvls_channels = default_nvls_channels(node, nodes);
  // Up to 2.27 NCCL_MIN_CTAS moves the NVLS channels too.
  const std::int64_t nvls_least = major_minor < 228 ? number(settings, "MIN_CTAS", 1) : 1;
  setup.nvls_channels = std::max(
      nvls_least, std::min(setup.nvls_channels, number(settings, "MAX_CTAS", kMostChannels)));
  setup.channels_per_net_peer =
      number(settings, "NCHANNELS_PER_NET_PEER", default_channels_per_peer(node));
  setup.forced = {text(settings, "ALGO"), text(settings, "PROTO")};
  for (const auto& [name, value] : settings) {
    if (!nccl_setting_known(name)) setup.unknown.push_back(name);
  }
  return setup;
}

}  // namespace spineleaf
