#pragma once
// Closed forms of packets on idle links: latency, trains of packets, bytes of a message.
//
// Sources: store-and-forward and cut-through latency as in Kermani & Kleinrock, "Virtual
// cut-through" (Computer Networks 3, 1979); frame sizes as in IBTA vol. 1 ch. 5-9 and IEEE 802.3.
// Everything is exact: picoseconds and bytes, rounded as a wire rounds (each packet up to a ps).

#include <cstdint>
#include <span>
#include <vector>

#include "models/params.hpp"

namespace spineleaf {

/// One link of a path: its rate, and the fixed time from a bit leaving the sender to the receiver
/// acting on it (propagation, PHY and FEC, the receiving switch's pipeline).
struct Hop {
  Rate rate;
  Time latency;
};

/// First bit on the first link to last bit received, every link idle and every switch waiting for
/// the whole packet: sum of L / C_i + latency_i.
Time store_and_forward_latency(std::int64_t wire_bytes, std::span<const Hop> path);

/// The same where every switch forwards once `header` bytes are in. A packet may not leave faster
/// than it arrives: on a faster egress it starts so that its last bit is just there in time.
Time cut_through_latency(std::int64_t wire_bytes, std::int64_t header, std::span<const Hop> path);

/// Arrival of each packet of a train that is ready at time zero and alone on its path: packet k
/// ends on link i at max(its end of packet k-1, when k may start) + L_k / C_i. It may start when a
/// switch has `header` bytes of it, but no earlier than lets its last bit be there in time.
inline constexpr std::int64_t kWholePacket = INT64_MAX;  ///< store-and-forward
std::vector<Time> train_arrivals(std::span<const std::int64_t> wire_bytes,
                                 std::span<const Hop> path, std::int64_t header = kWholePacket);

/// Bytes on the wire of each packet of a message (RDMA WRITE, with immediate if stated), gap
/// included.
std::vector<std::int64_t> message_packets(WireFormat wire, Bytes message, Bytes mtu,
                                          bool immediate);
std::int64_t message_wire_bytes(WireFormat wire, Bytes message, Bytes mtu, bool immediate);

}  // namespace spineleaf
