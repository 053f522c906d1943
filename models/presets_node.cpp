// Servers: GPUs, NVLink (xGMI, PCIe), NICs and their slots. A GPU's costs are those that
// `spineleaf calibrate` finds; where it finds none, those of Hopper stay, which is assumed.
#include "models/presets_node.hpp"

#include <array>

namespace spineleaf {
namespace {

using Entry = PresetEntry;

/// Payload rates of a x16 slot: 128/130 of the line, 256 B of payload with 26 B of header (PCI
/// Express Base Specification; the payload size is assumed).
constexpr std::string_view kGen3 = "114Gbps", kGen4 = "229Gbps", kGen5 = "458Gbps";

/// `nics` goes to the key that the topology has: a rail for each NIC, or NICs on one leaf.
constexpr std::array<Entry, 6> server(std::string_view gpus, std::string_view nvlink,
                                      std::string_view nics, std::string_view speed,
                                      std::string_view pcie) {
  return {{{"host.gpus", gpus},
           {"host.nvlink_rate", nvlink},
           {"nic.pcie_rate", pcie},
           {"topology.nics_per_host", nics},
           {"topology.rails", nics},
           {"topology.speed", speed}}};
}

template <std::size_t N, std::size_t M>
constexpr std::array<Entry, N + M> with(const std::array<Entry, N>& a,
                                        const std::array<Entry, M>& b) {
  std::array<Entry, N + M> all{};
  for (std::size_t i = 0; i < N; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < M; ++i) all[N + i] = b[i];
  return all;
}

constexpr std::array kBlackwellCosts{Entry{"host.channel_rate", "154.6Gbps"},
                                     Entry{"host.launch", "8.3us"}};
constexpr std::array kGraceCosts{Entry{"host.channel_rate", "208Gbps"}};
constexpr std::array kCdnaCosts{Entry{"host.channel_rate", "202.7Gbps"}};

constexpr auto kHopper = server("8", "3600Gbps", "8", "400Gbps", kGen5);
constexpr auto kH800 = server("8", "1600Gbps", "8", "400Gbps", kGen5);
constexpr auto kH20 = server("8", "3600Gbps", "4", "400Gbps", kGen5);
constexpr auto kB200 = with(server("8", "7200Gbps", "8", "400Gbps", kGen5), kBlackwellCosts);
constexpr auto kNvl72 = with(server("72", "7200Gbps", "72", "400Gbps", kGen5), kBlackwellCosts);
constexpr auto kGh200 = with(server("4", "1200Gbps", "4", "200Gbps", kGen5), kGraceCosts);
constexpr auto kA100 = server("8", "2400Gbps", "8", "200Gbps", kGen4);
constexpr auto kV100 = server("8", "1200Gbps", "4", "100Gbps", kGen3);
constexpr auto kMi355x = with(server("8", "4300Gbps", "8", "400Gbps", kGen5), kCdnaCosts);
constexpr auto kMi300x = with(server("8", "3584Gbps", "8", "400Gbps", kGen5), kCdnaCosts);
constexpr auto kPcie8 = server("8", kGen5, "8", "400Gbps", kGen5);
constexpr auto kPcie1 = server("1", kGen5, "1", "400Gbps", kGen5);
constexpr auto kGb10 = server("1", kGen4, "1", "200Gbps", kGen4);

constexpr std::array<Preset, 14> kNodePresets{{
    {"gb200-nvl72", "Rack of 72 GB200: one NVLink domain, a 400G NIC to each GPU.",
     "NVIDIA DGX SuperPOD GB200 reference: 1.8 TB/s of NVLink a GPU, both directions, 4 ConnectX-7 "
     "a tray; costs fitted on B200 (assumed)",
     kNvl72},
    {"gh200-4", "Four GH200 superchips, each with a 200G NIC.",
     "CSCS Alps node description: 6 of 18 links x 25 GB/s to each neighbour, of which one counts "
     "here; channel rate fitted",
     kGh200},
    {"gb10", "DGX Spark: one GB10 with a 200G NIC on two x4 slots of Gen5.",
     "NVIDIA DGX Spark user guide; rates and costs assumed", kGb10},
    {"hgx-b200", "HGX or DGX B200: 8 GPUs, NVSwitch, 8 NICs of 400G.",
     "NVIDIA HGX B200 datasheet: 18 links x 50 GB/s; costs fitted", kB200},
    {"hgx-h200", "HGX or DGX H200: 8 GPUs, NVSwitch, 8 NICs of 400G.",
     "NVIDIA systems of MLCommons inference 4.1: 18 links x 25 GB/s; costs fitted", kHopper},
    {"hgx-h100", "HGX or DGX H100: 8 GPUs, NVSwitch, 8 NICs of 400G.",
     "MLCommons system files: 18 links x 25 GB/s; costs fitted", kHopper},
    {"hgx-h800", "HGX H800: as H100 with 8 NVLinks.", "NVLink assumed: 400 GB/s, both directions",
     kH800},
    {"hgx-h20", "HGX H20: 8 GPUs, NVSwitch, 4 NICs of 400G, each for two GPUs.",
     "assumed: NVLink as H100", kH20},
    {"dgx-a100", "HGX or DGX A100: 8 GPUs, NVSwitch, 8 NICs of 200G.",
     "assumed: 12 links x 25 GB/s, PCIe Gen4; costs assumed as Hopper's", kA100},
    {"mi355x-8", "Eight MI355X, 8 NICs of 400G.",
     "assumed: 7 xGMI links x 76.8 GB/s; channel rate fitted", kMi355x},
    {"mi300x-8", "Eight MI300X, 8 NICs of 400G.",
     "assumed: 7 xGMI links x 64 GB/s; channel rate fitted on MI355X", kMi300x},
    {"pcie-8", "Eight GPUs that reach each other over PCIe Gen5, 8 NICs of 400G.",
     "assumed: one slot of Gen5 x16 a GPU and a NIC, copies at the slot's payload rate", kPcie8},
    {"pcie-1", "One GPU and one 400G NIC, PCIe Gen5.", "assumed: one slot of Gen5 x16 each",
     kPcie1},
    {"dgx-v100", "DGX-1 with V100: 8 GPUs, 4 NICs of 100G, each for two GPUs.",
     "NVIDIA DGX-1 datasheet: 6 links x 25 GB/s; PCIe Gen3; costs assumed as Hopper's", kV100},
}};

}  // namespace

std::span<const Preset> node_presets() { return kNodePresets; }

}  // namespace spineleaf
