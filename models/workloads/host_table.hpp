#pragma once
// HostTable: hosts and their endpoints by name and number, as workloads need them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.hpp"
#include "topologies/problem.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

class HostTable {
 public:
  explicit HostTable(const Topology& topology);

  const Topology& topology() const { return topology_; }
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

  // Names are read for parameter `where`, which a problem names.

  /// Host number of a name; otherwise false, with a problem that suggests the nearest host.
  bool find_host(std::string_view name, const std::string& where, std::uint32_t& host,
                 std::vector<Problem>& problems) const;
  /// "host3" (its first endpoint) or "host3:1" (NIC 1 of it).
  bool find_endpoint(std::string_view name, const std::string& where, EndpointId& endpoint,
                     std::vector<Problem>& problems) const;
  /// Hosts of a comma-separated list of names and ranges "first..last"; all cabled hosts when
  /// the list is empty. Each host once, in the order named. Stops at kMostProblems.
  std::vector<std::uint32_t> select(std::string_view list, const std::string& where,
                                    std::vector<Problem>& problems) const;
  static constexpr std::size_t kMostProblems = 100;

  /// Rate of the cable at each endpoint.
  std::vector<Rate> endpoint_rates() const;

 private:
  Problem unknown(std::string_view name, const std::string& where) const;
  bool number_of(std::string_view name, std::uint32_t& host) const;

  const Topology& topology_;
  std::vector<std::uint32_t> first_;  ///< per host: its first endpoint; one more at the end
  std::vector<std::uint32_t> by_name_;
};

}  // namespace spineleaf
