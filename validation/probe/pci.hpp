#pragma once
// The PCIe tree as sysfs shows it, and how GPUs and NICs reach each other through it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validation/probe/sysfs.hpp"

namespace spineleaf::probe {

struct PciDevice {
  std::string address;             ///< "0000:17:00.0"
  std::uint32_t device_class = 0;  ///< 0x030200: GPU, 0x020700: InfiniBand, 0x060400: bridge
  std::int64_t vendor = 0, device = 0;
  std::int64_t numa = -1;  ///< -1 = not told
  /// Root bus ("pci0000:15"), then every bridge, from the root down, without the device itself.
  std::vector<std::string> above;

  bool is_gpu() const { return (device_class >> 16) == 0x03 && vendor != 0x1a03; }
  bool is_nic() const { return (device_class >> 16) == 0x02; }
  bool is_bridge() const { return (device_class >> 8) == 0x0604; }
};

struct PciTree {
  std::vector<PciDevice> devices;  ///< ascending in address
  const PciDevice* find(const std::string& address) const;
  std::vector<const PciDevice*> gpus() const;
  /// Network devices that RDMA runs over; all network devices where none does.
  std::vector<const PciDevice*> nics() const;
  std::vector<std::string> rdma_addresses;
};

PciTree read_pci_tree(const Sysfs& sysfs);

/// "PIX" one switch, "PXB" several, "PHB" the same root complex, "NODE" the same socket, "SYS".
std::string pci_path(const PciDevice& a, const PciDevice& b);
int pci_rank(const std::string& path);  ///< 0 for PIX to 4 for SYS

/// Bridges that traffic between the two passes, ports of switches and root ports alike.
std::vector<std::string> bridges_between(const PciDevice& a, const PciDevice& b);

}  // namespace spineleaf::probe
