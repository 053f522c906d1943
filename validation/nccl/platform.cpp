#include "validation/nccl/platform.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "validation/readers/text_lines.hpp"

namespace spineleaf {
namespace {

constexpr double kChangeCost = 0.02;  ///< of a change of choice without a bend
constexpr double kClearly = 0.1;      ///< by which a guess must beat what was assumed

struct NetworkWord {
  std::string_view word;
  std::string_view group;
};
// The first word that occurs decides; plugins before link layers.
constexpr NetworkWord kNetworks[] = {{"TCPXO", "tcpxo"},
                                     {"TCPX", "tcpxo"},
                                     {"CXI hook disabled", "tcp"},
                                     {"sockets", "tcp"},
                                     {"Socket", "tcp"},
                                     {"CXI", "cxi"},
                                     {"Slingshot", "cxi"},
                                     {"EFA", "efa"},
                                     {"gIB", "roce-gib"},
                                     {"AINIC", "roce-ainic"},
                                     {"Pollara", "roce-ainic"},
                                     {"RoCE", "roce"},
                                     {"Spectrum", "roce"},
                                     {"IB", "ib"},
                                     {"InfiniBand", "ib"},
                                     {"NDR", "ib"},
                                     {"HDR", "ib"},
                                     {"XDR", "ib"}};
constexpr std::string_view kNewerNics[] = {"CX-8", "ConnectX-8", "CX-9", "ConnectX-9"};

/// The servers of one NVLink domain count as one node: 18 trays of 4 GPUs are 72 in one domain.
void size_node(const MeasuredSweep& sweep, const NcclNode& preset, NcclNode& node,
               std::int64_t& nodes) {
  node.gpus = sweep.gpus_per_node;
  nodes = sweep.nodes;
  const std::int64_t total = sweep.ranks();
  std::int64_t nics = sweep.nics_per_node > 0
                          ? sweep.nics_per_node
                          : std::max<std::int64_t>(1, preset.nics * node.gpus / preset.gpus);
  if (preset.gpus > 8 && sweep.gpus_per_node < preset.gpus) {
    const std::int64_t domains = (total + preset.gpus - 1) / preset.gpus;
    node.gpus = total / domains;
    nodes = domains;
    nics = nics * node.gpus / std::max<std::int64_t>(1, sweep.gpus_per_node);
  }
  node.nics = std::max<std::int64_t>(1, nics);
  if (sweep.nic_gbps > 0) node.nic_gbps = static_cast<double>(sweep.nic_gbps);
}

void set_up(Platform& platform, const NcclTuningClass& tuning, std::int64_t nodes,
            const NcclSettings& settings, bool amd_cpu) {
  platform.tuning = &tuning;
  platform.system.node.amd_cpu = amd_cpu;
  const std::int64_t major_minor =
      tuning.first[0] * 100 + std::max<std::int64_t>(tuning.first[1], 19);
  platform.system.setup = make_nccl_setup(platform.system.node, nodes, settings, major_minor);
}

/// How much the curve bends at point i: growth of the time there over that of the sizes beside it.
double bend(const std::vector<MeasuredPoint>& best, std::size_t i) {
  const auto growth = [&](std::size_t at) {
    return std::log(best[at].time_us / best[at - 1].time_us);
  };
  return growth(i) - (growth(i - 1) + growth(i + 1)) / 2;
}

/// How well NCCL's choices fit the jumps of a curve: the bends where the choice changes, less a
/// little for each change.
double fit_of_jumps(const Platform& platform, const std::vector<MeasuredPoint>& best) {
  double sum = 0;
  for (std::size_t i = 2; i + 1 < best.size(); ++i) {
    const PlatformChoice before = choice_of(platform, best[i - 1].bytes);
    const PlatformChoice here = choice_of(platform, best[i].bytes);
    if (before.algorithm == here.algorithm && before.protocol == here.protocol) continue;
    sum += bend(best, i) - kChangeCost;
  }
  return sum;
}

/// The last class that was out by the year and month in "unknown(2025-06)", or null.
const NcclTuningClass* class_of_date(const NcclCatalog& catalog, std::string_view text) {
  for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
    const auto year = to_integer(text.substr(at, 4));
    if (!year || *year < 2015 || *year > 2100) continue;
    std::int64_t month = 12;
    if (at + 7 <= text.size() && text[at + 4] == '-') {
      month = to_integer(text.substr(at + 5, 2)).value_or(12);
    }
    const NcclTuningClass* found = &catalog.classes.front();
    for (const NcclTuningClass& entry : catalog.classes) {
      if (entry.released <= *year * 12 + month) found = &entry;
    }
    return found;
  }
  return nullptr;
}

/// Version and CPU where the owner does not tell them.
void assume_unknown(const NcclCatalog& catalog, const MeasuredSweep& sweep,
                    const std::vector<MeasuredPoint>& best, std::int64_t nodes,
                    const NcclSettings& settings, Platform& platform) {
  const auto version = nccl_version_in_words(sweep.nccl_version);
  platform.version_known = version.has_value();
  const NcclTuningClass* known = version ? &catalog.of_version(*version) : nullptr;
  const NcclTuningClass* dated =
      known == nullptr ? class_of_date(catalog, sweep.nccl_version) : nullptr;
  const NcclTuningClass* first = known != nullptr   ? known
                                 : dated != nullptr ? dated
                                                    : &catalog.classes.front();
  set_up(platform, *first, nodes, settings, false);
  if (!platform.function) return;
  const double plain = fit_of_jumps(platform, best);
  double most = plain + kClearly;
  const NcclTuningClass* tuning = first;
  bool amd_cpu = false;
  for (const NcclTuningClass& entry : catalog.classes) {
    if ((known != nullptr || dated != nullptr) && &entry != first) continue;
    for (const bool amd : {false, true}) {
      if (amd && nodes < 2) continue;
      set_up(platform, entry, nodes, settings, amd);
      const double fit = fit_of_jumps(platform, best);
      if (fit <= most) continue;
      most = fit;
      tuning = &entry;
      amd_cpu = amd;
    }
  }
  set_up(platform, *tuning, nodes, settings, amd_cpu);
  if (known == nullptr) {
    platform.remarks.push_back("the version of NCCL is not told: class " + tuning->tuning.versions +
                               (tuning != first    ? ", inferred from the jumps of the curve"
                                : dated != nullptr ? ", by the date"
                                                   : ", assumed"));
  }
  if (amd_cpu) {
    platform.remarks.push_back("the CPU is not told: AMD, inferred from the jumps of the curve");
  }
}

}  // namespace

