#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "tests/property/random_world.hpp"
#include "topologies/custom.hpp"
#include "topologies/registry.hpp"

namespace spineleaf::property {
namespace {

constexpr Rate kAnyRate = Rate::from_gbps(400);  // every cable is drawn afterwards

Topology built(BuildResult result) {
  if (result.ok()) return std::move(result.topology);
  const Problem& problem = result.problems.front();
  throw std::logic_error("a random topology was refused: " + problem.where + ": " + problem.what);
}

CustomSpec hosts_on_switches(Dice& dice, std::int64_t hosts, std::int64_t switches) {
  CustomSpec spec;
  for (std::int64_t h = 0; h < hosts; ++h) {
    spec.nodes.push_back({.name = "host" + std::to_string(h)});
  }
  for (std::int64_t s = 0; s < switches; ++s) {
    spec.nodes.push_back({.name = "sw" + std::to_string(s), .kind = NodeKind::Switch});
  }
  for (std::int64_t h = 0; h < hosts; ++h) {
    const std::int64_t s = h < switches ? h : dice.below(switches);
    spec.links.push_back({.a = "host" + std::to_string(h),
                          .b = "sw" + std::to_string(s),
                          .rate = kAnyRate,
                          .latency = Time{1}});
  }
  return spec;
}

void join(CustomSpec& spec, std::int64_t a, std::int64_t b, std::int64_t count) {
  spec.links.push_back({.a = "sw" + std::to_string(a),
                        .b = "sw" + std::to_string(b),
                        .rate = kAnyRate,
                        .latency = Time{1},
                        .count = count});
}

Topology dumbbell(Dice& dice) {
  CustomSpec spec = hosts_on_switches(dice, dice.within(3, 8), 2);
  join(spec, 0, 1, dice.within(1, 2));
  return built(build_custom(spec));
}

/// A random tree of switches with some cables more.
Topology random_graph(Dice& dice) {
  const std::int64_t switches = dice.within(3, 7);
  CustomSpec spec = hosts_on_switches(dice, dice.within(switches, 9), switches);
  for (std::int64_t s = 1; s < switches; ++s) join(spec, dice.below(s), s, 1);
  for (std::int64_t more = dice.within(1, switches); more > 0; --more) {
    const std::int64_t a = dice.below(switches);
    const std::int64_t b = dice.below(switches);
    if (a != b) join(spec, std::min(a, b), std::max(a, b), 1);
  }
  return built(build_custom(spec));
}

double number(std::int64_t value) { return static_cast<double>(value); }

Topology graph_of(Dice& dice, Family family) {
  switch (family) {
    case Family::Pair:
      return built(build_topology("direct", {{"parallel", number(dice.within(1, 2))}}));
    case Family::Star:
      return built(build_topology("single_switch", {{"hosts", number(dice.within(2, 8))},
                                                    {"nics_per_host", number(dice.within(1, 2))}}));
    case Family::Dumbbell: return dumbbell(dice);
    case Family::Ring:
      return built(
          build_topology("switch_ring", {{"switches", number(dice.within(3, 6))},
                                         {"hosts_per_switch", number(dice.within(1, 2))}}));
    case Family::LeafSpine:
      return built(build_topology(
          "fat_tree", {{"hosts", number(2 * dice.within(3, 7))}, {"tiers", 2}, {"radix", 8}}));
    case Family::FatTree:
      return built(build_topology("fat_tree", {{"hosts", 16}, {"tiers", 3}, {"radix", 4}}));
    case Family::RandomGraph: return random_graph(dice);
  }
  throw std::logic_error("unknown family");
}

/// A fabric of one rate or of three, of one latency or of many. Odd rates make serialisation times
/// that are no whole number of picoseconds a byte.
void draw_cables(Dice& dice, const Case& wanted, Topology& topology) {
  const bool one_rate = dice.one_in(2);
  const bool one_latency = dice.one_in(wanted.tie_rich ? 2 : 4);
  const auto any_rate = [&] {
    if (!wanted.tie_rich && dice.one_in(6)) return Rate{dice.within(90, 900) * 1'000'000'123};
    return Rate::from_gbps(dice.pick({100, 400, 800}));
  };
  const auto any_latency = [&] { return dice.delay(Time::from_ns(25), Time::from_ns(800)); };
  const Rate rate = any_rate();
  const Time latency = any_latency();
  for (Cable& cable : topology.cables) {
    cable.rate = one_rate ? rate : any_rate();
    cable.propagation = one_latency ? latency : any_latency();
  }
}

}  // namespace

Topology random_topology(Dice& dice, const Case& wanted) {
  Topology topology = graph_of(dice, wanted.family);
  draw_cables(dice, wanted, topology);
  return topology;
}

}  // namespace spineleaf::property
