// The causes that the doctor knows: data, from public reports of measured pairs.

#include <algorithm>

#include "validation/doctor/doctor.hpp"

namespace spineleaf {

const std::vector<CauseInfo>& cause_infos() {
  // Shares of the healthy rate are measured pairs of the reports named: bad over good.
  static const std::vector<CauseInfo> infos = {
      {"rails", "not all rails carry traffic",
       "NCCL_DEBUG=INFO: \"NET/IB : Using\" must list every NIC, and ibstat show each port Active",
       "list every NIC in NCCL_IB_HCA, mend the port that is down", 0, 0, 1.0,
       "nccl-tests#290, nccl#2409 (1, 2, 4, 8 rails: 27, 53, 101, 178 GB/s)"},
      {"pcie", "a NIC or GPU runs at half its PCIe rate (Gen4 slot, or x8)",
       "sudo lspci -vvv | grep -E \"LnkCap|LnkSta\": width and speed must be equal in both",
       "reseat the card, or move it to a full slot; check the BIOS's link speed", 0.44, 0.56, 0.8,
       "PCIe: 22-24 GB/s of one Gen4 NIC"},
      {"acs", "ACS sends traffic between GPU and NIC through the root complex",
       "sudo lspci -vvv | grep -iE \"PCI bridge|ACSCtl\": ReqRedir+ on a bridge between GPU and "
       "NIC",
       "clear ACS on those bridges (setpci), iommu=pt on the kernel's command line", 0.36, 0.6, 1.0,
       "nccl#2409: 178-218 of 456; nccl-tests#112: 9.8 of 22-24; nccl-tests#380: 180 of 320"},
      {"split", "each message is cut over several QPs, which costs latency",
       "env | grep NCCL_IB_SPLIT_DATA_ON_QPS", "NCCL_IB_SPLIT_DATA_ON_QPS=0", 0.6, 0.85, 0.2,
       "nccl#2409: 358 of 456, pair 29.6 of 48.4"},
      {"tcp", "NCCL runs over TCP sockets, no RDMA plugin was loaded",
       "NCCL_DEBUG=INFO: \"Using network\" must not say Socket",
       "install or load the network plugin, load the NIC's RDMA driver", 0.025, 0.08, 0.8,
       "GH200 without its plugin: 5.4 of 125 GB/s"},
      {"gdr", "no GPU Direct RDMA: data goes through host memory",
       "NCCL_DEBUG=INFO: connections over NET/IB must end with GDRDMA; lsmod | grep peermem",
       "modprobe nvidia_peermem, or a driver and kernel with dma-buf", 0.14, 0.4, 0.8,
       "nccl#2409: 72 of 456; nccl#1412: 33 of 93; nccl-tests#152: 44 of 93"},
      {"fec", "a link loses packets to bit errors: FEC does not match, dirty or bad cable",
       "ethtool --show-fec INTERFACE on both ends; mlxlink -d mlx5_0 -c",
       "the same FEC on both ends (RS), clean or replace the cable", 0.09, 0.2, 0.3,
       "GB10 direct cable with FEC None: 2.82 of 21.4 GB/s"},
      {"plugin", "connection set-up of the network plugin does not fit the NIC (ECE on RoCE)",
       "NCCL_NET_PLUGIN=none, or NCCL_IB_ECE_ENABLE=0, as an experiment",
       "a network plugin that fits NCCL and firmware", 0.025, 0.06, 0.1,
       "nccl#1403: 13.1 of 315; nccl#837: 7.1 of 57"},
      {"lossy", "RoCE without working flow control: large messages overrun buffers",
       "mlnx_qos -i INTERFACE and the switch's PFC settings; counters out_of_sequence, discards",
       "PFC or ECN for the class of RoCE on every hop", 0, 0, 0.5, "nccl#378"},
      {"pause", "pause frames hold traffic back",
       "ethtool -S INTERFACE | grep pause, twice: what moves",
       "global pause off, PFC on one class only; find the receiver that pauses", 0.2, 0.8, 0.15,
       "counters of the user's own NICs"},
      {"ecmp", "several flows share one path of the fabric while others idle",
       "load of every uplink; more QPs as an experiment: NCCL_IB_QPS_PER_CONNECTION=4",
       "adaptive routing or spraying, more entropy (QPs)", 0.3, 0.75, 0.3,
       "cluster-readiness-engine#287: half of the ceiling; nccl-tests#169"},
      {"slow-node", "one node is slow, and every ring through it",
       "pairs of nodes: all that contain the node are slow", "take the node out, then look at it",
       0.5, 0.65, 0.3, "nccl-tests#106: pairs 49 of 88"},
      {"cpu-set", "NCCL's proxy threads are bound to the wrong socket",
       "taskset -p of the ranks; NCCL_IGNORE_CPU_AFFINITY, cpusets of the launcher",
       "bind ranks to the socket of their GPU", 0.07, 0.13, 0.15, "nccl#2409: 42 of 456"},
      {"forced", "a setting forbids the best algorithm or protocol",
       "env | grep -E \"NCCL_(ALGO|PROTO|NVLS_ENABLE)\"", "unset it", 0, 0, 0.6,
       "nccl#2409: LL 22, LL128 91, NVLS off 112 of 178 GB/s"},
      {"ctas", "too few channels for the rate of the NICs", "run once more with NCCL_MIN_CTAS=24",
       "NCCL_MIN_CTAS=24, NCCL_IB_QPS_PER_CONNECTION=2", 0, 0, 0.9,
       "nccl-tests#309: 321 to 391 GB/s on 8 nodes"},
      {"peer-channels", "too few channels for each peer of send and receive",
       "run once more with NCCL_NCHANNELS_PER_NET_PEER=4", "NCCL_NCHANNELS_PER_NET_PEER=4", 0, 0,
       1.0, "B200: 19.8 to 35.9 GB/s; nccl#1272: 18.3 to 24.2"},
      {"dip", "one size is slow between two fast ones: NCCL changes its algorithm there",
       "NCCL_DEBUG_SUBSYS=TUNING shows the choice at this size",
       "another version of NCCL, or a tuner plugin; no fault of the fabric", 0, 0, 1.0,
       "GB200, 32 nodes: 285 between 411 and 549 GB/s at 1 GiB"},
  };
  return infos;
}

const CauseInfo* cause_named(std::string_view id) {
  const auto& infos = cause_infos();
  const auto it =
      std::find_if(infos.begin(), infos.end(), [&](const CauseInfo& one) { return id == one.id; });
  return it == infos.end() ? nullptr : &*it;
}

}  // namespace spineleaf
