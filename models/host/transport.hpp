#pragma once
// Transport state: reliable connections as rows. Sender state lives at the sender, receiver state
// at the receiver; neither reads the other's half.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/units.hpp"

namespace spineleaf {

struct Message {
  std::uint32_t first_seq = 0;
  std::uint32_t packets = 0;
  std::int64_t bytes = 0;
  std::uint32_t tag = 0;
  Time ready;  ///< when the NIC may send its first packet
};

/// Messages posted and not yet acknowledged, oldest first.
class MessageQueue {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  Message& front() { return ring_[first_]; }
  Message& operator[](std::size_t i) { return ring_[(first_ + i) & mask_]; }
  void push(const Message& message) {
    if (count_ == capacity()) grow();
    ring_[(first_ + count_++) & mask_] = message;
  }
  void pop() {
    first_ = (first_ + 1) & mask_;
    --count_;
  }

 private:
  std::size_t capacity() const { return ring_ == nullptr ? 0 : mask_ + std::size_t{1}; }
  void grow() {
    const std::size_t bigger = std::max<std::size_t>(1, capacity() * 2);
    auto ring = std::make_unique<Message[]>(bigger);
    for (std::size_t i = 0; i < count_; ++i) ring[i] = (*this)[i];
    ring_ = std::move(ring);
    mask_ = static_cast<std::uint32_t>(bigger - 1);
    first_ = 0;
  }
  std::unique_ptr<Message[]> ring_;  // a power of two; none at first
  std::uint32_t mask_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

enum class QpState : std::uint8_t {
  Idle,     ///< nothing to send, or window full
  Ready,    ///< in the NIC's round robin
  Waiting,  ///< paced: a timer brings it back
  Failed,   ///< retry count exceeded
};

struct alignas(64) SenderQp {
  // First line: what every packet sent touches.
  std::uint32_t dst = 0;     ///< destination endpoint
  std::uint32_t remote = 0;  ///< receiver row there
  std::uint32_t entropy = 0;
  std::uint32_t next_ready = 0;  ///< ring link of the round robin
  std::uint32_t next_seq = 0;
  std::uint32_t sendable = 0;  ///< packets of messages that are ready
  std::uint32_t highest = 0;   ///< first never-sent packet
  // The message last cut from: packets [first, end), bytes of payload in its last packet.
  std::uint32_t message_first = 0;
  std::uint32_t message_end = 0;
  std::uint16_t message_rest = 0;
  std::uint16_t port = 0;
  std::uint16_t last_wire_bytes = 0;
  std::uint8_t traffic_class = 0;
  QpState state = QpState::Idle;
  std::uint8_t flags = 0;  ///< record flags of every packet (pinned)
  bool limited = false;    ///< by rate_limit
  bool resends = false;    ///< selective repeat: packet `resend` is asked for again
  bool timer_pending = false;
  Time next_send;
  Time last_start;
  // Second line: acknowledgements, messages, timers.
  std::uint32_t una = 0;  ///< oldest unacknowledged
  std::uint32_t resend = 0;
  Time deadline;
  std::int64_t rate_limit = 0;  ///< bit/s
  std::uint32_t posted = 0;     ///< packets of all messages posted
  std::uint32_t cookie = 0;
  MessageQueue messages;
  std::uint16_t app = 0;
  std::uint8_t retries = 0;
};
static_assert(sizeof(SenderQp) == 128);

/// A message's end as the receiver saw it: the packet with the last flag.
struct MessageEnd {
  std::uint32_t seq = 0;
  std::uint32_t bytes = 0;  ///< payload of that packet
};

/// What a receiver keeps beyond the next packet expected; made when first needed.
struct ReceiverDetail {
  Time nak_at;                         ///< last NAK
  std::vector<std::uint64_t> farther;  ///< continues ReceiverQp::beyond
  std::vector<MessageEnd> ends_beyond;
  std::vector<std::int64_t> completed;  ///< bytes of messages on their way to the app
  std::size_t completed_first = 0;
};

struct alignas(64) ReceiverQp {
  std::uint32_t sender = 0;  ///< sender's endpoint: ACKs go there
  std::uint32_t remote = 0;  ///< sender row there
  std::uint32_t entropy = 0;
  std::uint32_t expected = 0;
  std::uint32_t message_first = 0;
  std::uint32_t messages = 0;  ///< delivered so far
  std::uint32_t unacked = 0;   ///< packets since the last ACK
  std::uint32_t cookie = 0;
  Time last_cnp{-1};
  std::uint64_t beyond = 0;  ///< out-of-order arrivals; bit i = packet expected + 1 + i
  std::uint16_t app = 0;
  std::uint16_t port = 0;
  std::uint8_t flags = 0;
  std::uint8_t ack_class = 0;
  bool congestion : 1 = false;  ///< CE seen since the last ACK
  bool asked : 1 = false;       ///< a NAK for `expected` was sent
  bool holes = false;           ///< packets beyond `expected` have come
  std::unique_ptr<ReceiverDetail> more;

  ReceiverDetail& detail() {
    if (more == nullptr) more = std::make_unique<ReceiverDetail>();
    return *more;
  }
};
static_assert(sizeof(ReceiverQp) == 64);

}  // namespace spineleaf
