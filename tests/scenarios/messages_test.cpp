// What is said about a scenario that can't run as it stands: the form of each message, all at once.

#include <gtest/gtest.h>

#include "tests/scenarios/reading.hpp"

namespace spineleaf {
namespace {

std::string custom(const std::string& nodes, const std::string& links) {
  return R"({"topology": {"kind": "custom", "nodes": [)" + nodes + R"(], "links": [)" + links +
         R"(]}, "workload": {"kind": "incast"}})";
}

TEST(Messages, TheFormIsPlacePathFoundExpectedHint) {
  const ValidateResult result = read(
      "{\n  \"topology\": {\"kind\": \"custom\", \"nodes\": [],\n"
      "    \"links\": [{\"a\": \"h0\", \"b\": \"s\", \"rate\": \"400\"}]},\n"
      "  \"workload\": {\"kind\": \"incast\"}}");
  expect_message(result, {"s.json:3:45: topology.links[0].rate: \"400\" has no unit; expected a "
                          "rate such as \"400Gbps\". Did you mean \"400Gbps\"?"});
}

TEST(Messages, AllProblemsComeAtOnceInOrder) {
  const ValidateResult result = read(R"({
  "fabrik": {},
  "fabric": {"mtu": 4096, "classes": 2, "data_class": 1},
  "ecn": {"enabled": true, "kmin": "2MB", "kmax": "1MB"},
  "topology": {"kind": "fat_tree", "hosts": 0, "hostz": 3},
  "workload": {"kind": "permutation", "bytes": "1.5B"},
  "run": {"deadline": "1us"},
  "expect": "deadlok"
})");
  EXPECT_FALSE(result.spec.has_value());
  int line = 0;
  for (const InputProblem& problem : result.problems) {
    EXPECT_GE(problem.place.line, line);
    line = problem.place.line;
  }
  expect_message(result, {"s.json:2:3: fabrik: ", "Did you mean \"fabric\"?"});
  expect_message(result, {"s.json:3:21: fabric.mtu: 4096 has no unit", "\"4096B\""});
  expect_message(result, {"s.json:4:36: ecn.kmin: 2MB is above ecn.kmax 1MB"});
  expect_message(result, {"s.json:5:45: topology.hosts: 0 is out of range; expected 1 to "});
  expect_message(result, {"s.json:5:48: topology.hostz: ", "Did you mean \"hosts\"?"});
  expect_message(result, {"s.json:6:48: workload.bytes: \"1.5B\" is not a whole number of bytes"});
  expect_message(result, {"s.json:8:13: expect: ", "Did you mean \"deadlock\"?"});
}

TEST(Messages, HostsAreNotLookedUpInAFabricThatWasMisread) {
  const ValidateResult result = read(R"({
  "topology": {"kind": "single_switch", "hots": 64},
  "workload": {"kind": "incast", "senders": 40, "receiver": "host63", "bytes": "1MiB"}
})");
  expect_message(result, {"topology.hots: ", "Did you mean \"hosts\"?"});
  EXPECT_EQ(result.problems.size(), 1U);
}

// The twenty messages that users meet first, as far as they apply.

TEST(Messages, BadUnit) {
  expect_refused(small(R"("switch": {"core_latency": "300"})"),
                 {"switch.core_latency: \"300\" has no unit", "a time such as \"1.5us\"",
                  "Did you mean \"300ns\"?"});
}

TEST(Messages, UnknownKeySuggests) {
  expect_refused(small(R"("pfc": {"alpah": 1})"), {"pfc.alpah", "Did you mean \"alpha\"?"});
  expect_refused(small(R"("pfc": {"alfa": 1})"), {"pfc.alfa", "Did you mean \"alpha\"?"});
  expect_refused(small(R"("mtu": "4KiB")"), {"mtu: ", "Did you mean \"fabric.mtu\"?"});
  expect_refused(small(R"("preset": "roce-400")"), {"preset", "Did you mean \"roce-400g\"?"});
  expect_refused(R"({"topology": {"kind": "fattree"}, "workload": {"kind": "incst"}})",
                 {"topology.kind: ", "Did you mean \"fat_tree\"?"});
  expect_refused(R"({"topology": {"kind": "fattree"}, "workload": {"kind": "incst"}})",
                 {"workload.kind: ", "Did you mean \"incast\"?"});
}

