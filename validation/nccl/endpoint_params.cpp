#include "validation/nccl/endpoint_params.hpp"

namespace spineleaf {
namespace {

using O = CostOwner;

// The order is that of Cost.
constexpr std::array<CostInfo, kCosts> kInfos{{
    {"launch", "us", O::Gpu, 7.5, 0.15, 2, 60, "kernel launch, start and end of a collective",
     "1-node all_reduce and all_gather of B200 together (14 and 7 hops)"},
    {"hop", "us", O::Gpu, 0.6, 0.7, 0.1, 6,
     "a step to the next GPU, protocol LL: flag written to flag seen; the other protocols' hops "
     "are multiples of it",
     "NCCL's table for NVLink"},
    {"hop_ll128", "x hop", O::Gpu, 2.0, 0.3, 0.5, 8, "a step to the next GPU, LL128, over hop",
     "NCCL's table: 1.25-1.9 us over 0.6"},
    {"hop_simple", "x hop", O::Gpu, 6.0, 0.3, 1, 20,
     "a step to the next GPU, Simple, over hop: half on the GPU, half flag and visibility",
     "forced Ring on H100: 3.3 us; NCCL's table 3.4"},
    {"rate_ll", "GB/s", O::Gpu, 9, 0.4, 1, 60, "payload of one channel, LL",
     "assumed: half of LL128 and less"},
    {"rate_ll128", "GB/s", O::Gpu, 14.5, 0.4, 2, 80, "payload of one channel, LL128", "assumed"},
    {"channel_rate", "GB/s", O::Gpu, 21.3, 0.15, 5, 80,
     "copy and reduce of one channel (thread block), Simple", "GH200 traces (NPKit): 23-37"},
    {"nvlink_share", "", O::Gpu, 0.94, 0.06, 0.3, 1,
     "share of a GPU's NVLink (as NCCL counts it) that payload reaches", "assumed"},
    {"nvls_overhead", "us", O::Gpu, 6, 0.5, 0.5, 60, "NVLS: fixed time of a loop", "assumed"},
    {"nvls_rate", "GB/s", O::Gpu, 300, 0.5, 50, 2000, "NVLS: reduce and multicast of a GPU",
     "assumed"},
    {"net_ll", "us", O::Network, 4.6, 0.6, 1, 80, "a step to another node, LL",
     "NCCL's table: 2.7-5.0"},
    {"net_ll128", "us", O::Network, 8.5, 0.4, 2, 120, "a step to another node, LL128",
     "NCCL's table: 4.0-8.5"},
    {"net_simple", "us", O::Network, 12, 0.3, 3, 200,
     "a step to another node, Simple, without its bytes: proxies, clear to send, flush",
     "NCCL's table: 14"},
    {"nic_goodput", "", O::Network, 0.98, 0.006, 0.93, 0.99,
     "share of the NIC's line rate that payload reaches; from verbs, not from collectives",
     "ib_write_bw on ConnectX-7: 391-393 of 400 Gb/s"},
    {"nic_message", "us", O::Network, 0.03, 0, 0.01, 0.5, "NIC time per message, many QPs",
     "8 QPs reach line rate at 16 KiB"},
    {"proxy_step", "us", O::Network, 0.7, 0.15, 0.1, 5,
     "proxy thread: time per message sent or received; one thread per GPU",
     "NCCL's cap of 45.5 GB/s per channel at 64 KiB"},
    {"nvls_tree_overhead", "us", O::Nccl, 10, 0.4, 1, 60,
     "NVLSTree: fixed time of a loop over that of NVLS", "assumed"},
    {"nvls_tree_rate", "", O::Nccl, 0.95, 0.05, 0.5, 1,
     "NVLSTree: rate over that of NVLS, all of whose work it does", "assumed"},
    {"peer_net", "us", O::Nccl, 2.3, 0.3, 0.2, 20, "send and receive: each peer on another node",
     "assumed"},
    {"peer_local", "us", O::Nccl, 0.3, 0.5, 0.01, 5, "send and receive: each peer in the node",
     "assumed"},
    {"peer_step", "us", O::Nccl, 5.2, 0.3, 0.5, 40,
     "a channel that serves one peer only: fixed time per 128 KiB step", "assumed"},
    {"peer_rate", "", O::Gpu, 0.93, 0.1, 0.3, 1,
     "share of a GPU's NVLink that send and receive to all local peers reach", "assumed"},
}};

}  // namespace

std::span<const CostInfo, kCosts> cost_infos() { return kInfos; }

EndpointCosts prior_costs() {
  EndpointCosts costs;
  for (std::size_t i = 0; i < kCosts; ++i) costs[static_cast<Cost>(i)] = kInfos[i].prior;
  return costs;
}

}  // namespace spineleaf
