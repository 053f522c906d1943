// Precedence, resolved values, the lock file, faults, pinned paths, the shipped scenarios.

#include <gtest/gtest.h>

#include <filesystem>

#include "scenarios/input/estimate.hpp"
#include "scenarios/input/json_source.hpp"
#include "scenarios/input/tables.hpp"
#include "scenarios/lock.hpp"
#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

ValidSpec valid(const std::string& text, std::vector<Override> overrides = {}) {
  ValidateResult result = read(text, std::move(overrides));
  EXPECT_TRUE(result.spec.has_value()) << joined(messages_of(result.problems));
  return result.spec.value_or(ValidSpec{});
}

const ResolvedValue& resolved(const ValidSpec& spec, std::string_view key) {
  static const ResolvedValue none{};
  for (const ResolvedValue& value : spec.resolved) {
    if (value.key == key) return value;
  }
  ADD_FAILURE() << "no value " << key;
  return none;
}

TEST(Precedence, DefaultsThenPresetsInOrderThenFileThenSet) {
  const std::string text = small(
      "\"preset\": [\"roce-400g\", \"dcqcn-paper\"],\n\"dcqcn\": {\"g\": \"1/16\"},\n"
      "\"transport\": {\"ack_every\": 4}");
  const ValidSpec spec = valid(text, {{"transport.ack_every", "2"}, {"run.seed", "9"}});
  EXPECT_EQ(resolved(spec, "fabric.mtu").origin, "default");
  EXPECT_EQ(resolved(spec, "switch.core_latency").value, "600ns");
  EXPECT_EQ(resolved(spec, "switch.core_latency").origin, "preset roce-400g");
  EXPECT_EQ(resolved(spec, "transport.congestion_control").value, "dcqcn_paper");
  EXPECT_EQ(resolved(spec, "transport.congestion_control").origin, "preset dcqcn-paper");
  EXPECT_EQ(resolved(spec, "dcqcn.g").value, "0.0625");
  EXPECT_EQ(resolved(spec, "dcqcn.g").origin, "s.json:2:16");
  EXPECT_EQ(resolved(spec, "transport.ack_every").value, "2");
  EXPECT_EQ(resolved(spec, "transport.ack_every").origin, "--set");
  EXPECT_EQ(resolved(spec, "workload[0].bytes").value, "64KiB");
  EXPECT_NE(resolved(spec, "workload[0].bytes").origin, "default");
  EXPECT_EQ(spec.run.seed, 9);
  EXPECT_EQ(spec.models.transport.ack_every, 2);
}

TEST(Precedence, SetReachesEveryPart) {
  const ValidSpec spec = valid(small(""), {{"preset", "ib-ndr"},
                                           {"topology.hosts", "4"},
                                           {"workload.senders", "3"},
                                           {"workload[0].bytes", "1MiB"},
                                           {"pfc.lossless_classes", "0"},
                                           {"expect", "ok"},
                                           {"name", "17"}});
  EXPECT_EQ(spec.graph->host_count, 4U);
  EXPECT_EQ(spec.models.fabric.flow_control, FlowControlKind::Credit);
  EXPECT_EQ(resolved(spec, "workload[0].senders").value, "3");
  EXPECT_EQ(resolved(spec, "workload[0].bytes").value, "1MiB");
  EXPECT_EQ(spec.name, "17");
  expect_message(read(small(""), {{"fabric.mtu", "4096"}}),
                 {"--set: fabric.mtu: 4096 has no unit"});
  expect_message(read(small(""), {{"fabric.mtuu", "4KiB"}}), {"--set: fabric.mtuu: "});
  expect_message(read(small(""), {{"fabric.data_class", "5"}}),
                 {"--set: fabric.data_class: class 5 does not exist"});
}

