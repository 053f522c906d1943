#include "validation/doctor/pci_graph.hpp"

#include <algorithm>
#include <cstdlib>

namespace spineleaf {
namespace {

enum class Kind { Other, Gpu, Nic, Bridge };

Kind kind_of(const std::string& device_class, const std::string& device) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  if (has(device_class, "bridge")) return Kind::Bridge;
  if (has(device_class, "3D controller")) return Kind::Gpu;
  if (has(device_class, "VGA") || has(device_class, "Display")) {
    return has(device, "NVIDIA") || has(device, "AMD/ATI") ? Kind::Gpu : Kind::Other;
  }
  if (has(device_class, "Infiniband")) return Kind::Nic;
  if (has(device_class, "Ethernet")) return has(device, "ConnectX") ? Kind::Nic : Kind::Other;
  return Kind::Other;
}

struct Device {
  Kind kind = Kind::Other;
  std::string parent;
  int domain = 0, bus = 0;
  int secondary = -1, subordinate = -1;
};

using Devices = std::map<std::string, Device>;

Devices devices_of(const Facts& facts) {
  Devices devices;
  std::map<std::string, std::string> names;
  for (const Fact& fact : facts.all()) {
    if (fact.name == "device") names[fact.subject] = fact.value;
  }
  for (const Fact& fact : facts.all()) {
    if (fact.subject != pci_address(fact.subject)) continue;
    if (fact.subject.empty()) continue;
    Device& device = devices[fact.subject];
    device.domain = static_cast<int>(std::strtol(fact.subject.substr(0, 4).c_str(), nullptr, 16));
    device.bus = static_cast<int>(std::strtol(fact.subject.substr(5, 2).c_str(), nullptr, 16));
    const auto bus = [&] { return static_cast<int>(std::strtol(fact.value.c_str(), nullptr, 16)); };
    if (fact.name == "class") device.kind = kind_of(fact.value, names[fact.subject]);
    if (fact.name == "parent") device.parent = pci_address(fact.value);
    if (fact.name == "bus.secondary") device.secondary = bus();
    if (fact.name == "bus.subordinate") device.subordinate = bus();
  }
  return devices;
}

/// Bridges above a device, the nearest first.
std::vector<std::string> above(const Devices& devices, const std::string& address) {
  constexpr std::size_t kMost = 32;
  std::vector<std::string> chain;
  const Device& device = devices.at(address);
  if (!device.parent.empty()) {
    for (std::string next = device.parent; !next.empty() && chain.size() < kMost;) {
      chain.push_back(next);
      const auto it = devices.find(next);
      next = it == devices.end() ? "" : it->second.parent;
    }
    return chain;
  }
  std::vector<std::pair<int, std::string>> found;
  for (const auto& [name, bridge] : devices) {
    if (bridge.kind != Kind::Bridge || bridge.domain != device.domain) continue;
    if (bridge.secondary > device.bus || bridge.subordinate < device.bus || bridge.secondary < 0) {
      continue;
    }
    found.emplace_back(bridge.subordinate - bridge.secondary, name);
  }
  std::sort(found.begin(), found.end());
  for (const auto& [width, name] : found) chain.push_back(name);
  return chain;
}

}  // namespace

bool is_endpoint(const Facts& facts, const std::string& address) {
  const Fact* device_class = facts.find(address, "class");
  if (device_class == nullptr) return false;
  const Fact* device = facts.find(address, "device");
  const Kind kind = kind_of(device_class->value, device == nullptr ? "" : device->value);
  return kind == Kind::Gpu || kind == Kind::Nic;
}

PciGraph::PciGraph(const Facts& facts) {
  const Devices devices = devices_of(facts);
  std::vector<std::vector<std::string>> gpus, nics;
  constexpr std::size_t kMost = 64;
  for (const auto& [address, device] : devices) {
    if (device.kind == Kind::Gpu && gpus.size() < kMost) gpus.push_back(above(devices, address));
    if (device.kind == Kind::Nic && nics.size() < kMost) nics.push_back(above(devices, address));
  }
  for (const auto& gpu : gpus) {
    // Bridges that the two do not share; the nearest NIC shares most.
    std::size_t fewest = 99;
    std::vector<std::vector<std::string>> paths;
    for (const auto& nic : nics) {
      std::vector<std::string> path;
      for (const auto& [mine, other] : {std::pair(&gpu, &nic), std::pair(&nic, &gpu)}) {
        for (const std::string& bridge : *mine) {
          if (std::find(other->begin(), other->end(), bridge) == other->end()) {
            path.push_back(bridge);
          }
        }
      }
      fewest = std::min(fewest, path.size());
      paths.push_back(std::move(path));
    }
    for (const auto& path : paths) {
      if (path.size() == fewest) between_.insert(path.begin(), path.end());
    }
  }
}

}  // namespace spineleaf