TEST(Messages, DuplicateName) {
  expect_refused(custom(R"({"name": "h"}, {"name": "h"})", R"({"a": "h", "b": "h"})"),
                 {"topology.nodes[1].name: \"h\" is used twice"});
  expect_refused(R"({"topology": {"kind": "direct"}, "workload": [)"
                 R"({"kind": "incast", "name": "a"}, {"kind": "incast", "name": "a"}]})",
                 {"workload[1].name: \"a\" is already the name of workload 0"});
}

TEST(Messages, PortUsedTwice) {
  expect_refused(custom(R"({"name": "h"}, {"name": "g"}, {"name": "s", "kind": "switch"})",
                        R"({"a": "h", "b": "s", "port_b": 3}, )"
                        R"({"a": "g", "b": "s", "port_b": 3})"),
                 {"topology.links[1].port_b: ", "is already used by links[0]"});
}

TEST(Messages, HostWithoutLink) {
  expect_refused(
      custom(R"({"name": "h"}, {"name": "g"}, {"name": "alone"})", R"({"a": "h", "b": "g"})"),
      {"topology.nodes[2]: host \"alone\" has no link"});
}

TEST(Messages, UnreachablePairShowsTheCut) {
  expect_refused(custom(R"({"name": "h"}, {"name": "g"}, {"name": "s", "kind": "switch"}, )"
                        R"({"name": "t", "kind": "switch"})",
                        R"({"a": "h", "b": "s"}, {"a": "g", "b": "t"}, )"
                        R"({"a": "s", "b": "t", "up": false})"),
                 {"topology: ", "cannot reach", "s:1 - t:1"});
}

TEST(Messages, RadixExceeded) {
  expect_refused(R"({"topology": {"kind": "single_switch", "hosts": 65, "radix": 64},
                     "workload": {"kind": "incast"}})",
                 {"topology.radix: ", "too few ports", "at least 65"});
}

TEST(Messages, RoutingLoopInAPinnedPath) {
  expect_refused(R"({"topology": {"kind": "switch_ring", "switches": 3},
    "workload": {"kind": "flows", "flows": [{"from": "host0", "to": "host1",
      "path": ["host0", "sw0", "sw1", "sw2", "sw0", "sw1", "host1"]}]}})",
                 {"workload.flows[0].path[4]: routing loop"});
}

TEST(Messages, HeadroomBelowNeed) {
  const ValidateResult result = read(small(R"("pfc": {"headroom": "10KB"})"));
  EXPECT_TRUE(result.spec.has_value());
  expect_message(result, {"warning: pfc.headroom: 10KB is below the ", "expected at least "});
}

TEST(Messages, FaultThatChangesNothing) {
  const ValidateResult result =
      read(small(R"("faults": [{"at": "1us", "link": "host0-leaf0", "action": "up"}])"));
  expect_message(result, {"warning: faults[0].action: the link is up at that time already"});
}

