#pragma once
// Counters of a run as Prometheus text, under the names that the devices use: SONiC's (SAI) on
// switches, mlx5's (ethtool and hw_counters) on hosts, the InfiniBand port counters (perfquery's)
// on both in an InfiniBand fabric. Dashboards made for a real fabric then work on a simulated one.
//
// Sources: SONiC, counters of `show pfc counters` and COUNTERS_DB (SAI 1.x saiport.h, saiqueue.h);
// NVIDIA, "Understanding mlx5 Linux counters" and the kernel's
// Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst; InfiniBand
// Architecture Specification 1.x, PortCounters. Counters that a run does not keep are left out,
// never written as zero.

#include <string>

#include "scenarios/result.hpp"
#include "topologies/topology.hpp"

namespace spineleaf {

/// `topology` is the one that was run. The text ends with a line break, as the format asks.
std::string prometheus_text(const Result& result, const Topology& topology);

}  // namespace spineleaf
