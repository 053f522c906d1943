#pragma once
// HostTable: hosts and their endpoints by name and number, as workloads need them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

class HostTable {
 public:
  explicit HostTable(const Topology& topology);

  std::uint32_t count() const { return topology_.host_count; }
  /// Endpoints of a host, in port order; 0 for a host without cables.
  std::uint32_t endpoints(std::uint32_t host) const { return first_[host + 1] - first_[host]; }
  /// Endpoint `i` of a host; counts round when the host has fewer. The host has at least one.
  EndpointId endpoint(std::uint32_t host, std::uint32_t i) const {
    return EndpointId{first_[host] + i % endpoints(host)};
  }
  std::uint32_t host_of(EndpointId id) const { return index(topology_.endpoints[index(id)].host); }
  /// NICs of a host: the largest NIC number plus one.
  std::uint32_t nics(std::uint32_t host) const;
  /// Endpoint of NIC `nic`; `turn` rotates over the ports of a NIC with several. The NIC exists.
  EndpointId nic_endpoint(std::uint32_t host, std::uint32_t nic, std::uint32_t turn) const;
  bool has_nic(std::uint32_t host, std::uint32_t nic) const;

  /// Host number of a name; adds a problem naming the nearest host and returns false otherwise.
  bool find_host(std::string_view name, std::uint32_t& host,
                 std::vector<std::string>& problems) const;
  /// "host3" (its first endpoint) or "host3:1" (NIC 1 of it).
  bool find_endpoint(std::string_view name, EndpointId& endpoint,
                     std::vector<std::string>& problems) const;
  /// Hosts of a comma-separated list of names and ranges "first..last"; all cabled hosts when
  /// the list is empty. Each host once, in the order named.
  std::vector<std::uint32_t> select(std::string_view list,
                                    std::vector<std::string>& problems) const;

  /// Rate of the cable at each endpoint.
  std::vector<Rate> endpoint_rates() const;

 private:
  std::string nearest(std::string_view name) const;

  const Topology& topology_;
  std::vector<std::uint32_t> first_;  ///< per host: its first endpoint; one more at the end
  std::vector<std::uint32_t> by_name_;
};

}  // namespace spineleaf
