// Rule 9: a record is lost iff a down tick X has transmission start < X <= acting instant.

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "models/workloads/kinds.hpp"
#include "scenarios/run.hpp"
#include "topologies/registry.hpp"

namespace spineleaf::property {
namespace {

constexpr Time kStart = Time::from_us(1);
constexpr Time kPropagation = Time::from_ns(50);
constexpr Time kBack = Time::from_us(9);  ///< down ticks are undone then
constexpr std::int64_t kPayload = 1000;

/// One packet from host0 to host1 over one cable, or over a cut-through switch.
World one_packet(bool over_switch) {
  World world;
  world.params = default_model_params();
  world.params.fabric.flow_control = FlowControlKind::None;
  world.params.fabric.fec = Time{0};
  world.params.sw.core_latency = Time{0};
  world.params.sw.switching = Switching::CutThrough;
  world.params.nic.send_latency = world.params.nic.message_cost = Time{0};
  world.params.transport.timeout = Time::from_us(20);
  world.topology =
      build_topology(over_switch ? "single_switch" : "direct", {{"hosts", 2}}).topology;
  for (Cable& cable : world.topology.cables) cable.propagation = kPropagation;
  world.routes = compute_routes(world.topology, RoutingRule::ShortestPath);
  FlowsParams flows;
  flows.flows.push_back(
      {.from = "host0", .to = "host1", .bytes = Bytes{kPayload}, .start = kStart});
  std::vector<std::uint32_t> rows(world.topology.host_count, 0);
  const WorkloadContext context{world.topology, world.params, 1, 0, rows};
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name == "flows") world.workloads.push_back(kind.build(context, &flows));
  }
  if (world.topology.cables.empty() || world.workloads.empty()) {
    throw std::logic_error("the fabric of one packet was refused");
  }
  world.limits.deadline = Time::from_us(200);
  return world;
}

/// 400 Gb/s: 20 ps a byte. RoCEv2: 62 B of headers, 16 B RETH, 4 B immediate, 20 B of gap.
constexpr Time kSerialisation = Time{20 * (kPayload + 62 + 16 + 4 + 20)};
constexpr Time kHeader = Time{20 * 64};

struct Outcome {
  std::int64_t lost_data = 0;
  std::int64_t lost_back = 0;
  std::int64_t sent = 0;
  bool received = false;
};

Outcome run_down(bool over_switch, std::initializer_list<Time> downs, Time up,
                 const RunOptions& options) {
  World world = one_packet(over_switch);
  for (const Time at : downs) {
    world.faults.push_back({at, CableId{0}, FaultAction::Down, Rate{}});
    if (downs.size() > 1) {
      world.faults.push_back({at + Time{1}, CableId{0}, FaultAction::Up, Rate{}});
    }
  }
  world.faults.push_back({up, CableId{0}, FaultAction::Up, Rate{}});
  const Result result = run_world(std::move(world), options);
  const auto down = static_cast<int>(DropCause::LinkDown);
  // Cable 0 has end a at host0, so its first direction carries the data.
  return {result.links[0].drops[down], result.links[1].drops[down], result.totals.packets_sent,
          result.flows[0].received.ps >= 0};
}

std::vector<RunOptions> ways() {
  std::vector<RunOptions> all(3);
  all[1].reference = true;
  all[2].random_cuts = 5;
  return all;
}

void expect_lost(bool over_switch, Time acting) {
  for (const RunOptions& options : ways()) {
    for (const std::int64_t offset : {-1000, -1, 0, 1, 2, 500}) {
      for (const Time edge : {kStart, acting}) {
        const Time down = edge + Time{offset};
        SCOPED_TRACE("down at " + std::to_string(down.ps));
        const Outcome outcome = run_down(over_switch, {down}, kBack, options);
        const bool lost = kStart < down && down <= acting;
        EXPECT_EQ(outcome.lost_data, lost ? 1 : 0);
        EXPECT_EQ(outcome.sent, outcome.lost_data + outcome.lost_back + 1);
        EXPECT_TRUE(outcome.received);
      }
    }
  }
}

TEST(LinkDown, LosesWhatIsOnTheWireOfAStoreAndForwardHop) {
  expect_lost(false, kStart + kSerialisation + kPropagation);
}

/// The acting instant of a cut-through hop is that of its header: what has acted is whole.
TEST(LinkDown, LosesWhatHasNotActedOfACutThroughHop) {
  expect_lost(true, kStart + kHeader + kPropagation);
}

TEST(LinkDown, TheAcknowledgementOnTheWireIsLostAsWell) {
  const Time received = kStart + kSerialisation + kPropagation;
  for (const RunOptions& options : ways()) {
    for (const std::int64_t offset : {0, 1, 500}) {
      const Outcome outcome = run_down(false, {received + Time{offset}}, kBack, options);
      EXPECT_EQ(outcome.lost_data, offset == 0 ? 1 : 0);
      EXPECT_EQ(outcome.lost_back, offset == 0 ? 0 : 1);
    }
  }
}

TEST(LinkDown, DownAndUpInsideOneRecordLoseItOnce) {
  for (const RunOptions& options : ways()) {
    const Time middle = kStart + Time{kSerialisation.ps / 2};
    EXPECT_EQ(run_down(false, {middle}, middle + Time{100}, options).lost_data, 1);
    EXPECT_EQ(run_down(false, {middle, middle + Time{200}}, kBack, options).lost_data, 1);
  }
}

/// What started at the old speed is lost whatever the new one is: 882 ns on the wire at 10 Gb/s, in
/// which the link is down for no time and has 400 Gb/s afterwards.
TEST(LinkDown, AHigherSpeedDoesNotSaveWhatIsOnTheWire) {
  for (const RunOptions& options : ways()) {
    World world = one_packet(false);
    const Time down = kStart + Time::from_ns(100);
    for (const auto& [at, gbps] : {std::pair{Time{1}, 10}, std::pair{down, 400}}) {
      world.faults.push_back({at, CableId{0}, FaultAction::Down, Rate{}});
      world.faults.push_back({at, CableId{0}, FaultAction::Degrade, Rate::from_gbps(gbps)});
      world.faults.push_back({at, CableId{0}, FaultAction::Up, Rate{}});
    }
    const Result result = run_world(std::move(world), options);
    EXPECT_EQ(result.links[0].drops[static_cast<int>(DropCause::LinkDown)], 1);
    EXPECT_EQ(result.totals.packets_sent, 2);
  }
}

/// Down before the packet is posted: it waits, and nothing is lost.
TEST(LinkDown, APacketWaitsForALinkThatIsDown) {
  for (const RunOptions& options : ways()) {
    const Outcome outcome = run_down(false, {kStart - Time{1}}, kStart + Time{777}, options);
    EXPECT_EQ(outcome.lost_data + outcome.lost_back, 0);
    EXPECT_EQ(outcome.sent, 1);
    EXPECT_TRUE(outcome.received);
  }
}

}  // namespace
}  // namespace spineleaf::property
