#pragma once
// Forwarding tables in the form of opensm-lfts.dump, which OpenSM's engine `file` reads
// (opensm -R file -U FILE).

#include <string>

#include "topologies/subnet/tables.hpp"

namespace spineleaf {

std::string lfts_text(const Subnet& subnet, const ForwardingTables& tables);

}  // namespace spineleaf
