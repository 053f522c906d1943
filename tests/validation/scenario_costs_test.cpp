// Measurements become parameters of a scenario, each with the measurement that fixed it, and the
// scenario runs.

#include "validation/calibration/scenario_costs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scenarios/input/read.hpp"
#include "scenarios/run.hpp"

namespace spineleaf {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::string kExamples = SPINELEAF_SOURCE_DIR "/validation/data/examples/";
constexpr const char* kScenario =
    R"({// mine
        "preset": "roce-400g", "description": "Two hosts.",
        "topology": {"kind": "single_switch", "hosts": 2},
        "workload": {"kind": "incast", "senders": 1, "bytes": "1MiB"},
        "nic": {"message_cost": "2us"}})";

ValidSpec spec_of(const std::string& text) {
  const ValidateResult read = read_scenario(text, "mine.json");
  for (const InputProblem& one : read.problems) ADD_FAILURE() << to_string(one);
  return read.spec.value();
}

const FixedParameter* fixed(const ScenarioCosts& costs, std::string_view key) {
  for (const FixedParameter& one : costs.fixed) {
    if (one.key == key) return &one;
  }
  return nullptr;
}

/// A collection of one fact file.
Collection probe(const std::vector<std::array<std::string, 3>>& facts) {
  Collection out;
  out.files.push_back({"n1.json", "spineleaf-probe", 1});
  FoundFacts found{"spineleaf-probe", {}, {"n1.json", 0}};
  int line = 10;
  for (const auto& [subject, name, value] : facts) found.facts.add(subject, name, value, ++line);
  out.facts.push_back(std::move(found));
  return out;
}

TEST(ScenarioCosts, WritesAScenarioThatRunsWithWhatVerbsFixed) {
  const ValidSpec before = spec_of(kScenario);
  const ScenarioCosts costs = scenario_costs(read_collection(kExamples + "verbs"), before, "");
  EXPECT_EQ(costs.problem, "");
  const FixedParameter* latency = fixed(costs, "nic.send_latency");
  ASSERT_NE(latency, nullptr);
  EXPECT_THAT(latency->fixed_by, HasSubstr("at depth 1 on 1 QP (ib-write-bw-depth1.txt)"));
  EXPECT_FALSE(latency->low.empty());
  // 2 us was the user's; 16 KiB on eight queue pairs show that it can't be more than a third.
  const FixedParameter* message = fixed(costs, "nic.message_cost");
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(message->value, "335ns");
  EXPECT_THAT(costs.warnings, Contains(HasSubstr("only their sum is known")));
  EXPECT_THAT(costs.bounds, Contains(HasSubstr("the wire carries 392100Mbps and binds first")));
  EXPECT_TRUE(costs.unused.empty());

  const std::string text = calibrated_scenario(kScenario, costs);
  EXPECT_THAT(text, HasSubstr("Two hosts. Calibrated: "));
  const ValidSpec after = spec_of(text);
  EXPECT_EQ(after.models.nic.message_cost, Time::from_ns(335));
  const Result slow = run_world(before, {});
  const Result fast = run_world(after, {});
  EXPECT_EQ(fast.verdict, Verdict::Ok);
  EXPECT_NE(slow.fingerprint, fast.fingerprint);
}

TEST(ScenarioCosts, TakesTheProbesBlocksPathAndQueuePairs) {
  const auto write = [](const char* memory, int bytes, int depth, int qps, const char* us) {
    return std::array<std::string, 3>{"mlx5_0/1",
                                      std::string(memory) + ".us." + std::to_string(bytes) + "." +
                                          std::to_string(depth) + "." + std::to_string(qps),
                                      us};
  };
  const Collection collection = probe({
      write("host_memory", 64, 1, 1, "2.0"),
      write("host_memory", 64, 128, 4, "0.11"),
      write("host_memory", 64, 128, 8, "0.10"),
      write("host_memory", 1048576, 8, 1, "21.9"),
      write("gpu_memory", 65536, 8, 1, "2.62"),
      write("gpu_memory", 1048576, 8, 1, "41.9"),
      write("gpu_memory", 1048576, 1, 1, "43.9"),
      {"mlx5_0/1", "active_mtu", "4096"},
      {"0000:17:00.0", "reduce_by_blocks.1", "20"},
      {"0000:17:00.0", "reduce_by_blocks.4", "84"},
      {"0000:17:00.0", "reduce_by_blocks.32", "300"},
      {"0000:17:00.0", "launch.us", "5.5"},
  });
  const ScenarioCosts costs = scenario_costs(collection, spec_of(kScenario), "");
  ASSERT_NE(fixed(costs, "nic.message_cost"), nullptr);
  EXPECT_EQ(fixed(costs, "nic.message_cost")->value, "100ns");
  EXPECT_EQ(fixed(costs, "nic.message_cost")->fixed_by, "64 B at depth 128 on 8 QPs (n1.json:13)");
  ASSERT_NE(fixed(costs, "nic.pcie_rate"), nullptr);  // half of the wire, from GPU memory
  EXPECT_THAT(fixed(costs, "nic.pcie_rate")->value, ::testing::StartsWith("200"));
  EXPECT_THAT(fixed(costs, "nic.pcie_rate")->fixed_by, HasSubstr("GPU memory"));
  ASSERT_NE(fixed(costs, "host.channel_rate"), nullptr);
  EXPECT_EQ(fixed(costs, "host.channel_rate")->value, "168Gbps");
  EXPECT_EQ(fixed(costs, "host.channel_rate")->low, "160Gbps");
  ASSERT_NE(fixed(costs, "fabric.mtu"), nullptr);
  EXPECT_EQ(fixed(costs, "fabric.mtu")->value, "4KiB");
  EXPECT_THAT(costs.bounds, Contains(HasSubstr("host.launch is at least 5500ns")));
}

