#include "validation/oracles/load_forms.hpp"

#include <gtest/gtest.h>

namespace spineleaf::load_forms {
namespace {

TEST(LoadForms, Waits) {
  EXPECT_DOUBLE_EQ(md1_wait(0.5), 0.5);
  EXPECT_NEAR(md1_wait(0.8), 2.0, 1e-12);
  EXPECT_DOUBLE_EQ(mm1_wait(0.5), 1.0);
  EXPECT_EQ(md1_wait(0), 0);
}

TEST(LoadForms, SmallCasesByCounting) {
  // Two flows on two links: of four outcomes two collide.
  const LargestLoad two = largest_load(2, 2);
  EXPECT_NEAR(two.mean, 1.5, 1e-12);
  EXPECT_NEAR(two.mean_inverse, 0.75, 1e-12);
  EXPECT_NEAR(two.deviation, 0.5, 1e-12);
  EXPECT_NEAR(largest_load(1, 10).mean, 1, 1e-12);
  EXPECT_NEAR(largest_load(10, 1).mean, 10, 1e-12);
  // 4 on 4: 24 of 256 outcomes have no collision, 144 a pair, 36 two pairs, 48 three, 4 all.
  EXPECT_NEAR(largest_load(4, 4).mean, (24 + 180 * 2 + 48 * 3 + 4 * 4) / 256.0, 1e-12);
}

struct Row {
  std::int64_t flows, links;
  double mean, deviation;
};

TEST(LoadForms, ExactMaximaOfHashedFlows) {
  for (const Row& row :
       {Row{4, 4, 2.1250, .573}, Row{8, 8, 2.5972, .685}, Row{16, 16, 3.0782, .746},
        Row{32, 32, 3.5329, .746}, Row{64, 64, 3.9577, .768}, Row{8, 4, 3.5381, .788},
        Row{16, 8, 4.2014, .904}, Row{32, 8, 7.0478, 1.193}, Row{32, 16, 4.8304, .938},
        Row{64, 16, 7.8804, 1.226}, Row{128, 16, 13.3569, 1.628}, Row{128, 8, 21.9096, 2.192},
        Row{256, 32, 14.3840, 1.605}, Row{512, 64, 15.3363, 1.562},
        Row{1000, 16, 76.8477, 4.081}}) {
    const LargestLoad load = largest_load(row.flows, row.links);
    EXPECT_NEAR(load.mean, row.mean, 6e-5) << row.flows << "/" << row.links;
    EXPECT_NEAR(load.deviation, row.deviation, 6e-4) << row.flows << "/" << row.links;
  }
}

TEST(LoadForms, SpeedOfACollectiveIsTheMeanOfTheInverse) {
  EXPECT_NEAR(largest_load(8, 8).mean_speed, 0.40999, 6e-6);
  EXPECT_NEAR(largest_load(16, 16).mean_speed, 0.34453, 6e-6);
  EXPECT_NEAR(largest_load(64, 64).mean_speed, 0.26198, 6e-6);
  EXPECT_NEAR(largest_load(128, 8).mean_speed, 0.73725, 6e-6);
}

TEST(LoadForms, LinksUsed) {
  EXPECT_NEAR(links_used(4, 4), 0.6836, 6e-5);
  EXPECT_NEAR(links_used(64, 64), 0.6350, 6e-5);
  EXPECT_DOUBLE_EQ(links_used(3, 1), 1);
}

TEST(LoadForms, LoopBoundaryRoundsTheTurnsUp) {
  const Rate line = Rate::from_gbps(40);
  EXPECT_DOUBLE_EQ(loop_boundary(line, 16, 2), 5.0);
  EXPECT_DOUBLE_EQ(loop_boundary(line, 64, 2), 1.25);
  EXPECT_DOUBLE_EQ(loop_boundary(line, 16, 3), 8.0);
}

}  // namespace
}  // namespace spineleaf::load_forms
