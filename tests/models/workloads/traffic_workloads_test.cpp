// all_to_all, send_recv and poisson on the ideal network.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "models/workloads/size_distribution.hpp"
#include "sim/random.hpp"
#include "tests/models/workloads/workload_case.hpp"

namespace spineleaf::fake {
namespace {

std::vector<FlowRecord> finished_flows(Case& c) {
  EXPECT_EQ(c.workload.problems, std::vector<std::string>{});
  Network network(c.topology, c.workload, {});
  network.run();
  EXPECT_TRUE(network.all_done());
  JobReport report = network.report();
  std::sort(report.sender_flows.begin(), report.sender_flows.end(),
            [](const FlowRecord& a, const FlowRecord& b) { return a.flow < b.flow; });
  EXPECT_EQ(report.sender_flows.size(), report.receiver_flows.size());
  for (const FlowRecord& half : report.receiver_flows) {
    FlowRecord& flow = report.sender_flows.at(half.flow);
    EXPECT_EQ(flow.from, half.from);
    EXPECT_EQ(flow.to, half.to);
    flow.received = half.received;
    EXPECT_LT(flow.start, flow.received);
    EXPECT_LT(flow.received, flow.acked);
  }
  return report.sender_flows;
}

TEST(AllToAll, EveryPortSendsToEveryOtherHostsPorts) {
  Case c{.topology = star(5, 2)};
  c.build("all_to_all", {{"bytes", "10KB"}, {"in_flight", "2"}});
  EXPECT_EQ(c.workload.connections.size(), 10U * 8);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const ConnectionSpec& spec : c.workload.connections) {
    EXPECT_NE(index(spec.from) / 2, index(spec.to) / 2);
    EXPECT_TRUE(pairs.insert({index(spec.from), index(spec.to)}).second);
  }
  // The first destination of port i is the next port that is not on its own host.
  EXPECT_EQ(index(c.workload.connections[0].to), 2U);
  EXPECT_EQ(c.workload.apps[3].app->bytes_planned(), 2 * 8 * 10'000);
  const auto flows = finished_flows(c);
  ASSERT_EQ(flows.size(), 80U);
  // At most two of a port's messages are under way at any time.
  for (const FlowRecord& flow : flows) {
    const auto open = std::count_if(flows.begin(), flows.end(), [&](const FlowRecord& other) {
      return other.from == flow.from && other.start <= flow.start && other.acked > flow.start;
    });
    EXPECT_LE(open, 2);
  }
}

TEST(AllToAll, SameNicStaysOnTheRail) {
  Case c{.topology = star(4, 8)};
  c.build("all_to_all", {{"same_nic", "true"}});
  EXPECT_EQ(c.workload.connections.size(), 32U * 3);
  for (const ConnectionSpec& spec : c.workload.connections) {
    EXPECT_EQ(index(spec.from) % 8, index(spec.to) % 8);
  }
}

TEST(AllToAll, RefusesWhatCannotBePlanned) {
  Case c{.topology = star(15'000, 1)};
  ASSERT_EQ(c.build("all_to_all", {}).problems.size(), 1U);
  EXPECT_EQ(c.workload.problems[0], "about 224 million messages (expected at most 134 million)");
}

TEST(SendRecv, PairsKeepTheirDepthInFlight) {
  Case c{.topology = star(4, 2)};
  c.build("send_recv", {{"messages", "50"}, {"in_flight", "4"}, {"bytes", "100KB"}, {"qps", "2"}});
  EXPECT_EQ(c.workload.connections.size(), 4U * 2 * 2);
  const auto flows = finished_flows(c);
  EXPECT_EQ(flows.size(), 16U * 50);
  // 100 kB take 2 us and an acknowledgement 6 us more, so 2 x 4 in flight keep the port busy.
  Time last;
  for (const FlowRecord& flow : flows) last = std::max(last, flow.received);
  EXPECT_LT(last, Time::from_us(100 * 2 + 10));
}

TEST(SendRecv, PairingsAndDirections) {
  const auto pairs = [](std::initializer_list<Setting> settings) {
    Case c{.topology = star(4, 1)};
    c.build("send_recv", settings);
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const ConnectionSpec& spec : c.workload.connections) {
      found.insert({index(spec.from), index(spec.to)});
    }
    return found;
  };
  using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(pairs({}), (Pairs{{0, 1}, {1, 0}, {2, 3}, {3, 2}}));
  EXPECT_EQ(pairs({{"pairing", "halves"}, {"both_ways", "false"}}), (Pairs{{0, 2}, {1, 3}}));
  EXPECT_EQ(pairs({{"pairing", "ring"}}), (Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
}

TEST(Poisson, OffersTheStatedLoad) {
  Case c{.topology = star(16, 1)};
  c.build("poisson", {{"load", "0.4"}, {"bytes", "4096B"}, {"duration", "1ms"}, {"start", "1ms"}});
  std::int64_t planned = 0;
  for (const Workload::App& app : c.workload.apps) planned += app.app->bytes_planned();
  // 78,125 flows expected; three standard deviations are 1.1 %.
  EXPECT_NEAR(static_cast<double>(planned) / (16 * 0.4 * 50e9 * 1e-3), 1.0, 0.011);
  double gaps = 0, squares = 0, count = 0;
  Time before = Time::from_ms(1);
  EndpointId port{};
  std::map<std::uint32_t, int> to;
  auto flows = finished_flows(c);
  std::stable_sort(flows.begin(), flows.end(), [](const FlowRecord& a, const FlowRecord& b) {
    return std::pair(a.from, a.start) < std::pair(b.from, b.start);
  });
  for (const FlowRecord& flow : flows) {
    EXPECT_NE(flow.from, flow.to);
    EXPECT_GE(flow.start, Time::from_ms(1));
    EXPECT_LT(flow.start, Time::from_ms(2));
    ++to[index(flow.to)];
    if (flow.from == port) {
      const double gap = (flow.start - before).microseconds();
      gaps += gap;
      squares += gap * gap;
      ++count;
    }
    port = flow.from;
    before = flow.start;
  }
  EXPECT_NEAR(gaps / count, 0.2048, 0.003);
  EXPECT_NEAR(squares / count / (gaps / count) / (gaps / count), 2.0, 0.06);
  for (const auto& [endpoint, n] : to) EXPECT_NEAR(n, 78'125.0 / 16, 300);
}

TEST(Poisson, SharesConnectionsWhereAsked) {
  const auto connections = [](std::string_view sharing) {
    Case c{.topology = star(4, 2)};
    c.build("poisson", {{"load", "0.2"}, {"duration", "200us"}, {"connections", sharing}});
    const std::size_t flows = finished_flows(c).size();
    return std::pair(c.workload.connections.size(), flows);
  };
  const auto per_flow = connections("per_flow"), per_pair = connections("per_pair");
  EXPECT_EQ(per_flow.first, per_flow.second);
  EXPECT_EQ(per_flow.second, per_pair.second);
  EXPECT_EQ(per_pair.first, 8U * 3);
}

TEST(Poisson, OneReceiverGetsTheLoadOfItsPort) {
  Case c{.topology = star(9, 1)};
  c.build("poisson", {{"receiver", "host4"}, {"load", "0.5"}, {"bytes", "4KB"}});
  std::int64_t planned = 0;
  for (const Workload::App& app : c.workload.apps) planned += app.app->bytes_planned();
  EXPECT_NEAR(static_cast<double>(planned), 0.5 * 50e9 * 1e-3, 1e6);
  for (const ConnectionSpec& spec : c.workload.connections) EXPECT_EQ(index(spec.to), 4U);
}

TEST(Poisson, FollowsTheSeedAndNothingElse) {
  const auto flows = [](std::uint64_t seed, std::uint32_t hosts) {
    Case c{.topology = star(hosts, 1), .seed = seed};
    c.build("poisson", {{"sizes", "web_search"},
                        {"duration", "500us"},
                        {"receiver", "host0"},
                        {"hosts", "host0..host3"}});
    std::vector<std::pair<Time, std::int64_t>> list;
    for (const FlowRecord& flow : finished_flows(c))
      list.emplace_back(flow.start, flow.bytes.count);
    return list;
  };
  EXPECT_EQ(flows(1, 4), flows(1, 4));
  EXPECT_EQ(flows(1, 4), flows(1, 9));
  EXPECT_NE(flows(1, 4), flows(2, 4));
}

TEST(Poisson, RefusesABadDistribution) {
  const auto problems = [](std::string_view cdf) {
    Case c{.topology = star(4, 1)};
    return c.build("poisson", {{"sizes", "cdf"}, {"cdf", cdf}}).problems;
  };
  EXPECT_EQ(problems("100:0.5,1000:1").size(), 0U);
  EXPECT_EQ(problems("").size(), 1U);
  EXPECT_EQ(problems("100:0.5,1000:0.9").size(), 1U);
  EXPECT_EQ(problems("100:0.5,50:1").size(), 1U);
  EXPECT_EQ(problems("100:0.5,x:0.7,1000:1")[0],
            "cdf: is not bytes:probability with a probability from 0 to 1 (found \"x:0.7\")");
}

TEST(SizeDistribution, SamplesHaveTheMeanOfTheCurve) {
  std::vector<Problem> problems;
  for (const std::string_view text :
       {kWebSearchSizes, kFbHadoopSizes, std::string_view("500:0.5,1500:1")}) {
    const SizeDistribution sizes = SizeDistribution::parse(text, problems);
    ASSERT_TRUE(problems.empty());
    double sum = 0;
    constexpr int kDraws = 2'000'000;
    for (int i = 0; i < kDraws; ++i) {
      sum += static_cast<double>(sizes.sample(draw(1, Purpose::FlowSize, i)).count);
    }
    EXPECT_NEAR(sum / kDraws / sizes.mean(), 1.0, 0.01) << text;
  }
  // Mean of the web search curve as the traffic generator computes it.
  EXPECT_NEAR(SizeDistribution::parse(kWebSearchSizes, problems).mean(), 1'711'250, 1);
  EXPECT_EQ(SizeDistribution::constant(Bytes{7}).sample(0).count, 7);
  EXPECT_EQ(SizeDistribution::constant(Bytes{7}).sample(UINT64_MAX).count, 7);
  EXPECT_EQ(SizeDistribution::parse("0:0,10:1", problems).sample(0).count, 1);
}

}  // namespace
}  // namespace spineleaf::fake
