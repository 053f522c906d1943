// Credits are conserved: at any instant what the sender may send, what is under way and what the
// receiver holds fit into the receiver's buffer; at the end both ends of every link agree.

#include <gtest/gtest.h>

#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf::credit_conservation {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

struct End {
  const Ports* ports;
  std::uint32_t port;
};

/// Calls f(sender, receiver, cable) for both directions of each cable.
template <class F>
void for_each_link(Rig& rig, const F& f) {
  for (const Cable& cable : rig.topology().cables) {
    const End a{&rig.fabric().ports_of(index(cable.a.node)), cable.a.port};
    const End b{&rig.fabric().ports_of(index(cable.b.node)), cable.b.port};
    f(a, b);
    f(b, a);
  }
}

void check_links(Rig& rig) {
  for_each_link(rig, [](const End& from, const End& to) {
    const std::int64_t buffer = to.ports->config().buffer_blocks;
    for (std::uint32_t vl = 0; vl < from.ports->classes(); ++vl) {
      const std::int64_t left = from.ports->credits_left(from.port, vl);
      const std::int64_t under_way = (from.ports->credit_blocks_sent(from.port, vl) -
                                      to.ports->credit_blocks_received(to.port, vl)) &
                                     4095U;
      const std::int64_t held = to.ports->ingress_used(to.port, vl);
      EXPECT_GE(held, 0);
      EXPECT_LE(left, 2048);
      EXPECT_LE(left + under_way, 2048);
      EXPECT_LE(left + under_way + held, buffer);
    }
  });
}

void check_end(Rig& rig) {
  for_each_link(rig, [](const End& from, const End& to) {
    const std::int64_t buffer = to.ports->config().buffer_blocks;
    for (std::uint32_t vl = 0; vl < from.ports->classes(); ++vl) {
      EXPECT_EQ(to.ports->ingress_used(to.port, vl), 0);
      EXPECT_EQ(from.ports->credits_left(from.port, vl), std::min<std::int64_t>(buffer, 2048));
      EXPECT_EQ(from.ports->credit_blocks_sent(from.port, vl),
                to.ports->credit_blocks_received(to.port, vl));
    }
  });
}

struct Case {
  std::string_view mode;
  std::string_view buffer;
  std::string_view vls;
  std::string_view forwarding;
  bool flap;
};

void run_case(const Case& c, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(c.mode) + " " +
               std::string(c.buffer) + " VLs " + std::string(c.vls));
  ModelParams params = wire_only("ib-ndr", {{"credit.mode", c.mode},
                                            {"credit.buffer", c.buffer},
                                            {"fabric.classes", c.vls},
                                            {"switch.forwarding", c.forwarding},
                                            {"switch.routing", "up_down"},
                                            {"transport.timeout", "100us"},
                                            {"transport.retry_cnt", "1000"}});
  params.sw.switching = seed % 2 == 0 ? Switching::StoreAndForward : Switching::CutThrough;
  std::vector<FlowEntry> flows;
  std::int64_t payload = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto from = mix64(seed, i, 1) % 8, to = i % 3 == 0 ? 0 : mix64(seed, i, 2) % 8;
    if (from == to) continue;
    const auto bytes = static_cast<std::int64_t>(1 + mix64(seed, i, 3) % 300'000);
    payload += bytes;
    flows.push_back(flow("host" + std::to_string(from), "host" + std::to_string(to), bytes,
                         Time{static_cast<std::int64_t>(mix64(seed, i, 4) % 5'000'000)}));
    flows.back().traffic_class =
        static_cast<int>(i % static_cast<std::uint64_t>(params.fabric.classes));
  }
  Topology topology = test::topology_of(build_topology("fat_tree", {{"hosts", 8}, {"radix", 4}}));
  for (std::size_t i = 0; i < topology.cables.size() && seed % 4 >= 2; ++i) {
    topology.cables[i].rate = Rate::from_gbps(mix64(seed, i, 6) % 2 == 0 ? 100 : 400);
  }
  Rig rig(std::move(topology), params, flows, seed);
  for (std::uint64_t t = 1; t < 60; ++t) {
    rig.at(Time{static_cast<std::int64_t>(mix64(seed, t, 5) % 40'000'000)},
           [&rig](Time) { check_links(rig); });
  }
  if (c.flap) {
    rig.set_cable(Time::from_us(3), "host0", "leaf0", false);
    rig.set_cable(Time::from_us(4), "host0", "leaf0", true);
    rig.set_cable(Time{9'000'001}, "host0", "leaf0", false);
    rig.set_cable(Time{9'100'000}, "host0", "leaf0", true);
  }
  rig.run();
  check_end(rig);
  std::int64_t delivered = 0;
  for (const Host* host : rig.fabric().hosts) delivered += host->counters().payload_delivered;
  EXPECT_EQ(delivered, payload);
  EXPECT_EQ(rig.drops() > 0, c.flap);
}

TEST(CreditConservation, HoldsAtEveryInstantAndAtTheEnd) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const std::string_view mode : {"immediate", "min_spacing"}) {
      run_case({mode, "8KiB", "1", "adaptive", false}, seed);
      run_case({mode, "64KiB", "2", "ecmp", false}, seed);
      run_case({mode, "512KiB", "6", "spray", false}, seed);
    }
  }
}

TEST(CreditConservation, SurvivesALinkThatFlaps) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    for (const std::string_view mode : {"immediate", "min_spacing"}) {
      run_case({mode, "16KiB", "1", "ecmp", true}, seed);
      run_case({mode, "512KiB", "2", "ecmp", true}, seed);
    }
  }
}

}  // namespace
}  // namespace spineleaf::credit_conservation
