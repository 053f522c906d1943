#pragma once
// What happens to packets, by name: terms of the fingerprint, and causes of drops.

#include <cstdint>

#include "sim/actor.hpp"

namespace spineleaf {

enum class DropCause : std::uint8_t {
  QueueFull,     ///< lossy class, egress queue limit
  HeadroomFull,  ///< lossless class: headroom exhausted
  LinkDown,      ///< lost on a failing link
  NoRoute,
  TtlExpired,
  ReceiverFull,    ///< NIC receive buffer, no flow control
  Watchdog,        ///< PFC watchdog, action drop
  BitError,        ///< corrupted on a link
  HeadOfQueue,     ///< InfiniBand: too long at the head of a (port, VL) without credits
  PacketLifetime,  ///< InfiniBand: too long in a switch
  VlStall,         ///< InfiniBand: the VL is stalled, after heads in a row that waited too long
};
inline constexpr int kDropCauses = 11;

enum class Happening : std::uint8_t { Delivery, Mark, Drop, Pause, Timeout, Counters };

/// Adds to the actor's fingerprint that something happened there at `at`, to what `what` tells.
inline void note(Actor& actor, Happening happening, Time at, std::uint64_t what) {
  const std::uint64_t where = (static_cast<std::uint64_t>(happening) << 32) | actor.id();
  actor.add_fingerprint(mix64(where, static_cast<std::uint64_t>(at.ps), what));
}
/// A packet's destination and number, for note().
constexpr std::uint64_t packet_of(const Record& record) {
  return (std::uint64_t{record.dst} << 32) ^ record.seq;
}

}  // namespace spineleaf
