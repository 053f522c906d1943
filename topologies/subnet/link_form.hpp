#pragma once
// Width and speed of an InfiniBand link as tools print them ("4xHDR"), and the rate that they give.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/units.hpp"

namespace spineleaf {

enum class LinkSpeed : std::uint8_t { Unknown, Sdr, Ddr, Qdr, Fdr10, Fdr, Edr, Hdr, Ndr, Xdr };

struct LinkForm {
  std::uint8_t width = 0;  ///< lanes: 1, 2, 4, 8 or 12; 0 = not stated
  LinkSpeed speed = LinkSpeed::Unknown;

  bool known() const { return width != 0 && speed != LinkSpeed::Unknown; }
  bool operator==(const LinkForm&) const = default;
};

/// "4xHDR"; "?" for what is not stated.
std::string to_string(LinkForm form);

/// Data rate after coding: a lane carries 2 (SDR), 4, 8, 10 (FDR10), 13.64 (FDR, 14.0625 GBd with
/// 64b/66b), 25 (EDR), 50, 100, 200 (XDR) Gb/s. Zero where the form is not known.
Rate data_rate(LinkForm form);

/// A speed by its name in upper case, "HDR"; "???" is Unknown. Nothing for any other text.
std::optional<LinkSpeed> parse_speed(std::string_view name);

/// A number of lanes that InfiniBand has.
bool is_link_width(std::uint64_t width);

/// The speed whose signalling rate per lane is `gbps`, as iblinkinfo prints it ("53.125" is HDR);
/// Unknown for any other number.
LinkSpeed speed_of_lane(double gbps);

/// The lower of two in each part; a part that one end does not state is taken from the other.
LinkForm slower_of(LinkForm a, LinkForm b);

}  // namespace spineleaf
