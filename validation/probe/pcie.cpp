// PCIe links of GPUs, NICs and the bridges between them, and which NIC each GPU is nearest to.

#include <algorithm>
#include <set>

#include "validation/probe/pci.hpp"
#include "validation/probe/sections.hpp"

namespace spineleaf::probe {
namespace {

constexpr const char* kDevices = "/sys/bus/pci/devices/";

Json link_of(const Sysfs& sysfs, const PciDevice& device) {
  const std::string folder = kDevices + device.address + "/";
  Json out;
  out["pci"] = device.address;
  out["kind"] = device.is_gpu() ? "gpu" : device.is_nic() ? "nic" : "bridge";
  out["numa"] = device.numa;
  out["link_speed"] = as_json(sysfs.text(folder + "current_link_speed"));
  out["link_width"] = as_json(sysfs.integer(folder + "current_link_width"));
  out["link_speed_most"] = as_json(sysfs.text(folder + "max_link_speed"));
  out["link_width_most"] = as_json(sysfs.integer(folder + "max_link_width"));
  out["above"] = device.above;
  return out;
}

}  // namespace

void read_pcie(const Options& options, Json& out, Progress& progress) {
  const Sysfs sysfs(options.root);
  progress.step("reading /sys/bus/pci");
  const PciTree tree = read_pci_tree(sysfs);
  if (tree.devices.empty()) {
    throw Unavailable("no PCI device under " + options.root + kDevices,
                      "run the probe where /sys is mounted, outside a container that hides it");
  }
  const auto gpus = tree.gpus();
  const auto nics = tree.nics();
  if (gpus.empty() && nics.empty()) {
    throw Unavailable(
        "no GPU and no NIC among " + std::to_string(tree.devices.size()) + " PCI devices",
        "lspci shows what the machine has");
  }
  std::set<std::string> shown;
  for (const PciDevice* device : gpus) shown.insert(device->address);
  for (const PciDevice* device : nics) shown.insert(device->address);
  Json pairs = Json::array();
  for (const PciDevice* gpu : gpus) {
    Json row;
    row["gpu"] = gpu->address;
    row["nics"] = Json::object();
    std::string best;
    for (const PciDevice* nic : nics) {
      const std::string path = pci_path(*gpu, *nic);
      row["nics"][nic->address] = path;
      if (best.empty() || pci_rank(path) < pci_rank(best)) best = path;
      for (std::string& bridge : bridges_between(*gpu, *nic)) shown.insert(std::move(bridge));
    }
    row["nearest"] = best.empty() ? Json(nullptr) : Json(best);
    pairs.push_back(std::move(row));
  }
  out["devices"] = Json::array();
  for (const PciDevice& device : tree.devices) {
    if (shown.count(device.address) > 0) out["devices"].push_back(link_of(sysfs, device));
  }
  out["pairs"] = std::move(pairs);
}

}  // namespace spineleaf::probe
