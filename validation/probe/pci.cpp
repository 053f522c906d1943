#include "validation/probe/pci.hpp"

#include <algorithm>
#include <iterator>

namespace spineleaf::probe {
namespace {

bool is_address(const std::string& name) {
  return name.size() >= 12 && name[4] == ':' && name[7] == ':' && name[10] == '.';
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Entries of both lists that are equal, from the root down.
std::size_t common(const PciDevice& a, const PciDevice& b) {
  const auto end = std::mismatch(a.above.begin(), a.above.end(), b.above.begin(), b.above.end());
  return static_cast<std::size_t>(end.first - a.above.begin());
}

}  // namespace

const PciDevice* PciTree::find(const std::string& address) const {
  const auto it = std::find_if(devices.begin(), devices.end(),
                               [&](const PciDevice& one) { return one.address == address; });
  return it == devices.end() ? nullptr : &*it;
}

std::vector<const PciDevice*> PciTree::gpus() const {
  std::vector<const PciDevice*> found;
  for (const PciDevice& one : devices) {
    if (one.is_gpu()) found.push_back(&one);
  }
  return found;
}

std::vector<const PciDevice*> PciTree::nics() const {
  std::vector<const PciDevice*> found;
  for (const std::string& address : rdma_addresses) {
    if (const PciDevice* nic = find(address); nic != nullptr) found.push_back(nic);
  }
  if (!found.empty()) return found;
  for (const PciDevice& one : devices) {
    if (one.is_nic()) found.push_back(&one);
  }
  return found;
}

PciTree read_pci_tree(const Sysfs& sysfs) {
  PciTree tree;
  const std::string folder = "/sys/bus/pci/devices/";
  for (const std::string& name : sysfs.list(folder)) {
    if (!is_address(name)) continue;
    PciDevice one;
    one.address = name;
    one.device_class =
        static_cast<std::uint32_t>(sysfs.integer(folder + name + "/class").value_or(0));
    one.vendor = sysfs.integer(folder + name + "/vendor").value_or(0);
    one.device = sysfs.integer(folder + name + "/device").value_or(0);
    one.numa = sysfs.integer(folder + name + "/numa_node").value_or(-1);
    for (const std::string& part : parts_of(sysfs.resolved(folder + name))) {
      if (part != name && (is_address(part) || part.starts_with("pci"))) one.above.push_back(part);
    }
    tree.devices.push_back(std::move(one));
  }
  for (const std::string& name : sysfs.list("/sys/class/infiniband")) {
    const auto parts = parts_of(sysfs.resolved("/sys/class/infiniband/" + name + "/device"));
    if (!parts.empty() && is_address(parts.back())) tree.rdma_addresses.push_back(parts.back());
  }
  return tree;
}

std::string pci_path(const PciDevice& a, const PciDevice& b) {
  const std::size_t shared = common(a, b);
  if (shared == 0) return a.numa == b.numa && a.numa >= 0 ? "NODE" : "SYS";
  if (shared == 1) return "PHB";  // Only the root bus: through the root complex.
  // A switch is an upstream port with downstream ports below it. Within one, each device lies below
  // one port that the other does not share.
  const std::size_t own = std::max(a.above.size(), b.above.size()) - shared;
  return own <= 1 ? "PIX" : "PXB";
}

int pci_rank(const std::string& path) {
  constexpr const char* kPaths[] = {"PIX", "PXB", "PHB", "NODE", "SYS"};
  const auto* const it = std::find(std::begin(kPaths), std::end(kPaths), path);
  return static_cast<int>(it - std::begin(kPaths));
}

std::vector<std::string> bridges_between(const PciDevice& a, const PciDevice& b) {
  const std::size_t shared = common(a, b);
  std::vector<std::string> bridges;
  for (const PciDevice* device : {&a, &b}) {
    for (std::size_t i = shared; i < device->above.size(); ++i) {
      if (is_address(device->above[i])) bridges.push_back(device->above[i]);
    }
  }
  return bridges;
}

}  // namespace spineleaf::probe