void expect_lock_round_trip(const ValidSpec& spec) {
  if (!spec.graph) return;
  const std::string lock = lock_text(spec);
  ValidateResult again = read_scenario(lock, "scenario.lock.json");
  ASSERT_TRUE(again.spec.has_value()) << joined(messages_of(again.problems)) << lock;
  EXPECT_EQ(lock_text(*again.spec), lock);
  EXPECT_TRUE(same_scenario(spec, *again.spec));
  EXPECT_EQ(again.spec->faults.size(), spec.faults.size());
  EXPECT_EQ(again.spec->paths.size(), spec.paths.size());
  ASSERT_EQ(again.spec->resolved.size(), spec.resolved.size());
  for (std::size_t i = 0; i < spec.resolved.size(); ++i) {
    EXPECT_EQ(again.spec->resolved[i].key, spec.resolved[i].key);
    EXPECT_EQ(again.spec->resolved[i].value, spec.resolved[i].value);
  }
  for (const ParamTable& table : model_param_tables()) {
    for (const ParamDecl& decl : table.params) {
      const ParamValue a = decl.get(section_object(spec.models, table.name));
      const ParamValue b = decl.get(section_object(again.spec->models, table.name));
      EXPECT_EQ(a.integer, b.integer) << decl.name;
      EXPECT_EQ(a.real, b.real) << decl.name;
      EXPECT_EQ(a.text, b.text) << decl.name;
    }
  }
}

TEST(Lock, OddValuesComeBackBitForBit) {
  expect_lock_round_trip(valid(
      R"({"name": "quote \" and \u0001 and \u00e9", "description": "tab\t",
          "pfc": {"alpha": 0.1234567890123456789, "buffer": "67108865B"},
          "switch": {"core_latency": "299.999ns"}, "dcqcn": {"g": 1e-17, "initial_alpha": "1/3"},
          "topology": {"kind": "direct", "cable": "0.1km", "speed": "399999999999bps"},
          "workload": {"kind": "incast"}})"));
}

TEST(Lock, ListsComeBack) {
  expect_lock_round_trip(valid(R"({
    "topology": {"kind": "custom",
      "nodes": [{"name": "h"}, {"name": "g"}, {"name": "s", "kind": "switch", "radix": 4}],
      "links": [{"a": "h", "b": "s", "rate": "100Gbps", "length": "2.5m", "count": 2},
                {"a": "g", "b": "s", "latency": "77ns", "port_b": 3}]},
    "workload": [{"kind": "flows", "name": "x", "flows": [
        {"from": "h:1", "to": "g", "bytes": "3B", "start": "1ns", "class": 1, "rate": "1Gbps"},
        {"from": "h", "to": "g", "path": ["h", "s", "g"]}]},
      {"kind": "incast", "receiver": "g"}],
    "faults": [{"at": "5us", "from": "h", "to": "s", "cable": 1, "action": "down"},
               {"at": "9us", "link": "g-s", "action": "degrade", "rate": "50Gbps"}],
    "expect": "deadline"})"));
}

TEST(Lock, EveryKindOfTopologyAndWorkloadComesBack) {
  for (const TopologyKind& kind : topology_kinds()) {
    if (kind.name == "custom" || kind.name == "dump") continue;
    SCOPED_TRACE(kind.name);
    expect_lock_round_trip(valid(R"({"topology": {"kind": ")" + std::string{kind.name} +
                                 R"("}, "workload": {"kind": "permutation"}})"));
  }
  for (const WorkloadKind& kind : workload_kinds()) {
    if (kind.name == "flows") continue;
    SCOPED_TRACE(kind.name);
    expect_lock_round_trip(valid(
        R"({"preset": "ib-ndr", "topology": {"kind": "single_switch"}, "workload": {"kind": ")" +
        std::string{kind.name} + R"("}})"));
  }
}

