#pragma once
// Switch: forwarding, buffering and scheduling of packets; store-and-forward or cut-through.

#include <memory>
#include <string>
#include <vector>

#include "models/parts/forwarding.hpp"
#include "models/parts/marking.hpp"
#include "models/parts/ports.hpp"
#include "models/parts/telemetry.hpp"
#include "models/sharp/aggregator.hpp"
#include "topologies/routes.hpp"

namespace spineleaf {

/// Egress ports of pinned paths at one switch: sorted by path number.
struct PinnedHop {
  std::uint32_t path = 0;
  std::uint16_t port = 0;
};

struct SwitchSetup {
  Arena* arena = nullptr;
  NodeId node{};
  const Routes* routes = nullptr;
  const ModelParams* params = nullptr;
  std::shared_ptr<const PortsConfig> config;
  std::int64_t pool = 0;  ///< PFC: cells of the shared buffer
  std::vector<PortSetup> ports;
  std::vector<PinnedHop> pinned;
  /// D-mod-K: uplinks of the tiers below, multiplied; the destination divided by it gives the digit
  /// that this tier chooses by.
  std::uint32_t static_divisor = 1;
  std::vector<AggregatorGroup> groups;  ///< SHARP: what it aggregates, by row
};

class Switch final : public Actor {
 public:
  Switch(ActorId id, std::string name, std::uint64_t seed, SwitchSetup setup);

  void advance(Lane& lane, Time from, Time to) override;
  void on_start() override;
  void on_record(const Record& record) override;
  void on_local(const LocalEvent& event) override;
  void on_arbitrate(std::uint32_t port) override;
  void on_epoch_end(Time to);
  Time last_instant() const override;
  std::uint64_t final_fingerprint() const override;
  std::vector<std::span<const std::byte>> hot_memory() const override;

  /// PFC watchdog, between epochs: drop, or no longer drop, what goes to this queue and what comes
  /// in by the same port and class.
  void set_discard(std::uint32_t port, std::uint32_t c, bool on);

  Ports& ports() { return ports_; }
  const Ports& ports() const { return ports_; }

 private:
  enum EventKind : std::uint32_t { kSettle = kDeviceKinds, kAggregate };  // and one more

  void on_packet(const Record& record);
  /// What ends here: link control, SHARP, telemetry.
  [[gnu::noinline]] void on_other(const Record& record);
  std::uint16_t route(const Record& record);
  void drop(const Record& record, DropCause cause);
  void note_lossy();
  bool discards(const Record& record, std::uint16_t out) const;
  void settle(std::uint32_t port, Time before);
  std::uint8_t mark_leaving(const Record& head, std::int64_t behind, Time at);
  void stamp_leaving(std::uint32_t port, const Record& head, std::int64_t behind);

  Ports ports_;
  Forwarding forwarding_;
  Marking marking_;
  Routes::Row routes_;
  bool mark_at_dequeue_;
  bool no_flow_control_;
  bool settled_ = false;  ///< egress without events (see Ports)
  std::uint32_t
      lossy_;  ///< mask of classes that drop at the queue limit, by the watchdog or a stall
  std::int64_t queue_limit_;
  std::uint64_t mark_seed_;
  std::unique_ptr<TelemetryStore> telemetry_;  ///< HPCC only
  std::int64_t telemetry_hops_ = 0;
  PortSet pending_;               ///< settled: ports with packets queued
  Time settle_at_ = Time::max();  ///< settled: the visit asked for
  std::vector<PinnedHop> pinned_;
  std::vector<std::uint16_t>
      discards_;  ///< per port: classes that the watchdog drops; mostly empty
  std::unique_ptr<Aggregator> aggregator_;  ///< SHARP; null = nothing to aggregate
};

}  // namespace spineleaf