TEST(Messages, EcnAboveXoff) {
  const ValidateResult result =
      read(small(R"("ecn": {"enabled": true, "kmin": "2MB", "kmax": "4MB"},
                    "pfc": {"alpha": 0, "xoff": "1MB"})"));
  expect_message(result, {"warning: ecn.kmin: 2MB is not below the XOFF threshold of 1MB"});
  const ValidateResult dynamic =
      read(small(R"("ecn": {"enabled": true, "kmin": "100KB", "kmax": "9MB"})"));
  expect_message(dynamic, {"warning: ecn.kmax: 9MB is above the XOFF threshold", "at alpha 0.125"});
}

TEST(Messages, LosslessDataClassWithoutPfc) {
  const ValidateResult result = read(small(R"("pfc": {"lossless_classes": "1"})"));
  expect_message(result, {"warning: pfc.lossless_classes: the class of the data, 0, is not "
                          "lossless"});
}

TEST(Messages, LosslessClassBeyondAPfcFrame) {
  const std::string nine = R"("fabric": {"flow_control": "pfc", "classes": 9, "data_class": 8}, )";
  expect_refused(
      small(nine + R"("pfc": {"lossless_classes": "8"})"),
      {"s.json:1:", "pfc.lossless_classes: class 8 has no room in a PFC frame", "expected 0 to 7"});
  expect_refused(small(nine + R"("pfc": {"lossless_classes": "all"})"),
                 {"pfc.lossless_classes: \"all\" takes in class 8"});
  EXPECT_TRUE(read(small(nine + R"("pfc": {"lossless_classes": "7"})")).spec.has_value());
  const std::string eight = R"("fabric": {"flow_control": "pfc", "classes": 8}, )";
  EXPECT_TRUE(read(small(eight + R"("pfc": {"lossless_classes": "all"})")).spec.has_value());
}

TEST(Messages, ScheduleWithoutAnEntryOrWithTooMany) {
  const auto two = [](const std::string& scheduler) {
    return small(R"("fabric": {"classes": 2}, "switch": {"scheduler": ")" + scheduler + "\"}");
  };
  expect_refused(two(""), {"s.json:1:", "switch.scheduler: \"\" is no entry of a schedule"});
  expect_refused(two("1,"), {"switch.scheduler: \"\" is no entry of a schedule"});
  expect_refused(two("1,fast"), {"switch.scheduler: \"fast\" is no entry of a schedule"});
  expect_refused(two("1,2,strict"), {"switch.scheduler: \"1,2,strict\" has 3 entries",
                                     "at most one per class", "fabric.classes gives 2"});
  EXPECT_TRUE(read(two("1,strict")).spec.has_value());
}

TEST(Messages, MorePortsThanAnyNodeCanHave) {
  expect_refused(R"({"topology": {"kind": "fat_tree", "radix": 511},
                     "workload": {"kind": "incast"}})",
                 {"s.json:1:", "topology.radix: 511 is out of range; expected 2 to 510"});
  expect_refused(R"({"topology": {"kind": "single_switch", "hosts": 511, "radix": 511},
                     "workload": {"kind": "incast"}})",
                 {"topology.radix: 511 is out of range", "1 to 510"});
  std::string nodes = R"({"name": "s", "kind": "switch"})";
  std::string links;
  for (int i = 0; i < 511; ++i) {
    const std::string name = "h" + std::to_string(i);
    nodes += R"(, {"name": ")" + name + "\"}";
    links += (i > 0 ? ", " : "") + (R"({"a": ")" + name) + R"(", "b": "s"})";
  }
  expect_refused(custom(nodes, links), {"s.json:1:",
                                        "topology.nodes[0]: \"s\" has too many cables "
                                        "(511); expected at most 510"});
}

TEST(Messages, RunShorterThanARoundTrip) {
  const ValidateResult result = read(small(R"("run": {"deadline": "500ns"})"));
  expect_message(result, {"warning: run.deadline: 500ns is shorter than one round trip"});
}

TEST(Messages, RunShorterThanTheWatchdogThatMustFindItStuck) {
  const std::string run = R"("run": {"deadline": "1ms", "no_progress": "2ms"}, "expect": )";
  expect_message(read(small(run + R"("stuck")")),
                 {"warning: run.deadline: 1ms ends the run before run.no_progress, 2ms"});
  EXPECT_TRUE(read(small(run + R"("ok")")).problems.empty());
}

