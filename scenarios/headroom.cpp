#include "scenarios/headroom.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/fabric.hpp"

namespace spineleaf {
namespace {

constexpr double kKi = 1024;
constexpr double kMetresPerSecond = 198e6;  // light in fibre, as SONiC counts
constexpr std::int64_t kSmallest = 64;      // bytes of the smallest frame
constexpr std::int64_t kGap = 20;           // preamble and gap between frames

constexpr std::string_view kTable = "sonic-buildimage platform/mellanox/asic_table.j2";
constexpr std::array<HeadroomAsic, 7> kAsics{{
    {"spectrum-1", 96, 19 * kKi, 0.8 * kKi, 0, kTable},
    {"spectrum-2", 144, 19 * kKi, 0.8 * kKi, 0, kTable},
    {"spectrum-3", 144, 19 * kKi, 0.8 * kKi, 0, kTable},
    {"spectrum-4", 192, 19 * kKi, 0.8 * kKi, 120, kTable},
    {"spectrum-5", 192, 19 * kKi, 0.8 * kKi, 120, kTable},
    {"tomahawk", 254, 19 * kKi, 0.8 * kKi, 0,
     "cell as an Arista switch shows it; delays of Spectrum, assumed"},
    {"tofino-2", 176, 19 * kKi, 0.8 * kKi, 0, "cell published; delays of Spectrum, assumed"},
}};

using Row = std::pair<std::int64_t, std::int64_t>;
constexpr std::array<Row, 2> kSn5600x100{Row{5, 113664}, {300, 225280}};
constexpr std::array<Row, 3> kSn5600x400{Row{5, 231424}, {40, 283648}, {300, 677888}};
constexpr std::array<Row, 3> kTh5{Row{5, 393192}, {40, 446024}, {300, 839216}};
constexpr std::array<Row, 3> kTh5x800{Row{5, 729488}, {40, 835406}, {300, 1621536}};
constexpr std::array<Row, 3> kTh4{Row{5, 371348}, {40, 424434}, {300, 817372}};
constexpr std::array<Row, 3> kTh4x100{Row{5, 165568}, {40, 177632}, {300, 268736}};
constexpr std::array<Row, 5> kTh3{
    Row{5, 178562}, {40, 201930}, {300, 373888}, {1000, 836676}, {2000, 1498092}};
constexpr std::array<Row, 3> kArista{Row{40, 445770}, {150, 611328}, {500, 1136396}};
constexpr std::array<Row, 3> kTh2{Row{5, 54080}, {40, 59696}, {300, 101088}};
constexpr std::array<Row, 3> kTeralynx{Row{5, 129920}, {40, 147072}, {300, 280960}};
constexpr std::array<Row, 3> kTofino{Row{5, 18432}, {40, 35840}, {300, 165888}};
constexpr std::array<Row, 3> kJericho{Row{2000, 1495040}, {80000, 53305344}, {120000, 79953920}};

// pg_profile_lookup.ini of sonic-buildimage, device folders.
constexpr std::array<VendorHeadroom, 12> kVendors{{
    {"NVIDIA SN5600 (Spectrum-4)", 100, 192, kSn5600x100},
    {"NVIDIA SN5600 (Spectrum-4)", 400, 192, kSn5600x400},
    {"Dell Z9864f (Tomahawk 5)", 400, 254, kTh5},
    {"Dell Z9864f (Tomahawk 5)", 800, 254, kTh5x800},
    {"Dell Z9664f (Tomahawk 4)", 400, 254, kTh4},
    {"Dell Z9664f (Tomahawk 4)", 100, 254, kTh4x100},
    {"Dell Z9332f (Tomahawk 3)", 400, 254, kTh3},
    {"Arista 7060X6 (Tomahawk 5)", 400, 254, kArista},
    {"Tomahawk 2", 100, 208, kTh2},
    {"Marvell Teralynx", 400, 0, kTeralynx},
    {"Tofino 2", 400, 176, kTofino},
    {"Arista 7280R3 (Jericho)", 400, 0, kJericho},
}};

/// Pause quanta of 64 bytes (512 bit times) by IEEE 802.3 annex 31B.3.7; 800G as SONiC has it.
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 8> kQuanta{
    {{10, 67}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}, {400, 905}, {800, 905}}};

double bytes_in(Time time, Rate rate) {
  return time.seconds() * static_cast<double>(rate.bits_per_second) / 8;
}

std::int64_t in_cells(std::int64_t wire, std::int64_t on_wire, std::int64_t cell) {
  const std::int64_t packets = (wire + on_wire - 1) / on_wire;
  const std::int64_t size = std::max<std::int64_t>(on_wire - kGap, 1);
  return packets * ((size + cell - 1) / cell) * cell;
}

std::int64_t round_up_kib(double bytes) {
  return static_cast<std::int64_t>(std::ceil(bytes / kKi)) * 1024;
}

/// Bytes of cells per byte on the wire where this share of packets is of the smallest size.
double cell_occupancy(const HeadroomQuestion& question) {
  const auto cell = static_cast<double>(question.asic.cell);
  const double worst = std::ceil(cell > 128 ? cell / 64 : 2 * cell / (1 + cell));
  const double small = question.small_packets;
  const auto mtu = static_cast<double>(question.lossless_mtu.count);
  const double share = 64 / (small * 64 + (1 - small) * mtu);
  return 1 - share + share * worst;
}

void answer_bound(const HeadroomQuestion& question, HeadroomAnswer& answer) {
  Link link;
  link.rate = question.rate;
  const Time cable{static_cast<std::int64_t>(std::llround(question.cable * 5000))};
  link.latency = link.control_latency = cable + question.latency;
  answer.bound =
      headroom_bound(link, link, question.frame, question.pause_frame, question.response);
  answer.full_cells = in_cells(answer.bound, question.frame, question.asic.cell);
  answer.small_cells = in_cells(answer.bound, kSmallest + kGap, question.asic.cell);
  answer.bound_terms = {
      {"cable there and back, 5 ns/m", bytes_in(cable * 2, question.rate)},
      {"PHY, FEC and pipeline there and back", bytes_in(question.latency * 2, question.rate)},
      {"the peer's response", bytes_in(question.response, question.rate)},
      {"a packet that the peer has begun", static_cast<double>(question.frame)},
      {"a packet that holds up the pause frame", static_cast<double>(question.frame)},
      {"the pause frame", static_cast<double>(question.pause_frame)}};
}

}  // namespace

