#pragma once
// In-band telemetry (INT) as HPCC uses it: each switch writes what it knows of the egress into the
// packets that it sends, the receiver copies it to the ACK. Li et al., SIGCOMM 2019, section 4.1.
//
// A hop is 64 bits on the wire: rate 4, time stamp 24 (ns), bytes sent 20 (in 128 B), queue 16 (in
// 80 B); widths from the paper, units from its simulator. The counters wrap as they do there. The
// rate is kept beside them in steps of 100 Mb/s, since 4 bits name the paper's speeds only.
//
// Between devices the hops follow their packet as annex records, two hops each, of the same link
// and acting instant; they are of class 1, so they are there when the packet acts. They take no
// time of their own: the packet carries the bytes.

#include <array>
#include <cstdint>
#include <vector>

#include "sim/record.hpp"
#include "sim/units.hpp"

namespace spineleaf {

struct TelemetryHop {
  static constexpr std::int64_t kByteUnit = 128;
  static constexpr std::int64_t kQueueUnit = 80;
  static constexpr std::uint64_t kTimeMask = (1U << 24) - 1;
  static constexpr std::uint64_t kBytesMask = (1U << 20) - 1;
  static constexpr std::uint64_t kQueueMask = (1U << 16) - 1;

  std::uint64_t word = 0;          ///< time 24 | bytes 20 | queue 16, from the top
  std::uint16_t hundred_mbps = 0;  ///< rate of the link

  static TelemetryHop stamp(Time at, std::int64_t bytes_sent, std::int64_t queue, Rate rate) {
    const auto ns = static_cast<std::uint64_t>(at.ps / 1000) & kTimeMask;
    const auto sent = static_cast<std::uint64_t>(bytes_sent / kByteUnit) & kBytesMask;
    const auto units = static_cast<std::uint64_t>(queue / kQueueUnit);
    const std::uint64_t waiting = units < kQueueMask ? units : kQueueMask;
    const std::int64_t steps = (rate.bits_per_second + 50'000'000) / 100'000'000;
    return {(ns << 36) | (sent << 16) | waiting,
            static_cast<std::uint16_t>(steps < 65535 ? steps : 65535)};
  }
  std::int64_t nanoseconds_since(const TelemetryHop& o) const {
    return static_cast<std::int64_t>(((word >> 36) - (o.word >> 36)) & kTimeMask);
  }
  std::int64_t bytes_since(const TelemetryHop& o) const {
    return static_cast<std::int64_t>(((word >> 16) - (o.word >> 16)) & kBytesMask) * kByteUnit;
  }
  std::int64_t queue_bytes() const {
    return static_cast<std::int64_t>(word & kQueueMask) * kQueueUnit;
  }
  double bits_per_second() const { return static_cast<double>(hundred_mbps) * 1e8; }
};

struct Telemetry {
  static constexpr std::uint32_t kMaxHops = 8;
  std::uint32_t count = 0;
  std::array<TelemetryHop, kMaxHops> hops;

  void push(const TelemetryHop& hop, std::int64_t most) {
    if (count < static_cast<std::uint32_t>(most)) hops[count++] = hop;
  }
};

/// Fills annex record number `i` of a packet: hops 2 i and 2 i + 1.
inline void write_annex(Record& annex, const Telemetry& telemetry, std::uint32_t i) {
  const TelemetryHop& a = telemetry.hops[2 * i];
  const TelemetryHop b = 2 * i + 1 < telemetry.count ? telemetry.hops[2 * i + 1] : TelemetryHop{};
  annex.kind = RecordKind::Annex;
  annex.qp = static_cast<std::uint32_t>(a.word >> 32);
  annex.seq = static_cast<std::uint32_t>(a.word);
  annex.dst = static_cast<std::uint32_t>(b.word >> 32);
  annex.entropy = static_cast<std::uint32_t>(b.word);
  annex.size = a.hundred_mbps;
  annex.traffic_class = static_cast<std::uint8_t>(b.hundred_mbps >> 8);
  annex.ttl = static_cast<std::uint8_t>(b.hundred_mbps);
  annex.flags = static_cast<std::uint8_t>(i);
}

/// What one device keeps of telemetry: what arrived ahead of its packet, and what queued packets
/// carry, by their place in the packet pool.
class TelemetryStore {
 public:
  void arrive(const Record& annex) {
    if (annex.port >= arriving_.size()) arriving_.resize(annex.port + std::size_t{1});
    Arrival& arrival = arriving_[annex.port];
    if (arrival.at != annex.time) arrival = {annex.time, {}};
    Telemetry& t = arrival.telemetry;
    const std::uint32_t first = std::uint32_t{annex.flags} * 2;
    t.hops[first] = {(std::uint64_t{annex.qp} << 32) | annex.seq, annex.size};
    t.hops[first + 1] = {(std::uint64_t{annex.dst} << 32) | annex.entropy,
                         static_cast<std::uint16_t>((annex.traffic_class << 8) | annex.ttl)};
    const std::uint32_t filled = t.hops[first + 1].hundred_mbps == 0 ? first + 1 : first + 2;
    if (filled > t.count) t.count = filled;
  }
  /// What came with `packet`, which acts now; null = nothing.
  const Telemetry* of(const Record& packet) const {
    if ((packet.flags & record_flags::kTelemetry) == 0 || packet.port >= arriving_.size()) {
      return nullptr;
    }
    const Arrival& arrival = arriving_[packet.port];
    return arrival.at == packet.time ? &arrival.telemetry : nullptr;
  }
  Telemetry& queued(std::uint32_t slot) {
    if (slot >= queued_.size()) queued_.resize(slot + std::size_t{1});
    return queued_[slot];
  }

 private:
  struct Arrival {
    Time at{-1};
    Telemetry telemetry;
  };
  std::vector<Arrival> arriving_;  ///< by port
  std::vector<Telemetry> queued_;
};

}  // namespace spineleaf