TEST(Messages, FaultsOfHostsAndOfLinks) {
  const auto fault = [](const std::string& keys) {
    return small(R"("faults": [{"at": "1us", )" + keys + "}]");
  };
  expect_refused(fault(R"("action": "storm")"), {"faults[0]", "host"});
  expect_refused(fault(R"("action": "storm", "host": "host0", "link": "host0-leaf0")"),
                 {"faults[0].link: this happens to a host, not to a link"});
  expect_refused(fault(R"("action": "storm", "host": "host0", "rate": "1Gbps")"),
                 {"faults[0].rate: a storm has no rate"});
  expect_refused(fault(R"("action": "slow_receiver", "host": "host0")"), {"faults[0]", "rate"});
  expect_refused(fault(R"("action": "storm", "host": "leaf0")"), {"is a switch", "a host"});
  expect_refused(fault(R"("action": "storm", "host": "hots0")"), {"Did you mean \"host0\"?"});
  expect_refused(fault(R"("action": "down", "link": "host0-leaf0", "host": "host0")"),
                 {"faults[0].host: only a host's fault names one"});
  expect_refused(R"({"preset": "ib-ndr", "topology": {"kind": "single_switch", "hosts": 2},)"
                 R"("workload": {"kind": "incast", "bytes": "64KiB"}, "faults": )"
                 R"([{"at": "1us", "action": "storm", "host": "host0"}]})",
                 {"only PFC has pauses"});
  EXPECT_TRUE(read(fault(R"("action": "storm", "host": "host0")")).spec.has_value());
}

TEST(Messages, WatchdogShorterThanARetransmission) {
  const ValidateResult result =
      read(small(R"("fabric": {"flow_control": "none"}, "run": {"no_progress": "1ms"})"));
  expect_message(result, {"warning: run.no_progress: 1ms is not above transport.timeout"});
}

TEST(Messages, EstimateOverBudget) {
  ValidateResult result = read(
      R"({"topology": {"kind": "fat_tree", "hosts": 1024},
          "workload": {"kind": "permutation", "bytes": "1GiB"}, "run": {"time_budget": "10s"}})");
  EXPECT_FALSE(result.spec.has_value());
  EXPECT_TRUE(only_budget_errors(result.problems));
  expect_message(result, {"run.time_budget: about ", "million packet-hops", "at most 10 s"});
  result = read(R"({"topology": {"kind": "fat_tree", "hosts": 1024},
          "workload": {"kind": "permutation"}, "run": {"memory_budget": "16MiB"}})");
  EXPECT_TRUE(only_budget_errors(result.problems));
  expect_message(result, {"run.memory_budget: 1024 hosts and their traffic need about "});
}

// Between keys.

TEST(Messages, ClassesThatDoNotExist) {
  for (const char* key : {"data_class", "ack_class"}) {
    expect_refused(small(std::string(R"("fabric": {")") + key + "\": 2}"),
                   {std::string("fabric.") + key + ": class 2 does not exist; expected 0 to 1"});
  }
  expect_refused(small(R"("fabric": {"cnp_class": 2}, "ecn": {"enabled": true},
                          "transport": {"congestion_control": "dcqcn_paper"})"),
                 {"fabric.cnp_class: class 2 does not exist"});
  expect_refused(small(R"("pfc": {"lossless_classes": "0,7"})"),
                 {"pfc.lossless_classes: class 7 does not exist"});
  expect_refused(small(R"("pfc": {"lossless_classes": "0;1"})"), {"\"0;1\" is no class"});
  expect_refused(small(R"("switch": {"scheduler": "strikt"})"),
                 {"switch.scheduler: \"strikt\" is no entry of a schedule"});
  expect_refused(R"({"topology": {"kind": "direct"},
                     "workload": {"kind": "incast", "class": 2}})",
                 {"workload.class: class 2 does not exist; expected -1 to 1"});
}

TEST(Messages, BuffersThatHoldNoPacket) {
  expect_refused(small(R"("fabric": {"mtu": "9000B"}, "nic": {"receive_buffer": "8KiB"})"),
                 {"nic.receive_buffer: 8KiB does not hold one packet of 9082 B"});
  expect_refused(small(R"("preset": "ib-ndr", "credit": {"buffer": "4KiB"})"),
                 {"credit.buffer: 4KiB does not hold one packet"});
  expect_refused(small(R"("pfc": {"buffer": "1KiB"})"), {"pfc.buffer: 1KiB does not hold"});
  expect_refused(small(R"("transport": {"window": "1KiB"})"),
                 {"transport.window: 1KiB is less than one packet"});
}