TEST(ScenarioCosts, TakesSpeedAndWidthOfPcieWhereNothingElseTells) {
  const auto nic = [](const std::string& at, const char* width) {
    return std::vector<std::array<std::string, 3>>{{at, "class", "Infiniband controller"},
                                                   {at, "LnkSta.speed", "16GT/s"},
                                                   {at, "LnkSta.width", width}};
  };
  const ScenarioCosts one =
      scenario_costs(probe(nic("0000:18:00.0", "x16")), spec_of(kScenario), "");
  ASSERT_NE(fixed(one, "nic.pcie_rate"), nullptr);
  EXPECT_EQ(fixed(one, "nic.pcie_rate")->value, "230500Mbps");  // 252.06 x 256 / 280
  EXPECT_THAT(fixed(one, "nic.pcie_rate")->fixed_by, HasSubstr("(n1.json:13)"));
  auto both = nic("0000:18:00.0", "x16");
  for (const auto& fact : nic("0000:2a:00.0", "x8")) both.push_back(fact);
  const ScenarioCosts two = scenario_costs(probe(both), spec_of(kScenario), "");
  EXPECT_EQ(fixed(two, "nic.pcie_rate"), nullptr);
  EXPECT_THAT(two.warnings, Contains(HasSubstr("NICs differ, 0000:2a:00.0")));
}

// Costs of the GPUs from a healthy sweep; a slow one is a fault and becomes no cost.
TEST(ScenarioCosts, FitsHealthySweepsAndLeavesOutSlowOnes) {
  Collection collection;
  for (const char* name : {"h100-4n-ibndr-a.csv", "h100-2n-ib-290.csv"}) {
    Collection one =
        read_collection(SPINELEAF_SOURCE_DIR "/validation/data/nccl/sweeps/" + std::string(name));
    for (FoundSweep& found : one.sweeps) {
      found.at.file = name;
      collection.sweeps.push_back(std::move(found));
    }
    collection.files.push_back({name, "csv", 1});
  }
  const ScenarioCosts costs = scenario_costs(collection, spec_of(kScenario), "");
  const FixedParameter* overhead = fixed(costs, "host.ll128_overhead");
  ASSERT_NE(overhead, nullptr);
  EXPECT_THAT(overhead->fixed_by, HasSubstr("(h100-4n-ibndr-a.csv)"));
  EXPECT_NE(overhead->low, overhead->high);
  EXPECT_THAT(costs.warnings, Contains(HasSubstr("do not tell them apart")));
  ASSERT_EQ(costs.unused.size(), 1U);
  EXPECT_THAT(costs.unused[0], HasSubstr("h100-2n-ib-290.csv"));
  EXPECT_THAT(costs.unused[0], HasSubstr("a fault is no cost"));
  spec_of(calibrated_scenario(kScenario, costs));
}

TEST(ScenarioCosts, ReadsMeasurementsBackAsTheyWereImported) {
  const Collection read = read_collection(kExamples + "verbs");
  Collection again;
  read_collection_json(collection_json(read), "meas.json", again);
  EXPECT_TRUE(again.problems.empty());
  const ValidSpec spec = spec_of(kScenario);
  EXPECT_EQ(scenario_costs_text(scenario_costs(again, spec, "")),
            scenario_costs_text(scenario_costs(read, spec, "")));
  Collection newer;
  read_collection_json(R"({"format": "spineleaf-measurements", "schema": 9, "sweeps": 3,
                           "facts": [{"rows": [[1], 2, ["a", "b", "c", -7]]}]})",
                       "newer.json", newer);
  ASSERT_EQ(newer.problems.size(), 2U);
  EXPECT_THAT(to_string(newer.problems[0]), HasSubstr("schema 9 is newer than 1"));
  EXPECT_THAT(to_string(newer.problems[1]), HasSubstr("\"sweeps\" is a number; expected a list"));
  ASSERT_EQ(newer.facts.size(), 1U);
  EXPECT_EQ(newer.facts[0].facts.all().size(), 1U);
}

TEST(ScenarioCosts, ListsWhatFixesNothing) {
  const ScenarioCosts costs =
      scenario_costs(read_collection(kExamples + "nvidia-smi-topo.txt"), spec_of(kScenario), "");
  EXPECT_TRUE(costs.fixed.empty());
  ASSERT_EQ(costs.unused.size(), 1U);
  EXPECT_THAT(costs.unused[0], HasSubstr("nvidia-smi topo -m, tells no cost"));
}

}  // namespace
}  // namespace spineleaf
