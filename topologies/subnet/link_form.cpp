#include "topologies/subnet/link_form.hpp"

#include <algorithm>
#include <array>

namespace spineleaf {

namespace {

struct Speed {
  std::string_view name;
  std::int64_t lane_bits_per_second;  ///< after coding
  double signalling_gbps;             ///< as the link tools print it
};

// Signalling rates of SDR to EDR and of HDR: FEC and coding included. NDR and XDR double HDR.
constexpr std::array<Speed, 10> kSpeeds{{{"???", 0, 0},
                                         {"SDR", 2'000'000'000, 2.5},
                                         {"DDR", 4'000'000'000, 5.0},
                                         {"QDR", 8'000'000'000, 10.0},
                                         {"FDR10", 10'000'000'000, 10.3125},
                                         {"FDR", 13'636'363'636, 14.0625},
                                         {"EDR", 25'000'000'000, 25.78125},
                                         {"HDR", 50'000'000'000, 53.125},
                                         {"NDR", 100'000'000'000, 106.25},
                                         {"XDR", 200'000'000'000, 212.5}}};

const Speed& row(LinkSpeed speed) { return kSpeeds[static_cast<std::size_t>(speed)]; }

}  // namespace

std::string to_string(LinkForm form) {
  const std::string width = form.width == 0 ? "?" : std::to_string(form.width);
  const std::string speed =
      form.speed == LinkSpeed::Unknown ? "?" : std::string{row(form.speed).name};
  return width + "x" + speed;
}

Rate data_rate(LinkForm form) { return {form.width * row(form.speed).lane_bits_per_second}; }

std::optional<LinkSpeed> parse_speed(std::string_view name) {
  for (std::size_t i = 0; i < kSpeeds.size(); ++i) {
    if (kSpeeds[i].name == name) return static_cast<LinkSpeed>(i);
  }
  return std::nullopt;
}

bool is_link_width(std::uint64_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8 || width == 12;
}

LinkSpeed speed_of_lane(double gbps) {
  for (std::size_t i = 1; i < kSpeeds.size(); ++i) {
    const double off = gbps - kSpeeds[i].signalling_gbps;
    if (off > -0.01 && off < 0.01) return static_cast<LinkSpeed>(i);
  }
  return LinkSpeed::Unknown;
}

LinkForm slower_of(LinkForm a, LinkForm b) {
  LinkForm form;
  form.width =
      a.width == 0 || b.width == 0 ? std::max(a.width, b.width) : std::min(a.width, b.width);
  const bool unstated = a.speed == LinkSpeed::Unknown || b.speed == LinkSpeed::Unknown;
  form.speed = unstated ? std::max(a.speed, b.speed) : std::min(a.speed, b.speed);
  return form;
}

}  // namespace spineleaf