TEST(Messages, WarmUpLongerThanTheRun) {
  expect_refused(small(R"("run": {"warmup": "2ms", "deadline": "1ms"})"),
                 {"run.warmup: the run ends at 1ms, before the warm-up of 2ms does"});
}

TEST(Messages, FlowsAndFaultsNameWhatExists) {
  const std::string head = R"({"topology": {"kind": "fat_tree", "hosts": 8, "radix": 4}, )";
  expect_refused(head + R"("workload": {"kind": "flows", "flows": [
      {"from": "hots1", "to": "host1"}, {"from": "host2", "to": "host2"},
      {"from": "host0", "to": "host1:3"}, {"to": "host1"}]}})",
                 {"workload.flows[0].from: \"hots1\" is no host", "Did you mean \"host1\"?"});
  expect_refused(head + R"("workload": {"kind": "flows", "flows": [
      {"from": "host2", "to": "host2"}]}})",
                 {"workload.flows[0].to: \"host2\" is the sending host itself"});
  expect_refused(head + R"("workload": {"kind": "flows", "flows": [{"to": "host1"}]}})",
                 {"workload.flows[0].from: is missing"});
  const std::string incast = head + R"("workload": {"kind": "incast"}, "faults": [)";
  expect_refused(incast + R"({"at": "1us", "link": "leaf0-leaf1", "action": "down"}]})",
                 {"faults[0]: no cable joins leaf0 and leaf1"});
  expect_refused(incast + R"({"at": "1us", "link": "leef0-spine0", "action": "down"}]})",
                 {"faults[0].link: \"leef0-spine0\" names no link"});
  expect_refused(incast + R"({"at": "1us", "from": "leaf0", "to": "spin0", "action": "up"}]})",
                 {"faults[0].to: \"spin0\" is no node", "Did you mean \"spine0\"?"});
  expect_refused(incast + R"({"at": "1us", "link": "leaf0-spine0", "action": "degrade"}]})",
                 {"faults[0].rate: is missing"});
  expect_refused(incast + R"({"at": "1us", "action": "down"}]})",
                 {"faults[0]: the link is not named once"});
}

TEST(Messages, WorkloadsNameHostsThatExist) {
  const auto workload = [](const std::string& keys) {
    return "{\"topology\": {\"kind\": \"fat_tree\", \"hosts\": 8, \"radix\": 4},\n \"workload\": "
           "{" +
           keys + "}}";
  };
  expect_refused(workload(R"("kind": "incast", "receiver": "hots3")"),
                 {"s.json:2:45: workload.receiver: \"hots3\" is no host of the topology; expected "
                  "\"host0\" to \"host7\". Did you mean \"host3\"?"});
  expect_refused(workload(R"("kind": "poisson", "receiver": "host1:4")"),
                 {"workload.receiver: \"host1:4\" names no NIC of host1; expected \"host1:0\""});
  for (const char* kind : {"permutation", "all_to_all", "send_recv", "poisson", "collective"}) {
    SCOPED_TRACE(kind);
    const std::string head = std::string(R"("kind": ")") + kind + R"(", "hosts": )";
    expect_refused(workload(head + R"("host0,hosst1..host3")"),
                   {"workload.hosts: \"hosst1\" is no host", "Did you mean \"host1\"?"});
    expect_refused(workload(head + R"("host3..host1")"),
                   {"workload.hosts: \"host3..host1\" is a range that runs backwards"});
  }
  expect_refused(
      R"({"topology": {"kind": "direct"}, "workload": [{"kind": "incast"},
                     {"kind": "incast", "senders": 5}]})",
      {"workload[1].senders: there are not that many other hosts (5); expected at most 1"});
  expect_refused(workload(R"("kind": "permutation", "shift": 16)"),
                 {"workload.shift: ", "every one of 8 hosts to itself"});
  expect_refused(workload(R"("kind": "poisson", "sizes": "cdf", "cdf": "10:0.5,9:1")"),
                 {"workload.cdf: ", "does not rise"});
  expect_refused(workload(R"("kind": "permutation", "repeat": 1000000000)"),
                 {"workload: about 8000 million messages; expected at most 134 million"});
}

