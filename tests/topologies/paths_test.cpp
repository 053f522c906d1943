// Pinned paths: lookups, the choice among parallel cables, and every way to get one wrong.

#include "topologies/paths.hpp"

#include <gtest/gtest.h>

#include "tests/topologies/walk.hpp"

namespace spineleaf::paths {
namespace {

using test::make;
using test::node_named;

PathSpec path(std::initializer_list<const char*> nodes) {
  PathSpec spec;
  for (const char* node : nodes) spec.steps.push_back({node});
  return spec;
}

std::string refusal(const Topology& topology, const PathSpec& spec) {
  const PathsResult result = make_paths(topology, std::vector{spec});
  std::string text;
  for (const Problem& problem : result.problems) text += to_string(problem) + "\n";
  return text;
}

TEST(Paths, EachSwitchKnowsTheEgressPortOfThePathsThatPassIt) {
  const Topology t = make("fat_tree", {{"hosts", 16}, {"radix", 8}});  // 2 cables a pair
  std::vector<PathSpec> specs{path({"host0", "leaf0", "spine1", "leaf3", "host15"}),
                              path({"host1", "leaf0", "host2"}),
                              path({"host4", "leaf1", "spine1", "leaf0", "host0"})};
  specs[0].steps[1].cable = 1;
  specs[2].steps[2].port = 1;
  const PathsResult result = make_paths(t, specs);
  ASSERT_TRUE(result.problems.empty()) << to_string(result.problems.front());
  const PathTable& table = result.table;
  const NodeId leaf0 = node_named(t, "leaf0");
  const NodeId spine1 = node_named(t, "spine1");
  EXPECT_EQ(table.egress(leaf0, PathId{0}), 7);
  EXPECT_EQ(table.egress(leaf0, PathId{1}), 2);
  EXPECT_EQ(table.egress(leaf0, PathId{2}), 0);
  EXPECT_EQ(table.egress(spine1, PathId{0}), 6);
  EXPECT_EQ(table.egress(spine1, PathId{1}), std::nullopt);
  EXPECT_EQ(table.egress(spine1, PathId{2}), 1);
  EXPECT_EQ(table.source(PathId{0}), EndpointId{0});
  EXPECT_EQ(table.destination(PathId{0}), EndpointId{15});
  EXPECT_EQ(table.channels(PathId{0}).size(), 4U);
  EXPECT_EQ(table.size(), 3U);
}

TEST(Paths, TheFirstHopChoosesTheEndpoint) {
  const Topology t = make("dual_tor", {{"hosts", 16}, {"radix", 16}});
  const PathsResult result =
      make_paths(t, std::vector{path({"host1", "leaf0b", "spine0", "leaf1a", "host9"})});
  ASSERT_TRUE(result.problems.empty());
  EXPECT_EQ(result.table.source(PathId{0}), EndpointId{3});
  EXPECT_EQ(result.table.destination(PathId{0}), EndpointId{18});
}

TEST(Paths, MistakesAreNamed) {
  const Topology t = make("fat_tree", {{"hosts", 16}, {"radix", 8}});
  EXPECT_EQ(refusal(t, path({"host0", "leef0", "host1"})),
            "paths[0].nodes[1]: names no node (found \"leef0\"). Did you mean \"leaf0\"?\n");
  EXPECT_EQ(refusal(t, path({"host0", "leaf1", "host4"})),
            "paths[0].nodes[0]: no cable joins it to the next node (found host0 - leaf1)\n");
  EXPECT_EQ(refusal(t, path({"host0", "leaf0", "spine0", "leaf0", "host1"})),
            "paths[0].nodes[3]: routing loop: the path visits a node twice (found \"leaf0\")\n");
  EXPECT_EQ(refusal(t, path({"host0", "leaf0", "spine0"})),
            "paths[0].nodes[2]: a path begins and ends at a host (found \"spine0\", expected a "
            "host)\n");
  EXPECT_EQ(refusal(t, path({"host0"})),
            "paths[0]: is too short (found 1 nodes, expected at least 2)\n");
  PathSpec spec = path({"host0", "leaf0", "spine0", "leaf1", "host4"});
  spec.steps[1].cable = 2;
  EXPECT_EQ(refusal(t, spec),
            "paths[0].nodes[1]: there are fewer parallel cables to the next node (leaf0 - spine0) "
            "(found 2, expected 0 to 1)\n");
  spec.steps[1] = {"leaf0", 0, 6};
  EXPECT_EQ(refusal(t, spec),
            "paths[0].nodes[1]: this port does not lead to the next node (leaf0 - spine0) (found "
            "6, expected one of 4 to 5)\n");
}

TEST(Paths, ACableThatIsDownIsRefused) {
  Topology t = make("single_switch", {{"hosts", 4}});
  t.cables[2].up = false;
  EXPECT_EQ(refusal(t, path({"host0", "leaf0", "host2"})),
            "paths[0].nodes[1]: the cable to the next node is down (found leaf0 - host2)\n");
}

TEST(Paths, OneBadPathDoesNotHideTheNext) {
  const Topology t = make("single_switch", {{"hosts", 4}});
  const PathsResult result =
      make_paths(t, std::vector{path({"host0"}), path({"host0", "leaf0", "host9"}),
                                path({"host0", "leaf0", "host1"})});
  EXPECT_EQ(result.problems.size(), 2U);
  EXPECT_EQ(result.problems[1].where, "paths[1].nodes[2]");
}

}  // namespace
}  // namespace spineleaf::paths