std::string network_group_of(const MeasuredSweep& sweep) {
  for (const std::string* text : {&sweep.flags, &sweep.nic, &sweep.fabric}) {
    for (const NetworkWord& network : kNetworks) {
      if (!has(*text, network.word)) continue;
      for (const std::string_view nic : kNewerNics) {
        if (has(sweep.nic, nic)) return std::string(network.group) + "-cx8";
      }
      return std::string(network.group);
    }
  }
  return "unknown";
}

std::optional<Platform> platform_of(const NcclCatalog& catalog, const MeasuredSweep& sweep,
                                    const std::vector<MeasuredPoint>& best, std::string& problem) {
  Platform platform;
  const NcclNodePreset* preset = catalog.node_of_gpu(sweep.gpu);
  if (preset == nullptr) {
    preset = catalog.node_named("hgx-h100");
    if (preset == nullptr || sweep.ranks() < 2) {
      problem = "no node of the catalog has a GPU called " + in_quotes(sweep.gpu);
      return std::nullopt;
    }
    platform.remarks.push_back("no node of the catalog has a GPU called " + in_quotes(sweep.gpu) +
                               ": taken for an hgx-h100");
  }
  NcclNode& node = platform.system.node;
  node = preset->node;
  std::int64_t nodes = 1;
  size_node(sweep, preset->node, node, nodes);
  NcclSettings settings = nccl_settings(sweep.flags);
  if (settings.count("P2P_DISABLE") > 0 && settings["P2P_DISABLE"] == "1") node.nvlink_gbytes = 0;
  platform.gpu_group = preset->costs;
  platform.network_group = nodes > 1 ? network_group_of(sweep) : "local";
  platform.collective = sweep.collective;
  platform.function = nccl_function(sweep.collective);
  if (const NcclPlugin* plugin = catalog.plugin_of(platform.network_group)) {
    platform.plugin = plugin;
    platform.remarks.push_back("NCCL's choice is the network plugin's: " + plugin->source);
  }
  assume_unknown(catalog, sweep, best, nodes, settings, platform);
  return platform;
}

std::string PlatformChoice::name() const {
  if (sends) return "sends";
  return std::string(name_of(algorithm)) + "/" + std::string(name_of(protocol));
}

PlatformChoice choice_of(const Platform& platform, std::int64_t bytes) {
  if (!platform.function) return {};
  if (platform.plugin != nullptr && platform.function == NcclFunction::AllReduce) {
    PlatformChoice choice;
    for (const NcclPluginChoice& rule : platform.plugin->choices) {
      if (rule.from <= bytes) choice = {rule.algorithm, rule.protocol, false};
    }
    return choice;
  }
  const NcclSetup& setup = platform.system.setup;
  const auto selected =
      nccl_select(platform.tuning->tuning, setup.system, *platform.function, bytes, setup.forced);
  if (!selected) return {};
  return {selected->option.algorithm, selected->option.protocol, false};
}

double nccl_estimate_of(const Platform& platform, std::int64_t bytes) {
  if (!platform.function) return -1;
  const NcclSetup& setup = platform.system.setup;
  const auto selected =
      nccl_select(platform.tuning->tuning, setup.system, *platform.function, bytes, setup.forced);
  return selected ? selected->estimate_us : -1;
}

EndpointTime time_of(const Platform& platform, const EndpointCosts& costs,
                     const PlatformChoice& choice, std::int64_t bytes) {
  if (!platform.function) {
    return endpoint_send_time(platform.system, costs, platform.collective == "alltoall", bytes);
  }
  return endpoint_time(platform.system, costs, *platform.function, choice.algorithm,
                       choice.protocol, bytes);
}

EndpointTime platform_time(const Platform& platform, const EndpointCosts& costs,
                           std::int64_t bytes) {
  return time_of(platform, costs, choice_of(platform, bytes), bytes);
}

}  // namespace spineleaf
