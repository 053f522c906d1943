// Every schedule on the ideal network: it ends, its NICs carry the closed form, and where nothing
// but the wire costs, its time is the textbook's.

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "models/collectives/binary_tree.hpp"
#include "models/workloads/collective.hpp"
#include "tests/models/workloads/workload_case.hpp"

namespace spineleaf::fake {
namespace {

struct RunCase {
  Case c;
  CollectiveParams params{};
  NetworkParams network{};
  std::map<std::uint32_t, std::int64_t> sent{};  ///< data by sending endpoint

  RunCase(std::uint32_t nodes, std::uint32_t nics, std::int64_t gpus) {
    c.topology = star(nodes, nics);
    c.params.host.gpus = gpus;
    params.bytes = Bytes{16 << 20};
  }
  /// Software costs nothing; the launch hides the first clear-to-send, which the forms lack.
  void only_wire() {
    HostParams& host = c.params.host;
    host.channel_rate = host.nvlink_rate = params.costs.nvls_rate = kMaxRate;
    host.step_overhead = host.intra_hop = params.costs.p2p_overhead = Time{0};
    params.costs.nvls_overhead = params.costs.nvls_tree_overhead = Time{0};
    host.proxy_send = host.proxy_receive = host.clear_to_send = Time{0};
    host.launch = Time::from_us(5);
  }
  /// Microseconds of one iteration, launch left out.
  double run() {
    c.build(kind_named("collective"), &params);
    EXPECT_EQ(c.workload.problems, std::vector<std::string>{});
    Network net(c.topology, c.workload, network);
    net.on_message = [&](const Message& m) {
      const ConnectionSpec& spec = c.workload.connections[m.connection];
      if ((spec.receiver_cookie & kClearToSendCookie) == 0) sent[index(spec.from)] += m.bytes.count;
    };
    net.run();
    EXPECT_TRUE(net.all_done());
    Time end{0};
    for (const CollectiveRecord& record : net.report().collectives) {
      end = std::max(end, record.end);
    }
    std::int64_t planned = 0, all = 0;
    for (const Workload::App& app : c.workload.apps) planned += app.app->bytes_planned();
    for (const auto& [from, bytes] : sent) all += bytes;
    EXPECT_EQ(planned, all);
    return (end - c.params.host.launch).microseconds();
  }
};

double wire_us(double bytes) { return bytes / 50e3; }  // 400 Gb/s

TEST(ScheduleRun, EveryCollectiveEndsOnAnyShape) {
  for (const auto& [nodes, nics, gpus] :
       {std::tuple{2U, 8U, 8}, {3U, 2U, 4}, {5U, 1U, 1}, {1U, 1U, 8}}) {
    for (int collective = 0; collective <= static_cast<int>(Collective::SendRecv); ++collective) {
      for (const CollectiveAlgorithm algorithm :
           {CollectiveAlgorithm::Ring, CollectiveAlgorithm::Tree, CollectiveAlgorithm::NvlsTree}) {
        const bool tree = algorithm != CollectiveAlgorithm::Ring;
        if (tree && collective > 0) continue;
        if (algorithm == CollectiveAlgorithm::NvlsTree && nodes < 2) continue;
        RunCase r(nodes, nics, gpus);
        r.params.collective = static_cast<Collective>(collective);
        r.params.algorithm = algorithm;
        r.params.iterations = 2;
        r.params.bytes = Bytes{2 << 20};
        r.params.qps_per_connection = 2;
        EXPECT_GT(r.run(), 0) << collective;
      }
    }
  }
}

/// A tree's chunks follow each other; the node with most children sends most.
TEST(ScheduleRun, TreeReachesTheWire) {
  for (const std::uint32_t nodes : {2U, 4U, 8U}) {
    RunCase r(nodes, 1, 1);
    r.only_wire();
    r.params.algorithm = CollectiveAlgorithm::Tree;
    r.params.channels = 2;
    r.params.bytes = Bytes{256 << 20};
    r.network.quantum = Bytes{65536};
    const double time = r.run();
    std::int64_t most = 0;
    for (const auto& [from, bytes] : r.sent) most = std::max(most, bytes);
    // Each tree carries half. With more than two nodes a NIC sends twice its half up and down, and
    // is a leaf of the other tree: 2 x S / 2 x (1 + 1) / 2 + S / 2.
    std::int64_t expected = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      std::int64_t links = 0;
      for (std::uint32_t tree = 0; tree < 2; ++tree) {
        const TreeNode at = double_tree(tree, nodes, node);
        links += at.parent == kNoNode ? 0 : 1;
        for (const std::uint32_t child : at.children) links += child == kNoNode ? 0 : 1;
      }
      expected = std::max(expected, links * r.params.bytes.count / 2);
    }
    EXPECT_EQ(most, expected);
    // The first chunk goes up and down all levels before the last NIC is done.
    const double fill = 2 * tree_depth(nodes) * (3 + wire_us(512 << 10)) * 2;
    EXPECT_GT(time, wire_us(static_cast<double>(most)));
    EXPECT_LT(time, wire_us(static_cast<double>(most)) * 1.01 + fill) << nodes;
  }
}

TEST(ScheduleRun, NvlsTreeKeepsToItsRails) {
  RunCase r(2, 8, 8);
  r.only_wire();
  r.params.algorithm = CollectiveAlgorithm::NvlsTree;
  r.params.channels = 16;
  r.params.bytes = Bytes{256 << 20};
  const double time = r.run();
  // One node is root of each tree: every rail carries an eighth each way.
  EXPECT_EQ(r.sent.size(), 16U);
  for (const auto& [from, bytes] : r.sent) EXPECT_EQ(bytes, 32 << 20);
  EXPECT_NEAR(time, wire_us(32 << 20), 0.03 * wire_us(32 << 20));
  for (const ConnectionSpec& spec : r.c.workload.connections) {
    EXPECT_EQ(r.c.topology.endpoints[index(spec.from)].nic,
              r.c.topology.endpoints[index(spec.to)].nic);
  }
}

/// The bound of an alltoall: what leaves a node goes through its NICs.
TEST(ScheduleRun, AllToAllReachesTheNic) {
  for (const std::uint32_t nodes : {2U, 4U}) {
    RunCase r(nodes, 8, 8);
    r.only_wire();
    r.params.collective = Collective::AllToAll;
    r.params.channels = 16;
    r.params.bytes = Bytes{256LL << 20};
    const double time = r.run();
    const double ranks = nodes * 8.0;
    const double out = static_cast<double>(r.params.bytes.count) * (ranks - 8) / ranks;
    for (const auto& [from, bytes] : r.sent) EXPECT_EQ(static_cast<double>(bytes), out);
    EXPECT_GT(time, wire_us(out));
    EXPECT_LT(time, 1.02 * wire_us(out)) << nodes;
  }
}

/// Broadcast: the chain is filled once, then a NIC sends all of it.
TEST(ScheduleRun, BroadcastIsAPipeline) {
  RunCase r(6, 1, 1);
  r.only_wire();
  r.params.collective = Collective::Broadcast;
  r.params.channels = 1;
  r.params.bytes = Bytes{256 << 20};
  const double expected = wire_us(256 << 20) + 4 * (3 + wire_us(512 << 10)) + 3;
  EXPECT_NEAR(r.run(), expected, 0.01 * expected);
}

TEST(ScheduleRun, ReceiversClearPeersOnlyWhenTheyGetToThem) {
  RunCase r(16, 1, 1);
  r.params.collective = Collective::AllToAll;
  r.params.channels = 1;
  r.params.bytes = Bytes{64 << 20};
  r.c.build(kind_named("collective"), &r.params);
  std::map<Time, int> clears;
  Network net(r.c.topology, r.c.workload, {});
  net.on_message = [&](const Message& m) {
    const ConnectionSpec& spec = r.c.workload.connections[m.connection];
    if ((spec.receiver_cookie & kClearToSendCookie) != 0) ++clears[m.posted];
  };
  net.run();
  EXPECT_TRUE(net.all_done());
  // 16 receivers, 8 lanes, 2 slots each; all peers at once would be 15 x 2 x 16.
  EXPECT_LE(clears.begin()->second, 16 * 8 * 2);
}

/// Two halves of a channel's threads: one reduces, one spreads.
TEST(ScheduleRun, TreeOfOneNodeCostsItsChannels) {
  RunCase r(1, 1, 2);
  HostParams& host = r.c.params.host;
  host.step_overhead = host.intra_hop = host.launch = Time{0};
  host.nvlink_rate = kMaxRate;
  r.params.algorithm = CollectiveAlgorithm::Tree;
  r.params.channels = 1;
  r.params.bytes = Bytes{256 << 20};
  // The root works at the channel's rate, and nobody waits for anything slower.
  const double copy = 256e0 * 1048576 / 21.3e3;
  EXPECT_NEAR(r.run(), copy, 0.02 * copy);
}

/// Eight GPUs in a chain: with LL they work on the same slice, a flag behind each other.
TEST(ScheduleRun, LlPassesSlicesOnWhileTheyCome) {
  const auto time = [](Protocol protocol) {
    RunCase r(1, 1, 8);
    HostParams& host = r.c.params.host;
    host.nvlink_rate = kMaxRate;
    host.launch = host.ll128_overhead = Time{0};
    host.ll128_channel_rate = r.params.costs.ll_channel_rate;
    r.params.costs.ll_overhead = Time::from_ns(600);
    r.params.collective = Collective::Broadcast;
    r.params.protocol = protocol;
    r.params.channels = 1;
    r.params.bytes = Bytes{28'800};
    return r.run();
  };
  const double copy = 28'800 / 9e3;
  // The first GPU only sends, half a step; the last is done when the one before it is.
  EXPECT_NEAR(time(Protocol::Ll), 6.5 * 0.6 + copy, 0.05);
  EXPECT_NEAR(time(Protocol::Ll128), 7 * copy, 0.05);
}

/// One GPU of each host: its own NIC carries it. All of one host: no NIC does.
TEST(ScheduleRun, GroupsOfGpusKeepToTheirNics) {
  RunCase data(4, 8, 8);
  data.params.gpus = "3";
  EXPECT_GT(data.run(), 0);
  EXPECT_EQ(data.sent.size(), 4U);
  for (const auto& [from, bytes] : data.sent) {
    EXPECT_EQ(data.c.topology.endpoints[from].nic, 3);
    EXPECT_EQ(bytes, (16 << 20) / 4 * 6);
  }
  RunCase pairs(2, 4, 8);
  pairs.params.gpus = "4..5, 0";
  EXPECT_GT(pairs.run(), 0);
  for (const auto& [from, bytes] : pairs.sent) {
    const int nic = pairs.c.topology.endpoints[from].nic;
    EXPECT_TRUE(nic == 2 || nic == 0) << nic;
  }
  RunCase wrong(2, 4, 8);
  wrong.params.gpus = "7..8";
  wrong.c.build(kind_named("collective"), &wrong.params);
  ASSERT_EQ(wrong.c.workload.problems.size(), 1U);
  EXPECT_NE(wrong.c.workload.problems[0].find("names no GPUs"), std::string::npos);
}

TEST(ScheduleRun, CostsHaveTheirDeclaredDefaults) {
  const auto params = kind_named("collective").make_params();
  EXPECT_EQ(static_cast<const CollectiveParams*>(params.get())->costs, NcclCosts{});
}

TEST(ScheduleRun, WhatNcclLacksIsRefused) {
  const auto problem = [](auto change) {
    RunCase r(2, 1, 2);
    change(r.params);
    r.c.build(kind_named("collective"), &r.params);
    return r.c.workload.problems.empty() ? std::string() : r.c.workload.problems[0];
  };
  EXPECT_EQ(problem([](CollectiveParams&) {}), "");
  EXPECT_NE(problem([](CollectiveParams& p) {
              p.algorithm = CollectiveAlgorithm::Tree;
              p.collective = Collective::Broadcast;
            }).find("serves all_reduce only"),
            std::string::npos);
  EXPECT_NE(problem([](CollectiveParams& p) {
              p.algorithm = CollectiveAlgorithm::Nvls;
            }).find("sharp.generation"),
            std::string::npos);
  EXPECT_NE(problem([](CollectiveParams& p) {
              p.collective = Collective::AllToAll;
              p.protocol = Protocol::Ll;
            }).find("protocol simple only"),
            std::string::npos);
  EXPECT_NE(problem([](CollectiveParams& p) { p.root = 4; }).find("is no rank"), std::string::npos);
}

}  // namespace
}  // namespace spineleaf::fake
