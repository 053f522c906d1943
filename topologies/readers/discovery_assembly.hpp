#pragma once
// DiscoveryAssembly: from devices and cables to a Subnet. Which devices are hosts, how they are
// named and ordered, which port of the graph is which port on the box.

#include <map>
#include <string>
#include <vector>

#include "topologies/custom.hpp"
#include "topologies/readers/discovery.hpp"

namespace spineleaf {

class DiscoveryAssembly {
 public:
  DiscoveryAssembly(Discovery& discovery, std::vector<DiscoveredLink> links,
                    const ImportOptions& options);

  /// Errors go to the discovery's problems; the subnet is then of no use.
  Subnet run();

 private:
  using DeviceId = Discovery::DeviceId;
  enum class Role : std::uint8_t { Unused, Host, Switch, Bystander };

  /// A cabled port of an adapter, and where it goes.
  struct HostPort {
    std::string host;     ///< name of the host
    std::string adapter;  ///< name of the adapter inside it, for the order
    DeviceId device = 0;
    std::uint16_t number = 0;
    std::uint16_t index = 0;  ///< port of the host
    std::uint16_t nic = 0;
  };

  void give_roles();
  void list_host_ports();
  void name_switches();
  std::string unique_name(const std::string& wanted, DeviceId device);
  void describe_links();
  void describe_nodes();
  Subnet fill(Topology topology);
  void add_bystanders(Subnet& subnet);
  void add_lids(Subnet& subnet);
  bool lids_are_unique(const Subnet& subnet);
  std::string text_of(DeviceId device);

  Discovery& discovery_;
  std::vector<DiscoveredLink> links_;
  const ImportOptions& options_;
  std::vector<Role> roles_;
  std::vector<HostPort> host_ports_;  ///< in the order of the graph's endpoints
  std::map<std::pair<DeviceId, std::uint16_t>, std::size_t> host_port_at_;
  std::vector<DeviceId> switches_;  ///< in the order of the graph
  std::map<DeviceId, std::string> switch_names_;
  std::map<std::string, DeviceId> names_;  ///< names given so far
  std::vector<LinkForm> forms_;            ///< beside spec_.links
  CustomSpec spec_;
};

}  // namespace spineleaf
