// What sends traffic between a GPU and a NIC up to the CPU and back: access control services (ACS)
// of the bridges between them, and an IOMMU that translates.

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "validation/probe/pci.hpp"
#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

// PCI Express Base Specification: extended capabilities begin at 0x100; that of ACS has id 0x000D,
// its control register lies 6 bytes in.
constexpr std::size_t kConfigBytes = 4096;
constexpr std::size_t kExtended = 0x100;
constexpr std::uint32_t kAcs = 0x000D;
constexpr std::pair<std::uint32_t, const char*> kBits[] = {
    {1U << 0, "SrcValid"},   {1U << 1, "TransBlk"},    {1U << 2, "ReqRedir"},
    {1U << 3, "CmpltRedir"}, {1U << 4, "UpstreamFwd"}, {1U << 5, "EgressCtrl"},
    {1U << 6, "DirectTrans"}};
constexpr std::uint32_t kRedirects = (1U << 2) | (1U << 3) | (1U << 4);

std::uint32_t number_at(std::string_view config, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes && at + i < config.size(); ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(config[at + i])) << (8 * i);
  }
  return value;
}

/// Where ACS's capability begins; 0 = it has none.
std::size_t acs_of(std::string_view config) {
  std::size_t at = kExtended;
  for (int steps = 0; steps < 64 && at >= kExtended && at + 8 <= config.size(); ++steps) {
    const std::uint32_t header = number_at(config, at, 4);
    if (header == 0 || header == 0xFFFFFFFF) return 0;
    if ((header & 0xFFFF) == kAcs) return at;
    at = header >> 20;
  }
  return 0;
}

Json bridge_of(const Sysfs& sysfs, const std::string& address) {
  const std::string config =
      sysfs.bytes("/sys/bus/pci/devices/" + address + "/config", kConfigBytes);
  Json out;
  out["pci"] = address;
  if (config.size() <= kExtended) {
    out["acs"] = "unknown";
    out["reason"] = "only root may read beyond the first 64 bytes of config";
    out["how_to_get_it"] = "sudo lspci -vvv -s " + address + " | grep -i ACSCtl";
    return out;
  }
  const std::size_t at = acs_of(config);
  if (at == 0) {
    out["acs"] = "absent";
    return out;
  }
  const std::uint32_t control = number_at(config, at + 6, 2);
  out["acs"] = (control & kRedirects) != 0 ? "redirects" : "direct";
  Json bits = Json::array();
  for (const auto& [bit, name] : kBits) {
    if ((control & bit) != 0) bits.push_back(name);
  }
  out["bits"] = std::move(bits);
  return out;
}

/// Bridges that a GPU's traffic passes on its way to each of its nearest NICs.
std::set<std::string> bridges_on_paths(const PciTree& tree) {
  std::set<std::string> bridges;
  for (const PciDevice* gpu : tree.gpus()) {
    int best = 99;
    for (const PciDevice* nic : tree.nics()) best = std::min(best, pci_rank(pci_path(*gpu, *nic)));
    for (const PciDevice* nic : tree.nics()) {
      if (pci_rank(pci_path(*gpu, *nic)) != best) continue;
      for (std::string& bridge : bridges_between(*gpu, *nic)) bridges.insert(std::move(bridge));
    }
  }
  return bridges;
}

/// Only words about an IOMMU: the rest of the command line may name things.
Json iommu_words(const std::string& command_line) {
  Json found = Json::array();
  std::istringstream words(command_line);
  for (std::string word; words >> word;) {
    for (const char* start : {"iommu=", "intel_iommu=", "amd_iommu=", "iommu.", "pcie_acs_override",
                              "pci=disable_acs_redir"}) {
      if (word.starts_with(start)) found.push_back(word);
    }
  }
  return found;
}

Json iommu_of(const Sysfs& sysfs) {
  Json out;
  const std::string folder = "/sys/kernel/iommu_groups";
  const auto groups = sysfs.list(folder);
  std::map<std::string, int> types;
  for (const std::string& group : groups) {
    ++types[sysfs.text(folder + "/" + group + "/type").value_or("not told")];
  }
  out["units"] = sysfs.list("/sys/class/iommu").size();
  out["groups"] = groups.size();
  out["group_types"] = types;
  out["kernel_words"] = iommu_words(sysfs.text("/proc/cmdline").value_or(""));
  const bool translates = std::any_of(
      types.begin(), types.end(), [](const auto& type) { return type.first.starts_with("DMA"); });
  out["mode"] = groups.empty() ? "off" : translates ? "translated" : "passthrough";
  if (types.count("not told") > 0) out["mode"] = "unknown";
  return out;
}

}  // namespace

void read_acs_iommu(const Options& options, Json& out, Progress& progress) {
  const Sysfs sysfs(options.root);
  progress.step("reading /sys/bus/pci");
  const PciTree tree = read_pci_tree(sysfs);
  if (tree.devices.empty() && !sysfs.exists("/sys/kernel")) {
    throw Unavailable("no /sys on this machine", "run the probe where /sys is mounted");
  }
  out["iommu"] = iommu_of(sysfs);
  progress.publish(out);
  Json bridges = Json::array();
  Json redirecting = Json::array();
  bool unknown = false;
  for (const std::string& address : bridges_on_paths(tree)) {
    Json bridge = bridge_of(sysfs, address);
    if (bridge["acs"] == "redirects") redirecting.push_back(address);
    unknown = unknown || bridge["acs"] == "unknown";
    bridges.push_back(std::move(bridge));
  }
  if (bridges.empty()) {
    out["acs"] = "no bridge lies between a GPU and a NIC";
  } else {
    out["acs"] = !redirecting.empty() ? "redirects" : unknown ? "unknown" : "direct";
  }
  out["redirecting"] = std::move(redirecting);
  out["bridges"] = std::move(bridges);
  if (unknown) {
    throw Unavailable("ACS of some bridges can be read by root only",
                      "sudo lspci -vvv | grep -iE 'PCI bridge|ACSCtl', or run the probe as root");
  }
}

}  // namespace spineleaf::probe
