// Memory of switch chips: the pool that switch software configures where it is published, else the
// nominal size, which is assumed.
#include "models/presets_asic.hpp"

#include <array>

namespace spineleaf {
namespace {

constexpr std::array<PresetEntry, 2> memory(std::string_view pool, std::string_view cell) {
  return {{{"pfc.buffer", pool}, {"pfc.cell", cell}}};
}

constexpr std::array kSpectrum2 = memory("34287552B", "144B");
constexpr std::array kSpectrum3 = memory("60817392B", "144B");
constexpr std::array kSpectrum4 = memory("142700KB", "192B");
constexpr std::array kTomahawk2 = memory("43500KB", "208B");
constexpr std::array kTomahawk3 = memory("64MB", "254B");
constexpr std::array kTomahawk4 = memory("113620296B", "254B");
constexpr std::array kTomahawk5 = memory("164500KB", "254B");
constexpr std::array kTrident2 = memory("6265600B", "208B");
constexpr std::array kJericho2 = memory("6441610000B", "256B");
constexpr std::array kTeralynx7 = memory("70MB", "256B");
constexpr std::array kTofino2 = memory("64MB", "176B");

constexpr std::array<Preset, 11> kAsicPresets{{
    {"asic-spectrum-2", "Memory of NVIDIA Spectrum-2.",
     "pool: sonic-buildimage buffers_defaults_t1.j2; cell: its asic_table.j2", kSpectrum2},
    {"asic-spectrum-3", "Memory of NVIDIA Spectrum-3.",
     "pool: sonic-buildimage buffers_defaults_t1.j2; cell: its asic_table.j2", kSpectrum3},
    {"asic-spectrum-4", "Memory of NVIDIA Spectrum-4 (SN5600).",
     "pool: sonic-buildimage SN5600 C256S1, ingress lossless, rounded (other SKUs down to 52.2 "
     "MB); "
     "cell: its asic_table.j2",
     kSpectrum4},
    {"asic-tomahawk-2", "Memory of Broadcom Tomahawk 2.",
     "pool: sonic-buildimage, 8.97 MB of headroom apart, rounded; cell assumed", kTomahawk2},
    {"asic-tomahawk-3", "Memory of Broadcom Tomahawk 3.",
     "pool assumed: 64 MB nominal, headroom not taken off; cell assumed as of Tomahawk 4",
     kTomahawk3},
    {"asic-tomahawk-4", "Memory of Broadcom Tomahawk 4.",
     "pool: sonic-buildimage Dell Z9664f; cell: as an Arista switch shows it, assumed for this "
     "chip",
     kTomahawk4},
    {"asic-tomahawk-5", "Memory of Broadcom Tomahawk 5.",
     "pool: sonic-buildimage Arista 7060X6, 22.0 MB of shared headroom apart, rounded; cell: as an "
     "Arista switch shows it, assumed for this chip",
     kTomahawk5},
    {"asic-trident-2", "Memory of Broadcom Trident II: 32 ports of 40G, headroom of 8 priorities.",
     "pool: Zhu et al., SIGCOMM 2015, second hand: 12 MB less 32 x 8 x 22.4 KB of headroom; cell "
     "assumed",
     kTrident2},
    {"asic-jericho-2", "Memory of Broadcom Jericho 2: deep buffers outside the chip.",
     "pool: sonic-buildimage Arista 7800R3A, one chip; cell assumed: it counts in other units",
     kJericho2},
    {"asic-teralynx-7", "Memory of Marvell Teralynx 7.",
     "pool assumed: 70 MB nominal, headroom not taken off; cell assumed", kTeralynx7},
    {"asic-tofino-2", "Memory of Intel Tofino 2.",
     "pool assumed: 64 MB nominal, headroom not taken off; cell published", kTofino2},
}};

}  // namespace

std::span<const Preset> asic_presets() { return kAsicPresets; }

}  // namespace spineleaf
