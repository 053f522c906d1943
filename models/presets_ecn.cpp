// Published ECN thresholds, each with its source, to lie beside one's own in a sweep.
#include "models/presets_ecn.hpp"

#include <array>

namespace spineleaf {
namespace {

/// kmin, kmax and pmax of a queue.
constexpr std::array<PresetEntry, 4> marking(std::string_view kmin, std::string_view kmax,
                                             std::string_view pmax) {
  return {{{"ecn.enabled", "true"}, {"ecn.kmin", kmin}, {"ecn.kmax", kmax}, {"ecn.pmax", pmax}}};
}

constexpr std::array kEcnSonic = marking("1MiB", "2MiB", "0.05");
constexpr std::array kEcnSonicTh5400g = marking("131072B", "262144B", "0.05");
constexpr std::array kEcnSonicTh5100g = marking("166912B", "282624B", "0.05");
constexpr std::array kEcnSonicSn5600100g = marking("166912B", "239616B", "0.05");
constexpr std::array kEcnSonicDeep = marking("2000000B", "10000000B", "0.05");
constexpr std::array kEcnRocm400g = marking("2048KB", "12480KB", "0.15");
constexpr std::array kEcnCumulus = marking("150KB", "1500KB", "1");
constexpr std::array kEcnCisco = marking("150KB", "3000KB", "0.07");
constexpr std::array kEcnHpcc25g = marking("100KB", "400KB", "0.2");
constexpr std::array kEcnHpcc50g = marking("200KB", "800KB", "0.2");
constexpr std::array kEcnHpcc100g = marking("400KB", "1600KB", "0.2");
constexpr std::array kEcnHpcc400g = marking("1600KB", "6400KB", "0.2");

constexpr std::array<Preset, 12> kEcnPresets{{
    {"ecn-sonic", "ECN as SONiC ships it, whatever the speed.",
     "sonic-buildimage qos_config.j2, WRED profile AZURE_LOSSLESS", kEcnSonic},
    {"ecn-sonic-th5-400g", "ECN of SONiC for Arista 7060X6 (Tomahawk 5) at 400G.",
     "sonic-buildimage, Arista 7060X6 O128", kEcnSonicTh5400g},
    {"ecn-sonic-th5-100g", "ECN of SONiC for Arista 7060X6 (Tomahawk 5) ToRs at 100G.",
     "sonic-buildimage, Arista 7060X6 C448O16", kEcnSonicTh5100g},
    {"ecn-sonic-sn5600-100g", "ECN of SONiC for NVIDIA SN5600 leaves at 100G.",
     "sonic-buildimage, NVIDIA SN5600 C256S1", kEcnSonicSn5600100g},
    {"ecn-sonic-deep", "ECN of SONiC for TH2 7260, Jericho 7280 and 7800, Nokia 7250, SN4600C.",
     "sonic-buildimage device folders", kEcnSonicDeep},
    {"ecn-rocm-400g", "ECN of the ROCm cluster guide for Dell Z9664f at 400G.",
     "ROCm cluster networking guide; KB taken as 1000 bytes: assumed", kEcnRocm400g},
    {"ecn-cumulus", "ECN of NVIDIA Cumulus and Onyx in RoCE mode.",
     "NVIDIA Onyx RoCE commands (150 and 1500 KB); pmax assumed", kEcnCumulus},
    {"ecn-cisco", "ECN of the Cisco AI/ML blueprint for Nexus 9000.",
     "public configurations after the blueprint; second hand", kEcnCisco},
    {"ecn-hpcc-25g", "ECN of the HPCC evaluation at 25G.",
     "alibaba-edu/High-Precision-Congestion-Control", kEcnHpcc25g},
    {"ecn-hpcc-50g", "ECN of the HPCC evaluation at 50G.",
     "alibaba-edu/High-Precision-Congestion-Control: in proportion to the rate", kEcnHpcc50g},
    {"ecn-hpcc-100g", "ECN of the HPCC evaluation at 100G.",
     "alibaba-edu/High-Precision-Congestion-Control: in proportion to the rate", kEcnHpcc100g},
    {"ecn-hpcc-400g", "ECN of the HPCC evaluation at 400G.",
     "alibaba-edu/High-Precision-Congestion-Control issue 21: in proportion to the rate",
     kEcnHpcc400g},
}};

}  // namespace

std::span<const Preset> ecn_presets() { return kEcnPresets; }

}  // namespace spineleaf
