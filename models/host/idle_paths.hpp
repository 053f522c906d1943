#pragma once
// IdlePaths: how long a packet and its ACK take between two endpoints when nothing else is on the
// way. What HPCC calls T and Swift and TIMELY measure queues against.

#include <cstdint>

#include "models/host/wire.hpp"
#include "topologies/port_map.hpp"
#include "topologies/routes.hpp"

namespace spineleaf {

class IdlePaths {
 public:
  IdlePaths(const Topology& topology, const Routes& routes, const ModelParams& params);

  struct RoundTrip {
    Time time;
    std::uint32_t switches = 0;  ///< on the way out
  };
  /// A packet of a full MTU out and an ACK back, by the first of equal routes. From the first bit
  /// at the sender's NIC to the last of the ACK there. Zero if there is no route.
  RoundTrip round_trip(EndpointId from, EndpointId to) const;

 private:
  RoundTrip one_way(EndpointId from, EndpointId to, std::int64_t wire_bytes) const;

  const Topology& topology_;
  const Routes& routes_;
  const ModelParams& params_;
  PortMap ports_;
  WireSizes wire_;
};

}  // namespace spineleaf
