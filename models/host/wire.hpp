#pragma once
// Bytes on the wire of each frame format.
//
// RoCEv2: Ethernet 14 + IPv4 20 + UDP 8 + BTH 12 + ICRC 4 + FCS 4 = 62, and 20 of preamble and gap.
// InfiniBand: LRH 8 + BTH 12 + ICRC 4 + VCRC 2 = 26, no gap. Sources: IBTA vol. 1 ch. 5-9, annex
// A17; IEEE 802.3. RETH 16 on the first packet of a write, ImmDt 4 on the last, AETH 4 on an ACK.
// ns-3 parity: 48 of headers, 60 B ACKs, no gap (HPCC ns-3).

#include <cstdint>

#include "models/params.hpp"

namespace spineleaf {

struct WireSizes {
  std::int32_t header = 62;
  std::int32_t reth = 16;
  std::int32_t immediate = 4;
  std::int32_t ack = 66;
  std::int32_t cnp = 78;  ///< BTH + 16 reserved bytes (annex A17)
  std::int32_t gap = 20;
};

constexpr WireSizes wire_sizes(WireFormat format) {
  switch (format) {
    case WireFormat::RoceV2: return {62, 16, 4, 66, 78, 20};
    case WireFormat::InfiniBand: return {26, 16, 4, 30, 42, 0};
    case WireFormat::Ns3Hpcc: return {48, 0, 0, 60, 60, 0};
  }
  return {};
}

/// With HPCC each packet and ACK has room for telemetry: 8 bytes a hop and 2 (HPCC section 4.1).
constexpr WireSizes wire_sizes(const ModelParams& params) {
  WireSizes sizes = wire_sizes(params.fabric.wire);
  if (params.transport.congestion_control == CongestionControlKind::Hpcc) {
    const auto room = static_cast<std::int32_t>(8 * params.hpcc.max_hops + 2);
    sizes.header += room;
    sizes.ack += room;
  }
  return sizes;
}

}  // namespace spineleaf
