#pragma once
// Aggregator: the aggregation node of a switch. It counts, packet by packet, which children have
// contributed, sends the sum up or, at the root, the result down, and copies results downwards.
//
// Upwards it works store-and-forward: a packet is reduced once its tail is in, `latency` later its
// buffer is free. Downwards it forwards as the switch does (cut-through). Sums and results on their
// way out stand in the node's own memory, which holds a window of packets for each group.

#include <cstdint>
#include <vector>

#include "models/parts/ports_setup.hpp"
#include "sim/actor.hpp"

namespace spineleaf {

class Ports;

/// One group at one switch. Rows are those at the other ends: packets name the receiver's.
struct AggregatorGroup {
  static constexpr std::uint16_t kRoot = UINT16_MAX;
  struct Child {
    std::uint16_t port = 0;
    bool receives = false;
    std::uint32_t row = 0;
  };
  std::uint32_t number = 0;  ///< of the group in the fabric
  std::uint16_t parent_port = kRoot;
  std::uint32_t parent_row = 0;
  std::uint8_t traffic_class = 0;
  std::uint16_t header = 0;  ///< bytes of a packet without data
  std::uint32_t window = 1;
  std::vector<Child> children;
};

struct AggregatorSetup {
  std::uint32_t event_kind = 0;  ///< first of two local event kinds
  Time latency;
  std::int32_t gap = 0;
  const std::vector<PortSetup>& ports;
  std::vector<AggregatorGroup> groups;
};

class Aggregator {
 public:
  Aggregator(Actor& actor, Ports& ports, AggregatorSetup setup);

  void on_record(const Record& record);
  void on_local(const LocalEvent& event);

 private:
  struct Slot {
    std::uint16_t contributions = 0;
    std::uint16_t size = 0;  ///< largest packet so far
  };
  struct Group {
    AggregatorGroup fixed;
    std::vector<Slot> slots;  ///< of packet i: i mod window
  };

  Time tail(const Record& record) const;
  void keep(const Record& record, std::uint32_t kind, Time until);
  void contribute(const Record& record);
  void send_up(const Group& group, std::uint32_t seq, std::uint16_t size);
  void send_down(const Group& group, const Record& result, bool on_its_way);

  Actor& actor_;
  Ports& ports_;
  std::uint32_t reduced_kind_;
  std::uint32_t received_kind_;
  Time latency_;
  std::int32_t gap_;
  std::vector<Link> in_;  ///< by port
  std::vector<Group> groups_;
  std::vector<Record> pending_;  ///< contributions being reduced, results coming in
  std::vector<std::uint32_t> free_;
};

}  // namespace spineleaf
