#pragma once
// An imaginary machine: folders that look like /sys and /proc, and the probe run on it.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spineleaf {

class Machine {
 public:
  Machine();
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const std::string& root() const { return root_; }
  void write(const std::string& path, const std::string& text) const;
  void link(const std::string& path, const std::string& target) const;

  /// A PCI device under `above`, which begins with a root bus: {"pci0000:10", "0000:10:01.0"}.
  void add_pci(const std::vector<std::string>& above, const std::string& address,
               const std::string& device_class, int width = 16) const;
  void add_nic(int number, const std::string& address) const;
  /// Configuration space of a bridge with these bits of ACS's control register.
  void set_acs(const std::string& address, unsigned control) const;

  /// Four PCIe switches, each with two GPUs and two NICs; two NICs more elsewhere. GPU i is
  /// 0000:1i:00.0.
  void build_hgx(int gpus = 8, int nics = 10) const;

  struct Run {
    int exit_code = -1;
    std::string output;   ///< of both streams
    nlohmann::json file;  ///< discarded() where it is no JSON
    const nlohmann::json& section(const char* name) const { return file.at("sections").at(name); }
  };
  /// `fakes` is a folder of libraries: "whole", "old" or "none".
  Run probe(const std::string& fakes, const std::string& arguments = "",
            const std::string& environment = "") const;
  std::string probe_command(const std::string& fakes, const std::string& arguments,
                            const std::string& environment) const;
  nlohmann::json read_file() const;

 private:
  std::string folder_, root_, out_;
};

}  // namespace spineleaf