TEST(Messages, ManyMisspelledNamesInBigFabricsTakeNoTime) {
  std::string hosts = "x";
  for (int i = 0; i < 20'000; ++i) hosts += ",hots" + std::to_string(i);
  const ValidateResult result = read(
      R"({"topology": {"kind": "fat_tree", "hosts": 16384}, "workload": {"kind": "permutation",
          "hosts": ")" +
      hosts + "\"}}");
  EXPECT_FALSE(result.spec.has_value());
  EXPECT_LE(result.problems.size(), kMaxProblems + 1);
}

TEST(Messages, OddCombinationsAreWarnings) {
  expect_message(read(small(R"("fabric": {"wire": "infiniband"})")),
                 {"warning: fabric.flow_control: InfiniBand has no PFC"});
  expect_message(read(small(R"("fabric": {"flow_control": "credit"})")),
                 {"warning: fabric.flow_control: Ethernet has no credits"});
  expect_message(read(small(R"("transport": {"congestion_control": "dcqcn_paper"})")),
                 {"warning: transport.congestion_control: DCQCN waits for marks"});
  expect_message(
      read(small(R"("fabric": {"bit_error_rate": 1e-9}, "sharp": {"generation": "v3"})")),
      {"warning: fabric.bit_error_rate: what bit errors take from a SHARP tree is not sent again"});
}

// What can't be simulated at all.

TEST(Messages, ImpossibleScenariosAreRefused) {
  const auto topology = [](const std::string& keys) {
    return R"({"topology": {"kind": "fat_tree", )" + keys + R"(}, "workload": {"kind": "incast"}})";
  };
  expect_refused(topology(R"("hosts": 0)"), {"topology.hosts: 0 is out of range"});
  expect_refused(topology(R"("hosts": 1000000000)"),
                 {"topology.hosts: 1000000000 is out of range; expected 1 to 1048576"});
  expect_refused(topology(R"("hosts": 9223372036854775808)"), {"does not fit 64 bits"});
  expect_refused(topology(R"("speed": "0Gbps")"), {"topology.speed: \"0Gbps\" is out of range"});
  expect_refused(topology(R"("speed": "NaN")"), {"topology.speed: \"NaN\" is not a finite number"});
  expect_refused(topology(R"("speed": NaN)"), {"NaN"});
  expect_refused(topology(R"("speed": "-400Gbps")"), {"topology.speed", "out of range"});
  expect_refused(topology(R"("host_cable": "0m")"),
                 {"topology.host_cable: a cable must take some time (0 m with 0 ns)"});
  expect_refused(topology(R"("host_cable": "1e999m")"), {"topology.host_cable", "out of range"});
  expect_refused(R"({"topology": {"kind": "direct"},
                     "workload": {"kind": "incast", "bytes": "9223372036854775808B"}})",
                 {"workload.bytes: \"9223372036854775808B\" does not fit 64 bits"});
  expect_refused(R"({"topology": {"kind": "direct"}})", {"workload: is missing"});
  expect_refused("[]", {"s.json:1:1: a list is not an object"});
  expect_refused(small(R"("fidelity": "fluid")"), {"fidelity: \"fluid\" is not a choice"});
}

TEST(Messages, ACreditBufferBelowOneRoundTripIsAWarning) {
  const ValidateResult result =
      read(R"({"preset": "ib-ndr", "topology": {"kind": "single_switch", "cable": "2km"},
               "workload": {"kind": "incast"}})");
  expect_message(result, {"warning: credit.buffer: 128KiB is below one round trip of host0-leaf0"});
}

TEST(Messages, MillionsOfProblemsStayAFewLines) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  const ValidateResult result = read(text + "}");
  EXPECT_LE(result.problems.size(), 2 * kMaxProblems);
  expect_message(result, {"there are more problems"});
}

TEST(Messages, AFileThatCantBeReadIsAProblem) {
  const ValidateResult result = read_scenario_file("/nonexistent/x.json");
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_EQ(to_string(result.problems[0]),
            "/nonexistent/x.json: the file can't be read; expected a scenario in JSON.");
}

}  // namespace
}  // namespace spineleaf
