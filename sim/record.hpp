#pragma once
// Record: what crosses a link. 32 bytes, trivially copyable, a union by kind.
//
//   time 8 | qp 4 | seq 4 | dst 4 | entropy 4 | size 2 | port 2 | kind 1 | class 1 | flags 1 | ttl
//   1
//
// A PFC frame overlays qp..entropy with eight 16-bit quanta (class 0 first); a credit round
// overlays them with up to four words of VL, FCTBS and FCCL.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "sim/units.hpp"

namespace spineleaf {

/// An annex is what a packet carries beyond its record (models/parts/telemetry.hpp).
enum class RecordKind : std::uint8_t {
  Data,
  Ack,
  Nak,
  Cnp,
  Reduce,  ///< SHARP, up a tree: qp is the group's row at the receiver, seq the packet's number
  Result,  ///< SHARP, down the tree
  PfcFrame,
  CreditRound,
  Annex,
};

/// Goes from host to host, by way of switches that send it on as it is.
constexpr bool is_forwarded(RecordKind kind) { return kind <= RecordKind::Cnp; }

/// Link control is built and consumed by the two ends of one link; it never crosses a switch.
constexpr bool is_link_control(RecordKind kind) { return kind >= RecordKind::PfcFrame; }

namespace record_flags {
inline constexpr std::uint8_t kLast = 1;  ///< last packet of its message
inline constexpr std::uint8_t kAckRequest = 2;
inline constexpr std::uint8_t kCongestion = 4;  ///< ECN CE (data) or echoed congestion (ACK)
inline constexpr std::uint8_t kPinned = 8;      ///< entropy is a path number, not a hash input
inline constexpr std::uint8_t kRetransmit = 16;
inline constexpr std::uint8_t kTelemetry = 32;  ///< annex records came ahead of it
}  // namespace record_flags

struct Record {
  Time time;                  ///< acting instant at the receiver
  std::uint32_t qp = 0;       ///< queue pair row at the destination host
  std::uint32_t seq = 0;      ///< packet sequence number
  std::uint32_t dst = 0;      ///< destination endpoint
  std::uint32_t entropy = 0;  ///< hash input, or path number when pinned
  std::uint16_t size = 0;     ///< bytes in buffers: headers, payload, CRC; no preamble, no gap
  std::uint16_t port = 0;     ///< ingress port at the receiver
  RecordKind kind = RecordKind::Data;
  std::uint8_t traffic_class = 0;
  std::uint8_t flags = 0;
  std::uint8_t ttl = 0;
};
static_assert(sizeof(Record) == 32 && std::is_trivially_copyable_v<Record>);

/// Classes that a PFC frame can name (IEEE 802.1Qbb).
inline constexpr unsigned kPfcClasses = 8;
/// PFC frame: pause time of a class in quanta of 512 bit times. Which classes are named stands in
/// `traffic_class` as a bit vector (the frame's class-enable vector).
inline std::uint16_t pfc_quanta(const Record& frame, unsigned traffic_class) {
  const std::uint32_t words[4] = {frame.qp, frame.seq, frame.dst, frame.entropy};
  return static_cast<std::uint16_t>(words[traffic_class / 2] >> (16 * (traffic_class % 2)));
}
inline void set_pfc_quanta(Record& frame, unsigned traffic_class, std::uint16_t quanta) {
  std::uint32_t* const words[4] = {&frame.qp, &frame.seq, &frame.dst, &frame.entropy};
  std::uint32_t& word = *words[traffic_class / 2];
  const unsigned shift = 16 * (traffic_class % 2);
  word = (word & ~(0xffffU << shift)) | (std::uint32_t{quanta} << shift);
}

/// Credit round: one word per VL of the round, at most four per record; `size` counts the words.
struct CreditWord {
  std::uint32_t vl = 0;
  std::uint32_t fctbs = 0;  ///< blocks sent since link start, modulo 4096
  std::uint32_t fccl = 0;   ///< credit limit, modulo 4096
};
inline constexpr unsigned kCreditWords = 4;
inline CreditWord credit_word(const Record& round, unsigned i) {
  const std::uint32_t words[4] = {round.qp, round.seq, round.dst, round.entropy};
  return {words[i] >> 24, (words[i] >> 12) & 0xfffU, words[i] & 0xfffU};
}
inline void set_credit_word(Record& round, unsigned i, CreditWord word) {
  std::uint32_t* const words[4] = {&round.qp, &round.seq, &round.dst, &round.entropy};
  *words[i] = (word.vl << 24) | (word.fctbs << 12) | word.fccl;
}

}  // namespace spineleaf
