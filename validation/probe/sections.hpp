#pragma once
// The sections of the probe's file: what each measures or reads, and the parts it falls into.

#include <string>
#include <utility>
#include <vector>

#include "validation/probe/options.hpp"
#include "validation/probe/section.hpp"

namespace spineleaf::probe {

void read_inventory(const Options& options, Json& out, Progress& progress);
void read_pcie(const Options& options, Json& out, Progress& progress);
void read_acs_iommu(const Options& options, Json& out, Progress& progress);
void read_gdr(const Options& options, Json& out, Progress& progress);
void read_nics(const Options& options, Json& out, Progress& progress);
void read_counters(const Options& options, Json& out, Progress& progress);
/// Loopback over one port of the NIC by its place in the list of verbs.
void measure_verbs(const Options& options, int nic, Json& out, Progress& progress);
void measure_copies(const Options& options, int gpu, Json& out, Progress& progress);
void measure_nccl(const Options& options, Json& out, Progress& progress);

/// Whether each RDMA device takes memory by dma-buf: "supported", "unsupported" or "unknown", found
/// as NCCL finds it.
Json dmabuf_support(const Options& options, Progress& progress);

/// Names of RDMA devices in sysfs, in natural order.
std::vector<std::string> rdma_devices(const Options& options);

}  // namespace spineleaf::probe
