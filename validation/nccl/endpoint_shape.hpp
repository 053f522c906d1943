#pragma once
// What all algorithms of the end-point model derive from a system, its costs and a protocol.

#include <algorithm>
#include <cstdint>

#include "validation/nccl/endpoint_model.hpp"

namespace spineleaf {

struct EndpointShape {
  EndpointShape(const EndpointSystem& system, const EndpointCosts& costs, NcclProtocol protocol);

  double gpus, nodes, ranks;
  double nics;         ///< per node
  double nic_rate;     ///< bytes per us of one NIC, payload
  double nic_message;  ///< us
  double launch;       ///< us
  double overhead;     ///< us on the GPU per step
  double hop;          ///< us from a step's end to its visibility at the next GPU
  double net;          ///< us of a step to another node without its bytes
  double rate;         ///< bytes per us of one channel
  double wire;         ///< bytes on the wire per byte of payload
  bool cut_through;    ///< a GPU works on a chunk while it comes in (flags inside the data)

  /// Channels that share one NIC.
  double lanes(double channels) const { return std::max(1.0, channels / nics); }
};

}  // namespace spineleaf
