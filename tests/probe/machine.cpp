#include "tests/probe/machine.hpp"

#include <filesystem>
#include <fstream>

#include "tests/cli/command.hpp"

namespace spineleaf {
namespace {

namespace fs = std::filesystem;

std::string hex2(int value) {
  constexpr const char* kDigits = "0123456789abcdef";
  return {kDigits[value / 16 % 16], kDigits[value % 16]};
}

}  // namespace

Machine::Machine() {
  std::string name = fs::temp_directory_path() / "spineleaf-machine-XXXXXX";
  folder_ = ::mkdtemp(name.data());
  root_ = folder_ + "/root";
  out_ = folder_ + "/out.json";
  fs::create_directories(root_);
}

Machine::~Machine() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

void Machine::write(const std::string& path, const std::string& text) const {
  fs::create_directories(fs::path(root_ + path).parent_path());
  std::ofstream(root_ + path, std::ios::binary) << text;
}

void Machine::link(const std::string& path, const std::string& target) const {
  fs::create_directories(fs::path(root_ + path).parent_path());
  fs::create_symlink(root_ + target, root_ + path);
}

void Machine::add_pci(const std::vector<std::string>& above, const std::string& address,
                      const std::string& device_class, int width) const {
  std::string folder = "/sys/devices";
  for (const std::string& part : above) folder += "/" + part;
  folder += "/" + address;
  write(folder + "/class", device_class + "\n");
  write(folder + "/vendor", device_class.starts_with("0x02") ? "0x15b3\n" : "0x10de\n");
  write(folder + "/device", "0x1021\n");
  write(folder + "/numa_node", "0\n");
  write(folder + "/current_link_speed", "32.0 GT/s PCIe\n");
  write(folder + "/max_link_speed", "32.0 GT/s PCIe\n");
  write(folder + "/current_link_width", std::to_string(width) + "\n");
  write(folder + "/max_link_width", "16\n");
  link("/sys/bus/pci/devices/" + address, folder);
}

void Machine::add_nic(int number, const std::string& address) const {
  const std::string name = "mlx5_" + std::to_string(number);
  const std::string folder = "/sys/class/infiniband/" + name;
  write(folder + "/fw_ver", "28.39.1002\n");
  write(folder + "/node_guid", "b83f:d203:00c1:00" + hex2(number) + "\n");
  const std::string port = folder + "/ports/1";
  write(port + "/state", "4: ACTIVE\n");
  write(port + "/rate", "400 Gb/sec (4X NDR)\n");
  write(port + "/link_layer", "Ethernet\n");
  write(port + "/gids/3", "0000:0000:0000:0000:0000:ffff:0a00:00" + hex2(number) + "\n");
  write(port + "/gid_attrs/types/0", "IB/RoCE v1\n");
  write(port + "/gid_attrs/types/3", "RoCE v2\n");
  write(port + "/hw_counters/np_cnp_sent", "7\n");
  write(port + "/counters/port_xmit_data", "123456\n");
  link(folder + "/device", fs::canonical(root_ + "/sys/bus/pci/devices/" + address)
                               .string()
                               .substr(fs::canonical(root_).string().size()));
  write("/sys/bus/pci/devices/" + address + "/net/ens" + std::to_string(number) + "/mtu", "9000\n");
}

void Machine::set_acs(const std::string& address, unsigned control) const {
  std::string config(0x200, '\0');
  config[0x100] = 0x0D;  // capability 0x000D, version 1, no other after it
  config[0x102] = 0x01;
  config[0x106] = static_cast<char>(control);
  write("/sys/bus/pci/devices/" + address + "/config", config);
}

void Machine::build_hgx(int gpus, int nics) const {
  write("/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=UUID=5ec2e7 iommu=pt quiet\n");
  write("/sys/kernel/iommu_groups/0/type", "identity\n");
  const auto under = [&](int place, const std::string& slot) {
    const std::string bus = "0000:" + hex2(0x40 + place * 0x10);
    return std::vector<std::string>{"pci" + bus, bus + ":01.0",
                                    "0000:" + hex2(0x41 + place * 0x10) + ":00.0",
                                    "0000:" + hex2(0x42 + place * 0x10) + ":" + slot};
  };
  const auto add_bridges = [&](const std::vector<std::string>& above) {
    for (std::size_t i = 1; i < above.size(); ++i) {
      if (fs::exists(root_ + "/sys/bus/pci/devices/" + above[i])) continue;
      add_pci({above.begin(), above.begin() + static_cast<std::ptrdiff_t>(i)}, above[i],
              "0x060400");
      set_acs(above[i], 0);
    }
  };
  for (int i = 0; i < gpus; ++i) {
    const auto above = under(i / 2, "0" + std::to_string(i % 2) + ".0");
    add_bridges(above);
    add_pci(above, "0000:" + hex2(0x10 + i) + ":00.0", "0x030200");
  }
  for (int i = 0; i < nics; ++i) {
    const auto above = i < 8 ? under(i / 2, "1" + std::to_string(i % 2) + ".0")
                             : under(8, "1" + std::to_string(i % 2) + ".0");
    add_bridges(above);
    add_pci(above, "0000:" + hex2(0x20 + i) + ":00.0", "0x020700");
    add_nic(i, "0000:" + hex2(0x20 + i) + ":00.0");
  }
}

std::string Machine::probe_command(const std::string& fakes, const std::string& arguments,
                                   const std::string& environment) const {
  return environment + " '" SPINELEAF_PROBE "' --root '" + root_ + "' --libraries '" +
         SPINELEAF_FAKES "/" + fakes + "' --out '" + out_ + "' " + arguments;
}

nlohmann::json Machine::read_file() const {
  return nlohmann::json::parse(file_text(out_), nullptr, false);
}

Machine::Run Machine::probe(const std::string& fakes, const std::string& arguments,
                            const std::string& environment) const {
  const CommandResult result = shell_command(probe_command(fakes, arguments, environment));
  return {result.exit_code, result.output, read_file()};
}

}  // namespace spineleaf
