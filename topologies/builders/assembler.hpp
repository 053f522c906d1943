#pragma once
// Assembler: the few verbs from which every builder makes its graph. Ports are handed out in the
// order of the calls, so that the order in which a builder cables is the port order on the device.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/param.hpp"
#include "topologies/limits.hpp"
#include "topologies/problem.hpp"
#include "topologies/registry.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// What every cable of one tier has in common.
struct CableKind {
  Rate rate;
  Time propagation;
  std::uint8_t tier = 0;
  std::int64_t links_per_cage = 1;  ///< 2 or 4: that many ports of end b share one cage
};

class Assembler {
 public:
  explicit Assembler(std::string name) { topology_.name = std::move(name); }

  /// Hosts come before switches.
  NodeId add_host(std::uint32_t group);
  NodeId add_switch(std::string name, std::uint8_t tier, std::uint16_t plane, std::uint32_t group,
                    std::int64_t radix);
  /// A cable from the host's next port (a port of NIC `nic`) to the switch's next port.
  void connect_host(NodeId host, std::uint16_t nic, NodeId leaf, const CableKind& kind);
  /// `count` parallel cables between two switches, `lower` as end a.
  void connect(NodeId lower, NodeId upper, std::int64_t count, const CableKind& kind);
  /// A cable between NICs of two hosts; a host's ports are then its NIC numbers.
  void connect_hosts(NodeId a, std::uint16_t nic_a, NodeId b, std::uint16_t nic_b,
                     const CableKind& kind);
  /// Sorts the endpoints by host and port and gives the graph away.
  Topology finish();

 private:
  PortRef next_port(NodeId node);
  void add_cable(PortRef a, PortRef b, const CableKind& kind);

  Topology topology_;
};

/// Metres to one-way delay at 5 ns/m (fibre, n = 1.5); an override above zero wins.
Time cable_delay(double metres, Time override_latency);

/// Every declared range of the table, checked against the object. NaN is out of every range.
std::vector<Problem> check_ranges(const ParamTable& table, const void* params);

/// "400 m and 0 ns": a tier whose cables take no time is refused with its parameter's name.
void check_delay(std::string_view name, double metres, Time latency,
                 std::vector<Problem>& problems);

/// A cage is split in 1, 2 or 4.
void check_cages(std::int64_t links_per_cage, std::vector<Problem>& problems);

/// Sizes of a graph to come, in 64 bits.
struct GraphSize {
  std::int64_t hosts = 0;
  std::int64_t switches = 0;
  std::int64_t cables = 0;
  std::int64_t leaves = 0;  ///< switches with endpoints: the columns of a route table
};

/// Bytes of graph and routes at their peak while building.
double estimate_bytes(const GraphSize& size);

/// Refuses what would not fit 32-bit ids, 16-bit set numbers or 8 GiB.
void check_size(const GraphSize& size, std::vector<Problem>& problems);

constexpr std::int64_t ceil_div(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

inline constexpr double kMaxCableMetres = 1e6;
inline constexpr double kMaxHosts = 1 << 20;
inline constexpr auto kMaxRadix = static_cast<double>(kMostPorts);
inline constexpr double kMaxLatencyPs = 1e12;  ///< one second

}  // namespace spineleaf
