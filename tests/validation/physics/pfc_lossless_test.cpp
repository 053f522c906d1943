// The headroom that a fabric computes for itself loses nothing, whatever the packets, the memory
// cells, the cables and the mode of switching.

#include <gtest/gtest.h>

#include "sim/hash.hpp"
#include "tests/models/fabric/rig.hpp"

namespace spineleaf::pfc_lossless {
namespace {

using test::flow;
using test::Rig;
using test::wire_only;

/// Numbers of one random case, in order.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::int64_t operator()(std::int64_t n) {
    return static_cast<std::int64_t>(mix64(seed_, ++count_) % static_cast<std::uint64_t>(n));
  }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[(*this)(static_cast<std::int64_t>(list.size()))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

ModelParams random_params(Dice& dice) {
  ModelParams params = wire_only("roce-400g", {{"switch.queue_limit", "0B"}});
  params.fabric.mtu = Bytes{dice.one_of<std::int64_t>({256, 1024, 4096})};
  params.fabric.ack_class = dice(2);
  params.fabric.fec = Time{dice(200'000)};
  params.sw.core_latency = Time{dice(800'000)};
  params.sw.switching = dice(2) == 0 ? Switching::StoreAndForward : Switching::CutThrough;
  params.pfc.cell = Bytes{dice.one_of<std::int64_t>({1, 64, 192, 254})};
  params.pfc.response_time = Time{dice(2) * dice(2'000'000)};
  params.pfc.alpha = dice.one_of({0.0, 0.125, 1.0});
  params.pfc.xoff = Bytes{5000 + dice(50'000)};
  params.pfc.xon_offset = Bytes{dice(4000)};
  params.pfc.buffer = Bytes{dice.one_of<std::int64_t>({200'000, 2'000'000})};
  params.transport.ack_every = dice.one_of<std::int64_t>({1, 8});
  params.transport.immediate = dice(2) == 0;
  return params;
}

/// Four senders and one receiver on a slower cable; the receiver and a sender talk back.
Topology random_star(Dice& dice) {
  CustomSpec spec;
  for (int h = 0; h < 5; ++h) spec.nodes.push_back({"host" + std::to_string(h)});
  spec.nodes.push_back({"sw", NodeKind::Switch});
  for (int h = 0; h < 5; ++h) {
    CustomLink link;
    link.a = "host" + std::to_string(h);
    link.b = "sw";
    link.rate =
        h == 0 ? Rate::from_gbps(dice.one_of<std::int64_t>({10, 100, 400})) : Rate::from_gbps(400);
    link.latency = Time{10'000 + dice(1'500'000)};
    spec.links.push_back(link);
  }
  return test::topology_of(build_custom(spec));
}

void run_case(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice(seed);
  const ModelParams params = random_params(dice);
  Topology topology = random_star(dice);
  const bool small = dice(2) == 0;
  std::vector<FlowEntry> flows;
  for (int s = 1; s < 5; ++s) {
    const std::string sender = "host" + std::to_string(s);
    for (int i = 0; i < (small ? 600 : 4); ++i) {
      const std::int64_t bytes = small ? 1 + dice(80) : 1 + dice(200'000);
      flows.push_back(flow(sender, "host0", bytes, Time{dice(3'000'000)}));
    }
    flows.push_back(flow("host" + std::to_string(s % 4 + 1), sender, 1 + dice(400'000)));
  }
  flows.push_back(flow("host0", "host1", 1 + dice(100'000)));
  Rig rig(std::move(topology), params, flows, seed);
  rig.run();
  EXPECT_EQ(rig.drops(), 0);
  for (const FlowRecord& f : rig.flows()) EXPECT_GE(f.acked.ps, 0);
}

TEST(PfcLossless, ComputedHeadroomLosesNothing) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) run_case(seed);
}

}  // namespace
}  // namespace spineleaf::pfc_lossless