TEST(Faults, DegradingALinkThatIsUpTakesItDownAndUp) {
  const ValidSpec spec = valid(small(
      R"("faults": [{"at": "2us", "link": "host0-leaf0", "action": "degrade", "rate": "10Gbps"},
                    {"at": "1us", "from": "leaf0", "to": "host1", "action": "down"},
                    {"at": "3us", "link": "leaf0-host1", "action": "degrade", "rate": "5Gbps"}])"));
  ASSERT_EQ(spec.faults.size(), 5U);
  EXPECT_EQ(spec.faults[0].at, Time::from_us(1));
  EXPECT_EQ(spec.faults[1].action, FaultAction::Down);
  EXPECT_EQ(spec.faults[2].action, FaultAction::Degrade);
  EXPECT_EQ(spec.faults[2].rate, Rate::from_gbps(10));
  EXPECT_EQ(spec.faults[3].action, FaultAction::Up);
  EXPECT_EQ(spec.faults[4].action, FaultAction::Degrade) << "it was down already";
  EXPECT_EQ(spec.faults[4].cables, spec.faults[0].cables);
}

TEST(Paths, PinnedFlowsAreNumbered) {
  const ValidSpec spec = valid(R"({"topology": {"kind": "switch_ring", "switches": 3},
    "workload": {"kind": "flows", "flows": [{"from": "host1", "to": "host0"},
      {"from": "host0", "to": "host1", "path": ["host0", "sw0", "sw2", "sw1", "host1"]}]}})");
  ASSERT_EQ(spec.paths.size(), 1U);
  EXPECT_EQ(spec.paths[0].steps.size(), 5U);
  const auto& flows = static_cast<const FlowsParams*>(spec.workloads[0].params.get())->flows;
  EXPECT_EQ(flows[0].path_id, -1);
  EXPECT_EQ(flows[1].path_id, 0);
}

TEST(Estimate, FollowsTheTraffic) {
  const auto hops = [](const std::string& bytes) {
    return valid(R"({"topology": {"kind": "fat_tree", "hosts": 128},
                     "workload": {"kind": "permutation", "bytes": ")" +
                 bytes + R"("}})")
        .estimate.packet_hops;
  };
  EXPECT_GT(hops("16MiB"), 10 * hops("1MiB"));
  EXPECT_LT(hops("16MiB"), 17 * hops("1MiB"));
  EXPECT_EQ(memory_text(3.0 * 1024 * 1024), "3.0 MiB");
  EXPECT_EQ(memory_text(1024), "1.0 KiB");
  EXPECT_EQ(duration_text(9000), "2.5 h");
  EXPECT_EQ(duration_text(0.042), "42 ms");
  EXPECT_EQ(duration_text(3.4e-6), "3.4 us");
  EXPECT_EQ(hops_text(640), "640 packet-hops");
  EXPECT_EQ(hops_text(25'600), "26 thousand packet-hops");
  EXPECT_EQ(hops_text(3e9), "3000 million packet-hops");
}

TEST(Estimate, PacketsInFlightTakeMemoryUpToWhatQueuesHold) {
  const auto memory = [](const std::string& bytes, const std::string& models) {
    return valid(R"({"topology": {"kind": "single_switch", "hosts": 64}, )" + models + R"(
                     "workload": {"kind": "incast", "bytes": ")" +
                 bytes + R"("}})")
        .estimate.memory_bytes;
  };
  const std::string unlimited =
      R"("fabric": {"flow_control": "none"}, "switch": {"queue_limit": "0B"},)";
  const double packets = 63 * 63.0 * (1 << 20) / 4096;
  EXPECT_NEAR(memory("64MiB", unlimited) - memory("1MiB", unlimited), packets * 48,
              packets * 48 * 0.1);
  EXPECT_LT(memory("1GiB", "") - memory("64MiB", ""), 1e6) << "a shared buffer holds no more";
}

TEST(Library, EveryShippedScenarioIsValidAndLocks) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SPINELEAF_SOURCE_DIR "/scenarios/library")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    ++count;
    ValidateResult result = read_scenario_file(entry.path().string());
    ASSERT_TRUE(result.spec.has_value()) << joined(messages_of(result.problems));
    EXPECT_FALSE(result.spec->name.empty());
    EXPECT_GT(result.spec->description.size(), 30U);
    EXPECT_LT(result.spec->estimate.cpu_seconds, 60);
    if (result.spec->expect == Expect::Ok) {
      EXPECT_TRUE(result.problems.empty()) << joined(messages_of(result.problems));
    }
    expect_lock_round_trip(*result.spec);
  }
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace spineleaf
