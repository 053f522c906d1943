// Read of a sweep: what may be written, and what comes of it.

#include "scenarios/sweep/axis.hpp"

#include <gmock/gmock.h>

#include "scenarios/input/read.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf::sweep_axis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kScenario = R"({
  "preset": "roce-400g",
  "topology": {"kind": "single_switch", "hosts": 5},
  "workload": [{"kind": "incast", "senders": 2, "bytes": "64KiB"},
               {"kind": "incast", "senders": 2, "bytes": "64KiB", "name": "other"}]
})";

struct Read {
  std::vector<SweepAxis> axes;
  std::vector<InputProblem> problems;
};

Read read(const std::vector<std::string>& texts) {
  Read out;
  const ParseResult scenario = parse_scenario(kScenario, "s.json");
  out.axes = read_axes(texts, *scenario.spec, out.problems);
  return out;
}

/// Values of the last axis at each point of the grid.
std::vector<std::string> values(const std::vector<std::string>& texts) {
  const Read out = read(texts);
  EXPECT_EQ(joined(messages_of(out.problems)), "");
  std::vector<std::string> found;
  for (std::size_t i = 0; !out.axes.empty() && i < grid_size(out.axes, 1000); ++i) {
    found.push_back(out.axes.back().text(axis_values(out.axes, i).back()));
  }
  return found;
}

std::string refusal(const std::vector<std::string>& texts) {
  return joined(messages_of(read(texts).problems));
}

TEST(SweepAxis, ListsRangesAndFactors) {
  EXPECT_THAT(values({"ecn.pmax=0.01,5%,1/5"}), ElementsAre("0.01", "0.05", "0.2"));
  EXPECT_THAT(values({"kmin=100KB:1600KB:log5"}),
              ElementsAre("100KB", "200KB", "400KB", "800KB", "1600KB"));
  EXPECT_THAT(values({"kmin=0B:4KiB:lin3"}), ElementsAre("0B", "2KiB", "4KiB"));
  EXPECT_THAT(values({"kmin=100KB,1MB", "kmax=x4"}), ElementsAre("400KB", "4MB"));
  EXPECT_THAT(values({"kmin=100KB,1MB", "kmax=x2,x2.5"}),
              ElementsAre("200KB", "250KB", "2MB", "2500KB"));
  EXPECT_THAT(values({"kmin=100KB,1MB", "pmax=1", "kmax=x4*ecn.kmin"}),
              ElementsAre("400KB", "4MB"));
  EXPECT_THAT(values({"kmin=1KB", "kmax=x2", "xon_offset=x3"}), ElementsAre("6KB"));
  EXPECT_THAT(values({"pmax=0.001:0.1:log3"}), ElementsAre("0.001", "0.01", "0.1"));
  EXPECT_THAT(values({"switch.scheduler=1,strict;2,1"}), ElementsAre("1,strict", "2,1"));
  EXPECT_THAT(values({"forwarding=ecmp,spray"}), ElementsAre("ecmp", "spray"));
  EXPECT_THAT(values({"ecn.enabled=true,false"}), ElementsAre("true", "false"));
  EXPECT_THAT(values({"preset=roce-400g,ib-ndr"}), ElementsAre("roce-400g", "ib-ndr"));
  EXPECT_THAT(values({"workload[1].senders=1:4:lin4"}), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(values({"topology.hosts=5,9"}), ElementsAre("5", "9"));
}

TEST(SweepAxis, TheFirstAxisIsTheSlowest) {
  const Read out = read({"kmin=1KB,2KB", "pmax=0.1,0.2,0.3"});
  ASSERT_EQ(grid_size(out.axes, 100), 6U);
  EXPECT_EQ(axis_cell(out.axes[0], axis_values(out.axes, 3)[0]), "2000");
  EXPECT_EQ(axis_cell(out.axes[1], axis_values(out.axes, 3)[1]), "0.1");
  EXPECT_EQ(grid_size(out.axes, 5), 6U) << "more than the limit";
}

TEST(SweepAxis, ColumnsHaveUnits) {
  const Read out = read({"kmin=1KB", "rpg_ai_rate=5Mbps", "rpg_time_reset=1.5us", "alpha=1/8"});
  ASSERT_EQ(out.axes.size(), 4U);
  const char* const columns[] = {"ecn.kmin_bytes", "dcqcn.rpg_ai_rate_gbps",
                                 "dcqcn.rpg_time_reset_us", "pfc.alpha"};
  const char* const cells[] = {"1000", "0.005", "1.5", "0.125"};
  for (std::size_t i = 0; i < 4; ++i) {
    const SweepColumn column = column_of(out.axes[i]);
    EXPECT_EQ(column.column, columns[i]);
    EXPECT_EQ(axis_cell(out.axes[i], out.axes[i].values[0]), cells[i]);
    // What a table says is what --set takes.
    const Read back = read({column.key + "=" + cells[i] + column.suffix});
    ASSERT_EQ(back.axes.size(), 1U) << column.key;
    EXPECT_EQ(back.axes[0].text(back.axes[0].values[0]), out.axes[i].text(out.axes[i].values[0]));
  }
}

TEST(SweepAxis, MistakesAreNamed) {
  EXPECT_THAT(refusal({"kmin"}), HasSubstr("an axis is a key and its values"));
  EXPECT_THAT(refusal({"kmim=1KB"}), HasSubstr("Did you mean \"kmin\"?"));
  EXPECT_THAT(refusal({"senders=1,2"}), HasSubstr("workload[0].senders or workload[1].senders"));
  EXPECT_THAT(refusal({"kmin=100"}), HasSubstr("100 has no unit"));
  EXPECT_THAT(refusal({"pmax=20"}), HasSubstr("20 is out of range"));
  EXPECT_THAT(refusal({"kmin=1KB,1000B"}), HasSubstr("has \"1KB\" twice"));
  EXPECT_THAT(refusal({"kmin=1KB:2KB"}), HasSubstr("is no range"));
  EXPECT_THAT(refusal({"kmin=1KB:2KB:log1"}), HasSubstr("is no number of steps"));
  EXPECT_THAT(refusal({"kmin=0B:2KB:log3"}), HasSubstr("can't reach zero"));
  EXPECT_THAT(refusal({"hosts=2:3:lin5"}), HasSubstr("twice")) << "steps finer than the unit";
  EXPECT_THAT(refusal({"kmax=x4"}), HasSubstr("no axis before this one"));
  EXPECT_THAT(refusal({"pmax=0.1", "kmax=x4"}), HasSubstr("of different kinds"));
  EXPECT_THAT(refusal({"kmin=1KB", "kmax=x4,y"}), HasSubstr("\"y\" is no factor"));
  EXPECT_THAT(refusal({"kmin=1GiB", "kmax=x400"}), HasSubstr("is out of range"));
  EXPECT_THAT(refusal({"kmin=1KB", "ecn.kmin=2KB"}), HasSubstr("is already an axis"));
  EXPECT_THAT(refusal({"forwarding=ecmq"}), HasSubstr("Did you mean \"ecmp\"?"));
  EXPECT_THAT(refusal({"kmin="}), HasSubstr("no values are given"));
}

}  // namespace
}  // namespace spineleaf::sweep_axis
