#pragma once
// The units that quantities are written in.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/param.hpp"

namespace spineleaf {

struct UnitSuffix {
  std::string_view text;
  std::int64_t scale;
  bool written = true;  ///< used when values are formatted; false: understood only
};

inline constexpr std::int64_t kKilo = 1000, kMega = kKilo * 1000, kGiga = kMega * 1000;
inline constexpr std::int64_t kTera = kGiga * 1000;

inline constexpr std::array kTimeSuffixes{
    UnitSuffix{"ps", 1},     UnitSuffix{"ns", kKilo},
    UnitSuffix{"us", kMega}, UnitSuffix{"\u00b5s", kMega, false},
    UnitSuffix{"ms", kGiga}, UnitSuffix{"s", kTera}};
inline constexpr std::array kByteSuffixes{UnitSuffix{"B", 1},
                                          UnitSuffix{"KB", kKilo},
                                          UnitSuffix{"kB", kKilo, false},
                                          UnitSuffix{"KiB", 1024},
                                          UnitSuffix{"MB", kMega},
                                          UnitSuffix{"MiB", std::int64_t{1} << 20},
                                          UnitSuffix{"GB", kGiga},
                                          UnitSuffix{"GiB", std::int64_t{1} << 30},
                                          UnitSuffix{"TB", kTera},
                                          UnitSuffix{"TiB", std::int64_t{1} << 40}};
inline constexpr std::array kRateSuffixes{UnitSuffix{"bps", 1},
                                          UnitSuffix{"kbps", kKilo},
                                          UnitSuffix{"Kbps", kKilo, false},
                                          UnitSuffix{"Mbps", kMega},
                                          UnitSuffix{"Gbps", kGiga},
                                          UnitSuffix{"Tbps", kTera},
                                          UnitSuffix{"Mb/s", kMega, false},
                                          UnitSuffix{"Gb/s", kGiga, false},
                                          UnitSuffix{"Tb/s", kTera, false},
                                          UnitSuffix{"Gbit/s", kGiga, false}};
inline constexpr std::array kLengthSuffixes{UnitSuffix{"m", 1}, UnitSuffix{"km", 1000, false}};

/// All suffixes of a unit; none where values have no unit.
inline std::span<const UnitSuffix> unit_suffixes(Unit unit) {
  switch (unit) {
    case Unit::Time: return kTimeSuffixes;
    case Unit::Bytes: return kByteSuffixes;
    case Unit::Rate: return kRateSuffixes;
    case Unit::Length: return kLengthSuffixes;
    default: return {};
  }
}

}  // namespace spineleaf
