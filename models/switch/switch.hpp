#pragma once
// Switch: forwarding, buffering and scheduling of packets; store-and-forward or cut-through.

#include <string>

#include "models/parts/forwarding.hpp"
#include "models/parts/marking.hpp"
#include "models/parts/ports.hpp"
#include "sim/advance.hpp"
#include "topologies/routes.hpp"

namespace spineleaf {

/// Egress ports of pinned paths at one switch: sorted by path number.
struct PinnedHop {
  std::uint32_t path = 0;
  std::uint16_t port = 0;
};

struct SwitchSetup {
  NodeId node{};
  const Routes* routes = nullptr;
  const ModelParams* params = nullptr;
  PortsConfig config;
  std::vector<PortSetup> ports;
  std::vector<PinnedHop> pinned;
};

class Switch final : public Actor {
 public:
  Switch(ActorId id, std::string name, std::uint64_t seed, SwitchSetup setup);

  void advance(Lane& lane, Time from, Time to) override { run_epoch(*this, lane, from, to); }
  void on_record(Record& record) override;
  void on_local(const LocalEvent& event) override { ports_.on_local(event); }
  void on_arbitrate(std::uint32_t port) override;

  Ports& ports() { return ports_; }
  const Ports& ports() const { return ports_; }

 private:
  void on_packet(Record& record);
  std::uint16_t route(const Record& record);
  void drop(const Record& record, int cause);

  Ports ports_;
  Forwarding forwarding_;
  Marking marking_;
  const Routes* routes_;
  NodeId node_;
  bool mark_at_dequeue_;
  std::uint32_t lossy_;  ///< mask of classes that drop at the queue limit
  std::int64_t queue_limit_;
  std::uint64_t mark_seed_;
  std::vector<PinnedHop> pinned_;
};

}  // namespace spineleaf
