#pragma once
// Forwarding: which of the candidate ports a packet takes.

#include <algorithm>
#include <span>
#include <vector>

#include "models/params.hpp"
#include "models/parts/ports.hpp"
#include "topologies/routes.hpp"

namespace spineleaf {

class Forwarding {
 public:
  /// `static_divisor`: see SwitchSetup.
  Forwarding(const SwitchParams& params, std::uint64_t seed, ActorId actor,
             std::uint32_t static_divisor)
      : rule_(params.forwarding),
        static_divisor_(static_divisor),
        gap_(params.flowlet_gap),
        hash_qp_(params.hash_destination_qp),
        seed_(mix64(seed, 0xec3b, params.same_hash_seed ? 0 : actor + 1ULL)),
        flow_seed_(mix64(seed_)) {}

  /// Whether the choice depends on what waits at the candidate ports.
  bool looks_at_queues() const { return rule_ == ForwardingRule::Adaptive; }

  /// Index of the chosen port in `candidates` (not empty).
  std::uint16_t choose(const Record& record, std::span<const std::uint16_t> candidates,
                       const Ports& ports, Time now) {
    const auto n = static_cast<std::uint32_t>(candidates.size());
    if (n == 1) return candidates[0];
    switch (rule_) {
      case ForwardingRule::Ecmp: return candidates[reduce(flow_hash(record), n)];
      case ForwardingRule::Static: return candidates[record.dst / static_divisor_ % n];
      case ForwardingRule::Spray: return candidates[reduce(packet_hash(record, now), n)];
      case ForwardingRule::Adaptive: return least_loaded(record, candidates, ports, now);
      case ForwardingRule::Flowlet: return candidates[flowlet(record, n, now)];
    }
    return candidates[0];
  }

 private:
  static std::uint32_t reduce(std::uint64_t hash, std::uint32_t n) {
    return static_cast<std::uint32_t>(((hash >> 32) * n) >> 32);
  }
  /// Five-tuple stand-in: `entropy` is the UDP source port and source address of the connection.
  std::uint64_t flow_hash(const Record& record) const {
    const std::uint64_t ends = (std::uint64_t{record.entropy} << 32) | record.dst;
    return mix64(mix64(flow_seed_ ^ ends) ^ (hash_qp_ ? record.qp : 0));
  }
  /// One draw per packet and instant: a sum with odd factors, mixed once.
  std::uint64_t packet_hash(const Record& record, Time now) const {
    const std::uint64_t ends = (std::uint64_t{record.entropy} << 32) | record.dst;
    const std::uint64_t packet = (std::uint64_t{record.seq} << 32) | record.qp;
    return mix64(seed_ + ends * 0xd6e8feb86659fd93ULL + packet * 0xa0761d6478bd642fULL +
                 static_cast<std::uint64_t>(now.ps) * 0xe7037ed1a0b428dbULL);
  }
  /// Least bytes queued or on the wire; the scan starts at a hashed place, so that equal loads are
  /// taken in turn and no port is favoured.
  std::uint16_t least_loaded(const Record& record, std::span<const std::uint16_t> candidates,
                             const Ports& ports, Time now) const {
    const auto n = static_cast<std::uint32_t>(candidates.size());
    std::uint32_t i = reduce(packet_hash(record, now), n);
    // Load and place in one number: its minimum needs no branch.
    std::uint64_t least = UINT64_MAX;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint16_t port = candidates[i];
      const std::uint64_t load = ports.up(port) ? ports.load(port, now) : kDown;
      least = std::min(least, (load << kPlaceBits) | (std::uint64_t{k} << kIndexBits) | i);
      i = i + 1 == n ? 0 : i + 1;
    }
    return candidates[least & ((1U << kIndexBits) - 1)];
  }
  std::uint32_t flowlet(const Record& record, std::uint32_t n, Time now) {
    if (flowlets_.empty()) flowlets_.resize(kFlowlets);
    Flowlet& entry = flowlets_[flow_hash(record) % kFlowlets];
    if (entry.last.ps < 0 || now - entry.last > gap_) entry.draw = packet_hash(record, now);
    entry.last = now;
    return reduce(entry.draw, n);
  }

  struct Flowlet {
    Time last{-1};
    std::uint64_t draw = 0;
  };
  static constexpr std::size_t kFlowlets = 4096;
  static constexpr unsigned kIndexBits = 10;  ///< a port's place among the candidates
  static constexpr unsigned kPlaceBits = 2 * kIndexBits;
  static constexpr std::uint64_t kDown = (std::uint64_t{1} << 40) - 1;  ///< above every load

  ForwardingRule rule_;
  std::uint32_t static_divisor_;
  Time gap_;
  bool hash_qp_;
  std::uint64_t seed_;
  std::uint64_t flow_seed_;
  std::vector<Flowlet> flowlets_;
};

}  // namespace spineleaf
