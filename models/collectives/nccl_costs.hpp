#pragma once
// What NCCL's protocols and algorithms cost beyond what section "host" says of Simple and LL128.

#include "sim/units.hpp"

namespace spineleaf {

/// Meaning, range and source of each: kind "collective" in models/workloads/collective.cpp.
struct NcclCosts {
  Bytes ll_step{64 << 10};
  Rate ll_channel_rate{Rate::from_gbps(72)};
  Time ll_overhead{Time::from_ns(600)};
  Bytes p2p_chunk{128 << 10};
  Time p2p_overhead{Time::from_ns(5200)};
  Rate nvls_rate{Rate::from_gbps(2400)};
  Time nvls_overhead{Time::from_us(5)};
  Time nvls_tree_overhead{Time::from_us(9)};
  bool operator==(const NcclCosts&) const = default;
};

}  // namespace spineleaf
