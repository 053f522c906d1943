#pragma once
// Transport state: reliable connections as rows. Sender state lives at the sender, receiver state
// at the receiver; neither reads the other's half.

#include <cstdint>
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
  Message& operator[](std::size_t i) { return ring_[(first_ + i) & (ring_.size() - 1)]; }
  void push(const Message& message) {
    if (count_ == ring_.size()) grow();
    ring_[(first_ + count_++) & (ring_.size() - 1)] = message;
  }
  void pop() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    --count_;
  }

 private:
  void grow() {
    std::vector<Message> bigger(ring_.empty() ? 2 : ring_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) bigger[i] = (*this)[i];
    ring_ = std::move(bigger);
    first_ = 0;
  }
  std::vector<Message> ring_;  // power of two
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

enum class QpState : std::uint8_t {
  Idle,     ///< nothing to send, or window full
  Ready,    ///< in the NIC's round robin
  Waiting,  ///< paced: a timer brings it back
  Failed,   ///< retry count exceeded
};

struct SenderQp {
  std::uint32_t dst = 0;     ///< destination endpoint
  std::uint32_t remote = 0;  ///< receiver row there
  std::uint32_t entropy = 0;
  std::uint32_t next_ready = 0;  ///< ring link of the round robin
  std::uint32_t next_seq = 0;
  std::uint32_t una = 0;              ///< oldest unacknowledged
  std::uint32_t sendable = 0;         ///< packets of messages that are ready
  std::uint32_t posted = 0;           ///< packets of all messages posted
  std::uint32_t highest = 0;          ///< first never-sent packet
  std::uint32_t resend = UINT32_MAX;  ///< selective repeat: one packet asked for again
  std::uint16_t port = 0;
  std::uint8_t traffic_class = 0;
  QpState state = QpState::Idle;
  std::uint8_t flags = 0;  ///< record flags of every packet (pinned)
  std::uint8_t retries = 0;
  bool timer_pending = false;
  std::uint16_t app = 0;
  std::uint32_t cookie = 0;
  std::uint32_t at_message = 0;  ///< index in `messages` that next_seq lies in
  std::uint32_t last_wire_bytes = 0;
  Time last_start;
  Time next_send;
  Time deadline;
  std::int64_t rate_limit = 0;  ///< bit/s; 0 = none
  MessageQueue messages;
};

/// A message's end as the receiver saw it: the packet with the last flag.
struct MessageEnd {
  std::uint32_t seq = 0;
  std::uint32_t bytes = 0;  ///< payload of that packet
};

struct ReceiverQp {
  std::uint32_t sender = 0;  ///< sender's endpoint: ACKs go there
  std::uint32_t remote = 0;  ///< sender row there
  std::uint32_t entropy = 0;
  std::uint32_t expected = 0;
  std::uint32_t message_first = 0;
  std::uint32_t messages = 0;  ///< delivered so far
  std::uint32_t unacked = 0;   ///< packets since the last ACK
  std::uint32_t nak_seq = UINT32_MAX;
  Time nak_at;
  Time last_cnp{-1};
  std::uint32_t cookie = 0;
  std::uint16_t app = 0;
  std::uint16_t port = 0;
  std::uint8_t flags = 0;
  bool congestion = false;       ///< CE seen since the last ACK
  std::uint32_t last_bytes = 0;  ///< payload of the newest in-order packet with the last flag
  // Out-of-order arrivals beyond `expected`; bit i = packet expected + 1 + i.
  std::vector<std::uint64_t> beyond;
  std::vector<MessageEnd> ends_beyond;
  std::vector<std::int64_t> completed;  ///< bytes of messages on their way to the app
  std::size_t completed_first = 0;
};

}  // namespace spineleaf
