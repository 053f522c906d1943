// flows, permutation and incast on the ideal network: who sends what to whom, when, and by seed.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "models/workloads/kinds.hpp"
#include "tests/models/workloads/workload_case.hpp"

namespace spineleaf::fake {
namespace {

std::uint32_t host_of(const Topology& topology, EndpointId id) {
  return index(topology.endpoints[index(id)].host);
}

/// Merges the halves of a report and checks that every flow is complete and in order.
std::vector<FlowRecord> complete_flows(const JobReport& report) {
  std::vector<FlowRecord> flows = report.sender_flows;
  std::sort(flows.begin(), flows.end(),
            [](const FlowRecord& a, const FlowRecord& b) { return a.flow < b.flow; });
  EXPECT_EQ(report.receiver_flows.size(), flows.size());
  for (const FlowRecord& half : report.receiver_flows) {
    FlowRecord& flow = flows.at(half.flow);
    EXPECT_EQ(flow.flow, half.flow);
    EXPECT_EQ(flow.from, half.from);
    EXPECT_EQ(flow.to, half.to);
    flow.received = half.received;
  }
  for (const FlowRecord& flow : flows) {
    EXPECT_LE(0, flow.start.ps);
    EXPECT_LT(flow.start, flow.received);
    EXPECT_LT(flow.received, flow.acked);
  }
  return flows;
}

std::vector<FlowRecord> run_all(Case& c) {
  EXPECT_EQ(c.workload.problems, std::vector<std::string>{});
  Network network(c.topology, c.workload, {});
  network.run();
  EXPECT_TRUE(network.all_done());
  return complete_flows(network.report());
}

TEST(Registry, NamesAreUniqueAndDefaultsAreDeclared) {
  std::set<std::string_view> names;
  for (const WorkloadKind& kind : workload_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second);
    EXPECT_FALSE(kind.table.text.empty());
    const auto params = kind.make_params();
    for (const ParamDecl& decl : kind.table.params) {
      const ParamValue expected = parse_declared(decl, decl.default_text);
      const ParamValue value = decl.get(params.get());
      EXPECT_EQ(value.integer, expected.integer) << kind.name << "." << decl.name;
      EXPECT_EQ(value.real, expected.real) << kind.name << "." << decl.name;
      EXPECT_EQ(value.text, expected.text) << kind.name << "." << decl.name;
      EXPECT_FALSE(decl.text.empty());
      EXPECT_FALSE(decl.source.empty());
    }
  }
}

TEST(Flows, RunAsListed) {
  Case c{.topology = star(4, 2)};
  FlowsParams params;
  params.flows = {{"host0", "host1", Bytes{1000}, Time::from_us(5)},
                  {"host2:1", "host3:1", Bytes{400'000}, Time{0}},
                  {"host0", "host3", Bytes{1}, Time{0}}};
  params.flows[1].path_id = 4;
  params.flows[1].rate = Rate::from_gbps(10);
  params.flows[1].traffic_class = 1;
  c.build(kind_named("flows"), &params);
  ASSERT_EQ(c.workload.connections.size(), 3U);
  EXPECT_EQ(c.workload.connections[1].path, 4);
  EXPECT_EQ(c.workload.connections[1].traffic_class, 1);
  EXPECT_EQ(c.workload.connections[1].rate_limit, Rate::from_gbps(10));
  EXPECT_EQ(index(c.workload.connections[1].from), 5U);
  EXPECT_EQ(index(c.workload.connections[1].to), 7U);
  EXPECT_EQ(c.next_sender_row, (std::vector<std::uint32_t>{2, 0, 1, 0}));
  ASSERT_EQ(c.workload.apps.size(), 4U);
  EXPECT_EQ(c.workload.apps[0].app->bytes_planned(), 1001);
  EXPECT_EQ(c.workload.apps[1].app->bytes_planned(), 0);
  const auto flows = run_all(c);
  EXPECT_EQ(flows[0].start, Time::from_us(5));
  EXPECT_EQ(flows[1].start, Time{0});
  EXPECT_EQ(flows[1].received, Time::from_us(8) + Time::from_us(3));
  EXPECT_EQ(flows[2].bytes, Bytes{1});
}

TEST(Flows, NamesTheNearestHostForABadName) {
  Case c{.topology = star(4, 2)};
  FlowsParams params;
  params.flows = {{"hots2", "host1"}, {"host1", "host1:1"}, {"host1:7", "host2"}};
  c.build(kind_named("flows"), &params);
  ASSERT_EQ(c.workload.problems.size(), 3U);
  EXPECT_EQ(c.workload.problems[0],
            "flows[0].from: is no host of the topology (found \"hots2\", expected \"host0\" to "
            "\"host3\"). Did you mean \"host2\"?");
  EXPECT_EQ(c.workload.problems[1],
            "flows[1].to: is the sending host itself (found \"host1:1\", expected another host)");
  EXPECT_EQ(c.workload.problems[2],
            "flows[2].from: names no NIC of host1 (found \"host1:7\", expected \"host1:0\" to "
            "\"host1:1\")");
  EXPECT_TRUE(c.workload.apps.empty());
}

TEST(Flows, RefusesAClassThatTheFabricLacks) {
  Case c{.topology = star(2, 1)};
  FlowsParams params;
  params.flows = {{"host0", "host1"}};
  params.flows[0].traffic_class = 2;
  c.build(kind_named("flows"), &params);
  ASSERT_EQ(c.workload.problems.size(), 1U);
  EXPECT_EQ(c.workload.problems[0],
            "flows[0].class: class 2 does not exist (expected -1 to 1). fabric.classes is 2");
}

TEST(Permutation, ShiftSendsHalfWayRound) {
  Case c{.topology = star(8, 2)};
  c.build("permutation", {{"bytes", "64KiB"}, {"flows_per_nic", "3"}, {"repeat", "2"}});
  ASSERT_EQ(c.workload.connections.size(), 8U * 2 * 3);
  for (const ConnectionSpec& spec : c.workload.connections) {
    EXPECT_EQ((host_of(c.topology, spec.from) + 4) % 8, host_of(c.topology, spec.to));
    EXPECT_EQ(c.topology.endpoints[index(spec.from)].nic, c.topology.endpoints[index(spec.to)].nic);
  }
  for (const Workload::App& app : c.workload.apps) {
    EXPECT_EQ(app.app->bytes_planned(), 2 * 3 * 2 * 65536);
  }
  const auto flows = run_all(c);
  EXPECT_EQ(flows.size(), 8U * 2 * 3 * 2);
  // The second message of a connection follows the first one's acknowledgement.
  for (std::size_t i = 0; i < flows.size(); i += 2) EXPECT_EQ(flows[i].acked, flows[i + 1].start);
}

std::vector<std::uint32_t> random_destinations(std::uint64_t seed) {
  Case c{.topology = star(32, 1), .seed = seed};
  c.build("permutation", {{"pattern", "random"}});
  std::vector<std::uint32_t> to;
  for (const ConnectionSpec& spec : c.workload.connections) {
    to.push_back(host_of(c.topology, spec.to));
    EXPECT_NE(host_of(c.topology, spec.from), to.back());
  }
  EXPECT_EQ(std::set<std::uint32_t>(to.begin(), to.end()).size(), 32U);
  return to;
}

TEST(Permutation, RandomIsAPermutationWithoutFixedPointsBySeed) {
  EXPECT_EQ(random_destinations(1), random_destinations(1));
  EXPECT_NE(random_destinations(1), random_destinations(2));
}

TEST(Permutation, JitterStaysInItsBoundsAndFollowsTheSeed) {
  const auto starts = [](std::uint64_t seed) {
    Case c{.topology = star(16, 1), .seed = seed};
    c.build("permutation", {{"start", "10us"}, {"start_jitter", "5us"}});
    std::vector<Time> times;
    for (const FlowRecord& flow : run_all(c)) times.push_back(flow.start);
    return times;
  };
  const auto first = starts(1);
  EXPECT_EQ(first, starts(1));
  EXPECT_NE(first, starts(2));
  EXPECT_GT(std::set<Time>(first.begin(), first.end()).size(), 10U);
  for (const Time t : first) {
    EXPECT_GE(t, Time::from_us(10));
    EXPECT_LE(t, Time::from_us(15));
  }
}

TEST(Permutation, RefusesWhatIsNoPermutation) {
  Case c{.topology = star(4, 1)};
  EXPECT_FALSE(c.build("permutation", {{"shift", "8"}}).problems.empty());
  EXPECT_FALSE(c.build("permutation", {{"hosts", "host1"}}).problems.empty());
  EXPECT_FALSE(c.build("permutation", {{"hosts", "host1..host9"}}).problems.empty());
  EXPECT_FALSE(c.build("permutation", {{"hosts", "host3..host1"}}).problems.empty());
  EXPECT_TRUE(c.build("permutation", {{"hosts", "host3, host0..host1"}}).problems.empty());
  EXPECT_EQ(c.workload.connections.size(), 3U);
}

TEST(Incast, EveryOtherHostSendsToTheReceiver) {
  Case c{.topology = star(33, 1)};
  c.build("incast", {{"receiver", "host5"}, {"bytes", "1MiB"}});
  ASSERT_EQ(c.workload.connections.size(), 32U);
  std::set<std::uint32_t> senders;
  for (const ConnectionSpec& spec : c.workload.connections) {
    EXPECT_EQ(host_of(c.topology, spec.to), 5U);
    senders.insert(host_of(c.topology, spec.from));
  }
  EXPECT_EQ(senders.size(), 32U);
  EXPECT_FALSE(senders.contains(5U));
  EXPECT_EQ(run_all(c).size(), 32U);
}

TEST(Incast, StrideAndSeedChooseTheSenders) {
  const auto senders = [](std::initializer_list<Setting> settings, std::uint64_t seed) {
    Case c{.topology = star(16, 4), .seed = seed};
    c.build("incast", settings);
    std::vector<std::uint32_t> hosts;
    for (const ConnectionSpec& spec : c.workload.connections) {
      hosts.push_back(host_of(c.topology, spec.from));
      EXPECT_EQ(c.topology.endpoints[index(spec.from)].nic, 2);
    }
    return hosts;
  };
  EXPECT_EQ(senders({{"receiver", "host0:2"}, {"senders", "3"}, {"stride", "4"}}, 1),
            (std::vector<std::uint32_t>{4, 8, 12}));
  EXPECT_EQ(senders({{"receiver", "host0:2"}, {"senders", "4"}, {"stride", "4"}}, 1),
            (std::vector<std::uint32_t>{4, 8, 12, 3}));
  const auto random = senders({{"receiver", "host0:2"}, {"senders", "8"}, {"choice", "random"}}, 1);
  EXPECT_EQ(std::set<std::uint32_t>(random.begin(), random.end()).size(), 8U);
  EXPECT_NE(random, senders({{"receiver", "host0:2"}, {"senders", "8"}, {"choice", "random"}}, 2));
}

TEST(Incast, RefusesMoreSendersThanHosts) {
  Case c{.topology = star(4, 1)};
  c.build("incast", {{"senders", "4"}});
  ASSERT_EQ(c.workload.problems.size(), 1U);
  EXPECT_EQ(c.workload.problems[0],
            "senders: there are not that many other hosts (found 4, expected at most 3)");
}

}  // namespace
}  // namespace spineleaf::fake
