#pragma once
// A subnet in the form that ibnetdiscover prints and ibsim reads, so that OpenSM can be tried on a
// fabric that is only planned: ibsim -s FILE.

#include <string>

#include "topologies/subnet/subnet.hpp"

namespace spineleaf {

/// Cables that are down are left out, and so are hosts and switches without any. `speed_limit` is
/// the fastest speed to write: ibsim 0.10 knows none above HDR.
std::string ibnetdiscover_text(const Subnet& subnet, LinkSpeed speed_limit = LinkSpeed::Xdr);

}  // namespace spineleaf
