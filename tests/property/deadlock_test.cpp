// The exact deadlock test on random fabrics under all-to-all traffic. Sound: what it says can never
// send does not send for the rest of the run. Complete: where nothing is delivered any more, it has
// found why. And no deadlock, no cycle where routes go up and then down.

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "scenarios/deadlock.hpp"
#include "tests/property/compare.hpp"
#include "tests/property/random_world.hpp"
#include "tests/property/seeds.hpp"
#include "topologies/channel_graph.hpp"

namespace spineleaf::property {
namespace {

constexpr Time kTick = Time::from_us(1);
constexpr Time kEnd = Time::from_us(300);

/// Looks every microsecond and keeps what each dead queue had sent when it was found.
class WatchingTicks final : public Ticks {
 public:
  WatchingTicks(const Topology& topology, Fabric& fabric)
      : fabric_(fabric), test_(fabric, topology) {}

  Time next() const override { return at_; }
  bool on_tick(Time at) override {
    check(at);
    if (test_.stands(at)) {
      for (const DeadQueue& dead : test_.dead_queues()) {
        sent_.try_emplace({dead.node, dead.port, dead.traffic_class},
                          fabric_.ports_of(dead.node).packets_sent(dead.port, dead.traffic_class));
      }
    }
    at_ += kTick;
    return at < kEnd;
  }
  bool change_pending() const override { return false; }
  bool poll(Time) override { return true; }
  bool found() const { return !sent_.empty(); }

 private:
  void check(Time at) {
    for (const auto& [queue, sent] : sent_) {
      const auto& [node, port, c] = queue;
      ASSERT_EQ(fabric_.ports_of(node).packets_sent(port, c), sent)
          << "node " << node << " port " << port << " class " << c << " sent before " << at.ps;
    }
  }

  Fabric& fabric_;
  DeadlockTest test_;
  Time at_ = kTick;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int64_t> sent_;
};

struct Seen {
  int worlds = 0;
  int cyclic = 0;
  int deadlocks = 0;
  int standstills = 0;
};

/// Small buffers, pauses that outlast their refresh, messages of many packets, no rate control.
ModelParams params_for(Dice& dice, const Case& wanted, RoutingRule routing) {
  ModelParams params = random_params(dice, wanted);
  params.sw.routing = routing;
  params.fabric.classes = 2;
  params.fabric.data_class = 0;
  params.fabric.ack_class = params.fabric.cnp_class = 1;
  params.pfc.lossless_classes = "0";
  params.pfc.quanta = 65535;
  params.pfc.refresh = 0.5;
  // A pause without refresh is looked at again only when its ingress sends: with a moving threshold
  // a fabric may stand still that could go on.
  if (params.pfc.alpha > 0) params.pfc.never_expires = false;
  params.pfc.headroom = Bytes{0};
  params.pfc.ns3_rate_shift = 0;
  params.transport.congestion_control = CongestionControlKind::None;
  params.transport.window = Bytes{0};
  params.transport.timeout = Time::from_ms(10);
  params.nic.pcie_rate = Rate{};
  return params;
}

Workload all_to_all(const Topology& topology, const ModelParams& params, std::uint64_t seed) {
  std::vector<std::uint32_t> rows(topology.host_count);
  const WorkloadContext context{topology, params, seed, 0, rows};
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name != "all_to_all") continue;
    const auto object = kind.make_params();
    for (const ParamDecl& decl : kind.table.params) {
      if (decl.name == "bytes") {
        decl.set(object.get(), {.integer = params.fabric.mtu.count * 40, .real = 0, .text = {}});
      }
      if (decl.name == "in_flight") decl.set(object.get(), {.integer = 8, .real = 0, .text = {}});
    }
    return kind.build(context, object.get());
  }
  throw std::logic_error("no all-to-all");
}

/// Whether a queue of the lossless class waits in some switch.
bool anything_waits(const Fabric& fabric) {
  for (const Switch* sw : fabric.switches) {
    for (std::uint32_t p = 0; p < sw->ports().count(); ++p) {
      if (sw->ports().head(p, 0) != nullptr) return true;
    }
  }
  return false;
}

void watch(std::uint64_t seed, RoutingRule routing, Seen& seen) {
  Case wanted(seed);
  const Family families[] = {Family::Ring, Family::RandomGraph, Family::LeafSpine};
  wanted.family = families[seed % 3];
  wanted.tie_rich = seed % 2 == 0;
  wanted.flow_control = seed / 3 % 2 == 0 ? FlowControlKind::Pfc : FlowControlKind::Credit;
  Dice dice(seed, wanted.quantum());
  ModelParams params = params_for(dice, wanted, routing);
  // What outlives its lifetime lets others move: for ever is then until that.
  params.credit.head_of_queue_lifetime = params.credit.leaf_head_of_queue_lifetime =
      params.credit.packet_life_time = Time{0};
  const Topology topology = random_topology(dice, wanted);
  const Routes routes = compute_routes(topology, routing);
  const bool cycle = find_cycles(topology, channel_dependencies(topology, &routes)).has_cycle;
  ++seen.worlds;
  seen.cyclic += cycle ? 1 : 0;
  if (routing == RoutingRule::UpDown) {
    ASSERT_FALSE(cycle);
  }
  FabricInput input;
  input.topology = &topology;
  input.routes = &routes;
  input.params = &params;
  input.seed = seed;
  input.workloads.push_back(all_to_all(topology, params, seed));
  const auto fabric = build_fabric(std::move(input));
  ASSERT_TRUE(fabric->problems.empty()) << fabric->problems.front();
  WatchingTicks ticks(topology, *fabric);
  const RunOutcome outcome = run_epochs(fabric->simulation, ticks, {1, 0, 1});
  ASSERT_NE(outcome.end, RunEnd::InvariantBroken) << outcome.reason;
  if (ticks.found()) {
    ++seen.deadlocks;
    ASSERT_TRUE(cycle) << "a deadlock without a cycle of dependencies";
  }
  // Nothing was delivered in the last 100 us, although packets wait: only a deadlock does that.
  Time last;
  for (const Host* host : fabric->hosts) last = std::max(last, host->last_progress());
  if (outcome.now - last < Time::from_us(100) || !anything_waits(*fabric)) return;
  ++seen.standstills;
  ASSERT_TRUE(ticks.found()) << "a standstill at " << last.ps << " that the test did not find";
}

Seen watch_all(RoutingRule routing) {
  Seen seen;
  for (const std::uint64_t seed : cases_to_run()) {
    SCOPED_TRACE(how_to_replay(seed, "property_tests", "DeadlockWorlds.*"));
    watch(seed, routing, seen);
    if (testing::Test::HasFailure()) return seen;
  }
  testing::Test::RecordProperty("deadlocks", seen.deadlocks);
  return seen;
}

TEST(DeadlockWorlds, ShortestPaths) {
  const Seen seen = watch_all(RoutingRule::ShortestPath);
  if (seed_asked_for() || testing::Test::HasFailure()) return;
  EXPECT_GT(seen.cyclic, seen.worlds / 10);
  EXPECT_GT(seen.deadlocks, seen.worlds / 40) << "too few for the test to mean something";
  EXPECT_GT(seen.standstills, 0);
}

TEST(DeadlockWorlds, UpDownNeverDeadlocks) {
  const Seen seen = watch_all(RoutingRule::UpDown);
  EXPECT_EQ(seen.cyclic, 0);
  EXPECT_EQ(seen.deadlocks, 0);
}

}  // namespace
}  // namespace spineleaf::property