std::span<const HeadroomAsic> headroom_asics() { return kAsics; }

const HeadroomAsic* find_headroom_asic(std::string_view name) {
  const auto at = std::find_if(kAsics.begin(), kAsics.end(),
                               [&](const HeadroomAsic& asic) { return asic.name == name; });
  return at == kAsics.end() ? nullptr : &*at;
}

std::optional<std::int64_t> pause_response_bytes(Rate rate) {
  for (const auto& [gbps, quanta] : kQuanta) {
    if (rate == Rate::from_gbps(gbps)) return quanta * 64;
  }
  return std::nullopt;
}

std::optional<HeadroomAnswer> headroom(const HeadroomQuestion& question) {
  const auto response = pause_response_bytes(question.rate);
  if (!response) return std::nullopt;
  HeadroomAnswer answer;
  answer_bound(question, answer);
  const HeadroomAsic& asic = question.asic;
  const auto bits = static_cast<double>(question.rate.bits_per_second);
  answer.occupancy = cell_occupancy(question);
  answer.xoff_terms = {
      {"the peer's largest frame", static_cast<double>(question.port_mtu.count)},
      {"cable there and back, 198e6 m/s", 2 * question.cable * bits / (8 * kMetresPerSecond)},
      {"MAC and PHY", asic.mac_phy_delay},
      {"the peer's response (802.3 annex 31B)", static_cast<double>(*response)},
      {"on-chip buffers", bits * asic.tile_ns * 1e-9 / 8}};
  double propagation = 0;
  for (const HeadroomTerm& term : answer.xoff_terms) propagation += term.bytes;
  const auto mtu = static_cast<double>(question.lossless_mtu.count);
  answer.xoff = round_up_kib(mtu + propagation * answer.occupancy);
  if (!question.shared_pool) answer.xoff += 2048;
  answer.xon = round_up_kib(asic.pipeline_latency * (question.lanes == 8 ? 2 : 1));
  answer.size = answer.xon + (question.shared_pool ? 0 : answer.xoff);
  answer.xoff_terms.push_back(
      {"cells that small packets leave half empty", propagation * (answer.occupancy - 1)});
  answer.xoff_terms.push_back({"a lossless packet", mtu});
  if (!question.shared_pool) answer.xoff_terms.push_back({"no shared pool to fall back on", 2048});
  return answer;
}

std::span<const VendorHeadroom> vendor_headroom() { return kVendors; }

double vendor_slope(const VendorHeadroom& row) {
  const auto& [first, low] = row.xoff.front();
  const auto& [last, high] = row.xoff.back();
  const double per_metre = static_cast<double>(high - low) / static_cast<double>(last - first);
  return per_metre / (2 * static_cast<double>(row.gbps) * 1e9 / 8 / kMetresPerSecond);
}

}  // namespace spineleaf
