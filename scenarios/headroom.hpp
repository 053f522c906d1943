#pragma once
// How much headroom a lossless class needs: the exact bound of one link, and what SONiC computes.
//
// The bound is that of the models (models/fabric.hpp): what can arrive after the packet that trips
// XOFF. SONiC's formula is that of its buffer manager for NVIDIA switches (sonic-swss,
// cfgmgr/buffer_headroom_mellanox.lua; SONiC doc/qos/dynamically-headroom-calculation.md): it
// counts small packets that fill a cell each, and a time to respond as IEEE 802.3 annex 31B.3.7
// allows it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.hpp"

namespace spineleaf {

/// What SONiC knows of a switch chip. Figures in bytes.
struct HeadroomAsic {
  std::string_view name;
  std::int64_t cell = 0;        ///< allocation unit
  double pipeline_latency = 0;  ///< becomes xon
  double mac_phy_delay = 0;
  double tile_ns = 0;  ///< time in on-chip buffers, at line rate
  std::string_view source;
};
std::span<const HeadroomAsic> headroom_asics();
const HeadroomAsic* find_headroom_asic(std::string_view name);

struct HeadroomQuestion {
  Rate rate;
  double cable = 0;  ///< metres
  // For the bound.
  std::int64_t frame = 0;        ///< largest packet on the wire, gap included
  std::int64_t pause_frame = 0;  ///< likewise
  Time response;                 ///< of the peer: pause received to transmitter stopped
  Time latency;                  ///< of each direction beside the cable: PHY, FEC, pipeline
  // For SONiC's formula.
  Bytes port_mtu{9100};      ///< largest frame that may block the pause frame
  Bytes lossless_mtu{1024};  ///< SONiC LOSSLESS_TRAFFIC_PATTERN mtu
  double small_packets =
      0.5;                   ///< share of packets that are of 64 bytes, of LOSSLESS_TRAFFIC_PATTERN
  bool shared_pool = false;  ///< headroom comes from a shared pool: no compensation of 2 KiB
  int lanes = 1;             ///< 8 doubles xon
  HeadroomAsic asic;
};

/// One term of a sum.
struct HeadroomTerm {
  std::string what;
  double bytes = 0;
};

struct HeadroomAnswer {
  std::int64_t bound = 0;        ///< bytes on the wire, as the models reserve
  std::int64_t full_cells = 0;   ///< memory for them in whole cells: packets of the largest size
  std::int64_t small_cells = 0;  ///< the same, packets of 64 bytes
  std::vector<HeadroomTerm> bound_terms;
  std::int64_t xoff = 0;  ///< SONiC
  std::int64_t xon = 0;
  std::int64_t size = 0;  ///< xon + xoff, or xon alone with a shared pool
  double occupancy = 1;   ///< bytes of cells per byte on the wire, as SONiC assumes
  std::vector<HeadroomTerm> xoff_terms;
};

/// Rates known to SONiC's formula: 10, 25, 40, 50, 100, 200, 400, 800 Gb/s; nothing for others.
std::optional<HeadroomAnswer> headroom(const HeadroomQuestion& question);

/// Time in which a station must stop after a pause frame, as IEEE 802.3 annex 31B.3.7 (and SONiC
/// for 800G) has it, in bytes at line rate; nothing for a rate that is not listed.
std::optional<std::int64_t> pause_response_bytes(Rate rate);

/// A row that a vendor ships in pg_profile_lookup.ini, and how its growth with the cable compares.
struct VendorHeadroom {
  std::string_view platform;
  std::int64_t gbps = 0;
  std::int64_t cell = 0;                                        ///< 0 = not published
  std::span<const std::pair<std::int64_t, std::int64_t>> xoff;  ///< (metres, bytes), ascending
};
std::span<const VendorHeadroom> vendor_headroom();

/// Bytes per metre between the first and the last row, over the bytes of a round trip of a metre at
/// 198e6 m/s: 1 = no cell is wasted, cell / 64 = every packet is of the smallest size.
double vendor_slope(const VendorHeadroom& row);

}  // namespace spineleaf
