#pragma once
// Closed forms of payload rates: how much of a saturated line is payload.
//
// Frame sizes as in IBTA vol. 1 ch. 5-9 and IEEE 802.3 (models/host/wire.hpp); credit updates of 8
// B as in IBTA vol. 1, 7.9. Rates in Gb/s.

#include <cstdint>

#include "models/params.hpp"

namespace spineleaf {

/// Middle packets only, back to back: mtu / (mtu + headers + gap).
/// 400G, MTU 4096: RoCEv2 4096/4178 = 392.1, InfiniBand 4096/4122 = 397.5.
double middle_goodput(WireFormat wire, Bytes mtu, Rate line);

/// Whole messages back to back, with the RETH of the first packet and the immediate of the last.
double message_goodput(WireFormat wire, Bytes message, Bytes mtu, bool immediate, Rate line);

/// When credit updates share the line with the data.
enum class CreditSharing {
  None,        ///< no update goes in the direction of the data
  PerPacket,   ///< immediate mode, data both ways: one update per packet
  MinSpacing,  ///< a round over the changed VLs between packets, at most one per spacing
  Timer,       ///< one round per spacing
};

/// InfiniBand middle packets beside updates of `changed_vls` VLs. With min-spacing a round comes
/// after n = ceil(spacing / packet) packets: mtu n / (wire n + 8 V); with a timer the line loses
/// 8 V bytes per spacing.
double credit_goodput(Bytes mtu, Rate line, CreditSharing sharing, Time spacing,
                      std::int64_t changed_vls = 1);

/// N senders of one message each to one receiver: from the instant at which the bottleneck link can
/// start to its last bit, no schedule is faster than the bytes on that link.
Time incast_drain(std::int64_t senders, WireFormat wire, Bytes message, Bytes mtu, bool immediate,
                  Rate line);

}  // namespace spineleaf
